"""Keeps track of the servers that Discord says are unavailable: nobody can play there meanwhile.

An outage of a server is an outage for its clocks. It is kept in the store, so that it outlives a
restart and a change of the shard's owner.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime

import structlog

from bot.core.background.work import Background
from bot.core.scheduling.reachability import GRACE, LONG_OUTAGE
from bot.core.scheduling.wall_clock import WallClock
from bot.core.shards.ownership import Shards
from data.matches import server_outages
from data.matches.server_outages import ServerOutage
from data.sql.errors import StoreError
from data.sql.scope import shard_of
from data.store.store import Store

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class ServerOutages:
    """Notes in the store which servers are unavailable, and since when."""

    def __init__(
        self,
        store: Store,
        is_available: Callable[[int], bool | None],
        *,
        shards: Shards,
        clock: WallClock,
    ) -> None:
        """Keep track of servers.

        Args:
            store: keeps the outages.
            is_available: returns whether a server is available; ``None`` if the bot is not in it.
            shards: knows which shards are connected.
            clock: the time of day.

        """
        self._store = store
        self._is_available = is_available
        self._shards = shards
        self._clock = clock
        self._changed: dict[int, datetime] = {}
        self._to_check: set[int] = set()
        """Shards that have connected: servers may be back, or have removed the bot meanwhile."""
        self._known = frozenset[int]()
        self.work = Background("server-outages", self._write, (StoreError,))

    def changed(self, guild_id: int) -> None:
        """Called when a server has become unavailable or available, or has removed the bot."""
        if self._is_available(guild_id) is False or guild_id in self._known:
            self._changed.setdefault(guild_id, self._clock())
            self.work.wake()

    async def connected(self, shard: int, guild_ids: Iterable[int]) -> None:
        """Look at all servers of a shard that has connected.

        Returns once that is stored, or will be as soon as the store answers.
        """
        now = self._clock()
        for guild_id in guild_ids:
            if self._is_available(guild_id) is False:
                self._changed.setdefault(guild_id, now)
        self._to_check.add(shard)
        try:
            await self._write()
        except StoreError as error:
            log.warning("could not note which servers are unavailable", reason=str(error))
            self.work.wake()

    async def _write(self) -> None:
        changed, self._changed = self._changed, {}
        to_check, self._to_check = self._to_check, set()
        try:
            await self._note(changed, to_check)
        except BaseException:
            self._changed = changed | self._changed
            self._to_check |= to_check
            raise

    async def _note(self, changed: Mapping[int, datetime], to_check: set[int]) -> None:
        count = self._shards.count
        async with self._store.read() as tx:
            before = {one.guild_id: one for one in await server_outages.read(tx)}
        again = {one for one in before if shard_of(one, count) in to_check}
        if changed or again:
            async with self._store.write() as tx:
                before = {one.guild_id: one for one in await server_outages.read(tx)}
                for guild_id in sorted(again | changed.keys()):
                    if not self._shards.is_connected(shard_of(guild_id, count)):
                        continue  # nothing is known about it
                    known, at = before.get(guild_id), changed.get(guild_id, self._clock())
                    outage = self._after(guild_id, known, at)
                    if outage == known:
                        continue
                    if outage is not None:
                        await server_outages.put(tx, outage)
                    elif known is not None:
                        await server_outages.remove(tx, known, at)
                before = {one.guild_id: one for one in await server_outages.read(tx)}
        self._known = frozenset(before)

    def _after(
        self, guild_id: int, known: ServerOutage | None, at: datetime
    ) -> ServerOutage | None:
        """Return a server's outage now, from the one that is known."""
        available = self._is_available(guild_id)
        if available is None:
            return None  # it has removed the bot
        if not available:
            since = at if known is None else known.since
            if known is None:
                log.warning("a server is unavailable", guild=guild_id)
            return ServerOutage(guild_id, since)
        if known is None or known.grace_until is not None:
            return known
        log.info("a server is available again", guild=guild_id, since=known.since.isoformat())
        if at - known.since <= LONG_OUTAGE:
            return None
        return ServerOutage(guild_id, known.since, (at + GRACE).replace(microsecond=0))
