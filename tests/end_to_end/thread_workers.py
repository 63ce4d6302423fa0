"""A worker pool that runs tasks in a thread of this process, where kernels are already loaded.

A worker process takes longer to start than most tests, so only the tests that kill processes or
make them hang use real ones.
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Mapping
from pkgutil import resolve_name
from typing import Any, Final

from bot.core.workers import LISTENER, Report
from bot.core.workers.fair_queue import FairPlaces
from bot.core.workers.pool import WorkerFailure, WorkerPool, _Worker

_ALONE: Final = threading.Lock()
"""Searches and analyses here may share memory, so they run one at a time."""


class ThreadPool(WorkerPool):
    """A pool with one worker, a thread."""

    def __init__(self, tasks: str) -> None:
        """Use the tasks of "module:mapping"."""
        super().__init__(1)
        self._workers = (_Thread(tasks, 0),)
        self._places = FairPlaces(self._workers)


class _Thread(_Worker):
    def __init__(self, tasks: str, niceness: int) -> None:
        super().__init__(tasks, niceness)
        self._tasks = tasks

    async def run(
        self,
        task: str,
        arguments: Mapping[str, Any],
        limit: float,
        listener: Report | None = None,
    ) -> Any:
        if self._closed:
            raise WorkerFailure("the workers are closed")
        LISTENER.set(listener)
        return await asyncio.to_thread(self._run, task, json.dumps(arguments))

    def _run(self, task: str, arguments: str) -> Any:
        try:
            with _ALONE:
                tasks = resolve_name(self._tasks)  # not before use: numba takes a second
                return json.loads(json.dumps(tasks[task](**json.loads(arguments))))
        except Exception as error:
            raise WorkerFailure(f"{type(error).__name__}: {error}") from error
