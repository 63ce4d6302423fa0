"""Recomputes outdated ratings in the background, as queued tasks."""

from __future__ import annotations

from dataclasses import dataclass

import structlog

from bot.core.workers.pool import WorkerFailure
from bot.core.workers.progress import Report
from bot.play.ratings.recomputing import BATCH, recompute_outdated
from data.ratings import outdated_ratings
from data.store.store import Store
from data.tasks import computer_tasks
from data.tasks.computer_tasks import Task

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


@dataclass(eq=False, repr=False)
class RatingsTask:
    """Recomputes a game's outdated ratings."""

    store: Store
    batch: int = BATCH

    async def recompute(self, task: Task, _: Report) -> None:
        """Recompute the ratings of a task's game, if outdated.

        If interrupted, a transaction in progress either completes or changes nothing.

        Raises:
            Lost: another process holds the task.
            WorkerFailure: they are outdated again.

        """
        if await recompute_outdated(self.store, task.name, batch=self.batch):
            log.info("ratings recomputed", game=task.name)
        async with self.store.write() as tx:
            # First, so that whatever outdates them now waits, and then adds the task again.
            await computer_tasks.finish(tx, task)
            if await outdated_ratings.get(tx, task.name) is not None:
                raise WorkerFailure("the ratings are outdated again")
