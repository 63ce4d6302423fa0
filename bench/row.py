"""One figure of a measurement."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """A figure with its meaning.

    A ratio (unit ``×``) is one figure divided by another, both measured alternately in the same
    run. Only ratios describe the program alone; all other figures depend on the machine as well.
    """

    name: str
    """What was measured, the part of the program first: ``store: a turn's transaction``."""
    value: float
    unit: str
    note: str = ""
    at_most: float | None = None
    """Its maximum, in the same unit."""
    at_least: float | None = None
    """Its minimum, in the same unit."""

    @property
    def met(self) -> bool | None:
        """Whether it meets its target; ``None`` if it has none."""
        if self.at_most is None and self.at_least is None:
            return None
        return (self.at_most is None or self.value <= self.at_most) and (
            self.at_least is None or self.value >= self.at_least
        )
