"""On which page of a leaderboard somebody stands, and where those who are listed end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.ratings import gate
from bot.ratings.boards import PER_PAGE
from data import leaderboards

if TYPE_CHECKING:
    from datetime import datetime

    from data.store import Store


async def last_listed(store: Store, scope: int, game: str, now: datetime) -> int:
    """Return the last page with somebody who is listed, counted from 0."""
    async with store.read() as tx:
        listed = await leaderboards.number(tx, scope, game, since=gate.since(now))
    return max(0, listed - 1) // PER_PAGE


async def page_of(store: Store, scope: int, game: str, user_id: int, now: datetime) -> int | None:
    """Return the page where somebody stands; ``None`` for who has no rated game.

    Who is not listed has no place: theirs is the page where those begin who are not.
    """
    since = gate.since(now)
    async with store.read() as tx:
        standing = await leaderboards.own(tx, scope, game, user_id)
        if standing is None:
            return None
        place = await leaderboards.place(tx, scope, game, standing, since=since)
        if place is not None:
            return (place - 1) // PER_PAGE
        return await leaderboards.number(tx, scope, game, since=since) // PER_PAGE
