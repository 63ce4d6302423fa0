"""One figure of a measurement."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """A figure with what it means.

    A ratio (unit ``×``) is the one figure divided by the other, both measured in turns in the
    same run. Only ratios say something of the program alone; all other figures say as much of
    the machine.
    """

    name: str
    """What was measured, the part of the program first: ``store: a turn's transaction``."""
    value: float
    unit: str
    note: str = ""
    at_most: float | None = None
    """What it should not exceed, in the same unit."""
    at_least: float | None = None
    """What it should not fall below, in the same unit."""

    @property
    def met(self) -> bool | None:
        """Whether it is as wanted; ``None`` where nothing is wanted of it."""
        if self.at_most is None and self.at_least is None:
            return None
        return (self.at_most is None or self.value <= self.at_most) and (
            self.at_least is None or self.value >= self.at_least
        )
