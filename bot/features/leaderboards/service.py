"""Reads leaderboards: a page, and the reader's own rank."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from bot.core.interactions.layout import Page
from bot.core.scheduling.wall_clock import WallClock
from bot.play.ratings import changes
from data.ratings import leaderboards, rating_histogram, ratings
from data.ratings.rating import EVERYWHERE, Rating, SideRating
from data.ratings.rating_histogram import Histogram
from data.store.store import Store, Transaction

PER_PAGE: Final = 10


@dataclass(frozen=True, slots=True)
class Ranking:
    """The rating of a player, and where it ranks."""

    rating: Rating
    rank: int | None
    """``None`` if the player is not ranked."""
    total: int
    """The number of ranked players."""

    @property
    def percent_behind(self) -> int | None:
        """The share of the other ranked players below this one; ``None`` without a rank."""
        if self.rank is None or self.total < 2:
            return None
        return 100 * (self.total - self.rank) // (self.total - 1)


@dataclass(frozen=True, slots=True)
class LeaderboardPage:
    """A page of a leaderboard."""

    everywhere: bool
    page: Page
    ranked: tuple[Rating, ...]
    unranked: tuple[Rating, ...]
    """Players below them who are not ranked yet, or no longer."""
    total: int
    """The number of ranked players."""
    own: Ranking | None
    """The reader's."""
    sides: tuple[SideRating, ...]
    """Empty if the sides are equal."""
    now: datetime


@dataclass(eq=False, repr=False)
class Leaderboards:
    """The leaderboards in a store."""

    store: Store
    clock: WallClock

    async def read(self, scope: int, game: str, *, reader: int, page: int = 0) -> LeaderboardPage:
        """Return a page of the leaderboard of a game in a server, or everywhere."""
        now = self.clock()
        since = changes.active_since(now)
        skipped = page * PER_PAGE
        async with self.store.read() as tx:
            histogram = await rating_histogram.read(tx, scope, game, rating_histogram.day(since))
            ranked = await leaderboards.ranked(
                tx, scope, game, histogram, since=since, limit=PER_PAGE, offset=skipped
            )
            room = PER_PAGE - len(ranked)
            unranked: tuple[Rating, ...] = ()
            more = skipped + PER_PAGE < histogram.total
            if not more:
                offset = max(0, skipped - histogram.total)
                # One more than fits shows whether another page follows.
                unranked = await leaderboards.unranked(
                    tx, scope, game, since=since, limit=room + 1, offset=offset
                )
                more = len(unranked) > room
            own = await read_ranking(tx, scope, game, reader, now, histogram=histogram)
            sides = await ratings.sides(tx, game, scope)
        return LeaderboardPage(
            everywhere=scope == EVERYWHERE,
            page=Page(page, PER_PAGE, more),
            ranked=ranked,
            unranked=unranked[:room],
            total=histogram.total,
            own=own,
            sides=sides,
            now=now,
        )

    async def page_of(self, scope: int, game: str, user_id: int) -> int | None:
        """Return the page of a player, counted from 0; ``None`` without a rated game.

        For a player too far down among the unranked, return the first page of unranked players.
        """
        now = self.clock()
        async with self.store.read() as tx:
            own = await read_ranking(tx, scope, game, user_id, now)
            if own is None:
                return None
            if own.rank is not None:
                return (own.rank - 1) // PER_PAGE
            since = changes.active_since(now)
            before = await leaderboards.unranked_before(tx, own.rating, since=since)
        return (own.total + (before or 0)) // PER_PAGE


async def read_ranking(
    tx: Transaction,
    scope: int,
    game: str,
    user_id: int,
    now: datetime,
    *,
    histogram: Histogram | None = None,
) -> Ranking | None:
    """Return the rating and rank of a player, ``None`` without a rated game."""
    rating = await ratings.get(tx, game, scope, user_id)
    if rating is None:
        return None
    since = changes.active_since(now)
    if histogram is None:
        histogram = await rating_histogram.read(tx, scope, game, rating_histogram.day(since))
    rank = await leaderboards.rank(tx, rating, histogram, since=since)
    return Ranking(rating, rank, histogram.total)
