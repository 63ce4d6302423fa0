"""Tablut straight from the document, square by square, sharing no code with the program."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Final

Square = tuple[int, int]

START: Final = """
    ...mmm...
    ....m....
    ....s....
    m...s...m
    mmsskssmm
    m...s...m
    ....s....
    ....m....
    ...mmm...
"""
CASTLE: Final = (4, 4)
WAYS: Final = ((1, 0), (-1, 0), (0, 1), (0, -1))


def square(name: str) -> Square:
    """Return a square's file and rank, from 0."""
    return "abcdefghi".index(name[0]), int(name[1]) - 1


def name(place: Square) -> str:
    """Return the name of a square."""
    return "abcdefghi"[place[0]] + str(place[1] + 1)


def on_board(place: Square) -> bool:
    """Return whether a square is on the board."""
    return 0 <= place[0] <= 8 and 0 <= place[1] <= 8


def at_edge(place: Square) -> bool:
    """Return whether a square is on the edge."""
    return 0 in place or 8 in place


def beyond(place: Square, way: tuple[int, int], count: int = 1) -> Square:
    """Return the square this many steps on, on the board or not."""
    return place[0] + count * way[0], place[1] + count * way[1]


@dataclass
class SlowGame:
    """A position, changed by playing."""

    men: dict[Square, str]
    side: str = "swedes"
    repeated: Counter[str] = field(default_factory=Counter)
    result: str | None = None

    def __post_init__(self) -> None:
        """Count the position as seen, and check whether it ends the game."""
        self.repeated[self.line()] += 1
        if self.king() is None:
            self.result = "muscovites"
        elif self.side == "muscovites":
            self.result = self._after_swedes()
        self._stuck()

    def king(self) -> Square | None:
        """Return the king's square."""
        return next((place for place, man in self.men.items() if man == "k"), None)

    def mine(self, man: str) -> bool:
        """Return whether a man belongs to the side to move."""
        return (man == "m") == (self.side == "muscovites")

    def moves(self) -> set[str]:
        """Return every move of the side to move, even if the game is over."""
        found = set()
        for place, man in self.men.items():
            if not self.mine(man):
                continue
            for way in WAYS:
                there = beyond(place, way)
                while on_board(there) and there not in self.men:
                    if there != CASTLE or man == "k":
                        found.add(f"{name(place)}-{name(there)}")
                    there = beyond(there, way)
        return found

    def play(self, text: str) -> list[str]:
        """Make a move and return the squares of captured men."""
        source, target = (square(part) for part in text.split("-"))
        man = self.men[target] = self.men.pop(source)
        taken = self._taken(man, target)
        for place in taken:
            del self.men[place]
        mover = self.side
        self.side = "swedes" if mover == "muscovites" else "muscovites"
        if self.king() is None:
            self.result = "muscovites"
        elif mover == "swedes":
            self.result = self._after_swedes()
        self.repeated[self.line()] += 1
        if self.result is None and self.repeated[self.line()] == 3:
            self.result = "draw"
        self._stuck()
        return [name(place) for place in taken]

    def _taken(self, man: str, target: Square) -> list[Square]:
        if man == "k":
            return []
        enemy = "s" if man == "m" else "m"
        taken = [
            beyond(target, way)
            for way in WAYS
            if self.men.get(beyond(target, way)) == enemy
            and self.men.get(beyond(target, way, 2)) == man
        ]
        if man == "m":
            king = self.king()
            assert king is not None
            round_him = [self.men.get(beyond(king, way)) for way in WAYS]
            if round_him.count("m") == 3:
                for way in WAYS:
                    defender = beyond(king, way)
                    if self.men.get(defender) == "s" and target == beyond(king, way, 2):
                        taken.append(defender)
            if target in [beyond(king, way) for way in WAYS] and self._enclosed(king):
                taken.append(king)
        return taken

    def _enclosed(self, king: Square) -> bool:
        round_him = [beyond(king, way) for way in WAYS]
        needed = 3 if CASTLE in round_him else 4
        return [self.men.get(place) for place in round_him].count("m") == needed

    def ways_out(self) -> int:
        """Return the number of directions in which the king sees the edge."""
        king = self.king()
        assert king is not None
        count = 0
        for way in WAYS:
            there = beyond(king, way)
            while on_board(there) and there not in self.men:
                there = beyond(there, way)
            count += not on_board(there)
        return count

    def _after_swedes(self) -> str | None:
        king = self.king()
        assert king is not None
        if at_edge(king) or "m" not in self.men.values():
            return "swedes"
        if self.ways_out() < 2:
            return None
        # Tuichu, unless some reply captures him or leaves him no way out.
        for text in self.moves():
            answer = SlowGame.__new__(SlowGame)
            answer.men, answer.side = dict(self.men), self.side
            answer.repeated, answer.result = Counter(), None
            source, target = (square(part) for part in text.split("-"))
            answer.men[target] = answer.men.pop(source)
            for place in answer._taken("m", target):
                del answer.men[place]
            if answer.king() is None or answer.ways_out() == 0:
                return None
        return "swedes"

    def _stuck(self) -> None:
        if self.result is None and not self.moves():
            self.result = "draw"

    def line(self) -> str:
        """Return the position in the program's format."""
        rows = [
            "".join(self.men.get((file, rank), ".") for file in range(9))
            for rank in range(8, -1, -1)
        ]
        return f"{'/'.join(rows)} {self.side}"


def start() -> SlowGame:
    """Return the starting position."""
    return read("/".join(START.split()) + " swedes")


def read(line: str) -> SlowGame:
    """Read a position line."""
    board, side = line.split()
    men = {
        (file, 8 - row): man
        for row, text in enumerate(board.split("/"))
        for file, man in enumerate(text)
        if man != "."
    }
    return SlowGame(men, side)


def count(line: str, depth: int) -> int:
    """Return the number of move sequences of a given length."""
    if depth == 0:
        return 1
    game = read(line)
    if game.result is not None:
        return 0
    if depth == 1:
        return len(game.moves())
    total = 0
    for text in game.moves():
        after = read(line)
        after.play(text)
        total += count(after.line(), depth - 1)
    return total
