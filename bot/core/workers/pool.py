"""A pool of worker processes, so that long computations never block the event loop.

Processes start on demand, run at a lower priority than the bot and end when idle. A task that
exceeds its time limit is killed together with its process; the next task starts a new one.

No existing executor fits: concurrent.futures cannot kill a task that hangs, and Pebble's
pool breaks for good when a worker dies while idle. Both build on multiprocessing, whose resource
tracker prints warnings when the bot itself is killed.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from asyncio.subprocess import Process
from collections.abc import Mapping
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from typing import Any, Final

import structlog

import engine.games
from bot.core.workers import Report
from bot.core.workers.fair_queue import NOBODY, FairPlaces, Requester
from bot.core.workers.process import PROGRESS, READY

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

TASKS: Final = "bot.core.workers.tasks:TASKS"
_START_LIMIT: Final = 60.0
"""Seconds a process may take to start on a busy machine."""
_MAX_IDLE: Final = 600.0
"""Seconds before an idle process ends."""
_MAX_ANSWER: Final = 32 * 1024 * 1024
_SECRETS: Final = ("DISCORD_TOKEN", "DISCORD_TOKEN_FILE", "DATABASE_URL", "DATABASE_URL_FILE")
"""Environment variables withheld from workers."""


class WorkerFailure(Exception):
    """A task failed, exceeded its time limit or lost its process."""


class WorkerPool:
    """A limited number of worker processes with a fair queue in front of them."""

    def __init__(
        self,
        size: int = 1,
        *,
        tasks: str = TASKS,
        niceness: int = 10,
        memory: int = 0,
    ) -> None:
        """Create a pool; no process starts before the first task.

        Args:
            size: maximum number of processes.
            tasks: the tasks that workers know by name, as "module:mapping".
            niceness: how far their priority is below that of this process.
            memory: bytes each process may use beyond its size at the start; 0 for no limit. A
                process that needs more is killed, if the system supports that.

        """
        self._workers = tuple(_Worker(tasks, niceness, memory) for _ in range(size))
        self._places = FairPlaces(self._workers)

    async def run(
        self,
        task: str,
        arguments: Mapping[str, Any],
        *,
        requester: Requester,
        limit: float,
        listener: Report | None = None,
    ) -> Any:
        """Run a task in a worker and return its result.

        Its arguments are plain data, as in JSON. ``requester`` shares the workers fairly with others,
        ``limit`` are seconds of work, without queueing, before its process is killed, and ``listener``
        gets its progress, once it has started. Raises WorkerFailure if there is no result.
        """
        async with self._places.take(requester) as worker:
            if listener is not None:
                listener(0.0)
            return await worker.run(task, arguments, limit, listener)

    async def run_in_each(self, task: str, arguments: Mapping[str, Any], *, limit: float) -> None:
        """Run a task in every process at once, which holds up other tasks meanwhile.

        Raises WorkerFailure if it failed in one of them.
        """
        async with AsyncExitStack() as held:
            workers = [
                await held.enter_async_context(self._places.take(NOBODY)) for _ in self._workers
            ]
            running = (worker.run(task, arguments, limit) for worker in workers)
            results = await asyncio.gather(*running, return_exceptions=True)
        for failure in filter(None, results):
            if isinstance(failure, BaseException):
                raise failure

    @property
    def size(self) -> int:
        """Maximum number of processes."""
        return len(self._workers)

    @property
    def pids(self) -> tuple[int, ...]:
        """The processes running now."""
        return tuple(worker.pid for worker in self._workers if worker.pid is not None)

    @property
    def kills(self) -> int:
        """Number of processes killed: their task failed, took too long or was given up."""
        return sum(worker.kills for worker in self._workers)

    async def close(self) -> None:
        """Kill all processes; running, queued and future tasks fail."""
        await asyncio.gather(*(worker.close() for worker in self._workers))


class _Worker:
    """A slot for one process, started on demand and replaced once dead."""

    def __init__(self, tasks: str, niceness: int, memory: int = 0) -> None:
        self._arguments = (tasks, str(niceness), str(memory))
        self._process: Process | None = None
        self._idle: asyncio.TimerHandle | None = None
        self._closed = False
        self.kills = 0

    @property
    def pid(self) -> int | None:
        return None if self._process is None else self._process.pid

    async def run(
        self,
        task: str,
        arguments: Mapping[str, Any],
        limit: float,
        listener: Report | None = None,
    ) -> Any:
        if self._idle is not None:
            self._idle.cancel()
        try:
            process = await self._started()
            request = json.dumps({"task": task, "arguments": arguments}) + "\n"
            answer = await self._ask(process, request, limit, listener)
        except BaseException:
            self.kills += 1
            # Even if only the caller gave up: a late answer would be mistaken for the next task's.
            await asyncio.shield(self._end())
            raise
        self._idle = asyncio.get_running_loop().call_later(_MAX_IDLE, self._kill)
        if "error" in answer:
            raise WorkerFailure(answer["error"])
        return answer["result"]

    async def close(self) -> None:
        """Kill the process, even one that is still starting."""
        self._closed = True
        await self._end()

    async def _end(self) -> None:
        process = self._kill()
        if process is not None:
            await process.wait()

    def _kill(self) -> Process | None:
        """Kill the process without waiting for its end; return it."""
        if self._idle is not None:
            self._idle.cancel()
        process, self._process = self._process, None
        if process is not None:
            with suppress(ProcessLookupError):
                process.kill()
            assert process.stdin is not None
            process.stdin.close()
        return process

    async def _started(self) -> Process:
        if self._process is not None and self._process.returncode is None:
            return self._process
        if self._closed:
            raise WorkerFailure("the workers are closed")
        environment = {k: v for k, v in os.environ.items() if k.upper() not in _SECRETS}
        environment["PYTHONPATH"] = os.pathsep.join(path or str(Path.cwd()) for path in sys.path)
        self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", "bot.core.workers.process", *self._arguments),
            *engine.games.__path__,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env=environment,
            limit=_MAX_ANSWER,
            # A signal from the keyboard is for the bot alone, which then ends its workers. They stay
            # in its session: where Linux schedules by session, niceness only counts within one.
            process_group=0,
        )
        if self._closed:
            raise WorkerFailure("the workers are closed")
        answer = await self._ask(self._process, "", _START_LIMIT)
        if answer != READY:
            raise WorkerFailure("the worker process did not start properly")
        log.info("worker process started", pid=self._process.pid)
        return self._process

    @staticmethod
    async def _ask(
        process: Process, request: str, limit: float, listener: Report | None = None
    ) -> Any:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            async with asyncio.timeout(limit):
                process.stdin.write(request.encode())
                await process.stdin.drain()
                while True:
                    line = await process.stdout.readline()
                    answer = json.loads(line) if line.endswith(b"\n") else None
                    if not isinstance(answer, dict) or PROGRESS not in answer:
                        break
                    if listener is not None:
                        listener(answer[PROGRESS])
        except TimeoutError as error:
            raise WorkerFailure(f"took more than {limit:g} seconds") from error
        except (OSError, ValueError) as error:
            raise WorkerFailure(f"the worker process cannot be reached: {error}") from error
        if answer is None:
            raise WorkerFailure("the worker process was killed")
        return answer
