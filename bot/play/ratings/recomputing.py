"""Recomputes a game's ratings in the background: a match was voided, or the formula changed.

Games with wrong ratings are marked in the store. All their results are rated again in memory, a
batch at a time in a thread, and changes are written in short transactions. Results that arrive
meanwhile are rated as usual, then once more here; the last transaction rates the few remaining
ones. If interrupted, it starts over; likewise if a result it has read is voided or a player is
anonymised.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeVar

import structlog

from ai.terminal import Progress
from bot.core.background import MIN_PAUSE
from bot.core.workers import Report
from bot.core.workers.pool import WorkerFailure
from bot.play.ratings import service
from bot.play.ratings.calculator import Calculator
from bot.play.ratings.seasons import Season
from bot.play.ratings.skill import FORMULA_VERSION
from data import computer_tasks, locks
from data.computer_tasks import Task
from data.ratings import rating_changes, ratings, results, scores, season_ratings
from data.ratings.rating import EVERYWHERE, Key, RatingChange, Result, SeasonKey
from data.ratings.ratings import Outdated
from data.sql import key_values
from data.store.store import Store, Transaction

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)
K = TypeVar("K", Key, SeasonKey)

NOTE: Final = "ratings"
"""Key of the formula version that the stored ratings were computed with."""
BATCH: Final = 200
"""Results rated at once, and ratings written at once."""
_OFFLINE_BATCH: Final = 10_000
"""The same, while nothing else uses the store."""
_MAX_LAST: Final = 40
"""Maximum results rated in the last transaction."""


async def recompute_outdated(
    store: Store,
    game: str | None = None,
    *,
    batch: int = BATCH,
    rated: Callable[[int], None] = lambda _: None,
) -> list[str]:
    """Recompute outdated ratings, of all games or one; return the games.

    ``rated`` is called with the number of newly rated results.
    """
    games = []
    while found := [one for one in await _outdated(store) if game in {None, one.game}]:
        for outdated in found:
            try:
                await _Recomputation(store, outdated, batch, rated).run()
                games.append(outdated.game)
            except _StartOver:
                await asyncio.sleep(MIN_PAUSE)
    return games


async def do_task(store: Store, task: Task, _: Report, *, batch: int = BATCH) -> None:
    """Recompute the ratings of a task's game, if outdated.

    If interrupted, a transaction in progress either completes or changes nothing. Raises Lost if
    another process holds the task, and WorkerFailure if they are outdated again.
    """
    if await recompute_outdated(store, task.name, batch=batch):
        log.info("ratings recomputed", game=task.name)
    async with store.write() as tx:
        # First, so that whatever outdates them now waits, and then adds the task again.
        await computer_tasks.finish(tx, task)
        if await ratings.get_outdated(tx, task.name) is not None:
            raise WorkerFailure("the ratings are outdated again")


async def recompute_everything(store: Store) -> int:
    """Recompute all scores and ratings from the results; return the number of rated results.

    Nothing else may use the store meanwhile. If interrupted, the bot does the rest.
    """
    async with store.write() as tx:
        await scores.rebuild(tx)
        await ratings.clear(tx)
        await _outdate(tx)
        count = await results.count_rated(tx)
    with Progress("Results", count) as progress:
        await recompute_outdated(store, batch=_OFFLINE_BATCH, rated=progress.advance)
    return count


async def check_formula(store: Store) -> bool:
    """Mark all ratings outdated if they come from another formula; return whether any were."""
    async with store.write() as tx:
        if await key_values.get(tx, NOTE) == FORMULA_VERSION:
            return False
        return await _outdate(tx)


async def _outdate(tx: Transaction) -> bool:
    games = await results.games(tx)
    for game in games:
        await locks.lock_results(tx, game)
        await ratings.outdate(tx, game, 0)
    await key_values.set(tx, NOTE, FORMULA_VERSION)
    return bool(games)


async def _outdated(store: Store) -> tuple[Outdated, ...]:
    async with store.read() as tx:
        return await ratings.all_outdated(tx)


class _StartOver(Exception):
    """Data read earlier has changed."""


@dataclass(eq=False, repr=False)
class _Recomputation:
    store: Store
    outdated: Outdated
    batch: int
    rated: Callable[[int], None]
    calculator: Calculator = field(default_factory=Calculator, init=False)
    last_id: int = field(default=0, init=False)
    """The last rated result."""
    unwritten: set[Key] = field(default_factory=set, init=False)
    """Ratings computed but not yet written."""
    unwritten_seasons: set[SeasonKey] = field(default_factory=set, init=False)

    @property
    def max_last(self) -> int:
        """The number of results that the last transaction may rate."""
        return min(_MAX_LAST, self.batch // 2)

    async def run(self) -> None:
        while True:
            async with self.store.read() as tx:
                await self._check(tx)
                found = await self._next(tx)
            if len(found) > self.max_last:
                if changes := await asyncio.to_thread(self._rate, found):
                    async with self.store.write() as tx:
                        await self._lock(tx)
                        await rating_changes.put(tx, changes)
            elif self.unwritten or self.unwritten_seasons:
                await self._write_in_batches(self.unwritten, self._put)
                await self._write_in_batches(self.unwritten_seasons, self._put_seasons)
            elif await self._finish():
                return

    def _rate(self, found: Sequence[Result]) -> list[RatingChange]:
        changes = [change for result in found for change in self.calculator.rate(result)]
        self.unwritten.update((change.scope, change.user_id) for change in changes)
        self.last_id = found[-1].id if found else self.last_id
        self.rated(len(found))
        self.unwritten_seasons.update(
            (Season.at(change.at).number, change.scope, change.user_id)
            for change in changes
            if change.scope != EVERYWHERE
        )
        return [change for change in changes if change.result_id >= self.outdated.since_id]

    async def _write_in_batches(
        self, keys: set[K], put: Callable[[Transaction, Sequence[K]], Awaitable[None]]
    ) -> None:
        ordered = sorted(keys)
        for first in range(0, len(ordered), self.batch):
            async with self.store.write() as tx:
                await self._lock(tx)
                await put(tx, ordered[first : first + self.batch])
        keys.clear()

    async def _finish(self) -> bool:
        """Rate the remaining results and finish, unless too many remain."""
        async with self.store.write() as tx:
            await self._lock(tx)
            found = await self._next(tx)
            if len(found) > self.max_last:
                return False
            await rating_changes.put(tx, self._rate(found))
            await self._put(tx, [*self.unwritten])
            await self._put_seasons(tx, [*self.unwritten_seasons])
            await ratings.replace_sides(
                tx, self.outdated.game, list(self.calculator.sides.values())
            )
            await ratings.mark_recomputed(tx, self.outdated.game)
        return True

    async def _put(self, tx: Transaction, keys: Sequence[Key]) -> None:
        computed = {key: self.calculator.ratings.get(key) for key in keys}
        await service.put(tx, self.outdated.game, computed)

    async def _put_seasons(self, tx: Transaction, keys: Sequence[SeasonKey]) -> None:
        computed = self.calculator.seasons.ratings
        await season_ratings.put(tx, self.outdated.game, {key: computed.get(key) for key in keys})

    async def _next(self, tx: Transaction) -> tuple[Result, ...]:
        return await results.rated_after(tx, self.outdated.game, self.last_id, self.batch)

    async def _lock(self, tx: Transaction) -> None:
        await locks.lock_results(tx, self.outdated.game)
        await self._check(tx)

    async def _check(self, tx: Transaction) -> None:
        now = await ratings.get_outdated(tx, self.outdated.game)
        if now is None or now.version != self.outdated.version:
            raise _StartOver
