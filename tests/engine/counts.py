"""Perft tables: a position and, after a bar, its move counts at depth 1, 2, 3 …."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple


class Entry(NamedTuple):
    """One line of a table."""

    position: str
    counts: tuple[int, ...]

    def __str__(self) -> str:
        return f"{self.position} | {' '.join(map(str, self.counts))}"


def entries(table: Path) -> list[Entry]:
    """Read a table."""
    found = []
    for line in table.read_text().splitlines():
        position, counts = line.split(" | ")
        found.append(Entry(position, tuple(map(int, counts.split()))))
    return found


def recount(table: Path, count: Callable[[str, int], int]) -> None:
    """Rewrite a table with counts from ``count(position, depth)``."""
    lines = []
    for entry in entries(table):
        depths = range(1, len(entry.counts) + 1)
        counts = tuple(count(entry.position, depth) for depth in depths)
        lines.append(f"{entry._replace(counts=counts)}\n")
    table.write_text("".join(lines))
