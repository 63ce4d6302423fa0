"""Pairs the next round of a tournament.

Computed from the plan, the entrants, the earlier rounds and a seed alone. So anyone with a
tournament's record and seed can recompute every round: `Record.wrong_round`. For that, entrants are taken
as they are at the end; later changes to them alter no earlier round.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil, log, log2
from typing import Any, Final, Literal

from pydantic import TypeAdapter, ValidationError

from bot.core.errors import BadImport
from bot.features.tournaments.rules import knockout, round_robin
from bot.features.tournaments.rules.knockout import Knockout
from bot.features.tournaments.rules.larger_tables import tables_round
from bot.features.tournaments.rules.roster import History, Roster
from bot.features.tournaments.rules.standings import group_winners
from bot.features.tournaments.rules.swiss import Swiss, fits
from data.tournaments.values import Entrant, Format, Pairing, Plan
from engine.luck import commitment
from engine.phrase import Phrase, say

MAX_ENTRANTS: Final = 500
MAX_ROUNDS: Final = 100
"""Maximum rounds of a tournament, which bound what its standings cost."""


class PairingImpossible(Exception):
    """A tournament can't begin. Once begun, each of its rounds can be paired."""


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
    least = max(2, plan.smallest)
    if not so_far and sum(map(roster.began, roster.places)) < least:
        raise PairingImpossible(f"at least {least} players are needed")
    if plan.format is Format.ROUND_ROBIN and plan.seats == 2:
        return roster.as_persons(_round_robin(plan, roster, rounds, seed))
    history = History(rounds)
    if plan.format is Format.KNOCKOUT:
        pairings: Sequence[Pairing] = Knockout(plan, roster, rounds, history, seed).pairings()
    else:
        present = roster.present(history.rounds + 1)
        if history.rounds >= _rounds(plan, roster, history.rounds + 1) or len(present) < least:
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


def most_entrants(plan: Plan) -> int:
    """Return how many players a tournament of a plan can take within `MAX_ROUNDS`."""
    sizes = range(MAX_ENTRANTS, 1, -1)
    return next((n for n in sizes if total_rounds(plan, n) <= MAX_ROUNDS), 2)


def _shape(pairing: Pairing) -> tuple[int, int, tuple[int, ...], tuple[int, ...], str]:
    seats = pairing.games[0].seats if pairing.games else ()
    return pairing.round, pairing.table, pairing.players, seats, pairing.stage


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


@dataclass(frozen=True, slots=True)
class Record:
    """A tournament with its rounds so far."""

    plan: Plan
    entrants: tuple[Entrant, ...]
    pairings: tuple[Pairing, ...]
    unequal_sides: bool = False
    seed: str = ""
    """In hexadecimal; empty until revealed."""
    commitment: str = ""
    """SHA-256 of the seed, fixed from the first day; the seed must match it."""
    title: str = ""
    kind: Literal["old-board-games tournament"] = "old-board-games tournament"
    version: Literal[1] = 1

    def next_round(self) -> tuple[Pairing, ...]:
        """Return the next round, see `pairing.next_round`."""
        seed, unequal = bytes.fromhex(self.seed), self.unequal_sides
        return next_round(self.plan, self.entrants, self.pairings, seed, unequal_sides=unequal)

    def wrong_round(self) -> int | None:
        """Return the first round not paired as it should have been; ``None`` if all were.

        Results, and games added to an encounter, aren't compared.
        """
        # Rounds in which no player has an opponent are skipped.
        for number in sorted({pairing.round for pairing in self.pairings}):
            before = tuple(pairing for pairing in self.pairings if pairing.round < number)
            paired = replace(self, pairings=before).next_round()
            now = (pairing for pairing in self.pairings if pairing.round == number)
            if sorted(map(_shape, paired)) != sorted(map(_shape, now)):
                return number
        return None


RECORDS: Final = TypeAdapter(Record)
ROUNDS: Final = TypeAdapter(tuple[Pairing, ...])
_UNWRITTEN: Final = {
    "pairings": {"__all__": {"games": {"__all__": {"number", "match_id", "ended"}}}}
}
"""What a game has only in the store."""


def to_json(record: Record) -> str:
    """Write a record as JSON."""
    return RECORDS.dump_json(record, indent=1, exclude=_UNWRITTEN).decode()


def from_json(text: str) -> Record:
    """Parse a record that `to_json` made.

    Raises:
        BadImport: it is something else, or its players don't go together.

    """
    try:
        record = RECORDS.validate_json(text)
        seed = bytes.fromhex(record.seed)
        roster = Roster(record.entrants)
        roster.as_places(record.pairings)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise BadImport(_damaged(f"{where}: {first['msg']}" if where else first["msg"])) from error
    except KeyError as error:
        raise BadImport(_damaged(f"{error} is paired, but no entrant")) from error
    except ValueError as error:
        raise BadImport(_damaged(str(error))) from error
    if seed and record.commitment and commitment(seed) != record.commitment:
        raise BadImport(
            say("The seed in the record doesn't match its commitment, so one of them was changed.")
        )
    return record


def _damaged(what: str) -> Phrase:
    # Translators: what is a technical detail in English.
    return say("The record is damaged: {what}. Export it again from where you got it.", what=what)


def pair(played: Any) -> Any:
    """Pair the next round of a record, in a process of its own."""
    return ROUNDS.dump_python(RECORDS.validate_python(played).next_round(), mode="json")


TASKS: Final = {"pair": pair}
