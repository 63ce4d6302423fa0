"""The results of one game, entered one after the other: what each changes. Knows no store.

The same book serves a single new result, all that follow a match that was voided, and all there
ever were. That is why the running ratings equal those that are computed again.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import combinations
from typing import Final

from bot.ratings.mathematics import EQUAL, START, Skill, rated, rested

EVERYWHERE: Final = 0
"""The scope of all servers taken together; every other scope is the id of a server."""
MOST_A_WEEK: Final = 10
"""How many games of one kind between the same two players are rated in seven days."""
WEEK: Final = timedelta(days=7)
FORM: Final = 10
"""How many of the last games the form tells of."""
_LATE: Final = timedelta(days=1)
"""How much later than its time a result may be entered."""

Pair = tuple[int, int]
"""Two players who met, the lower number first."""


@dataclass(frozen=True, slots=True)
class Seated:
    """One of those who played, and how they ended."""

    seat: int
    user_id: int
    rank: int


@dataclass(frozen=True, slots=True)
class Result:
    """A match that is to be rated."""

    id: int
    """Tells the order in which results are rated."""
    guild_id: int | None
    at: datetime
    players: tuple[Seated, ...]
    """In the order of their seats."""
    unequal: bool = False
    """Whether the side that somebody had matters."""

    @property
    def scopes(self) -> tuple[int, ...]:
        """Where it counts."""
        return (EVERYWHERE,) if self.guild_id is None else (EVERYWHERE, self.guild_id)

    @property
    def pairs(self) -> tuple[Pair, ...]:
        """Every two who met."""
        return tuple(combinations(sorted(player.user_id for player in self.players), 2))


@dataclass(frozen=True, slots=True)
class Tally:
    """What has come of the rated games of a player in one scope."""

    skill: Skill = START
    games: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    streak: int = 0
    """How many were won in a row up to now; below 0: how many were lost."""
    best: int = 0
    """How many were ever won in a row."""
    form: str = ""
    """A letter for each of the last games, the newest last: w, d or l."""
    last_at: datetime | None = None

    def after(self, skill: Skill, outcome: str, at: datetime) -> Tally:
        """Return what it is after one more game, which was won (w), drawn (d) or lost (l)."""
        streak = 0
        if outcome == "w":
            streak = max(self.streak, 0) + 1
        elif outcome == "l":
            streak = min(self.streak, 0) - 1
        return Tally(
            skill,
            self.games + 1,
            self.won + (outcome == "w"),
            self.drawn + (outcome == "d"),
            self.lost + (outcome == "l"),
            streak,
            max(self.best, streak),
            (self.form + outcome)[-FORM:],
            at,
        )


NOTHING: Final = Tally()


@dataclass(frozen=True, slots=True)
class Side:
    """What has come of one side of a game whose sides are unequal."""

    skill: Skill = EQUAL
    games: int = 0
    won: int = 0
    drawn: int = 0

    def after(self, skill: Skill, outcome: str) -> Side:
        """Return what it is after one more game."""
        won, drawn = self.won + (outcome == "w"), self.drawn + (outcome == "d")
        return Side(skill, self.games + 1, won, drawn)


@dataclass(frozen=True, slots=True)
class Entered:
    """What a result has changed."""

    result: Result
    rated: bool
    """Whether it was rated; else everything is as before it."""
    tallies: tuple[tuple[int, int, Tally], ...]
    """Of every scope and player where they stand after it."""
    sides: tuple[tuple[int, int, Side], ...]
    """Of every scope and seat what is known of it then; empty where nothing was learnt."""

    @property
    def keys(self) -> list[tuple[int, int]]:
        """Whom it concerns: scopes and players."""
        return [(scope, user_id) for scope, user_id, _ in self.tallies]


class Book:
    """What is known of the players of one game."""

    def __init__(self) -> None:
        """Begin with nobody."""
        self.tallies: dict[tuple[int, int], Tally] = {}
        """By scope and player; who is missing has not played."""
        self.sides: dict[tuple[int, int], Side] = {}
        """By scope and seat."""
        self._met: dict[Pair, list[datetime]] = {}
        self._meetings: deque[tuple[datetime, Pair]] = deque()

    def met(self, pair: Pair, *moments: datetime) -> None:
        """Take down when two players had rated games, one after the other."""
        self._met.setdefault(pair, []).extend(moments)
        self._meetings.extend((at, pair) for at in moments)

    def enter(self, result: Result) -> Entered:
        """Rate a result."""
        self._forget(result.at)
        counts = not any(self._often(pair, result.at) for pair in result.pairs)
        sides: list[tuple[int, int, Side]] = []
        if counts:
            for pair in result.pairs:
                self.met(pair, result.at)
            for scope in result.scopes:
                sides += self._rate(scope, result)
        tallies = tuple(
            (scope, player.user_id, self.tallies.get((scope, player.user_id), NOTHING))
            for scope in result.scopes
            for player in result.players
        )
        return Entered(result, counts, tallies, tuple(sides))

    def _often(self, pair: Pair, at: datetime) -> bool:
        lately = self._met.get(pair)
        if lately is None or len(lately) < MOST_A_WEEK:
            return False
        return sum(moment > at - WEEK for moment in lately) >= MOST_A_WEEK

    def _forget(self, at: datetime) -> None:
        """Forget who met so long ago that it matters no more."""
        until = lately(at)
        while self._meetings and self._meetings[0][0] <= until:
            moment, pair = self._meetings.popleft()
            moments = self._met[pair]
            moments.remove(moment)
            if not moments:
                del self._met[pair]

    def _rate(self, scope: int, result: Result) -> list[tuple[int, int, Side]]:
        players = result.players
        before = [self.tallies.get((scope, player.user_id), NOTHING) for player in players]
        skills = [rested(tally.skill, tally.last_at, result.at) for tally in before]
        ranks = [player.rank for player in players]
        sides = []
        if result.unequal:
            sides = [self.sides.get((scope, player.seat), Side()) for player in players]
        after, learnt = rated(skills, ranks, [side.skill for side in sides] or None)
        shared = ranks.count(1) > 1
        outcomes = ["l" if rank != 1 else "d" if shared else "w" for rank in ranks]
        for player, tally, skill, outcome in zip(players, before, after, outcomes, strict=True):
            self.tallies[scope, player.user_id] = tally.after(skill, outcome, result.at)
        changed = []
        for player, side, skill, outcome in zip(players, sides, learnt, outcomes, strict=False):
            self.sides[scope, player.seat] = side.after(skill, outcome)
            changed.append((scope, player.seat, self.sides[scope, player.seat]))
        return changed


def lately(since: datetime) -> datetime:
    """Return from when on a book must know who met, to enter results from ``since`` on."""
    return since - WEEK - _LATE
