"""Reading the leaderboard of a game: a page of it, and the reader's own place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from bot.ratings import gate
from bot.ratings.book import EVERYWHERE
from data import crowd, leaderboards, sides

if TYPE_CHECKING:
    from datetime import datetime

    from bot.scheduling.wall_clock import Clock
    from data.leaderboards import Standing
    from data.store import Store

PER_PAGE: Final = 10


@dataclass(frozen=True, slots=True)
class Own:
    """Where the reader stands."""

    standing: Standing
    place: int | None
    """``None`` for who is not listed."""


@dataclass(frozen=True, slots=True)
class Sided:
    """What has come of one side of a game whose sides are unequal."""

    seat: int
    games: int
    won: int
    drawn: int


@dataclass(frozen=True, slots=True)
class Board:
    """A page of a leaderboard."""

    everywhere: bool
    page: int
    """Counted from 0."""
    first: int
    """The place of the first who is listed on this page."""
    listed: tuple[Standing, ...]
    waiting: tuple[Standing, ...]
    """Those who are not listed yet, below the others."""
    more: bool
    """Whether another page follows."""
    number: int
    """How many are listed."""
    own: Own | None
    sides: tuple[Sided, ...]
    """Empty where the sides are equal."""
    now: datetime


class Leaderboards:
    """The leaderboards in the store."""

    def __init__(self, store: Store, *, clock: Clock) -> None:
        """Read a store, with the time of day from ``clock``."""
        self._store = store
        self._clock = clock

    async def read(self, scope: int, game: str, *, reader: int, page: int = 0) -> Board:
        """Return a page of the leaderboard of a game in a server, or everywhere."""
        now = self._clock()
        since = gate.since(now)
        skipped = page * PER_PAGE
        async with self._store.read() as tx:
            many = await crowd.read(tx, scope, game, crowd.day(since))
            listed = await leaderboards.listed(
                tx, scope, game, many, since=since, limit=PER_PAGE, offset=skipped
            )
            room = PER_PAGE - len(listed)
            # One more than there is room for tells whether another page follows.
            waiting: tuple[Standing, ...] = ()
            more = skipped + PER_PAGE < many.number
            if not more:
                offset = max(0, skipped - many.number)
                waiting = await leaderboards.waiting(
                    tx, scope, game, since=since, limit=room + 1, offset=offset
                )
                more = len(waiting) > room
            own = None
            standing = await leaderboards.own(tx, scope, game, reader)
            if standing is not None:
                place = await leaderboards.place(tx, scope, game, standing, many, since=since)
                own = Own(standing, place)
            known = await sides.before(tx, game, scope)
        return Board(
            everywhere=scope == EVERYWHERE,
            page=page,
            first=skipped + 1,
            listed=listed,
            waiting=waiting[:room],
            more=more,
            number=many.number,
            own=own,
            sides=tuple(Sided(side.seat, side.games, side.won, side.drawn) for side in known),
            now=now,
        )

    async def page_of(self, scope: int, game: str, user_id: int) -> int | None:
        """Return the page where somebody stands, counted from 0; ``None`` without a rated game.

        Who is too far down among those who are not listed gets the first page of these.
        """
        since = gate.since(self._clock())
        async with self._store.read() as tx:
            standing = await leaderboards.own(tx, scope, game, user_id)
            if standing is None:
                return None
            many = await crowd.read(tx, scope, game, crowd.day(since))
            place = await leaderboards.place(tx, scope, game, standing, many, since=since)
            if place is not None:
                return (place - 1) // PER_PAGE
            before = await leaderboards.waiting_before(tx, scope, game, standing, since=since)
        return (many.number + (before or 0)) // PER_PAGE
