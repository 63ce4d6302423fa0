"""Reads leaderboards: of all time, here or everywhere, and of the seasons of a server."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Generic, TypeAlias, TypeVar

from bot.core.interactions.layout import Page
from bot.core.scheduling.scheduler import WallClock
from bot.play.ratings.seasons import MIN_RANKED, Season
from bot.play.ratings.skill import Skill, active_since, after_pause, inactive
from data.ratings import leaderboards, ratings, season_ratings
from data.ratings.rating import EVERYWHERE, Rating, SeasonRating, SideRating
from data.ratings.ratings import Histogram
from data.ratings.season_ratings import Board
from data.store.store import Store, Transaction

PER_PAGE: Final = 10
MAX_SEASONS: Final = 25
"""Seasons to choose from, limited by Discord's menu size."""
MAX_CHAMPIONS: Final = 5
"""Champions named when several share first place."""


R_co = TypeVar("R_co", bound=Rating | SeasonRating, covariant=True)


@dataclass(frozen=True, slots=True)
class Standing(Generic[R_co]):
    """A player's rating as a leaderboard shows it."""

    rating: R_co
    rank: int | None
    """``None`` if the player is not ranked. In a season, equal points share a rank."""
    skill: Skill
    """Less certain after a pause."""
    provisional: bool
    idle: bool = False
    """Whether the last game is too long ago for a rank."""
    total: int = 0
    """The number of ranked players, if known."""

    @property
    def percent_behind(self) -> int | None:
        """The share of the other ranked players below this one; ``None`` without a rank."""
        if self.rank is None or self.total < 2:
            return None
        return 100 * (self.total - self.rank) // (self.total - 1)


AnyStanding: TypeAlias = Standing[Rating] | Standing[SeasonRating]


@dataclass(frozen=True, slots=True)
class LeaderboardPage:
    """A page of a leaderboard."""

    everywhere: bool
    season: Season | None
    """``None`` for all time."""
    over: bool
    """Whether the season has ended."""
    page: Page
    standings: tuple[AnyStanding, ...]
    """The ranked, then those who are not ranked yet, or no longer."""
    total: int
    """The number of ranked players; in a season, of all."""
    own: AnyStanding | None
    """The reader's."""
    sides: tuple[SideRating, ...] = ()
    """Empty if the sides are equal, and in a season."""
    champions: tuple[int, ...] = ()
    """Empty while a season is on, and when too few of its players are ranked."""

    def shows(self, user_id: int) -> bool:
        """Return whether a player is on this page."""
        return any(one.rating.user_id == user_id for one in self.standings)


@dataclass(frozen=True, slots=True)
class Title:
    """A season that a player won."""

    game: str
    season: Season


@dataclass(eq=False, repr=False)
class Leaderboards:
    """The leaderboards in a store. The scope of a season is a server."""

    store: Store
    clock: WallClock

    def season(self) -> Season:
        """Return the current season."""
        return Season.at(self.clock())

    async def past(self, scope: int, game: str) -> tuple[Season, ...]:
        """Return the past seasons of a game in a server, newest first; none everywhere."""
        if scope == EVERYWHERE:
            return ()
        async with self.store.read() as tx:
            found = await season_ratings.of_game(tx, scope, game, limit=MAX_SEASONS + 1)
        now = self.season().number
        return tuple(Season(number) for number in found if number < now)[:MAX_SEASONS]

    async def read(
        self, scope: int, game: str, season: Season | None = None, *, reader: int, page: int = 0
    ) -> LeaderboardPage:
        """Return a page of the leaderboard of a game, of all time or of a season."""
        now = self.clock()
        async with self.store.read() as tx:
            if season is None:
                return await _all_time(tx, scope, game, now=now, reader=reader, page=page)
            board = Board(scope, game, season.number, season.end)
            return await _of_season(tx, board, season, now=now, reader=reader, page=page)

    async def page_of(
        self, scope: int, game: str, user_id: int, season: Season | None = None
    ) -> int | None:
        """Return the page of a player, counted from 0; ``None`` without a rated game there.

        For a player too far down among the unranked, return the first page of unranked players.
        """
        now = self.clock()
        async with self.store.read() as tx:
            if season is not None:
                board = Board(scope, game, season.number, season.end)
                rating = await season_ratings.get(tx, board, user_id)
                if rating is None:
                    return None
                return await season_ratings.before(tx, board, rating) // PER_PAGE
            own = await read_standing(tx, scope, game, user_id, now)
            if own is None:
                return None
            if own.rank is not None:
                return (own.rank - 1) // PER_PAGE
            since = active_since(now)
            unranked = await leaderboards.unranked_before(tx, own.rating, since=since)
        return (own.total + (unranked or 0)) // PER_PAGE


async def _all_time(
    tx: Transaction, scope: int, game: str, *, now: datetime, reader: int, page: int
) -> LeaderboardPage:
    since, skipped = active_since(now), page * PER_PAGE
    histogram = await ratings.read_histogram(tx, scope, game, ratings.day(since))
    ranked = await leaderboards.ranked(
        tx, scope, game, histogram, since=since, limit=PER_PAGE, offset=skipped
    )
    shown = [standing(one, now, rank) for rank, one in enumerate(ranked, skipped + 1)]
    more = skipped + PER_PAGE < histogram.total
    if not more:
        room, offset = PER_PAGE - len(ranked), max(0, skipped - histogram.total)
        # One more than fits shows whether another page follows.
        unranked = await leaderboards.unranked(
            tx, scope, game, since=since, limit=room + 1, offset=offset
        )
        more = len(unranked) > room
        shown += [standing(one, now) for one in unranked[:room]]
    return LeaderboardPage(
        everywhere=scope == EVERYWHERE,
        season=None,
        over=False,
        page=Page(page, PER_PAGE, more),
        standings=tuple(shown),
        total=histogram.total,
        own=await read_standing(tx, scope, game, reader, now, histogram=histogram),
        sides=await ratings.sides(tx, game, scope),
    )


def standing(
    rating: Rating, now: datetime, rank: int | None = None, total: int = 0
) -> Standing[Rating]:
    """Return an all-time rating as of now."""
    return Standing(
        rating,
        rank,
        after_pause(rating, now),
        provisional=not rating.established,
        idle=inactive(rating, now),
        total=total,
    )


async def read_standing(
    tx: Transaction,
    scope: int,
    game: str,
    user_id: int,
    now: datetime,
    *,
    histogram: Histogram | None = None,
) -> Standing[Rating] | None:
    """Return the all-time rating and rank of a player, ``None`` without a rated game."""
    rating = await ratings.get(tx, game, scope, user_id)
    if rating is None:
        return None
    since = active_since(now)
    if histogram is None:
        histogram = await ratings.read_histogram(tx, scope, game, ratings.day(since))
    rank = await leaderboards.rank(tx, rating, histogram, since=since)
    return standing(rating, now, rank, histogram.total)


async def _of_season(
    tx: Transaction, board: Board, season: Season, *, now: datetime, reader: int, page: int
) -> LeaderboardPage:
    over = season.end <= now
    part = await season_ratings.part(tx, board, limit=PER_PAGE, offset=page * PER_PAGE)
    own = await season_ratings.get(tx, board, reader)
    champions: tuple[int, ...] = ()
    if over and part.ranked >= MIN_RANKED:
        champions = await season_ratings.first(tx, board, limit=MAX_CHAMPIONS)
    return LeaderboardPage(
        everywhere=False,
        season=season,
        over=over,
        page=Page(page, PER_PAGE, (page + 1) * PER_PAGE < part.total),
        standings=await _placed(tx, board, part.rows),
        total=part.total,
        own=None if own is None else (await _placed(tx, board, [own]))[0],
        champions=champions,
    )


async def _placed(
    tx: Transaction, board: Board, rows: Sequence[SeasonRating]
) -> tuple[Standing[SeasonRating], ...]:
    """Return consecutive players of a season's table with their ranks."""
    rank, behind, placed = 0, 0, []
    if rows and rows[0].ranked:
        rank = await season_ratings.better(tx, board, rows[0].points) + 1
        behind = await season_ratings.before(tx, board, rows[0])
    for at, row in enumerate(rows):
        if at and row.points != rows[at - 1].points:
            rank = behind + at + 1
        shown = rank if row.ranked else None
        placed.append(Standing(row, shown, Skill(row.mu, row.sigma), provisional=not row.ranked))
    return tuple(placed)


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
