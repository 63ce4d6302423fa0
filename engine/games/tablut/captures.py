"""Captures: tables of bits to compare a board with after a move to a square."""

from __future__ import annotations

from typing import Final

from engine.game import Seat
from engine.games.tablut.board import (
    ANY,
    AT_EDGE,
    BESIDE,
    CASTLE,
    INSIDE,
    MAN,
    MUSCOVITE,
    MUSCOVITES,
    SIGHT,
    SIZE,
    SWEDE,
    ray,
    step,
)

_ALL: Final = range(SIZE * SIZE)


def _jaws(own: int, enemy: int, target: int) -> tuple[tuple[int, int], ...]:
    """Return, for each direction from a square, the bits of enemy and helper, and the enemy's."""
    found = []
    for direction in range(4):
        victim, helper = step(target, direction), step(target, direction, 2)
        if victim is not None and helper is not None:
            found.append((SIGHT[enemy][victim] | SIGHT[own][helper], MAN[enemy][victim]))
    return tuple(found)


JAWS: Final = (
    tuple(_jaws(SWEDE, MUSCOVITE, target) for target in _ALL),
    tuple(_jaws(MUSCOVITE, SWEDE, target) for target in _ALL),
)
"""By moving seat and target square, rule 6: (needed, taken) in each direction."""
NEAR: Final = tuple(
    tuple(sum(SIGHT[enemy][square] for square in BESIDE[target]) for target in _ALL)
    for enemy in (MUSCOVITE, SWEDE)
)
"""By moving seat and target square, the bits of adjacent enemies."""

CAGE: Final = {
    king: sum(SIGHT[MUSCOVITE][square] for square in BESIDE[king] if square != CASTLE)
    for king in INSIDE
}
"""By the king's square, rules 7 and 8: the attackers that take him."""


def _props(king: int) -> dict[int, tuple[int, int]]:
    found = {}
    for direction in range(4):
        prop, beyond = step(king, direction), step(king, direction, 2)
        if prop is None or beyond is None:
            continue
        others = sum(SIGHT[MUSCOVITE][square] for square in BESIDE[king] if square != prop)
        found[beyond] = (others | SIGHT[SWEDE][prop], MAN[SWEDE][prop])
    return found


PROPS: Final = {king: _props(king) for king in INSIDE}
"""By the king's square and the target square, rule 9: (needed, taken).

Only the king may stand on the castle, so next to it there are never three attackers.
"""

PATHS: Final = {
    king: tuple(
        (sum(ANY[square] for square in ray(king, direction)), ray(king, direction)[-1])
        for direction in range(4)
    )
    for king in INSIDE
}
"""By the king's square, each straight line to the edge: the men that would block it, its end."""


def men_taken(board: int, seat: Seat, target: int, king: int) -> int:
    """Return the bits of the men taken by a man that has just moved to a square.

    Args:
        board: the board with the man on that square.
        seat: the man's owner. The king takes nobody: do not call this for him.
        target: the square.
        king: the king's square.
    """
    taken = 0
    if board & NEAR[seat][target]:
        for needed, man in JAWS[seat][target]:
            if board & needed == needed:
                taken |= man
    if seat == MUSCOVITES:
        prop = PROPS[king].get(target)
        if prop is not None and board & prop[0] == prop[0]:
            taken |= prop[1]
    return taken


def king_taken(board: int, target: int, king: int) -> bool:
    """Return whether an attacker that has just moved to a square takes the king."""
    cage = CAGE[king]
    return board & cage == cage and target in BESIDE[king]


def paths(board: int, king: int) -> tuple[int, ...]:
    """Return the edge squares to which the king has a free line: north, east, south, west."""
    if king < 0 or AT_EDGE[king]:
        return ()
    return tuple(end for line, end in PATHS[king] if not board & line)
