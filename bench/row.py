"""One figure of a measurement."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """A figure with what it means."""

    name: str
    value: float
    unit: str
    note: str = ""
