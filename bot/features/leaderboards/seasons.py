"""Reads season tables: a page, the places on it, and the champions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from bot.core.interactions.layout import Page
from bot.core.scheduling.wall_clock import WallClock
from bot.features.leaderboards.service import PER_PAGE
from bot.play.ratings.seasons import MIN_RANKED, Season
from data.ratings import season_ratings
from data.ratings.rating import SeasonRating
from data.ratings.season_ratings import Board
from data.store.store import Store, Transaction

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
