"""How a process may work on a database, which settings name: alone on SQLite, among others on PostgreSQL."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import structlog

from bot.app import CannotWork
from bot.core.background import cancel, retry, until
from bot.core.config import Config
from bot.core.shards.cluster import ClusterShards
from bot.core.shards.ownership import AllShards, Shards
from bot.core.shards.without import NoShards, keep_place
from data.cluster.cluster import WEB
from data.cluster.lease import Lease
from data.sql import key_values
from data.sql.errors import Away
from data.store.address import address
from data.store.notifications import Notifications
from data.store.process_lock import Hold, process_lock
from data.store.store import Store

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

APPLICATION: Final = "application"
"""The key of the id of the Discord application to which a database belongs."""
_LONGEST_WAIT: Final = 15.0
"""Longest pause in seconds between attempts to reach a database that may be starting."""


@dataclass(eq=False, repr=False)
class Membership:
    """A process that may work on a database, and its store."""

    store: Store
    claim: Hold | Lease

    @property
    def lease(self) -> Lease | None:
        """The lease that shows this process is alive, if it is one of several, which can rejoin."""
        return self.claim if isinstance(self.claim, Lease) else None

    async def stay(self) -> None:
        """Send heartbeats until this process may no longer work; gateways do that with their shards."""
        if self.lease is None:
            await self.claim.lost()
        else:
            await keep_place(self.lease)

    def shards(self, wanted: int | None) -> Shards:
        """Return this process's shards; ``wanted`` is the total, by default as Discord says."""
        if self.lease is None:
            return AllShards(wanted)
        if self.lease.role == WEB:
            return NoShards(self.lease)
        return ClusterShards(self.lease, wanted)


@asynccontextmanager
async def member(
    database: str, *, role: str, version: str = "", replaces: bool = False
) -> AsyncIterator[Membership]:
    """Work on a database as one of its processes while the block lasts.

    ``role`` is one of those in `data.cluster.cluster`; a process that ``replaces`` others takes over
    everything that older ones have. Raises StoreError if the database cannot be used.
    """
    url = address(database)
    if url.get_backend_name() == "sqlite":
        async with process_lock(database) as hold:
            store = await Store.open(database, permitted=hold.confirm)
            try:
                yield Membership(store, hold)
            finally:
                await store.close()
        return
    lease = Lease(url, role, version=version, replaces=replaces)
    try:
        store = await Store.open(database, permitted=lease.confirm, process=lease.id)
        try:
            await lease.begin()
            store.check_process()
            store.travels = lambda _: True
            notifications = Notifications(store, url, lease.id)
            notifications.start()
            try:
                yield Membership(store, lease)
            finally:
                await notifications.close()
        finally:
            await store.close()
    finally:
        await lease.close()


async def reached(
    place: AsyncExitStack,
    joining: Callable[[], AbstractAsyncContextManager[Membership]],
    stopped: asyncio.Event,
) -> Membership | None:
    """Join a database for as long as the stack; wait for one that is out of reach, as at boot.

    Returns ``None`` once stopped, also in the middle of an attempt; a process that is stopped already
    tries once. Raises StoreError if waiting is no use, for example if the server refuses the password.
    """
    if stopped.is_set():
        return await place.enter_async_context(joining())
    joined: list[Membership] = []

    async def attempt() -> None:
        entering = asyncio.create_task(place.enter_async_context(joining()), name="joins")
        stopping = asyncio.create_task(stopped.wait(), name="stop signal")
        try:
            await asyncio.wait({entering, stopping}, return_when=asyncio.FIRST_COMPLETED)
            if entering.done():
                joined.append(entering.result())
        finally:
            await cancel(entering, stopping)

    def away(error: BaseException) -> bool:
        if isinstance(error, Away):
            # Not the driver's message, which may contain part of the address.
            cause = type(error.__cause__).__name__
            log.warning("waiting for the database", reason=str(error), cause=cause)
        return isinstance(error, Away)

    await retry(attempt, away, longest=_LONGEST_WAIT, sleep=until(stopped))
    return joined[0] if joined else None


async def check_application(store: Store, application: int) -> None:
    """Refuse a database that belongs to another Discord application; the first one keeps it.

    Its messages, commands and shards are those of one bot. Raises CannotWork, and StoreError if the
    database cannot be used.
    """
    async with store.read() as tx:
        owner = await key_values.get(tx, APPLICATION)
    if owner is None:
        async with store.write() as tx:
            note = {"key": APPLICATION, "value": str(application)}
            await tx.insert_new(key_values.key_values, note, "key")  # of two at once, one wins
            owner = await key_values.get(tx, APPLICATION)
    if owner != str(application):
        raise CannotWork(
            f"This database belongs to the Discord application {owner}, and the token to "
            f"{application}. Set the token of {owner}, or another DATABASE_URL. To move the games to "
            'another application, see "Move to another application" in docs/operating.md.',
            restart_helps=False,
        )


def kept_database(settings: Config) -> str | None:
    """Return the address of the database; ``None`` for one that goes with its playground."""
    if settings.database_url is not None:
        return settings.database_url.get_secret_value()
    return None if settings.in_playground else f"sqlite:///{Path('var/games.db').resolve()}"


def shared_database(settings: Config, who: str) -> str:
    """Return the address of a database that processes can share; raise CannotWork if there is none.

    ``who`` needs it, as the beginning of a sentence.
    """
    given = settings.database_url
    if given is None or address(given.get_secret_value()).get_backend_name() == "sqlite":
        raise CannotWork(
            f"{who} shares a PostgreSQL database with gateways: set DATABASE_URL. On SQLite, "
            "`python -m bot` does everything in one process.",
            restart_helps=False,
        )
    return given.get_secret_value()


def database_of(settings: Config, stack: AsyncExitStack) -> str:
    """Return the address of the database, made for as long as the stack if it is not kept."""
    if kept := kept_database(settings):
        return kept
    # The playground forgets its messages when it ends; matches without them would be confusing.
    folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="old-board-games-"))
    return f"sqlite:///{folder}/playground.db"
