"""A program under load, in its own process."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from playground.app import Playground

_STARTING = 60.0
_ENDING = 20.0
_HERE = Path(__file__).parents[2]
_PROCESSOR: Final = 2
"""Added to a process id, as `clock_getcpuclockid` does, this is the clock of all its threads."""


class Program:
    """``python -m`` something, connected to a playground. An asynchronous context manager."""

    def __init__(
        self,
        playground: Playground,
        folder: Path,
        *arguments: str,
        settings: dict[str, str],
        connects: bool = True,
    ) -> None:
        """Set up a program.

        Args:
            playground: the playground to connect to.
            folder: where its log goes, as ``<module>.log``.
            *arguments: the module and its arguments.
            settings: environment variables on top of the address and the token.
            connects: whether to wait until a bot is connected.
        """
        self._playground = playground
        self._log = folder / f"{arguments[0]}.log"
        self._arguments = arguments
        self._settings = settings
        self._connects = connects
        self._process: asyncio.subprocess.Process | None = None

    async def __aenter__(self) -> Self:
        joined = {"PLAYGROUND_URL": self._playground.url, "DISCORD_TOKEN": self._playground.token}
        environment = {**os.environ, **joined, **self._settings}
        self._process = await self._spawn(self._arguments, environment, self._log)
        if not self._connects:
            return self
        try:
            await self._playground.gateway.wait_connected(timeout=_STARTING)
        except TimeoutError:
            await self._end()
            raise RuntimeError(f"It did not start:\n{self._log.read_text()[-2000:]}") from None
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._end()

    @staticmethod
    async def _spawn(
        arguments: Sequence[str], environment: Mapping[str, str], log: Path
    ) -> asyncio.subprocess.Process:
        with log.open("w") as written:
            return await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", *arguments),
                cwd=_HERE,
                env=environment,
                stdout=written,
                stderr=written,
            )

    @property
    def pid(self) -> int:
        """The process id."""
        assert self._process is not None
        return self._process.pid

    def processor_seconds(self) -> float:
        """Return the processor time used so far by all threads; 0 if unknown."""
        try:
            return time.clock_gettime(~self.pid << 3 | _PROCESSOR)
        except OSError:
            return 0.0

    def memory(self) -> int:
        """Return the resident memory in bytes, shared memory included; 0 if unknown."""
        try:
            pages = Path(f"/proc/{self.pid}/statm").read_text().split()[1]
        except OSError:
            return 0
        return int(pages) * os.sysconf("SC_PAGE_SIZE")

    def kill(self) -> None:
        """Kill it, as a crash would."""
        os.kill(self.pid, signal.SIGKILL)

    async def _end(self) -> None:
        assert self._process is not None
        with contextlib.suppress(ProcessLookupError):
            self._process.send_signal(signal.SIGTERM)
        try:
            await asyncio.wait_for(self._process.wait(), _ENDING)
        except TimeoutError:
            self._process.kill()
            await self._process.wait()
