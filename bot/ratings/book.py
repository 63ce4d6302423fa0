"""The results of one game, entered one after the other: what each changes. Knows no store.

The same book serves a single new result, all that follow a match that was voided, and all there
ever were. That is why the running ratings equal those that are computed again.
"""

from __future__ import annotations

from collections import defaultdict, deque
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import combinations
from typing import Final

from bot.ratings.mathematics import EQUAL, START, Skill, rated, rested

EVERYWHERE: Final = 0
"""The scope of all servers taken together; every other scope is the id of a server."""
MOST_A_WEEK: Final = 10
"""How many games of one kind between the same two players are rated in seven days."""
WEEK: Final = timedelta(days=7)
_LATE: Final = timedelta(days=1)
"""How much later than its time a result may be entered."""


@dataclass(frozen=True, slots=True)
class Seated:
    """One of those who played, and how they ended."""

    seat: int
    user_id: int
    rank: int


@dataclass(frozen=True, slots=True)
class Result:
    """A match that counts."""

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
    def pairs(self) -> tuple[tuple[int, int], ...]:
        """Every two who met, the lower number first."""
        return tuple(combinations(sorted(player.user_id for player in self.players), 2))


@dataclass(frozen=True, slots=True)
class Tally:
    """What has come of the rated games of a player in one scope."""

    skill: Skill = START
    games: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    last_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Side:
    """What has come of one side of a game whose sides are unequal."""

    skill: Skill = EQUAL
    games: int = 0
    won: int = 0
    drawn: int = 0


@dataclass(frozen=True, slots=True)
class Change:
    """Where a player stands in one scope after a result."""

    scope: int
    result_id: int
    user_id: int
    seat: int
    at: datetime
    rated: bool
    """Whether the result was rated; else everything is as before it."""
    tally: Tally


class Book:
    """What is known of the players of one game."""

    def __init__(self) -> None:
        """Begin with nobody."""
        self.tallies: dict[tuple[int, int], Tally] = {}
        """By scope and player; who is missing has not played."""
        self.sides: dict[tuple[int, int], Side] = {}
        """By scope and seat."""
        self.met: defaultdict[tuple[int, int], deque[datetime]] = defaultdict(deque)
        """When two players had rated games lately."""

    def enter(self, result: Result) -> list[Change]:
        """Rate a result; return a line for each player and scope."""
        counts = not any(self._often(pair, result.at) for pair in result.pairs)
        if counts:
            for pair in result.pairs:
                self.met[pair].append(result.at)
        changes = []
        for scope in result.scopes:
            if counts:
                self._rate(scope, result)
            changes += [
                Change(
                    scope,
                    result.id,
                    player.user_id,
                    player.seat,
                    result.at,
                    counts,
                    self.tallies.get((scope, player.user_id), Tally()),
                )
                for player in result.players
            ]
        return changes

    def _often(self, pair: tuple[int, int], at: datetime) -> bool:
        lately = self.met[pair]
        while lately and lately[0] <= at - WEEK - _LATE:
            lately.popleft()
        return sum(moment > at - WEEK for moment in lately) >= MOST_A_WEEK

    def _rate(self, scope: int, result: Result) -> None:
        before = [self.tallies.get((scope, p.user_id), Tally()) for p in result.players]
        skills = [rested(tally.skill, tally.last_at, result.at) for tally in before]
        ranks = [player.rank for player in result.players]
        keys = [(scope, player.seat) for player in result.players]
        sides = [self.sides.get(key, Side()) for key in keys] if result.unequal else []
        after, sided = rated(skills, ranks, [side.skill for side in sides] or None)
        shared = ranks.count(1) > 1
        for player, tally, skill in zip(result.players, before, after, strict=True):
            self.tallies[scope, player.user_id] = replace(
                tally,
                skill=skill,
                games=tally.games + 1,
                won=tally.won + (player.rank == 1 and not shared),
                drawn=tally.drawn + (player.rank == 1 and shared),
                lost=tally.lost + (player.rank != 1),
                last_at=result.at,
            )
        for key, rank, side, skill in zip(keys, ranks, sides, sided, strict=False):
            self.sides[key] = Side(
                skill,
                side.games + 1,
                side.won + (rank == 1 and not shared),
                side.drawn + (rank == 1 and shared),
            )


def lately(since: datetime) -> datetime:
    """Return from when on a book must know who met, to enter results from ``since`` on."""
    return since - WEEK - _LATE
