"""Which men could be taken, and with which throws."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final

from engine.game import Seat
from engine.games.tablan.board import bits
from engine.games.tablan.state import PLAIN_SIDES
from engine.games.tablan.walking import origins

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.games.tablan.state import State

_SCORES: Final = tuple(sorted(PLAIN_SIDES))


def threats(state: State, seat: Seat, square: str) -> list[int]:
    """Return the scores with which the enemy could take a seat's man on a square, in order."""
    enemy = Seat(1 - seat)
    place = state.settings.course.places[enemy][square]
    found: list[int] = []
    for score in _SCORES:
        for distance in (score, score // 2):
            origin = place - distance
            # Few men stand at such a distance, so that is looked at first.
            if (
                origin >= 0
                and state.men[enemy] >> origin & 1
                and origins(state.settings, enemy, state.men, state.fresh, distance) >> origin & 1
            ):
                found.append(score)
                break
    return found


def exposed(state: State, seat: Seat) -> Mapping[str, set[int]]:
    """Return the squares of a seat's men whom the enemy could take, each with the scores for it."""
    enemy = Seat(1 - seat)
    squares = state.settings.course.squares[enemy]
    found: dict[str, set[int]] = defaultdict(set)
    for score in PLAIN_SIDES:
        for distance in (score, score // 2):
            for place in bits(origins(state.settings, enemy, state.men, state.fresh, distance)):
                if state.holds(seat, squares[place + distance]):
                    found[squares[place + distance]].add(score)
    return found
