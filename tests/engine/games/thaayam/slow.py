"""A second, slow implementation of Thaayam, straight from the document and the rulings.

It shares nothing with the one it is compared with: a piece knows only its square, a path is walked
square by square, a move is a text, and the number of usable throws is found by trying every way to
use them.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import combinations

WAYS = {0: 1, 1: 4, 2: 6, 3: 4, 4: 1}
CLOCKWISE = ["south", "west", "north", "east"]
PALACE = {"south": "c1", "west": "a3", "north": "c5", "east": "e3"}
OPPOSITE = {"south": "c5", "west": "e3", "north": "c1", "east": "a3"}
KEEP = "c3"
CROSSED = {"c1", "a3", "c5", "e3", "c3"}
SEATED = {2: ["south", "north"], 3: ["south", "west", "north"], 4: CLOCKWISE}


def path_of(seat: str) -> list[str]:
    """Return a seat's path: South's, turned by a quarter per seat."""
    x, y, dx, dy = 2, 0, 1, 0
    walked = []
    for _ in range(16):  # around the edge, keeping it on the right
        walked.append((x, y))
        if not (0 <= x + dx <= 4 and 0 <= y + dy <= 4):
            dx, dy = -dy, dx
        x, y = x + dx, y + dy
    inner = [(1, 1), (1, 2), (1, 3), (2, 3), (3, 3), (3, 2), (3, 1), (2, 1)]
    squares = [*walked, *inner, (2, 2)]
    for _ in range(CLOCKWISE.index(seat)):
        squares = [(y, 4 - x) for x, y in squares]
    return ["abcde"[x] + "12345"[y] for x, y in squares]


PATHS = {seat: path_of(seat) for seat in CLOCKWISE}


@dataclass
class Man:
    """A piece: on a square, in the ``hand``, or ``off``."""

    seat: str
    square: str = "hand"
    moved: bool = False
    twin: int = 0
    """Two pieces with the same non-zero number are twins."""


@dataclass
class SlowGame:
    """A game, changed move by move."""

    seats: list[str]
    men: list[Man] = field(default_factory=list)
    seat: str = "south"
    hand: list[int] = field(default_factory=list)
    throwing: bool = True
    again: bool = False
    opening: dict[str, str] = field(default_factory=dict)
    winner: str | None = None
    twins_made: int = 0
    known: dict[tuple[str, ...], int] = field(default_factory=dict, compare=False)
    """The results of `most`, for this game and all games that follow from it."""

    @classmethod
    def new(cls, players: int) -> SlowGame:
        """Return a game before its first throw."""
        seats = SEATED[players]
        men = [Man(seat) for seat in seats for _ in range(4)]
        return cls(seats, men, opening=dict.fromkeys(seats, "-"))

    @classmethod
    def read(cls, line: str) -> SlowGame:
        """Read a position line of a game that is not over."""
        *sides, seat, hand = line.removesuffix(" again").split()
        game = cls([words.split(":")[0] for words in sides], seat=seat)
        game.again = line.endswith(" again")
        if hand.startswith("start"):
            thrown = hand.partition(":")[2].split(",") if ":" in hand else ["-"] * len(sides)
            game.opening = dict(zip(game.seats, thrown, strict=True))
        else:
            game.throwing = hand.endswith("-")
            game.hand = [int(score) for score in hand.split(",") if score != "-"]
        for name, tokens in (words.split(":") for words in sides):
            for token in tokens.split(","):
                moved, places = token.endswith("!"), token.rstrip("!").split("&")
                if token in {"-", "*"}:
                    game.men.append(Man(name, "hand" if token == "-" else "off"))
                    continue
                if len(places) == 2:
                    game.twins_made += 1
                game.men += [
                    Man(name, PATHS[name][int(place)], moved, game.twins_made * (len(places) == 2))
                    for place in places
                ]
        return game

    def copy(self) -> SlowGame:
        """Return an independent copy."""
        men = [Man(man.seat, man.square, man.moved, man.twin) for man in self.men]
        return replace(self, men=men, hand=list(self.hand), opening=dict(self.opening))

    # ------------------------------------------------------------------------------ questions

    def own(self) -> list[Man]:
        """Return the pieces of the seat to act."""
        return [man for man in self.men if man.seat == self.seat]

    def units(self) -> list[list[Man]]:
        """Return its pieces on the path that have not moved, twins together."""
        found: dict[tuple[str, int, int], list[Man]] = {}
        for number, man in enumerate(self.own()):
            if man.square in {"hand", "off"} or man.moved:
                continue
            key = (man.square, man.twin, 0 if man.twin else number)
            found.setdefault(key, []).append(man)
        return list(found.values())

    def target(self, unit: list[Man], points: int) -> str | None:
        """Return where a piece or twins would land, or None if they cannot move that far."""
        squares = points // 2 if len(unit) == 2 else points
        path = PATHS[self.seat]
        place = path.index(unit[0].square) + squares
        if squares == 0 or place >= len(path):
            return None
        return path[place]

    def possible(self) -> dict[str, SlowGame]:
        """Return every move that the pieces and throws allow, with the resulting game."""
        found: dict[str, SlowGame] = {}
        if 1 in self.hand:
            if any(man.square == "hand" for man in self.own()):
                found["in"] = self.with_entered()
            in_keep = [man for man in self.own() if man.square == KEEP]
            if all(man.square in {KEEP, "off"} for man in self.own()) and any(
                not man.moved for man in in_keep
            ):
                found["off"] = self.with_borne_off()
        for unit in self.units():
            for number in range(1, len(self.hand) + 1):
                for taken in set(combinations(sorted(self.hand, reverse=True), number)):
                    target = self.target(unit, sum(taken))
                    if target is not None:
                        sign = "&" if len(unit) == 2 else ""
                        text = unit[0].square + sign + "".join(f"+{score}" for score in taken)
                        if text not in found:
                            found[text] = self.with_moved(unit, target, taken)
        standing = [m for m in self.own() if m.square == OPPOSITE[self.seat] and not m.twin]
        if len(standing) >= 2:
            found["twins"] = self.with_twins(standing)
        return found

    def most(self) -> int:
        """Return the largest number of throws still usable, by trying everything."""
        key = (self.seat, self.fields(self.seat), *map(str, sorted(self.hand)))
        if key not in self.known:
            self.known[key] = max(
                (
                    len(self.hand) - len(then.hand) + then.most()
                    for then in self.possible().values()
                ),
                default=0,
            )
        return self.known[key]

    def moves(self) -> set[str]:
        """Return every legal throw or move."""
        if self.winner is not None:
            return set()
        if self.throwing:
            return {f"*{white}" for white in WAYS}
        best = self.most()
        return {
            text
            for text, then in self.possible().items()
            if len(self.hand) - len(then.hand) + then.most() == best
        }

    # ------------------------------------------------------------------------------ changes

    def with_entered(self) -> SlowGame:
        """Return the game with another piece entered on its palace."""
        then = self.copy()
        next(man for man in then.own() if man.square == "hand").square = PALACE[self.seat]
        then.hand.remove(1)
        return then

    def with_borne_off(self) -> SlowGame:
        """Return the game with a piece borne off from the keep."""
        then = self.copy()
        next(man for man in then.own() if man.square == KEEP and not man.moved).square = "off"
        then.hand.remove(1)
        return then

    def with_twins(self, standing: list[Man]) -> SlowGame:
        """Return the game with these two pieces declared twins."""
        fresh = [man for man in standing if not man.moved]
        moved = [man for man in standing if man.moved]
        if len(fresh) >= 2:
            one, two = fresh[:2]
        elif len(moved) >= 2:
            one, two = moved[:2]
        else:
            one, two = standing[:2]
        numbers = [self.men.index(one), self.men.index(two)]
        if one == two:
            numbers = [n for n, man in enumerate(self.men) if man == one][:2]
        then = self.copy()
        then.twins_made += 1
        any_moved = one.moved or two.moved
        for number in numbers:
            then.men[number].twin = then.twins_made
            then.men[number].moved = any_moved
        return then

    def with_moved(self, unit: list[Man], target: str, taken: tuple[int, ...]) -> SlowGame:
        """Return the game after a piece or twins move, capturing any enemies there."""
        numbers = [n for n, man in enumerate(self.men) if any(man is one for one in unit)]
        then = self.copy()
        for score in taken:
            then.hand.remove(score)
        for number in numbers:
            man = then.men[number]
            man.square, man.moved = target, True
            if target == KEEP:
                man.twin = 0
        enemies = [man for man in then.men if man.square == target and man.seat != self.seat]
        if target in CROSSED or not enemies:
            return then
        if len(unit) == 1 and any(man.twin for man in enemies):
            return then
        for man in enemies:
            man.square, man.twin = "hand", 0
        then.again = True
        return then

    def play(self, text: str) -> SlowGame:
        """Return the game after a legal throw or move."""
        if not text.startswith("*"):
            return self.possible()[text].settled()
        then = self.copy()
        score = int(text[1:]) or 8
        if then.opening:
            then.opening[then.seat] = str(score)
            then.open()
            return then
        then.hand.append(score)
        if score not in {2, 3}:
            return then
        then.throwing = False
        if all(man.square in {"hand", "off"} for man in then.own()):
            while then.hand and then.hand[0] != 1:
                del then.hand[0]
        return then.settled()

    def open(self) -> None:
        """Ask for the next opening throw, or let the highest begin."""
        waiting = [seat for seat in self.seats if self.opening[seat] == "-"]
        if not waiting:
            scores = {seat: int(s) for seat, s in self.opening.items() if s != "x"}
            best = [seat for seat, score in scores.items() if score == max(scores.values())]
            if len(best) == 1:
                self.opening, self.seat = {}, best[0]
                return
            self.opening = {seat: "-" if seat in best else "x" for seat in self.seats}
            waiting = best
        self.seat = waiting[0]

    def settled(self) -> SlowGame:
        """End the series, the turn or the game if nothing is left to do."""
        then = self.copy()
        if all(man.square == "off" for man in then.own()):
            then.winner, then.hand, then.throwing, then.again = then.seat, [], True, False
        elif then.most() == 0:
            if not then.again:
                place = then.seats.index(then.seat)
                then.seat = then.seats[(place + 1) % len(then.seats)]
            then.hand, then.throwing, then.again = [], True, False
        else:
            return then
        for man in then.men:
            man.moved = False
        return then

    # ------------------------------------------------------------------------------ position lines

    def fields(self, seat: str) -> str:
        """Return a seat's pieces in notation."""
        singles, pairs = [], []
        men = [man for man in self.men if man.seat == seat]
        path = PATHS[seat]
        for man in men:
            mark = "!" if man.moved else ""
            if man.square in path and not man.twin:
                singles.append((path.index(man.square), mark))
            elif man.twin:
                pairs.append((path.index(man.square), mark))
        written = [f"{place}{mark}" for place, mark in sorted(singles)]
        written += ["-"] * sum(man.square == "hand" for man in men)
        written += ["*"] * sum(man.square == "off" for man in men)
        written += [f"{place}&{place}{mark}" for place, mark in sorted(pairs)[::2]]
        return ",".join(written)

    def line(self) -> str:
        """Return the position line."""
        if self.opening:
            last = "start"
            if set(self.opening.values()) != {"-"}:
                last += ":" + ",".join(self.opening.values())
        else:
            last = ",".join([*map(str, self.hand), *(["-"] if self.throwing else [])])
        words = [f"{seat}:{self.fields(seat)}" for seat in self.seats]
        return " ".join([*words, self.seat, last, *(["again"] if self.again else [])])


def perft(game: SlowGame, depth: int) -> int:
    if depth == 0:
        return 1
    return sum(perft(game.play(text), depth - 1) for text in game.moves())


def count(line: str, depth: int) -> int:
    """Return the number of sequences of throws and moves of a given length, by playing them all."""
    return perft(SlowGame.read(line), depth)
