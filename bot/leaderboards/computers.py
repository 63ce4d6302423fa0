"""Computers that play: their strength is measured once and fixed, and they are listed apart."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from ai.ratings import measured
from bot.i18n.mentions import computer
from bot.matches.computers import LEVELS


@dataclass(frozen=True, slots=True)
class Computer:
    """An opponent that is no human."""

    name: str
    points: int
    """Its measured rating."""
    margin: int
    """How sure that is, as the margin of a player."""


@cache
def of(game: str) -> tuple[Computer, ...]:
    """Return the computers that play a game, the strongest first."""
    rated = measured(game)
    return tuple(
        Computer(computer(level), rated[str(level)].points, rated[str(level)].margin)
        for level in reversed(LEVELS)
        if str(level) in rated
    )
