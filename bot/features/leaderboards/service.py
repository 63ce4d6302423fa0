"""Reads leaderboards: a page, and the reader's own rank."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from bot.core.interactions.layout import Page
from bot.core.scheduling.wall_clock import WallClock
from bot.play.ratings import changes
from bot.play.ratings.seasons import MIN_RANKED, Season
from data.ratings import leaderboards, rating_histogram, ratings, season_ratings
from data.ratings.rating import EVERYWHERE, Rating, SeasonRating, SideRating
from data.ratings.rating_histogram import Histogram
from data.ratings.season_ratings import Board
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


MAX_SEASONS: Final = 25
"""Seasons to choose from, limited by Discord's menu size."""
MAX_CHAMPIONS: Final = 5
"""Champions named when several share first place."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A player in a season's table."""

    rating: SeasonRating
    place: int | None
    """Equal points share a place; ``None`` for too few games or opponents."""


@dataclass(frozen=True, slots=True)
class SeasonPage:
    """A page of a season's table."""

    season: Season
    over: bool
    page: Page
    placed: tuple[Placed, ...]
    total: int
    """The number of players in the table."""
    own: Placed | None
    """The reader's."""
    champions: tuple[int, ...]
    """Empty while the season is on, and when too few players have a place."""
    others: tuple[Season, ...]
    """All past seasons of the game in this server, newest first."""


@dataclass(frozen=True, slots=True)
class Title:
    """A season that a player won."""

    game: str
    season: Season


@dataclass(eq=False, repr=False)
class SeasonTables:
    """The season tables in a store."""

    store: Store
    clock: WallClock

    def now(self) -> Season:
        """Return the current season."""
        return Season.at(self.clock())

    async def past(self, guild_id: int, game: str) -> tuple[Season, ...]:
        """Return the past seasons of a game in a server, newest first."""
        async with self.store.read() as tx:
            return await _past(tx, guild_id, game, self.now())

    async def read(
        self, guild_id: int, game: str, season: Season, *, reader: int, page: int = 0
    ) -> SeasonPage:
        """Return a page of a season's table."""
        now = self.now()
        board = Board(guild_id, game, season.number, season.end)
        over = season.number < now.number
        async with self.store.read() as tx:
            part = await season_ratings.part(tx, board, limit=PER_PAGE, offset=page * PER_PAGE)
            own = await season_ratings.get(tx, board, reader)
            champions: tuple[int, ...] = ()
            if over and part.ranked >= MIN_RANKED:
                champions = await season_ratings.first(tx, board, limit=MAX_CHAMPIONS)
            return SeasonPage(
                season=season,
                over=over,
                page=Page(page, PER_PAGE, (page + 1) * PER_PAGE < part.total),
                placed=await _placed(tx, board, part.rows),
                total=part.total,
                own=None if own is None else (await _placed(tx, board, [own]))[0],
                champions=champions,
                others=await _past(tx, guild_id, game, now),
            )

    async def page_of(self, guild_id: int, game: str, season: Season, user_id: int) -> int | None:
        """Return the page of a player, counted from 0; ``None`` if they are not in the table."""
        board = Board(guild_id, game, season.number, season.end)
        async with self.store.read() as tx:
            own = await season_ratings.get(tx, board, user_id)
            if own is None:
                return None
            return await season_ratings.before(tx, board, own) // PER_PAGE


async def titles(
    tx: Transaction, guild_id: int | None, user_id: int, *, now: datetime, limit: int
) -> tuple[Title, ...]:
    """Return the seasons a player won in a server or anywhere, newest first."""
    boards = await season_ratings.first_places(
        tx,
        guild_id,
        user_id,
        before=Season.at(now).number,
        minimum=MIN_RANKED,
        end=lambda number: Season(number).end,
        limit=limit,
    )
    return tuple(Title(board.game, Season(board.season)) for board in boards)


async def _past(tx: Transaction, guild_id: int, game: str, now: Season) -> tuple[Season, ...]:
    found = await season_ratings.of_game(tx, guild_id, game, limit=MAX_SEASONS + 1)
    return tuple(Season(number) for number in found if number < now.number)[:MAX_SEASONS]


async def _placed(
    tx: Transaction, board: Board, rows: Sequence[SeasonRating]
) -> tuple[Placed, ...]:
    """Return consecutive players of the table with their places."""
    if not rows or not rows[0].ranked:
        return tuple(Placed(row, None) for row in rows)
    place = await season_ratings.better(tx, board, rows[0].points) + 1
    behind = await season_ratings.before(tx, board, rows[0])
    placed = []
    for at, row in enumerate(rows):
        if at and row.points != rows[at - 1].points:
            place = behind + at + 1
        placed.append(Placed(row, place if row.ranked else None))
    return tuple(placed)
