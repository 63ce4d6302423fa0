"""Computers that play: their strength is measured once and fixed, and they are listed apart."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Computer:
    """An opponent that is no human."""

    name: str
    points: int
    """Its measured rating."""
    margin: int
    """How sure that is, as the margin of a player."""


def of(game: str) -> tuple[Computer, ...]:  # noqa: ARG001 - no game has one yet
    """Return the computers that play a game, the strongest first."""
    return ()
