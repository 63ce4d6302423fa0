"""Detects outages: periods in which players could not play.

While players can reach the bot, a mark follows the time of day. It stops while the program is
stopped or suspended, while the machine sleeps and while Discord is out of reach, and it falls
behind when the clock is set forward. So one comparison finds every outage, whatever the cause.

Each shard has its own mark: one may be out of reach while others are played on.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final, TypeAlias

import structlog

from bot.core.background import Background, cancel
from bot.core.scheduling.scheduler import Timer, WallClock
from bot.core.shards.ownership import Shards
from data.matches import clocks, matches
from data.matches.clocks import ServerOutage
from data.sql import key_values
from data.sql.errors import StoreError
from data.sql.statements import shard_of
from data.store.store import Store, Transaction

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

LONG_OUTAGE: Final = timedelta(hours=1)
"""After a longer outage, players who could not move get extra time."""
GRACE: Final = timedelta(hours=12)
"""Minimum time that players have after a long outage."""
SHORT_OUTAGE: Final = timedelta(minutes=20)
"""After a longer outage, those who have hours per move get extra time.

It is more than the mark in the store may lag behind by.
"""
SHORT_GRACE: Final = timedelta(hours=1)
"""Minimum time that they have then."""
SHORT_DOUBT: Final = timedelta(minutes=5)
"""How long clocks still run out as usual after Discord has started to refuse requests."""
_TICK: Final = timedelta(minutes=1)
_NOTED_EVERY: Final = timedelta(minutes=10)
"""How far the mark in the store may lag behind, in case the program is killed."""
_SEEN: Final = "last-seen"
"""Key prefix of marks; keys end with the number of shards, which divides up the servers."""

IsAvailable: TypeAlias = Callable[[int], bool | None]
"""Returns whether a server is available; ``None`` if the bot is not in it."""


def grace(away: timedelta) -> timedelta:
    """Return the minimum time that players have after an outage; none after a brief one."""
    if away > LONG_OUTAGE:
        return GRACE
    return SHORT_GRACE if away > SHORT_OUTAGE else timedelta()


class _Mark:
    """When players could last reach one shard."""

    def __init__(self, seen: datetime, now: datetime) -> None:
        self.seen = self.noted = seen
        self.connected = False
        # A mark in the future means the clock was or is wrong, so the time away is unknown.
        self.grace = grace(seen - now if seen - now > LONG_OUTAGE else timedelta())


@dataclass(eq=False, repr=False)
class Reachability:
    """Knows which shards players can reach, and when they last could."""

    store: Store
    clock: WallClock
    ask: Sequence[Callable[[], Awaitable[object]]]
    """Each sends Discord a request that changes nothing, each to another route: one may fail
    while Discord is there.
    """
    count: Callable[[], int] = field(default_factory=lambda: lambda: 1)
    """Returns the total number of shards."""
    _marks: dict[int, _Mark] = field(default_factory=dict, init=False)
    _refused: bool = field(default=False, init=False)
    _timer: Timer | None = field(default=None, init=False)
    _task: asyncio.Task[None] | None = field(default=None, init=False)
    _listeners: list[Callable[[], object]] = field(default_factory=list, init=False)

    def listen(self, listener: Callable[[], object]) -> None:
        """Register a callback for when players can play again."""
        self._listeners.append(listener)

    async def add(self, shard: int) -> None:
        """Track a shard: read its mark from the store, and let it follow the clock."""
        if shard in self._marks:
            return
        async with self.store.read() as tx:
            marks = await key_values.beginning(tx, f"{_SEEN}:")
        noted = marks.get(self._key(shard))
        if noted is None and not any(key.endswith(f"/{self.count()}") for key in marks):
            noted = max(marks.values(), default=None)  # the servers were divided up differently
        now = self.clock()
        self._marks[shard] = _Mark(datetime.fromisoformat(noted) if noted else now, now)
        if self._timer is None:
            self._timer = self.clock.call_later(_TICK, self._tick)

    async def remove(self, shard: int) -> None:
        """Stop tracking a shard: another process keeps its mark from now on."""
        self.update()
        await self._note()
        self._marks.pop(shard, None)

    @property
    def reachable(self) -> frozenset[int]:
        """The shards whose players can play now, as far as known."""
        now = self.clock()
        return frozenset(
            shard
            for shard, mark in self._marks.items()
            if mark.connected and now - mark.seen <= SHORT_DOUBT
        )

    @property
    def outages(self) -> frozenset[int]:
        """The shards whose outage has ended, and whose players have no extra time for it yet."""
        return frozenset(shard for shard, mark in self._marks.items() if mark.grace)

    def grace(self, shard: int) -> timedelta:
        """Return the extra time, `GRACE` or `SHORT_GRACE`, for the outage of one of `outages`."""
        return self._marks[shard].grace

    def mark_compensated(self, shard: int) -> None:
        """Record that players have got extra time for an outage."""
        if shard in self._marks:
            self._marks[shard].grace = timedelta()

    @property
    def doubtful(self) -> bool:
        """Whether Discord failed to answer its latest request."""
        return self._refused

    def update(self) -> None:
        """Move the marks of playable shards to the present, and record any outage."""
        now = self.clock()
        back = False
        for shard, mark in self._marks.items():
            if mark.connected and not self._refused:
                away = now - mark.seen
                if grace(away):
                    since = mark.seen.isoformat()
                    log.warning("nobody could play for a while", since=since, shard=shard)
                    mark.grace = max(mark.grace, grace(away))
                mark.seen = now
                back = back or away > SHORT_DOUBT
            mark.seen = min(mark.seen, now)  # the clock may have been set back
        if back:
            self._notify()

    def connected(self, shard: int) -> None:
        """Called when presses arrive at a shard."""
        if shard in self._marks:
            self._marks[shard].connected = True
            self.update()
            self._notify()

    def disconnected(self, shard: int) -> None:
        """Called when presses no longer arrive at a shard."""
        if shard in self._marks:
            self.update()
            self._marks[shard].connected = False

    def answered(self) -> None:
        """Called when Discord has answered a request."""
        if self._refused:
            self._refused = False
            self.update()

    def failed(self) -> None:
        """Called when Discord could not answer a request."""
        if not self._refused:
            self.update()
            self._refused = True

    async def record(self, tx: Transaction) -> None:
        """Save the marks in the store."""
        for shard, mark in list(self._marks.items()):
            await key_values.set(tx, self._key(shard), mark.seen.isoformat())
            mark.noted = mark.seen

    async def in_doubt(self) -> None:
        """Ask Discord once more, if it did not answer last time; any route that answers will do."""
        for ask in self.ask:
            if not self._refused:
                return
            try:
                await ask()
            except Exception as error:  # noqa: BLE001 -- whatever it is, asked again in a minute
                log.info("Discord does not answer", reason=repr(error))

    async def close(self) -> None:
        """Save the marks, and stop."""
        if self._timer is not None:
            self._timer.cancel()
        await cancel(self._task)
        if self._marks:
            self.update()
            await self._note()

    def _key(self, shard: int) -> str:
        return f"{_SEEN}:{shard}/{self.count()}"

    def _notify(self) -> None:
        for listener in self._listeners:
            listener()

    def _tick(self) -> None:
        self._timer = self.clock.call_later(_TICK, self._tick)
        self.update()
        if self._task is not None and not self._task.done():
            return
        if self._refused:
            self._task = asyncio.create_task(self.in_doubt(), name="asks-discord")
        elif any(abs(mark.seen - mark.noted) >= _NOTED_EVERY for mark in self._marks.values()):
            self._task = asyncio.create_task(self._note(), name="notes-reachability")

    async def _note(self) -> None:
        if self.outages:
            return  # otherwise players would get no extra time after a crash
        try:
            async with self.store.write() as tx:
                await self.record(tx)
        except StoreError as error:
            log.warning("could not record when the bot was reachable", reason=str(error))


@dataclass(eq=False, repr=False)
class ServerOutages:
    """Notes in the store in which servers nobody can play, and since when.

    They are unavailable, or they have removed the bot: otherwise whoever may remove it could make
    others run out of time. An outage of a server is an outage for its clocks. It outlives a restart
    and a change of the shard's owner.
    """

    store: Store
    is_available: IsAvailable
    shards: Shards
    clock: WallClock
    _changed: dict[int, datetime] = field(default_factory=dict, init=False)
    _to_check: set[int] = field(default_factory=set, init=False)
    """Shards that have connected: servers may be back, or have removed the bot meanwhile."""
    _known: frozenset[int] = field(default=frozenset(), init=False)
    """Servers whose outage is noted, or is about to be."""
    work: Background = field(init=False)

    def __post_init__(self) -> None:
        """Prepare to write what has changed."""
        self.work = Background("server-outages", self._write, (StoreError,))

    def changed(self, guild_id: int) -> None:
        """Called when a server has become unavailable or available, or has removed or invited the bot."""
        if not self.is_available(guild_id) or guild_id in self._known:
            self._changed.setdefault(guild_id, self.clock())
            self.work.wake()

    async def connected(self, shard: int, guild_ids: Iterable[int]) -> None:
        """Look at all servers of a shard that has connected.

        Returns once that is stored, or will be as soon as the store answers.
        """
        now = self.clock()
        for guild_id in guild_ids:
            if self.is_available(guild_id) is False:
                self._changed.setdefault(guild_id, now)
        self._to_check.add(shard)
        try:
            await self._write()
        except StoreError as error:
            log.warning("could not note which servers are unavailable", reason=str(error))
            self.work.wake()

    async def check(self, guild_ids: Iterable[int]) -> None:
        """Look at servers with something due: some may have removed the bot before it connected.

        Raises StoreError.
        """
        now = self.clock()
        left = [guild_id for guild_id in guild_ids if self.is_available(guild_id) is None]
        if left:
            self._changed = dict.fromkeys(left, now) | self._changed
            await self._write()

    async def _write(self) -> None:
        changed, self._changed = self._changed, {}
        to_check, self._to_check = self._to_check, set()
        self._known |= changed.keys()  # one may be back before it is noted
        try:
            await self._note(changed, to_check)
        except BaseException:
            self._changed = changed | self._changed
            self._to_check |= to_check
            raise

    async def _note(self, changed: Mapping[int, datetime], to_check: set[int]) -> None:
        count = self.shards.count
        async with self.store.read() as tx:
            before = {one.guild_id: one for one in await clocks.outages(tx)}
        again = {one for one in before if shard_of(one, count) in to_check}
        if changed or again:
            async with self.store.write() as tx:
                before = {one.guild_id: one for one in await clocks.outages(tx)}
                for guild_id in sorted(again | changed.keys()):
                    if not self.shards.is_connected(shard_of(guild_id, count)):
                        continue  # nothing is known about it
                    known, at = before.get(guild_id), changed.get(guild_id, self.clock())
                    outage = self._after(guild_id, known, at)
                    left = self.is_available(guild_id) is None
                    if left and not await matches.open_in(tx, guild_id, limit=1):
                        outage = None
                    if outage == known:
                        continue
                    if outage is not None:
                        await clocks.put_outage(tx, outage)
                    elif known is not None:
                        await clocks.end_outage(tx, known, at)
                before = {one.guild_id: one for one in await clocks.outages(tx)}
        self._known = self._known.difference(changed, again).union(before)

    def _after(
        self, guild_id: int, known: ServerOutage | None, at: datetime
    ) -> ServerOutage | None:
        """Return a server's outage now, from the one that is known."""
        available = self.is_available(guild_id)
        if not available:
            since = at if known is None else known.since
            if available is None:
                # It has removed the bot. However soon the bot is back, nobody shall run out of time.
                since = min(since, at - LONG_OUTAGE)
            if known is None:
                log.warning(
                    "nobody can play in a server", guild=guild_id, removed=available is None
                )
            return ServerOutage(guild_id, since)
        if known is None or known.grace_until is not None:
            return known
        log.info("a server is available again", guild=guild_id, since=known.since.isoformat())
        extra = grace(at - known.since)
        if not extra:
            return None
        return ServerOutage(guild_id, known.since, (at + extra).replace(microsecond=0))


def was_short(outage: ServerOutage) -> bool:
    """Return whether a server's outage that has ended was not `LONG_OUTAGE`, by the time it gives."""
    assert outage.grace_until is not None
    return outage.grace_until - outage.since <= LONG_OUTAGE + SHORT_GRACE
