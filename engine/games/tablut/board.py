"""The board as numbers: squares, men, and the bits of a man on a square.

A whole position is one integer of eighteen lanes of 32 bits, one for each row (the first rank
first) and then one for each column (the a file first). In a lane the lowest nine bits are the
Muscovites on its squares, the next nine the Swedish men, the next nine the king. So every man
stands in two lanes, and the moves along a line depend on that line's lane alone. One bit above the
lanes says whose turn it is.
"""

from __future__ import annotations

from typing import Final

from engine.game import Seat
from engine.phrase import capital, word

SWEDES: Final = Seat(0)
MUSCOVITES: Final = Seat(1)
NAMES: Final = (word("seat", "swedes"), word("seat", "muscovites"))
"""The seats' names, in seat order."""
CALLED: Final = tuple(capital(name) for name in NAMES)
"""The seats' names as used in sentences."""

SIZE: Final = 9
FILES: Final = "abcdefghi"
SQUARES: Final = tuple(f"{file}{rank + 1}" for rank in range(SIZE) for file in FILES)
"""The name of every square by its number: a1 is 0, b1 is 1, i9 is 80."""
NUMBERS: Final = {name: number for number, name in enumerate(SQUARES)}

CASTLE: Final = NUMBERS["e5"]
INSIDE: Final = tuple(
    number
    for number in range(SIZE * SIZE)
    if 0 < number % SIZE < SIZE - 1 and 0 < number // SIZE < SIZE - 1
)
"""The squares off the edge."""
AT_EDGE: Final = tuple(number not in INSIDE for number in range(SIZE * SIZE))
CORNERS: Final = tuple(NUMBERS[name] for name in ("a1", "i1", "a9", "i9"))

DIRECTIONS: Final = ((0, 1), (1, 0), (0, -1), (-1, 0))
"""North, east, south, west as steps in files and ranks; each opposite is two further on."""

MUSCOVITE: Final = 0
SWEDE: Final = 1
KING: Final = 2
LANE_BITS: Final = 32
LANES: Final = 2 * SIZE
TURN: Final = 1 << LANES * LANE_BITS
"""The bit that is set when the Muscovites are to move."""
BYTES: Final = LANES * LANE_BITS // 8 + 1


def _in_row(kind: int, number: int) -> int:
    return 1 << (LANE_BITS * (number // SIZE) + SIZE * kind + number % SIZE)


def _in_column(kind: int, number: int) -> int:
    return 1 << (LANE_BITS * (SIZE + number % SIZE) + SIZE * kind + number // SIZE)


SIGHT: Final = tuple(
    tuple(_in_row(kind, number) for number in range(SIZE * SIZE)) for kind in range(3)
)
"""By kind and square, the one bit that tells whether such a man stands there."""
MAN: Final = tuple(
    tuple(_in_row(kind, number) | _in_column(kind, number) for number in range(SIZE * SIZE))
    for kind in range(3)
)
"""By kind and square, all bits of such a man, to add or remove him."""
ANY: Final = tuple(sum(SIGHT[kind][number] for kind in range(3)) for number in range(SIZE * SIZE))
"""By square, the bits that tell whether it is occupied."""


def step(number: int, direction: int, count: int = 1) -> int | None:
    """Return the square ``count`` steps away, or ``None`` beyond the edge."""
    east, north = DIRECTIONS[direction]
    file, rank = number % SIZE + count * east, number // SIZE + count * north
    return rank * SIZE + file if 0 <= file < SIZE and 0 <= rank < SIZE else None


def ray(number: int, direction: int) -> tuple[int, ...]:
    """Return the squares from the next one to the edge."""
    found: list[int] = []
    while (square := step(number, direction, len(found) + 1)) is not None:
        found.append(square)
    return tuple(found)


def between(source: int, target: int) -> tuple[int, ...] | None:
    """Return the squares strictly between two in one line, or ``None`` if they share none."""
    for direction in range(4):
        way = ray(source, direction)
        if target in way:
            return way[: way.index(target)]
    return None


BESIDE: Final = tuple(
    tuple(square for d in range(4) if (square := step(number, d)) is not None)
    for number in range(SIZE * SIZE)
)
"""By square, its orthogonal neighbours."""
