"""Which men could be taken, and with which throws."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Final

from engine.game import Seat
from engine.games.tablan.board import LENGTH, bits
from engine.games.tablan.state import PLAIN_SIDES, Settings, State
from engine.games.tablan.walking import Men, origins

_SCORE_OF: Final = {
    distance: score for score in sorted(PLAIN_SIDES) for distance in (score // 2, score)
}
"""The score with which a man can walk a distance, whole or by half of it."""
_NEAR: Final = tuple(
    sum(1 << place - distance for distance in _SCORE_OF if distance <= place)
    for place in range(LENGTH)
)
"""For each place, the places from which some score reaches it."""


def threats(settings: Settings, seat: Seat, men: Men, fresh: Men, place: int) -> set[int]:
    """Return the scores with which a seat could take an enemy on a place of its course.

    Args:
        settings: the options of the game.
        seat: the taker.
        men: where the men of both seats stand.
        fresh: those that have never moved.
        place: where the enemy stands, on the taker's course.
    """
    near = men[seat] & _NEAR[place]
    if not near:
        return set()
    return {
        _SCORE_OF[place - origin]
        for origin in bits(near)
        if origins(settings, seat, men, fresh, place - origin) >> origin & 1
    }


def exposed(state: State, seat: Seat) -> Mapping[str, set[int]]:
    """Return the squares of a seat's men that the enemy could take, each with the scores needed."""
    enemy = Seat(1 - seat)
    squares = state.settings.course.squares[enemy]
    found: dict[str, set[int]] = defaultdict(set)
    for score in PLAIN_SIDES:
        for distance in (score, score // 2):
            for place in bits(origins(state.settings, enemy, state.men, state.fresh, distance)):
                if state.holds(seat, squares[place + distance]):
                    found[squares[place + distance]].add(score)
    return found
