"""Positions and moves: frozen values without rules.

The four pieces of a seat are its *side*: a sorted tuple of small numbers, one per piece or pair of
twins. A number is even until the piece has moved in this series, then odd:

    2 * place           a single piece on the path or in the keep
    HAND, OFF           a piece not entered yet, a piece borne off
    PAIR + 2 * place    twins

Sorted, they are in the order in which a position is written.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Final, TypeAlias

from engine.game import Seat
from engine.games.thaayam.board import KEEP, OPPOSITE
from engine.phrase import capital, word

SOUTH: Final = Seat(0)
WEST: Final = Seat(1)
NORTH: Final = Seat(2)
EAST: Final = Seat(3)
NAMES: Final = (
    word("seat", "south"),
    word("seat", "west"),
    word("seat", "north"),
    word("seat", "east"),
)
"""Clockwise round the board, which is the order of play."""
CALLED: Final = tuple(capital(name) for name in NAMES)
"""The seats' names as used in sentences."""
SEATS: Final = {2: (SOUTH, NORTH), 3: (SOUTH, WEST, NORTH), 4: (SOUTH, WEST, NORTH, EAST)}
"""The seats taken, by number of players."""

SCORES: Final = {0: 8, 1: 1, 2: 2, 3: 3, 4: 4}
"""A throw's score, by the number of white sides up."""
WHITE_SIDES: Final = {score: white for white, score in SCORES.items()}
"""The throw that makes each score."""
CLOSING: Final = frozenset({2, 3})
"""The scores that complete a series."""

PIECES: Final = 4
HAND: Final = 2 * KEEP + 2
OFF: Final = 2 * KEEP + 4
PAIR: Final = 2 * KEEP + 12
IN_KEEP: Final = 2 * KEEP
AT_OPPOSITE: Final = 2 * OPPOSITE

Side: TypeAlias = tuple[int, ...]
Throws: TypeAlias = tuple[int, ...]
"""Scores of throws used together, larger first."""
_Chain: TypeAlias = "tuple[_Chain, int] | None"
"""Scores from the last to the first: all before the last, and the last."""

ALL_IN_HAND: Final[Side] = (HAND,) * PIECES
ALL_OFF: Final[Side] = (OFF,) * PIECES


class Series:
    """The scores in hand in the order thrown.

    A series with one more throw shares the earlier ones, so all positions of a record together hold
    each throw once.
    """

    __slots__ = ("_chain", "_length")

    def __init__(self, scores: Iterable[int] = ()) -> None:
        """Hold these scores."""
        self._chain: _Chain = None
        self._length = 0
        for score in scores:
            self._chain = (self._chain, score)
            self._length += 1

    def and_then(self, score: int) -> Series:
        """Return the series with one more throw."""
        longer = Series()
        longer._chain, longer._length = (self._chain, score), self._length + 1
        return longer

    def count(self, score: int) -> int:
        """Return the number of throws with this score."""
        return tuple(self).count(score)

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[int]:
        scores, chain = [], self._chain
        while chain is not None:
            chain, score = chain
            scores.append(score)
        return reversed(scores)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Series) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"Series({tuple(self)})"


NOTHING_THROWN: Final = Series()


class Phase(Enum):
    """What happens next."""

    START = "start"
    """The seats throw for the start, one after the other."""
    THROW = "throw"
    """The seat throws, to begin or continue its series."""
    MOVE = "move"
    """The seat has a complete series and uses one or more of its throws."""
    OVER = "over"
    """The game has ended: the seat has borne off its last piece."""


@dataclass(frozen=True, slots=True)
class State:
    """A position. Tuples of sides are in the order of the seats taken."""

    sides: tuple[Side, ...]
    turn: int
    """Whose turn it is, as an index of `sides`."""
    phase: Phase
    throws: Series = NOTHING_THROWN
    """A series in progress, or what is left of one."""
    again: bool = False
    """Whether a capture in this series has earned another turn."""
    opening: tuple[int, ...] = ()
    """In phase `Phase.START` each seat's throw, `TO_THROW` or `OUT`; otherwise empty."""

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats taken, in the order of play."""
        return SEATS[len(self.sides)]

    @property
    def seat(self) -> Seat:
        """The seat whose turn it is, throws included."""
        return SEATS[len(self.sides)][self.turn]

    @property
    def side(self) -> Side:
        """The pieces of the seat whose turn it is."""
        return self.sides[self.turn]


TO_THROW: Final = 0
"""In `State.opening`: yet to throw in this round."""
OUT: Final = -1
"""In `State.opening`: out, having thrown less than those who throw again."""


def first(players: int) -> State:
    """Return the position before the first throw for the start."""
    return State((ALL_IN_HAND,) * players, 0, Phase.START, opening=(TO_THROW,) * players)


class Act(Enum):
    """A move that needs no square. The value is its notation."""

    ENTER = "in"
    """A throw of 1 enters a piece on its own palace."""
    TWINS = "twins"
    """Two pieces on the opposite palace become twins."""
    OFF = "off"
    """A throw of 1 bears a piece off the keep."""


@dataclass(frozen=True, slots=True)
class Throw:
    """Chance throws the four dice."""

    white: int
    """The number of white sides up, 0 to 4."""


@dataclass(frozen=True, slots=True)
class Advance:
    """A piece, or twins, advance by the sum of some throws."""

    square: str
    """Their square."""
    throws: Throws
    """Larger first."""
    twins: bool = False


Move: TypeAlias = Throw | Advance | Act


# ------------------------------------------------------------------ reading a side


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece, or twins, on the path or in the keep."""

    place: int
    twins: bool
    moved: bool
    """Whether it has moved in this series."""


def piece(code: int) -> Piece | None:
    """Return the meaning of a side's number, or ``None`` for a piece in hand or borne off."""
    if code in {HAND, OFF}:
        return None
    twins = code >= PAIR
    return Piece((code - PAIR * twins) // 2, twins, moved=bool(code & 1))


def pieces(side: Side) -> tuple[Piece, ...]:
    """Return the pieces on the path and in the keep: singles in the order of the path, then twins."""
    return tuple(found for code in side if (found := piece(code)) is not None)
