"""Processes that think, so that the event loop never does.

There are at most so many, started when they are needed and ended when they are not. Each has a
lower priority than the bot, so that matches between people stay as fast as without them. What
takes too long is killed with its process, and a new process takes its place.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import structlog

import engine.games
from bot.workers.fair_queue import FairQueue
from bot.workers.process import READY

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bot.workers.fair_queue import Whose

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

CHORES: Final = "bot.workers.tasks"
_UNTIL_READY: Final = 60.0
"""So many seconds a process may take to start, on a machine that has much else to do."""
_IDLE: Final = 600.0
"""A process that was not needed for so many seconds ends."""
_LONGEST_LINE: Final = 32 * 1024 * 1024
_SECRETS: Final = ("DISCORD_TOKEN", "DATABASE_URL")
"""What the environment of a process that thinks does not need."""


class WorkerFailure(Exception):
    """Something could not be done: it failed, took too long, or its process was killed."""


class WorkerPool:
    """A number of processes that think."""

    def __init__(self, most: int = 1, *, chores: str = CHORES, niceness: int = 10) -> None:
        """Think in at most so many processes.

        Args:
            most: how many.
            chores: the module whose ``CHORES`` can be done.
            niceness: by how much its priority is below that of this process.

        """
        self.most = most
        self._idle = [_Worker(chores, niceness) for _ in range(most)]
        self._all = tuple(self._idle)
        self._queue: FairQueue[asyncio.Future[_Worker]] = FairQueue()
        self._closed = False

    async def do(self, chore: str, given: Mapping[str, Any], *, whose: Whose, limit: float) -> Any:
        """Let a process do something and return what it says.

        Args:
            chore: what, by its name.
            given: with what, as plain data.
            whose: for whom: those who wait share fairly.
            limit: after so many seconds of work its process is killed; waiting does not count.

        Raises:
            WorkerFailure: it was not done.

        """
        worker = await self._next(whose)
        try:
            return await worker.do(chore, given, limit)
        finally:
            self._idle.append(worker)
            self._assign()

    @property
    def pids(self) -> tuple[int, ...]:
        """The processes that run now."""
        return tuple(worker.pid for worker in self._all if worker.pid is not None)

    async def close(self) -> None:
        """End all processes, whatever they do."""
        self._closed = True
        while self._queue:
            waiting = self._queue.take()
            if not waiting.done():
                waiting.set_exception(WorkerFailure("the bot ends"))
        await asyncio.gather(*(worker.close() for worker in self._all))

    async def _next(self, whose: Whose) -> _Worker:
        """Return a process that is free, as soon as it is this person's turn."""
        if self._closed:
            raise WorkerFailure("the bot ends")
        turn: asyncio.Future[_Worker] = asyncio.get_running_loop().create_future()
        self._queue.put(whose, turn)
        self._assign()
        try:
            return await turn
        except asyncio.CancelledError:
            self._queue.discard(whose, turn)
            if turn.done() and not turn.cancelled() and turn.exception() is None:
                self._idle.append(turn.result())
                self._assign()
            raise

    def _assign(self) -> None:
        while self._idle and self._queue and not self._closed:
            turn = self._queue.take()
            if not turn.done():
                turn.set_result(self._idle.pop())


class _Worker:
    """One place for a process, and the process while there is one."""

    def __init__(self, chores: str, niceness: int) -> None:
        self._chores = chores
        self._niceness = niceness
        self._process: asyncio.subprocess.Process | None = None
        self._resting: asyncio.TimerHandle | None = None
        self._closed = False
        self._ending: set[asyncio.Task[None]] = set()

    @property
    def pid(self) -> int | None:
        return None if self._process is None else self._process.pid

    async def do(self, chore: str, given: Mapping[str, Any], limit: float) -> Any:
        if self._resting is not None:
            self._resting.cancel()
        try:
            process = await self._started()
            request = json.dumps({"chore": chore, "with": given}) + "\n"
            answer = await self._ask(process, request, limit)
        except BaseException:
            # Even where only the waiting was given up: what it says next would be no answer.
            await asyncio.shield(self.end())
            raise
        loop = asyncio.get_running_loop()
        self._resting = loop.call_later(_IDLE, self._rest)
        if "error" in answer:
            raise WorkerFailure(answer["error"])
        return answer["said"]

    async def close(self) -> None:
        """Kill the process, now and also if it is only just starting."""
        self._closed = True
        await self.end()

    async def end(self) -> None:
        """Kill the process and wait until it is gone."""
        if self._resting is not None:
            self._resting.cancel()
        process, self._process = self._process, None
        if process is None:
            return
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
        if process.stdin is not None:
            process.stdin.close()

    def _rest(self) -> None:
        task = asyncio.create_task(self.end(), name="worker-rest")
        self._ending.add(task)
        task.add_done_callback(self._ending.discard)

    async def _started(self) -> asyncio.subprocess.Process:
        if self._process is not None and self._process.returncode is None:
            return self._process
        environment = {k: v for k, v in os.environ.items() if k.upper() not in _SECRETS}
        environment["PYTHONPATH"] = os.pathsep.join(path or str(Path.cwd()) for path in sys.path)
        self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", "bot.workers.process", self._chores, str(self._niceness)),
            *engine.games.__path__,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env=environment,
            limit=_LONGEST_LINE,
            # What stops the bot from a keyboard lets it end in order. It stays in the session: Linux
            # may share the processor by sessions, and a priority means nothing between two of them.
            process_group=0,
        )
        if self._closed:
            raise WorkerFailure("the bot ends")  # which kills it
        said = await self._ask(self._process, "", _UNTIL_READY)
        if said.get("said") != READY:
            raise WorkerFailure("a process did not start as it should")
        log.info("a process to think in has started", pid=self._process.pid)
        return self._process

    @staticmethod
    async def _ask(process: asyncio.subprocess.Process, request: str, limit: float) -> Any:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            async with asyncio.timeout(limit):
                if request:
                    process.stdin.write(request.encode())
                    await process.stdin.drain()
                line = await process.stdout.readline()
        except TimeoutError as error:
            raise WorkerFailure(f"it took more than {limit:g} seconds") from error
        except (OSError, ValueError) as error:
            raise WorkerFailure(f"its process cannot be asked: {error}") from error
        if not line.endswith(b"\n"):
            raise WorkerFailure("its process was killed")
        return json.loads(line)
