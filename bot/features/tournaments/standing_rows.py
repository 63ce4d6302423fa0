"""Rows of a tournament's standings, and the rounds they count."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.features.tournaments.model import Format, Pairing, Plan
from bot.features.tournaments.roster import Roster
from bot.features.tournaments.tie_breaks import Round, TieBreak
from engine.phrase import Phrase


@dataclass(frozen=True, slots=True)
class Standing:
    """A row of the standings."""

    place: int
    """From 1; the same for players who share it."""
    user_id: int
    points: float
    played: int
    """Rounds played to the end against an opponent."""
    wins: int
    draws: int
    """Rounds neither won nor lost, including the middle places at larger tables."""
    losses: int
    byes: int
    """Rounds won without playing; in a round robin, those without an opponent."""
    tie_breaks: tuple[tuple[TieBreak, float], ...] = ()
    """In order. Head to head is missing if it decided nothing."""
    reason: Phrase | None = None
    """Why it is above the next row; ``None`` for the last."""
    left: bool = False
    """Whether the place is vacant."""


def rounds_of(place: int, plan: Plan, pairings: Sequence[Pairing], last: int) -> list[Round]:
    """Return a place's ended rounds; a round without a pairing was missed.

    Args:
        place: the place.
        plan: the tournament's settings.
        pairings: the place's pairings.
        last: the last round.

    """
    found = []
    own = {pairing.round: pairing for pairing in pairings}
    for number in range(1, last + 1):
        pairing = own.get(number)
        if pairing is None:
            found.append(Round(0.0))
        elif pairing.bye:
            found.append(Round(0.0 if _free(plan) else 1.0))
        elif not pairing.open:
            found.append(_round(place, pairing))
    # In a round robin all have the same number of rounds without an opponent: they say nothing.
    return [one for one in found if one.opponents or one.points] if _free(plan) else found


def _round(place: int, pairing: Pairing) -> Round:
    if not pairing.met:
        return Round(pairing.points(place))
    mine = pairing.score(place)
    return Round(
        pairing.points(place),
        tuple(
            (other, float(mine > theirs) + (mine == theirs) / 2)
            for other in pairing.players
            if other != place
            for theirs in (pairing.score(other),)
        ),
    )


def _free(plan: Plan) -> bool:
    """Return whether byes are just a round robin's rounds without an opponent."""
    return plan.format is Format.ROUND_ROBIN and plan.seats == 2


def row(place: int, rounds: Sequence[Round], own: Sequence[Pairing], plan: Plan) -> Standing:
    """Return a place's results, from its rounds and pairings."""
    played = [one for one in rounds if one.opponents]
    wins = sum(one.points >= 1 for one in played)
    losses = sum(one.points <= 0 for one in played)
    byes = sum(pairing.bye for pairing in own)
    if not _free(plan):
        byes += sum(
            not pairing.bye and not pairing.open and not pairing.met and pairing.points(place) > 0
            for pairing in own
        )
    points = sum(one.points for one in rounds)
    return Standing(0, place, points, len(played), wins, len(played) - wins - losses, losses, byes)


def places_won(standings: Sequence[Standing], pairings: Sequence[Pairing]) -> Mapping[int, int]:
    """Return the final place of each player who has won one, by user id.

    A place takes a point, and nobody wins a tournament in which no one ever met at the board.
    """
    if not any(pairing.met and not pairing.open for pairing in pairings):
        return {}
    return {one.user_id: one.place for one in standings if one.points > 0}


def has_left(roster: Roster, place: int) -> bool:
    """Return whether a place is vacant."""
    return roster.left(place) is not None
