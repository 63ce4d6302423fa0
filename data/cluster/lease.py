"""One process's membership in a cluster on PostgreSQL: its heartbeat and its locks.

A row of `data.cluster.cluster.processes` with a heartbeat shows that a process is alive; the
advisory locks of one connection, lost with it, show which shards it owns. A process that stays
silent for too long is dismissed by another: its row is deleted and the server closes all its
connections, so nothing it had begun can be committed; without the row, its store is refused new
connections (`data.store.postgresql`). So the next owner of its shards has them to itself, even if the
process was only suspended and resumes: it finds out before its next transaction.
"""

from __future__ import annotations

import asyncio
import logging
import math
import secrets
import time
from collections.abc import Iterable
from contextlib import suppress
from typing import Final

from sqlalchemy import URL

from data import locks
from data.cluster import cluster
from data.cluster.cluster import Cluster
from data.cluster.locking_connection import LockingConnection
from data.sql.errors import BUSY, Busy, InUse, StoreError, translating

log = logging.getLogger(__name__)

HEARTBEAT_SECONDS: Final = 1.5
"""Seconds between heartbeats."""
CERTAIN_SECONDS: Final = 4.0
"""Seconds after a heartbeat during which no process can have dismissed this one."""
UNLOCKED: Final = 5.0
"""Seconds of silence after which a process that has lost its locks is dismissed."""
DEAD: Final = 8.0
"""Seconds of silence after which a process is dismissed even if its connection is open."""
_SHORTLY: Final = 0.05
"""Seconds before asking again for something that may already be free."""
GONE: Final = (
    "this process was silent for too long, and another one has taken its place. It starts over."
)


class Lease:
    """This process's membership in the cluster."""

    def __init__(self, url: URL, role: str, *, version: str = "", replaces: bool = False) -> None:
        """Prepare a lease; `begin` registers it.

        Args:
            url: of the database.
            role: of the process; see `data.cluster.cluster`.
            version: of the program.
            replaces: whether it takes over everything older processes have.
        """
        self.id = secrets.token_hex(4)
        self.role = role
        self.draining = False
        self._values = {"id": self.id, "role": role, "version": version, "replaces": replaces}
        self._server = LockingConnection(url, name(self.id))
        self._begun = False
        self._again = -math.inf
        """When contact was restored after this process's last silence."""
        self._dismissed = asyncio.Event()
        self._confirmed = 0.0

    @property
    def locked(self) -> frozenset[int]:
        """The shards locked by this process."""
        return self._server.locked

    @property
    def in_doubt(self) -> bool:
        """Whether another process may have taken this one's place."""
        return self._dismissed.is_set() or time.monotonic() - self._confirmed > CERTAIN_SECONDS

    async def begin(self) -> None:
        """Register this process.

        Raises:
            InUse: a program has the database to itself.
            StoreError: the database cannot be reached.
        """
        at = time.monotonic()
        with translating():
            await self._connect()
            await self._server.run(cluster.BEGIN, **self._values)
        self._begun = True
        self._confirmed = at

    async def send_heartbeat(self) -> Cluster:
        """Send a heartbeat; return the living processes and the owners of the shards.

        A lost connection is reopened; shards that others have locked meanwhile leave `locked`.

        Raises:
            InUse: this process has been dismissed.
            StoreError: the database cannot be reached.
        """
        async with self._server.alone:
            return await self._send_heartbeat_twice()

    async def _send_heartbeat_twice(self) -> Cluster:
        try:
            return await self._send_heartbeat()
        except InUse:
            raise
        except StoreError:
            return await self._send_heartbeat()  # over a new connection

    async def _send_heartbeat(self) -> Cluster:
        at = time.monotonic()
        with translating():
            if not self._server.is_open:
                await self._connect()
                await self._server.lock_again()
            known = await self._server.run(cluster.BEAT, id=self.id, draining=self.draining)
            if not known:
                self._dismissed.set()
                raise InUse(GONE)
            if at - self._confirmed > CERTAIN_SECONDS:
                self._again = at
            self._confirmed = at
            state = Cluster.of(
                await self._server.rows(cluster.PROCESSES), await self._server.rows(cluster.SHARDS)
            )
            # While the database was out of reach, no heartbeat could arrive.
            state = state.with_max_silence(time.monotonic() - self._again)
            for shard in state.shards:
                # The shard was given away, and the connection was lost before its lock was
                # released.
                if shard.number in self.locked and shard.owner != self.id:
                    await self._server.unlock(shard.number)
            return state

    async def confirm(self) -> None:
        """Wait until it is certain that no other process has taken this one's place.

        Asks the database if in doubt. The heartbeat may not run yet: it starts once a process has
        logged in, which can take long on a busy machine.

        Raises:
            InUse: another process has.
            Busy: the database cannot be reached to find out.
        """
        if not self._begun:
            return
        if not self._dismissed.is_set() and time.monotonic() - self._confirmed > CERTAIN_SECONDS:
            try:
                async with asyncio.timeout(CERTAIN_SECONDS), self._server.alone:
                    # Another task may have just asked.
                    if time.monotonic() - self._confirmed > CERTAIN_SECONDS:
                        await self._send_heartbeat_twice()
            except InUse:
                raise
            except (StoreError, TimeoutError):
                if not self._dismissed.is_set():
                    raise Busy(BUSY) from None
        if self._dismissed.is_set():
            raise InUse(GONE)

    async def lost(self) -> None:
        """Wait until another process dismisses this one."""
        await self._dismissed.wait()

    async def agree(self, count: int) -> int:
        """Return the number of shards, as set by the first living gateway."""
        async with self._server.using():
            await self._server.run(cluster.LOCK_COUNT, key=locks.COUNT_OF_SHARDS)
            try:
                agreed = int(await self._server.scalar(cluster.COUNT, count=str(count), id=self.id))
                await self._server.run(cluster.AGREED, id=self.id)
            finally:
                if self._server.is_open:  # the server unlocks what a lost connection had
                    await self._server.run(cluster.UNLOCK_COUNT, key=locks.COUNT_OF_SHARDS)
            for number in range(agreed):
                await self._server.run(cluster.ADD, number=number)
        return agreed

    async def take(self, shard: cluster.Shard, *, dismissing: cluster.Process | None) -> bool:
        """Take a shard as last seen that has no owner, or a silent one; return whether that succeeded."""
        async with self._server.using():
            locked = await self._server.lock(shard.number)
            if dismissing is not None and (locked or dismissing.silent > DEAD):
                if not await self._dismiss(dismissing.id, UNLOCKED if locked else DEAD):
                    await self._server.unlock(shard.number)
                    return False
                locked = locked or await self._server.lock(shard.number)
            if not locked:
                return False
            taken = await self._server.run(
                cluster.TAKE, id=self.id, number=shard.number, owner=shard.owner
            )
            if not taken:
                await self._server.unlock(shard.number)
            return bool(taken)

    async def dismiss(self, process: cluster.Process, silent: float) -> None:
        """Dismiss a process without shards if it has still been silent for some seconds."""
        async with self._server.using():
            await self._dismiss(process.id, silent)

    async def request(self, shard: cluster.Shard) -> bool:
        """Tell the owner of a shard that this process takes it over; return whether it worked."""
        async with self._server.using():
            values = {"owner": shard.owner, "seen": shard.wanted_by, "number": shard.number}
            return bool(await self._server.run(cluster.WANT, id=self.id, **values))

    async def mark_connected(self, number: int) -> None:
        """Tell the owner of a shard that this process has connected in its place."""
        async with self._server.using():
            await self._server.run(cluster.CONNECTED, id=self.id, number=number)

    async def hand_over(self, number: int, handled: Iterable[int]) -> None:
        """Hand a shard over to the process that wants it, with the last interactions handled here."""
        async with self._server.using():
            await self._server.run(cluster.GIVE, id=self.id, number=number, handled=list(handled))
            await self._server.unlock(number)

    async def release(self, number: int) -> None:
        """Release a shard for any process to take."""
        async with self._server.using():
            await self._server.run(cluster.RELEASE, id=self.id, number=number)
            await self._server.unlock(number)

    async def receive(self, number: int) -> frozenset[int] | None:
        """Lock a shard that was handed to this process.

        Returns:
            The interactions its previous owner handled, ``None`` while that owner holds the lock.
        """
        async with self._server.using():
            if not await self._server.lock(number):
                return None
            handled = await self._server.scalar(cluster.HANDLED, number=number)
        return frozenset(int(one) for one in handled or ())

    async def identify(self, bucket: int, seconds: float, *, later: float = 0.0) -> float:
        """Claim a bucket's turn to identify a shard with Discord, if it is free.

        The turn keeps others out for some seconds; for ``later`` seconds more, they go first. There is no
        queue: a waiting process may be killed, and its place in a queue would block the rest.

        Returns:
            0 if the turn is this process's, otherwise the seconds until asking again is worthwhile.
        """
        async with self._server.using():
            if await self._server.run(
                cluster.IDENTIFY, bucket=bucket, seconds=seconds, later=later
            ):
                return 0.0
            left = await self._server.scalar(cluster.NEXT_IDENTIFY, bucket=bucket, later=later)
        return max(_SHORTLY, float(left))

    async def close(self) -> None:
        """Leave the cluster; everything this process owns becomes free at once."""
        if self._begun and not self._dismissed.is_set():
            with suppress(StoreError):
                async with self._server.using():
                    await self._server.run(cluster.END, id=self.id)
        self._dismissed.set()
        await self._server.close()

    async def _connect(self) -> None:
        try:
            await self._server.connect()
        except InUse:
            self._dismissed.set()
            raise

    async def _dismiss(self, process_id: str, silent: float) -> bool:
        """Dismiss a process; return False if it has sent a heartbeat."""
        await self._server.run(cluster.DISMISS, id=process_id, silent=silent)
        if await self._server.scalar(cluster.KNOWN, id=process_id):
            return False
        await self._server.rows(cluster.TERMINATE, name=name(process_id))
        log.warning("dismissed a process that was silent for too long: %s", process_id)
        return True


def name(process_id: str) -> str:
    """Return the name of a process's connections on the server."""
    return f"games {process_id}"
