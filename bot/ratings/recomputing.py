"""When ratings are computed again: where a match is voided, by a new formula, or to make sure."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Final

import structlog

from bot.ratings.mathematics import FORMULA
from bot.ratings.rating import count
from bot.ratings.recomputation import SLICE, Recomputation
from data import counts, derived, matches, notes, results, stale

if TYPE_CHECKING:
    from bot.scheduling.wall_clock import Clock
    from data.store import Store, Transaction

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

NOTE: Final = "ratings"
"""The note that tells by which formula the ratings in the store were computed."""
_AT_ONCE: Final = 10_000
"""How many results are entered at once where nothing else uses the store."""
_MATCHES: Final = 200
"""How many matches are counted in one transaction."""
_PAUSE: Final = timedelta(seconds=1)
_LONGEST_PAUSE: Final = timedelta(minutes=5)


class Recomputing:
    """Computes again what is marked, while the bot runs."""

    def __init__(self, store: Store, *, clock: Clock, size: int = SLICE) -> None:
        """Look after the ratings of a store, so many results at once."""
        self._store = store
        self._clock = clock
        self._size = size
        self._task: asyncio.Task[None] | None = None
        self._woken = asyncio.Event()
        self._asleep = asyncio.Event()

    def start(self) -> None:
        """Begin, with what was left over."""
        if self._task is None:
            self.wake()
            self._task = asyncio.create_task(self._work(), name="recomputing")

    def wake(self) -> None:
        """Look again: something has been marked."""
        self._woken.set()
        self._asleep.clear()

    async def rest(self) -> None:
        """Wait until nothing is marked any more, or it has failed and waits."""
        if self._task is not None:
            await self._asleep.wait()

    async def close(self) -> None:
        """Stop; a slice that is being written is written to its end or not at all."""
        if self._task is None:
            return
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task
        self._task = None
        self._asleep.set()

    async def _work(self) -> None:
        pause = _PAUSE
        while True:
            self._woken.clear()
            self._asleep.clear()
            try:
                if games := await marked(self._store, size=self._size):
                    log.info("ratings computed again", games=games)
            except Exception as error:
                log.warning("ratings have to wait", exc_info=error, seconds=pause.total_seconds())
                self._asleep.set()
                await self._wait(pause)
                pause = min(pause * 2, _LONGEST_PAUSE)
                continue
            pause = _PAUSE
            if not self._woken.is_set():
                self._asleep.set()
                await self._woken.wait()

    async def _wait(self, pause: timedelta) -> None:
        waiting = [
            asyncio.create_task(self._woken.wait()),
            asyncio.create_task(self._clock.until(self._clock() + pause)),
        ]
        try:
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in waiting:
                task.cancel()
            await asyncio.gather(*waiting, return_exceptions=True)


async def marked(store: Store, *, size: int = SLICE) -> list[str]:
    """Compute again what is marked, until nothing is; return the games."""
    found = []
    while marks := await store.read_at_once(stale.marks):
        for mark in marks:
            await Recomputation(store, mark.game, size=size).run()
            found.append(mark.game)
    return found


async def where_outdated(store: Store) -> int | None:
    """Prepare a store whose ratings come from another formula, or that has none.

    Every match that has ended gets its result, and everything that is counted is counted again;
    all ratings are marked. Nothing else may use the store meanwhile. Whoever is stopped begins
    again.

    Returns:
        How many results are to be rated; ``None`` where nothing was to be done.

    """
    async with store.read() as tx:
        if await notes.get(tx, NOTE) == FORMULA:
            return None
    await _count_again(store)
    async with store.write() as tx:
        for game in await results.games(tx):
            await results.lock(tx, game)
            await stale.mark(tx, game, 0)
        await notes.set(tx, NOTE, FORMULA)
        return await results.count(tx)


async def everything(store: Store) -> int:
    """Compute again all that follows from the results; return how many are rated.

    Nothing else may use the store meanwhile. Whoever is stopped leaves the marks, so that the
    rest is done when the bot starts.
    """
    await _count_again(store)
    async with store.write() as tx:
        games = await results.games(tx)
        await derived.clear(tx)
        for game in games:
            await results.lock(tx, game)
            await stale.mark(tx, game, 0)
        await notes.set(tx, NOTE, FORMULA)
    for game in games:
        await Recomputation(store, game, size=_AT_ONCE, cleared=True).run()
    async with store.read() as tx:
        return await results.count(tx)


async def _count_again(store: Store) -> None:
    """Give every match that has ended its result, and count all results again."""
    async with store.read() as tx:
        missing = await results.missing(tx)

    async def some(tx: Transaction) -> None:
        found = [match for number in part if (match := await matches.get(tx, number)) is not None]
        for game in sorted({match.game for match in found}):
            await results.lock(tx, game)
        for match in found:
            if await results.of_match(tx, match.id) is None:
                await count(tx, match)

    for first in range(0, len(missing), _MATCHES):
        part = missing[first : first + _MATCHES]
        await store.at_once(some)
    known = await store.at_once(partial(counts.rebuild, known=None))
    while known is not None:
        known = await store.at_once(partial(counts.rebuild, known=known))
