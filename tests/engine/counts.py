"""Perft tables: a position and its move counts at depth 1, 2, 3 …, after its options if it has any.

A game's slow rules made the table in its test folder. ``python -m tests.engine.counts tablan``
makes it again.
"""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

_GAMES = Path(__file__).with_name("games")
SLUGS = sorted(table.parent.name for table in _GAMES.glob("*/perft.txt"))


class Entry(NamedTuple):
    """One line of a table."""

    slug: str
    options: dict[str, str]
    position: str
    counts: tuple[int, ...]

    def __str__(self) -> str:
        options = " ".join(f"{name}={value}" for name, value in self.options.items())
        counts = " ".join(map(str, self.counts))
        return " | ".join([*filter(None, [options]), self.position, counts])

    def slowly(self, depth: int) -> int:
        """Count with the slow rules."""
        slow = import_module(f"tests.engine.games.{self.slug}.slow")
        return int(slow.count(self.position, depth, **self.options))


def entries(slug: str) -> list[Entry]:
    """Read the table of a game."""
    found = []
    for line in (_GAMES / slug / "perft.txt").read_text().splitlines():
        *options, position, counts = line.split(" | ")
        pairs = dict(option.split("=") for words in options for option in words.split())
        found.append(Entry(slug, pairs, position, tuple(map(int, counts.split()))))
    return found


if __name__ == "__main__":
    for slug in sys.argv[1:]:
        again = [
            entry._replace(counts=tuple(map(entry.slowly, range(1, len(entry.counts) + 1))))
            for entry in entries(slug)
        ]
        (_GAMES / slug / "perft.txt").write_text("".join(f"{entry}\n" for entry in again))
