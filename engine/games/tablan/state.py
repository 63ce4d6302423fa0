"""What a position is and what a move is: frozen values, no rules."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final, TypeAlias

from engine.game import Seat
from engine.games.tablan.board import COURSES, GOAL, HOME, OUTSIDE, ROW, Course, bits

if TYPE_CHECKING:
    from collections.abc import Mapping

WHITE: Final = Seat(0)
BLACK: Final = Seat(1)

SCORES: Final = {0: 12, 1: 2, 2: 0, 3: 0, 4: 8}
"""What a throw scores, by the number of plain sides up (W8, B2)."""
PLAIN_SIDES: Final = {score: plain for plain, score in SCORES.items() if score}
"""Which throw makes a score."""


class Phase(Enum):
    """What happens next."""

    START = "start"
    """The seats throw for the start; `State.seat` throws next."""
    THROW = "throw"
    """`State.seat` is about to throw."""
    MOVE = "move"
    """`State.seat` has `State.score` to play."""
    OVER = "over"
    """Nothing: the game has ended. `State.seat` made the last move."""

    __hash__ = object.__hash__  # there is one of each, and positions are looked up


class Order(Enum):
    """In which order the squares of the last row must be taken."""

    FREE = "free"
    FURTHEST_FIRST = "furthest-first"
    NEAREST_FIRST = "nearest-first"

    __hash__ = object.__hash__


@dataclass(frozen=True, slots=True)
class Settings:
    """The options of a game, settled."""

    rules: str
    """``walker`` or ``bell``: the document that answers quote where both have the rule."""
    course: Course
    unlock: bool
    """Whether the first move of a man needs a throw of 2."""
    order: Order
    both_done: bool
    """Whether play goes on until both seats have finished, or ends with the first."""
    first_finisher: bool
    """Whether of equals the one who finished first wins, or nobody."""

    @classmethod
    def of(cls, options: Mapping[str, str]) -> Settings:
        """Return the settings that complete and valid options mean."""
        names = ("rules", "course", "unlock", "order", "end", "tie")
        return _settings(tuple(options[name] for name in names))


@cache
def _settings(values: tuple[str, ...]) -> Settings:
    rules, course, unlock, order, end, tie = values
    return Settings(
        rules,
        COURSES[course],
        unlock == "two",
        Order(order),
        end == "both-done",
        tie == "first-finisher",
    )


@dataclass(frozen=True, slots=True)
class State:
    """A position. Tuples of two stand in seat order; masks are of places (see `board`)."""

    settings: Settings
    men: tuple[int, int]
    """The places where each seat's men stand."""
    fresh: tuple[int, int]
    """Those of them that have never moved."""
    seat: Seat
    """Whose turn it is, the throws included."""
    phase: Phase
    score: int = 0
    """The points to play in phase `Phase.MOVE`: 2, 8 or 12; else 0."""
    together: bool = False
    """One move finished both seats where otherwise the first finisher would win the tie."""

    def squares(self, seat: Seat) -> tuple[str, ...]:
        """Return the squares where a seat's men stand, in the order of its course."""
        return _named(self.settings.course, seat, self.men[seat])

    def holds(self, seat: Seat, square: str) -> bool:
        """Return whether a man of a seat stands on a square."""
        return bool(self.men[seat] >> self.settings.course.places[seat][square] & 1)

    def unmoved(self, seat: Seat) -> tuple[str, ...]:
        """Return the squares of a seat's men that have never moved."""
        return _named(self.settings.course, seat, self.fresh[seat])

    def arrived(self, seat: Seat) -> tuple[str, ...]:
        """Return the squares of a seat's men on the last row of its course."""
        return _named(self.settings.course, seat, self.men[seat] & GOAL)

    def captured(self, seat: Seat) -> int:
        """Return how many men a seat has lost."""
        return ROW - self.men[seat].bit_count()

    def finished(self, seat: Seat) -> bool:
        """Return whether all men a seat still has stand on the last row of its course."""
        return not self.men[seat] & OUTSIDE

    def course(self, seat: Seat) -> tuple[str, ...]:
        """Return all squares in the order in which a seat's men walk over them."""
        return self.settings.course.squares[seat]


@lru_cache(maxsize=1024)
def _named(course: Course, seat: Seat, mask: int) -> tuple[str, ...]:
    walk = course.squares[seat]
    return tuple(walk[place] for place in bits(mask))


def first(settings: Settings) -> State:
    """Return the position before the first throw for the start."""
    return State(settings, (HOME, HOME), (HOME, HOME), WHITE, Phase.START)


@dataclass(frozen=True, slots=True)
class Throw:
    """Chance throws the four sticks."""

    plain: int
    """How many plain sides show, 0 to 4."""


@dataclass(frozen=True, slots=True)
class Walk:
    """One man walks from a square to a square: a whole throw, or half of a split one."""

    origin: str
    target: str


@dataclass(frozen=True, slots=True)
class Split:
    """Two men walk half the score each, one after the other."""

    first: Walk
    second: Walk


Move: TypeAlias = Throw | Walk | Split
