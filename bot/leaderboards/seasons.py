"""Reads the tables of seasons: a page, the places on it, and who came first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from bot.interactions.pager import Page
from bot.leaderboards.service import PER_PAGE
from bot.ratings.seasons import MIN_RANKED, Season
from data import season_ratings
from data.season_ratings import Board

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from bot.scheduling.wall_clock import WallClock
    from data.rating import SeasonRating
    from data.store import Store, Transaction

MAX_SEASONS: Final = 25
"""How many seasons can be chosen from: as many as a menu of Discord holds."""
MAX_CHAMPIONS: Final = 5
"""How many of those who share a first place are named."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A player in the table of a season."""

    rating: SeasonRating
    place: int | None
    """Equal points share one; ``None`` for who has played too little."""


@dataclass(frozen=True, slots=True)
class SeasonPage:
    """A page of the table of a season."""

    season: Season
    over: bool
    page: Page
    placed: tuple[Placed, ...]
    total: int
    """The number of players in the table."""
    own: Placed | None
    """The reader's."""
    champions: tuple[int, ...]
    """Who came first; empty while the season goes on, and where too few have a place."""
    others: tuple[Season, ...]
    """All seasons of the game in this server that are over, the last ones first."""


@dataclass(frozen=True, slots=True)
class Title:
    """A season in which a player came first."""

    game: str
    season: Season


class SeasonTables:
    """The tables of seasons in a store."""

    def __init__(self, store: Store, *, clock: WallClock) -> None:
        """Read a store, with the time of day from ``clock``."""
        self._store = store
        self._clock = clock

    def now(self) -> Season:
        """Return the season that goes on."""
        return Season.at(self._clock())

    async def past(self, guild_id: int, game: str) -> tuple[Season, ...]:
        """Return the seasons of a game in a server that are over, the last ones first."""
        async with self._store.read() as tx:
            return await _past(tx, guild_id, game, self.now())

    async def read(
        self, guild_id: int, game: str, season: Season, *, reader: int, page: int = 0
    ) -> SeasonPage:
        """Return a page of the table of a season."""
        now = self.now()
        board = Board(guild_id, game, season.number, season.end)
        over = season.number < now.number
        async with self._store.read() as tx:
            part = await season_ratings.part(tx, board, limit=PER_PAGE, offset=page * PER_PAGE)
            own = await season_ratings.get(tx, board, reader)
            champions: tuple[int, ...] = ()
            if over and part.ranked >= MIN_RANKED:
                champions = await season_ratings.first(tx, board, most=MAX_CHAMPIONS)
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
        async with self._store.read() as tx:
            own = await season_ratings.get(tx, board, user_id)
            if own is None:
                return None
            return await season_ratings.before(tx, board, own) // PER_PAGE


async def titles(
    tx: Transaction, guild_id: int | None, user_id: int, *, now: datetime, most: int
) -> tuple[Title, ...]:
    """Return the seasons in which a player came first in a server or any, the last ones first."""
    found = await season_ratings.first_places(
        tx,
        guild_id,
        user_id,
        before=Season.at(now).number,
        least=MIN_RANKED,
        end=lambda number: Season(number).end,
        most=most,
    )
    return tuple(Title(board.game, Season(board.season)) for board in found)


async def _past(tx: Transaction, guild_id: int, game: str, now: Season) -> tuple[Season, ...]:
    found = await season_ratings.of_game(tx, guild_id, game, most=MAX_SEASONS + 1)
    return tuple(Season(number) for number in found if number < now.number)[:MAX_SEASONS]


async def _placed(
    tx: Transaction, board: Board, rows: Sequence[SeasonRating]
) -> tuple[Placed, ...]:
    """Return players, who follow one another in the table, with their places."""
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
