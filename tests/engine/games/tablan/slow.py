"""A second, slow implementation of Tablan, straight from the documents and rulings.

It shares nothing with the one it is compared with: the board is a dictionary of squares, a move is
a text, and every question is answered by trial.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import permutations

COLUMNS = "abcdefghijkl"


def eastward(rank: int) -> list[str]:
    return [f"{column}{rank}" for column in COLUMNS]


def westward(rank: int) -> list[str]:
    return [f"{column}{rank}" for column in reversed(COLUMNS)]


WHITE_WALK = eastward(1) + westward(2) + eastward(3) + westward(4)
BLACK_WALKS = {
    "alongside": westward(4) + eastward(3) + westward(2) + eastward(1),
    "opposed": list(reversed(WHITE_WALK)),
}
HOME = {"white": eastward(1), "black": eastward(4)}
SCORE = {0: 12, 1: 2, 2: 0, 3: 0, 4: 8}
WAYS = {0: 1, 1: 4, 2: 6, 3: 4, 4: 1}


@dataclass
class Man:
    """A man, and whether it has moved."""

    side: str
    moved: bool = False


@dataclass
class SlowGame:
    """A game, changed by playing."""

    course: str = "alongside"
    unlock: str = "none"
    order: str = "free"
    end: str = "one-done"
    tie: str = "draw"
    board: dict[str, Man] = field(default_factory=dict)
    side: str = "white"
    hand: str = "start"
    finished: list[set[str]] = field(default_factory=list)
    """The sides that finished, one set per move."""
    reason: str | None = None

    @classmethod
    def new(cls, **options: str) -> SlowGame:
        """Return a game before its first throw."""
        men = {square: Man("white") for square in eastward(1)}
        men |= {square: Man("black") for square in eastward(4)}
        game = cls(board=men)
        for name, value in options.items():
            setattr(game, name, value)
        return game

    def copy(self) -> SlowGame:
        """Return an independent copy."""
        return replace(self, board=dict(self.board), finished=list(self.finished))

    # ------------------------------------------------------------------------------ questions

    def walk_of(self, side: str) -> list[str]:
        """Return the squares of a side's path."""
        return WHITE_WALK if side == "white" else BLACK_WALKS[self.course]

    def home_of(self, side: str) -> list[str]:
        """Return a side's home row."""
        return HOME[side]

    def men_of(self, side: str) -> list[str]:
        """Return the squares a side's men stand on."""
        return [square for square, man in self.board.items() if man.side == side]

    def home_count(self, side: str) -> int:
        """Return the number of a side's men on the enemy's home row."""
        return sum(square in self.home_of(other(side)) for square in self.men_of(side))

    def done(self, side: str) -> bool:
        """Return whether all of a side's men have arrived."""
        return all(square in self.home_of(other(side)) for square in self.men_of(side))

    def may_walk(self, side: str, origin: str, distance: int) -> str | None:
        """Return where a man lands, or None if it may not move that far."""
        man = self.board.get(origin)
        if man is None or man.side != side or origin in self.home_of(other(side)):
            return None
        if self.unlock == "two" and not man.moved and distance not in {1, 2}:
            return None
        walk = self.walk_of(side)
        place = walk.index(origin) + distance
        if place >= len(walk):
            return None
        target = walk[place]
        standing = self.board.get(target)
        if standing is not None and (standing.side == side or target in self.home_of(side)):
            return None
        if target in walk[36:] and self.order != "free":
            last = walk[36:] if self.order == "nearest-first" else walk[:35:-1]
            untaken = [s for s in last if s not in self.board or self.board[s].side != side]
            if target != untaken[0]:
                return None
        return target

    def plays(self, side: str, score: int) -> set[str]:
        """Return every way to play a score, in notation."""
        found = set()
        for square in self.men_of(side):
            target = self.may_walk(side, square, score)
            if target is not None:
                found.add(f"{square}-{target}")
        walk = self.walk_of(side)
        for one, two in permutations(self.men_of(side), 2):
            written = self.split(side, one, two, score // 2)
            if written is not None and (
                walk.index(one) > walk.index(two) or not self.split(side, two, one, score // 2)
            ):
                found.add(written)
        return found

    def split(self, side: str, one: str, two: str, half: int) -> str | None:
        """Return a split in notation, or None if it is not possible in this order."""
        first = self.may_walk(side, one, half)
        if first is None:
            return None
        trial = self.copy()
        trial.carry(one, first)
        second = trial.may_walk(side, two, half)
        return None if second is None else f"{one}-{first},{two}-{second}"

    def moves(self) -> set[str]:
        """Return every legal throw or move."""
        if self.reason is not None:
            return set()
        if self.hand in {"start", "-"}:
            return {f"*{plain}" for plain in SCORE}
        return self.plays(self.side, int(self.hand))

    def helpless(self, side: str) -> bool:
        """Return whether no throw is any use to a side."""
        return not any(
            self.may_walk(side, square, score)
            for score in (2, 8, 12)
            for square in self.men_of(side)
        ) and not any(self.plays(side, score) for score in (2, 8, 12))

    def ranks(self) -> tuple[int, int]:
        """Return the final ranks."""
        for loser, ranks in (("white", (2, 1)), ("black", (1, 2))):
            if not self.men_of(loser):
                return ranks
        white, black = self.home_count("white"), self.home_count("black")
        if white == black and self.tie == "first-finisher" and self.finished:
            white, black = ("white" in self.finished[0]), ("black" in self.finished[0])
        return (1, 1) if white == black else (1, 2) if white > black else (2, 1)

    def line(self) -> str:
        """Return the position line."""
        rows = []
        for rank in (4, 3, 2, 1):
            men = [self.board.get(square) for square in eastward(rank)]
            letters = (
                "." if man is None else man.side[0].upper() if man.moved else man.side[0]
                for man in men
            )
            rows.append("".join(letters))
        return f"{'/'.join(rows)} {self.side} {self.hand}"

    # -------------------------------------------------------------------------------- changes

    def carry(self, origin: str, target: str) -> None:
        """Move a man to a square, removing any man there."""
        man = self.board.pop(origin)
        self.board[target] = replace(man, moved=True)

    def play(self, text: str) -> None:
        """Make a move or a throw."""
        if text.startswith("*"):
            self.throw(int(text[1]))
            return
        before = [side for side in ("white", "black") if self.done(side)]
        for walk in text.split(","):
            self.carry(*walk.split("-"))
        newly = {s for s in ("white", "black") if self.done(s) and s not in before}
        if newly:
            self.finished.append(newly)
        self.hand = "-"
        self.judge()
        if self.reason is None and self.done(self.side):
            self.side = other(self.side)

    def judge(self) -> None:
        """Check whether the game is over."""
        done = [self.done("white"), self.done("black")]
        if not (self.men_of("white") and self.men_of("black")):
            self.reason = f"all men of {'Black' if self.men_of('white') else 'White'} are taken"
        elif all(done) or (any(done) and self.end == "one-done"):
            self.reason = "finished"
        elif self.helpless("white") and self.helpless("black"):
            self.reason = "nobody can move"

    def throw(self, plain: int) -> None:
        """Throw the sticks."""
        score = SCORE[plain]
        if self.hand == "start":
            if plain == 1:
                self.hand = "2"
            else:
                self.side = other(self.side)
        elif score and self.plays(self.side, score):
            self.hand = str(score)
        elif not score and not self.done(other(self.side)):
            self.side = other(self.side)


def other(side: str) -> str:
    return "black" if side == "white" else "white"


def perft(game: SlowGame, depth: int) -> int:
    if depth == 0:
        return 1
    following = []
    for text in game.moves():
        following.append(game.copy())
        following[-1].play(text)
    return sum(perft(after, depth - 1) for after in following)


def read(line: str, options: dict[str, str]) -> SlowGame:
    """Read a position line."""
    game = SlowGame.new(**options)
    board, game.side, game.hand = line.split()
    sides = {"w": "white", "b": "black"}
    game.board = {
        f"{column}{4 - row}": Man(sides[letter.lower()], letter.isupper())
        for row, letters in enumerate(board.split("/"))
        for column, letter in zip(COLUMNS, letters, strict=True)
        if letter != "."
    }
    return game


def count(line: str, depth: int, **options: str) -> int:
    """Return the number of sequences of moves and throws of a given length."""
    return perft(read(line, options), depth)
