"""The counted positions of perft."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

TABLE = Path(__file__).with_name("perft.txt")


class Entry(NamedTuple):
    """One line of the table."""

    options: dict[str, str]
    position: str
    counts: tuple[int, ...]

    def __str__(self) -> str:
        options = " ".join(f"{name}={value}" for name, value in self.options.items())
        return f"{options} | {self.position} | {' '.join(map(str, self.counts))}"


def entries() -> list[Entry]:
    """Read the table."""
    found = []
    for line in TABLE.read_text().splitlines():
        options, position, counts = line.split(" | ")
        pairs = dict(option.split("=") for option in options.split())
        found.append(Entry(pairs, position, tuple(map(int, counts.split()))))
    return found
