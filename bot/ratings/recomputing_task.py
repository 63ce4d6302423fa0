"""Recomputes outdated ratings in the background, as tasks of the queue."""

from __future__ import annotations

from typing import TYPE_CHECKING

import structlog

from bot.ratings.recomputing import BATCH, recompute_outdated
from bot.workers.pool import WorkerFailure
from data import computer_tasks, outdated_ratings

if TYPE_CHECKING:
    from bot.workers.progress import Report
    from data.computer_tasks import Task
    from data.store import Store

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class RatingsTask:
    """Recomputes the outdated ratings of a game."""

    def __init__(self, store: Store, *, batch: int = BATCH) -> None:
        """Rate a batch of results of a store at once."""
        self._store = store
        self._batch = batch

    async def recompute(self, task: Task, _: Report) -> None:
        """Recompute the ratings of the game that a task names, if they are outdated.

        If that is stopped, a transaction under way is completed or leaves nothing.

        Raises:
            Lost: the task is another process's.
            WorkerFailure: they are outdated again.

        """
        if await recompute_outdated(self._store, task.name, batch=self._batch):
            log.info("ratings recomputed", game=task.name)
        async with self._store.write() as tx:
            # First, so that whoever outdates them now waits, and then adds the task again.
            await computer_tasks.finish(tx, task)
            if await outdated_ratings.get(tx, task.name) is not None:
                raise WorkerFailure("the ratings are outdated again")
