"""Two transactions at once on PostgreSQL, and whether one waits for the other."""

from __future__ import annotations

import asyncio
import itertools
from typing import Any

from sqlalchemy import text as sql

from bot.features.moderation.service import Moderation, Moderator
from bot.play.clocks.service import Vacations
from bot.play.matches.positions import Position
from data import privacy
from tests.bot.conftest import BEN, GUILD, Club

STRANGERS = itertools.count(1)


MODERATOR = Moderator(99, GUILD, "a bet")


class PostgresClub(Club):
    """A club on PostgreSQL."""

    @property
    def moderation(self) -> Moderation:
        """Moderator actions."""
        return Moderation(self.store, self.matches, clock=self.clock)

    @property
    def vacations(self) -> Vacations:
        """Players' vacations."""
        return Vacations(self.store, self.matches.deadlines, clock=self.clock)

    async def begun(self) -> Position:
        """Return a match with a clock in which both players have moved twice."""
        return await self.play_a_while(await self.begin_match(BEN, days=3))

    async def erase(self, user_id: int) -> None:
        """Replace a user's id; if they are playing, they give up first."""
        async with self.store.write() as tx:
            if not await privacy.open_matches(tx, user_id):
                await privacy.erase(tx, user_id, -next(STRANGERS))


async def waits_or_ends(club: Club, task: asyncio.Task[Any]) -> None:
    """Return once a task waits for a lock, or is done; on SQLite, writers wait for each other."""
    waiting = None
    while waiting is None and not task.done():
        async with club.store.read() as look:
            if look.dialect == "sqlite":
                return
            waiting = await look.row(sql("SELECT 1 FROM pg_locks WHERE NOT granted"))
