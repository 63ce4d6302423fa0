"""Notices outages: stretches of time in which nobody could play.

While players can reach the bot, a mark follows the time of day. It stands still while the program
is stopped or suspended, while the machine sleeps and while Discord is out of reach, and it is left
behind when the clock is set forward. So one comparison finds every outage, whatever its reason.
"""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

import structlog

from data import key_values
from data.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from bot.scheduling.wall_clock import Timer, WallClock
    from data.store import Store, Transaction

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

LONG_OUTAGE: Final = timedelta(hours=1)
"""After a longer outage, players who could not move get extra time."""
SHORT_DOUBT: Final = timedelta(minutes=5)
"""So long after Discord has begun to refuse requests, clocks still run out as usual."""
_TICK: Final = timedelta(minutes=1)
_NOTED_EVERY: Final = timedelta(minutes=10)
"""How far the mark in the store may be behind, for a program that is killed."""
_SEEN: Final = "last-seen"


class Reachability:
    """Knows whether players can reach the bot, and when they last could."""

    def __init__(
        self, store: Store, *, clock: WallClock, ask: Callable[[], Awaitable[object]]
    ) -> None:
        """Keep the mark in a store.

        Args:
            store: where the mark outlives the program.
            clock: the time of day, and the timer that moves the mark.
            ask: sends Discord a request that changes nothing.

        """
        self._store = store
        self._clock = clock
        self._ask = ask
        self._connected = False
        self._refused = False
        self._seen = self._noted = clock()
        self._begun = False
        self._timer: Timer | None = None
        self._task: asyncio.Task[None] | None = None
        self._back: list[Callable[[], object]] = []
        self.outage = False
        """Whether an outage has ended for which nobody has been given more time yet."""

    def listen(self, back: Callable[[], object]) -> None:
        """Call back when players can play again."""
        self._back.append(back)

    async def begin(self) -> None:
        """Read where the mark stood when the program ended, and let it follow the clock."""
        async with self._store.read() as tx:
            noted = await key_values.get(tx, _SEEN)
        now = self._clock()
        self._seen = self._noted = datetime.fromisoformat(noted) if noted else now
        if self._seen - now > LONG_OUTAGE:
            self.outage = True  # the clock was wrong then or is now, so nobody knows how long
        self._begun = True
        self._timer = self._clock.call_later(_TICK, self._tick)

    @property
    def reachable(self) -> bool:
        """Whether players can play now, as far as is known."""
        return self._connected and self._clock() - self._seen <= SHORT_DOUBT

    @property
    def doubtful(self) -> bool:
        """Whether the last that Discord said was that it cannot answer."""
        return self._refused

    def look(self) -> None:
        """Move the mark to the present moment, unless nobody can play; notice what it missed."""
        now = self._clock()
        if self._connected and not self._refused:
            away = now - self._seen
            if away > LONG_OUTAGE:
                log.warning("nobody could play for a while", since=self._seen.isoformat())
                self.outage = True
            self._seen = now
            if away > SHORT_DOUBT:
                for back in self._back:
                    back()
        self._seen = min(self._seen, now)  # the clock may have been set back

    def connected(self) -> None:
        """Take notice that presses arrive."""
        self._connected = True
        self.look()
        for back in self._back:
            back()

    def disconnected(self) -> None:
        """Take notice that no presses arrive any more."""
        self.look()
        self._connected = False

    def answered(self) -> None:
        """Take notice that Discord has answered a request."""
        if self._refused:
            self._refused = False
            self.look()

    def failed(self) -> None:
        """Take notice that Discord could not answer a request."""
        if not self._refused:
            self.look()
            self._refused = True

    async def record(self, tx: Transaction) -> None:
        """Keep the mark in the store."""
        await key_values.set(tx, _SEEN, self._seen.isoformat())
        self._noted = self._seen

    async def in_doubt(self) -> None:
        """Ask Discord whether it answers again, if it did not answer last."""
        if self._refused:
            try:
                await self._ask()
            except Exception as error:  # noqa: BLE001 -- whatever it is, the next minute asks again
                log.info("Discord does not answer", why=repr(error))

    async def close(self) -> None:
        """Keep the mark, and stop."""
        if self._timer is not None:
            self._timer.cancel()
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        if self._begun:
            self.look()
            await self._note()

    def _tick(self) -> None:
        self._timer = self._clock.call_later(_TICK, self._tick)
        self.look()
        if self._task is not None and not self._task.done():
            return
        if self._refused:
            self._task = asyncio.create_task(self.in_doubt(), name="asks-discord")
        elif abs(self._seen - self._noted) >= _NOTED_EVERY:
            self._task = asyncio.create_task(self._note(), name="notes-reachability")

    async def _note(self) -> None:
        if self.outage:
            return  # else nobody would get more time for it after a crash
        try:
            async with self._store.write() as tx:
                await self.record(tx)
        except StoreError as error:
            log.warning("could not note when the bot was reachable", why=str(error))
