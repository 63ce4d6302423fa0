"""Positions and moves: frozen values without rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache, lru_cache
from typing import Final, TypeAlias

from engine.game import Seat
from engine.games.tablan.board import COURSES, GOAL, HOME, OUTSIDE, ROW, Course, bits

WHITE: Final = Seat(0)
BLACK: Final = Seat(1)

SCORES: Final = {0: 12, 1: 2, 2: 0, 3: 0, 4: 8}
"""A throw's score, by the number of plain sides up (W8, B2)."""
PLAIN_SIDES: Final = {score: plain for plain, score in SCORES.items() if score}
"""The throw that makes each score."""


class Phase(Enum):
    """What happens next."""

    START = "start"
    """The seats throw for the start; `State.seat` throws next."""
    THROW = "throw"
    """`State.seat` is about to throw."""
    MOVE = "move"
    """`State.seat` has `State.score` to play."""
    OVER = "over"
    """The game has ended. `State.seat` made the last move."""

    __hash__ = object.__hash__  # members are singletons, and positions are looked up often


class Order(Enum):
    """The order in which the squares of the last row must be taken."""

    FREE = "free"
    FURTHEST_FIRST = "furthest-first"
    NEAREST_FIRST = "nearest-first"

    __hash__ = object.__hash__


@dataclass(frozen=True, slots=True)
class Settings:
    """The options of a game, settled."""

    rules: str
    """``walker`` or ``bell``: the document that answers quote if both have the rule."""
    course: Course
    unlock: bool
    """Whether a man's first move needs a throw of 2."""
    order: Order
    both_done: bool
    """Whether play goes on until both seats have finished, or ends with the first."""
    first_finisher: bool
    """Whether a tie goes to the first finisher, or is a draw."""

    @classmethod
    def of(cls, options: Mapping[str, str]) -> Settings:
        """Return the settings for complete and valid options."""
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
    """A position. Pairs stand in seat order; masks are of places (see `board`)."""

    settings: Settings
    men: tuple[int, int]
    """The places where each seat's men stand."""
    fresh: tuple[int, int]
    """The men that have never moved."""
    seat: Seat
    """The seat whose turn it is, throws included."""
    phase: Phase
    score: int = 0
    """The points to play in phase `Phase.MOVE`: 2, 8 or 12; otherwise 0."""
    together: bool = False
    """One move finished both seats where the first finisher would otherwise win the tie."""

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
        """Return whether all of a seat's remaining men stand on the last row of its course."""
        return not self.men[seat] & OUTSIDE

    def course(self, seat: Seat) -> tuple[str, ...]:
        """Return all squares in the order a seat's men walk them."""
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
    """The number of plain sides up, 0 to 4."""


@dataclass(frozen=True, slots=True)
class Walk:
    """One man walks from one square to another: a whole throw, or half of a split one."""

    origin: str
    target: str


@dataclass(frozen=True, slots=True)
class Split:
    """Two men walk half the score each, one after the other."""

    first: Walk
    second: Walk


Move: TypeAlias = Throw | Walk | Split
