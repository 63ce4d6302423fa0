"""The four pieces of a seat as one integer, and the effect of moves on it.

The engine's numbers (`engine.games.thaayam.state`: twice the place, odd once moved, `HAND`, `OFF`,
twins from `PAIR`) are sorted into four fields of seven bits, the smallest lowest. Twins take one
field; `NOTHING` fills the one they leave free.
"""

from __future__ import annotations

from typing import Final

from ai.kernels import kernel
from engine.games.thaayam.state import AT_OPPOSITE, HAND, IN_KEEP, OFF, PAIR

FIELD: Final = 7
"""Bits per field."""
CODE: Final = (1 << FIELD) - 1
NOTHING: Final = 126
"""Even and larger than every piece, so it sorts last and never looks like a moved piece."""
PIECES: Final = 4

_ODD: Final = 1 | 1 << FIELD | 1 << 2 * FIELD | 1 << 3 * FIELD


def packed(codes: tuple[int, ...]) -> int:
    """Pack an engine side into one integer."""
    filled = sorted((*codes, *(NOTHING,) * (PIECES - len(codes))))
    return sum(code << FIELD * index for index, code in enumerate(filled))


ALL_IN_HAND: Final = packed((HAND,) * PIECES)
ALL_OFF: Final = packed((OFF,) * PIECES)
ABSENT: Final = packed(())
"""The side of a seat without a player."""


@kernel
def ordered(a: int, b: int, c: int, d: int) -> int:
    """Sort four numbers into a side."""
    if a > b:
        a, b = b, a
    if c > d:
        c, d = d, c
    if a > c:
        a, c = c, a
    if b > d:
        b, d = d, b
    if b > c:
        b, c = c, b
    return a | b << FIELD | c << 2 * FIELD | d << 3 * FIELD


@kernel
def count(side: int, code: int) -> int:
    """Return how many fields hold a number."""
    return (
        int((side & CODE) == code)
        + int((side >> FIELD & CODE) == code)
        + int((side >> 2 * FIELD & CODE) == code)
        + int((side >> 3 * FIELD) == code)
    )


@kernel
def replaced(side: int, old: int, new: int) -> int:
    """Return a side with the first ``old`` replaced by ``new``; ``old`` must be there."""
    a, b = side & CODE, side >> FIELD & CODE
    c, d = side >> 2 * FIELD & CODE, side >> 3 * FIELD
    if a == old:
        a = new
    elif b == old:
        b = new
    elif c == old:
        c = new
    else:
        d = new
    return ordered(a, b, c, d)


@kernel
def advanced(side: int, code: int, squares: int) -> int:
    """Return a side after a piece or twins move; in the keep twins become two pieces again."""
    arrived = (code + 2 * squares) | 1
    if arrived == PAIR + IN_KEEP + 1:
        side = replaced(side, NOTHING, IN_KEEP + 1)
        return replaced(side, code, IN_KEEP + 1)
    return replaced(side, code, arrived)


@kernel
def may_bear_off(side: int) -> bool:
    """Return whether all pieces are in the keep or off, one in the keep unmoved this series."""
    if (side & CODE) < IN_KEEP or (side >> 3 * FIELD) > OFF:
        return False
    return count(side, IN_KEEP) > 0 and count(side, HAND) == 0


@kernel
def may_declare(side: int) -> bool:
    """Return whether two single pieces stand on the opposite palace."""
    return count(side, AT_OPPOSITE) + count(side, AT_OPPOSITE + 1) > 1


@kernel
def declared(side: int) -> int:
    """Return a side with new twins: two unmoved pieces if possible, else two moved ones, or one each."""
    first, second = AT_OPPOSITE, AT_OPPOSITE
    fresh = count(side, AT_OPPOSITE)
    if fresh < 2:
        second = AT_OPPOSITE + 1
        if fresh == 0 or count(side, AT_OPPOSITE + 1) > 1:
            first = AT_OPPOSITE + 1
    return replaced(replaced(side, first, NOTHING), second, PAIR + AT_OPPOSITE + (second & 1))


@kernel
def rested(side: int) -> int:
    """Return a side at the end of a series, with no piece marked as moved."""
    return side & ~_ODD


@kernel
def sent_home(side: int, code: int) -> int:
    """Return a side with its pieces on a place sent back to hand, twins as two."""
    for _ in range(count(side, code)):
        side = replaced(side, code, HAND)
    for _ in range(count(side, code + PAIR)):
        side = replaced(replaced(side, code + PAIR, HAND), NOTHING, HAND)
    return side
