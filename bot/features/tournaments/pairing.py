"""Pairs the next round of a tournament.

Computed from the plan, the entrants, the earlier rounds and a seed alone. So anyone with a
tournament's record and seed can recompute every round: `recomputed`. For that, entrants are taken
as they are at the end; later changes to them alter no earlier round.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, log, log2

from bot.features.tournaments import knockout, round_robin
from bot.features.tournaments.history import History
from bot.features.tournaments.knockout import Knockout, further_games
from bot.features.tournaments.model import Entrant, Format, Pairing, Plan
from bot.features.tournaments.roster import Roster
from bot.features.tournaments.standings import group_winners
from bot.features.tournaments.swiss import Swiss, fits
from bot.features.tournaments.tables import tables_round
from engine.phrase import Phrase, plural

__all__ = [
    "PairingImpossible",
    "advancing",
    "further_games",
    "next_round",
    "recomputed",
    "total_rounds",
]


class PairingImpossible(Exception):
    """A tournament can't begin. Once begun, each of its rounds can be paired."""

    def __init__(self, reason: Phrase) -> None:
        """Keep the reason to show."""
        super().__init__(reason)
        self.reason = reason


def next_round(
    plan: Plan,
    entrants: Sequence[Entrant],
    so_far: Sequence[Pairing],
    seed: bytes,
    *,
    unequal_sides: bool,
) -> tuple[Pairing, ...]:
    """Return the next round; empty when the tournament is over.

    A pairing whose games already have points isn't played, as the opponent has left. If that holds
    for a whole round, call again with that round included.

    Args:
        plan: the tournament's settings.
        entrants: all who are or were in it, in the order of joining.
        so_far: all earlier rounds, with their results.
        seed: decides the draw.
        unequal_sides: whether one seat of the game has better chances than the other.

    Raises:
        PairingImpossible: there are too few entrants to begin.
        ValueError: a game of the last round is still open.

    """
    if any(pairing.open for pairing in so_far):
        raise ValueError("the last round is still in progress")
    roster = Roster(entrants, seed)
    rounds = roster.as_places(so_far)
    if not so_far:
        _check(plan, sum(map(roster.began, roster.places)))
    if plan.format is Format.ROUND_ROBIN and plan.seats == 2:
        return roster.as_persons(_round_robin(plan, roster, rounds, seed))
    history = History(rounds)
    if plan.format is Format.KNOCKOUT:
        pairings: Sequence[Pairing] = Knockout(plan, roster, rounds, history, seed).pairings()
    else:
        present = roster.present(history.rounds + 1)
        if history.rounds >= _rounds(plan, roster, history.rounds + 1) or len(present) < max(
            2, plan.smallest
        ):
            return ()
        if plan.seats == 2:
            pairings = Swiss(
                present, history, seed, unequal_sides=unequal_sides, both_sides=plan.both_sides
            ).pairings()
        else:
            by_points = plan.format is Format.SWISS
            pairings = tables_round(plan, present, history, seed, by_points=by_points)
    return roster.as_persons(pairings)


def total_rounds(plan: Plan, number_of_entrants: int) -> int:
    """Return the number of rounds for a number of entrants; with two lives, the maximum."""
    if number_of_entrants < 2:
        return 0
    if plan.format is Format.KNOCKOUT:
        return knockout.total(plan, number_of_entrants)
    if plan.format is Format.ROUND_ROBIN and plan.seats == 2:
        return round_robin.total(plan, number_of_entrants)
    if plan.seats == 2:
        enough = max(3, ceil(log2(number_of_entrants)))
        return fits(plan.rounds or enough, number_of_entrants)
    everyone = ceil((number_of_entrants - 1) / (plan.seats - 1)) * plan.cycles
    enough = max(3, ceil(log(number_of_entrants, plan.seats)) + 1)
    swiss = plan.format is Format.SWISS
    return plan.rounds or (min(everyone, enough) if swiss else everyone)


def advancing(entrants: Sequence[Entrant], pairing: Pairing) -> int:
    """Return the player who advances from a knockout encounter that has ended."""
    roster = Roster(entrants)
    (as_places,) = roster.as_places([pairing])
    return roster.last_holder(knockout.winner(roster, as_places), pairing.round)


def recomputed(
    plan: Plan,
    entrants: Sequence[Entrant],
    pairings: Sequence[Pairing],
    seed: bytes,
    *,
    unequal_sides: bool,
) -> int | None:
    """Return the first round not paired as it should have been; ``None`` if all were.

    Results, and games added to an encounter, aren't compared.
    """
    # Rounds in which no player has an opponent are skipped.
    for number in sorted({pairing.round for pairing in pairings}):
        before = [pairing for pairing in pairings if pairing.round < number]
        paired = next_round(plan, entrants, before, seed, unequal_sides=unequal_sides)
        now = [pairing for pairing in pairings if pairing.round == number]
        if sorted(map(_shape, paired)) != sorted(_shape(pairing) for pairing in now):
            return number
    return None


def _shape(pairing: Pairing) -> tuple[int, int, tuple[int, ...], tuple[int, ...], str]:
    seats = pairing.games[0].seats if pairing.games else ()
    return pairing.round, pairing.table, pairing.players, seats, pairing.stage


def _check(plan: Plan, entrants: int) -> None:
    least = max(2, plan.smallest)
    if entrants < least:
        raise PairingImpossible(
            plural("At least {n} player is needed.", "At least {n} players are needed.", least)
        )


def _rounds(plan: Plan, roster: Roster, number: int) -> int:
    """Return the rounds of a Swiss: as planned, limited by the number who have joined by now."""
    if plan.rounds is None:
        return total_rounds(plan, sum(map(roster.began, roster.places)))
    return total_rounds(plan, sum(roster.joined(place) <= number for place in roster.places))


def _round_robin(
    plan: Plan, roster: Roster, rounds: Sequence[Pairing], seed: bytes
) -> Sequence[Pairing]:
    number = max((pairing.round for pairing in rounds), default=0) + 1
    entrants = sum(map(roster.began, roster.places))
    in_groups = round_robin.group_rounds(plan, entrants)
    for turn in range(number, round_robin.total(plan, entrants) + 1):
        if turn <= in_groups:
            pairings = round_robin.group_round(plan, roster, turn, seed)
        else:
            winners = group_winners(plan, roster, rounds)
            pairings = round_robin.final_round(plan, roster, winners, in_groups, turn)
        if pairings and any(len(pairing.players) > 1 for pairing in pairings):
            return pairings
    return []
