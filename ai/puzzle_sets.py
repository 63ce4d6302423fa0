"""The puzzles shipped with each game, available before anyone has played.

`python -m ai puzzles` finds them in games of computers against each other, see `ai.puzzle_making`,
and writes them to ``ai/games/<slug>/puzzles.txt``: one per line, fields separated by tabs.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import ai.games

FILE: Final = "puzzles.txt"
_NO_OPTIONS: Final = "-"


@dataclass(frozen=True, slots=True)
class ShippedPuzzle:
    """A position in which one move is clearly best."""

    level: int
    """The lowest computer level that usually finds the move, 1 to 5."""
    expected: float
    """The mover's expected result with it."""
    margin: float
    """Its gain over the second best."""
    options: tuple[tuple[str, str], ...]
    """The options of the match that differ from the game's defaults."""
    position: str
    """In the notation of the game."""
    solution: str


@cache
def shipped(slug: str) -> tuple[ShippedPuzzle, ...]:
    """Return a game's shipped puzzles; empty for a game without a set."""
    for folder in ai.games.__path__:
        file = Path(folder) / slug / FILE
        if file.is_file():
            return tuple(_read(line) for line in _lines(file.read_text(encoding="utf-8")))
    return ()


def write(slug: str, puzzles: Iterable[ShippedPuzzle], *, made_by: str) -> Path:
    """Write a game's set, with the command that made it; return the file."""
    file = Path(ai.games.__path__[0]) / slug / FILE
    head = f"# Made by: {made_by}\n# level, expected result, margin, options, position, solution\n"
    file.write_text(head + "".join(f"{_written(one)}\n" for one in puzzles), encoding="utf-8")
    shipped.cache_clear()
    return file


def _lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def _read(line: str) -> ShippedPuzzle:
    level, expected, margin, options, position, solution = line.split("\t")
    chosen = [] if options == _NO_OPTIONS else [pair.split("=", 1) for pair in options.split(",")]
    return ShippedPuzzle(
        int(level),
        float(expected),
        float(margin),
        tuple((name, value) for name, value in chosen),
        position,
        solution,
    )


def _written(one: ShippedPuzzle) -> str:
    options = ",".join(f"{name}={value}" for name, value in one.options) or _NO_OPTIONS
    figures = (str(one.level), f"{one.expected:.3f}", f"{one.margin:.3f}")
    return "\t".join((*figures, options, one.position, one.solution))
