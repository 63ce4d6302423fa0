"""Tablaaza straight from the document, square by square, sharing no code with the program.

The board is a picture here too, the one the rulings recommend: ``R`` is a red square, ``G`` a green
one, ``~`` a lake.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, field
from typing import Final

MAP: Final = """
    RGRGRGRG
    GRGRGRGR
    RG~GR~RG
    GR~RG~GR
    RG~GR~RG
    GRGRGRGR
    RGRGRGRG
"""
BOARD: Final = {
    (file, rank): letter
    for rank, row in zip("7654321", MAP.split(), strict=True)
    for file, letter in zip("abcdefgh", row, strict=True)
    if letter != "~"
}
"""The squares in play and their colours."""


def shifted(square: tuple[str, str], east: int, north: int) -> tuple[str, str]:
    """Return the square this many steps right and up, on the board or not."""
    return chr(ord(square[0]) + east), chr(ord(square[1]) + north)


def walk(square: tuple[str, str], east: int, north: int) -> list[tuple[str, str]]:
    """Return the squares in one direction up to the first lake or the edge."""
    found = []
    while (square := shifted(square, east, north)) in BOARD:
        found.append(square)
    return found


def corridors(square: tuple[str, str]) -> list[list[tuple[str, str]]]:
    """Return the other squares of a square's row and column, omitting empty runs."""
    row = walk(square, -1, 0) + walk(square, 1, 0)
    column = walk(square, 0, -1) + walk(square, 0, 1)
    return [run for run in (row, column) if run]


def neighbourly(red: tuple[str, str], green: tuple[str, str]) -> bool:
    """Return whether Green may reply here: adjacent, or a knight's move with a dry path."""
    east = ord(green[0]) - ord(red[0])
    north = ord(green[1]) - ord(red[1])
    if abs(east) + abs(north) == 1:
        return True
    if sorted((abs(east), abs(north))) != [1, 2]:
        return False
    right, up = (1 if east > 0 else -1), (1 if north > 0 else -1)
    across = [(right * n, 0) for n in range(1, abs(east) + 1)]
    along = [(0, up * n) for n in range(1, abs(north) + 1)]
    first_across = across + [(east, dy) for _, dy in along]
    first_along = along + [(dx, north) for dx, _ in across]
    return any(
        all(shifted(red, dx, dy) in BOARD for dx, dy in way) for way in (first_across, first_along)
    )


@dataclass
class SlowGame:
    """A position, changed by playing."""

    stones: set[tuple[str, str]] = field(default_factory=set)
    pavilions: set[tuple[str, str]] = field(default_factory=set)
    colour: str = "R"

    def vacant(self, colour: str) -> list[tuple[str, str]]:
        """Return the empty squares of a colour."""
        return [
            square
            for square, painted in BOARD.items()
            if painted == colour and square not in self.stones and square not in self.pavilions
        ]

    def moves(self) -> set[str]:
        """Return where the player to move may place a stone."""
        able = self.vacant(self.colour)
        if self.colour == "G" and len(self.stones) == 1:
            (stone,) = self.stones
            able = [square for square in able if neighbourly(stone, square)]
        return {"".join(square) for square in able}

    def play(self, name: str) -> None:
        """Place a stone and raise the pavilions it completes."""
        self.stones.add((name[0], name[1]))
        other = "G" if self.colour == "R" else "R"
        self.pavilions |= {square for square in self.vacant(other) if self._surrounded(square)}
        self.colour = other

    def _surrounded(self, square: tuple[str, str]) -> bool:
        occupied = self.stones | self.pavilions
        return all(
            shared in occupied
            for run in corridors(square)
            for shared in run
            if BOARD[shared] == self.colour
        )

    def winner(self) -> str | None:
        """Return the winning colour if the player to move has no move."""
        if self.vacant(self.colour):
            return None
        return "G" if self.colour == "R" else "R"

    def line(self) -> str:
        """Return the position in the program's format."""
        rows = [
            "".join(
                "~"
                if (file, rank) not in BOARD
                else "o"
                if (file, rank) in self.stones
                else "^"
                if (file, rank) in self.pavilions
                else "."
                for file in "abcdefgh"
            )
            for rank in "7654321"
        ]
        return f"{'/'.join(rows)} {'red' if self.colour == 'R' else 'green'}"


def read(line: str) -> SlowGame:
    """Read a position line."""
    board, seat = line.split()
    game = SlowGame(colour="R" if seat == "red" else "G")
    for rank, row in zip("7654321", board.split("/"), strict=True):
        for file, letter in zip("abcdefgh", row, strict=True):
            if letter == "o":
                game.stones.add((file, rank))
            elif letter == "^":
                game.pavilions.add((file, rank))
    return game


def perft(game: SlowGame, depth: int) -> int:
    if depth == 0:
        return 1
    total = 0
    for name in game.moves():
        reached = deepcopy(game)
        reached.play(name)
        total += perft(reached, depth - 1)
    return total


def count(line: str, depth: int) -> int:
    """Return the number of move sequences of a given length."""
    return perft(read(line), depth)
