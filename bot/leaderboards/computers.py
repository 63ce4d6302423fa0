"""The ratings of computers, measured once and shown apart from those of people."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from ai.ratings import measured
from bot.i18n.mentions import computer
from bot.matches.computers import LEVELS


@dataclass(frozen=True, slots=True)
class Computer:
    """A computer opponent."""

    name: str
    points: int
    """The measured rating."""
    margin: int
    """The standard deviation of the points; 0 for the level that is set."""


@cache
def of(game: str) -> tuple[Computer, ...]:
    """Return the computer opponents of a game, the strongest first."""
    rated = measured(game)
    return tuple(
        Computer(computer(level), rated[str(level)].points, rated[str(level)].margin)
        for level in reversed(LEVELS)
        if str(level) in rated
    )
