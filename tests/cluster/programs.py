"""A process of the bot: started, killed, suspended and stopped."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import sys
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from tests.end_to_end import forking
from tests.end_to_end.forking import Forked

_HERE: Final = Path(__file__).parents[2]
_SOCKET: Final = re.compile(r"socket:\[(\d+)\]")
_DEADLINE: Final = 30.0
"""Seconds a process has to end when asked to."""


class Program:
    """``python -m bot`` in some role."""

    def __init__(
        self,
        name: str,
        *arguments: str,
        settings: Mapping[str, str],
        folder: Path,
        forks: bool = False,
    ) -> None:
        """Name a process.

        Args:
            name: also names its log.
            *arguments: its command line.
            settings: its environment variables.
            folder: for its log.
            forks: whether it starts from a process that has imported the bot, which is cheaper.
        """
        self.name = name
        self.role = arguments[0]
        self.suspended = False
        self.arguments = arguments
        self.log = folder / f"{name}.jsonl"
        self._settings = settings
        self._forks = forks
        self._process: asyncio.subprocess.Process | Forked | None = None
        self._ended_here = False

    @property
    def pid(self) -> int:
        """The process ID."""
        assert self._process is not None
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether it runs, including while suspended."""
        return self._process is not None and self._process.returncode is None

    @property
    def healthy(self) -> bool:
        """Whether it runs and is not suspended."""
        return self.alive and not self.suspended

    @property
    def has_given_up(self) -> bool:
        """Whether it has ended by itself, as it does when it starts without a database."""
        return not (self.alive or self._ended_here)

    async def start(self) -> None:
        """Start it, or start it again."""
        self.suspended = False
        self._process = await self._begin({**os.environ, **self._settings})
        self._ended_here = False  # only now, so that it is not started meanwhile

    async def _begin(self, environment: Mapping[str, str]) -> asyncio.subprocess.Process | Forked:
        if self._forks:
            return await forking.start(self.arguments, environment, _HERE, self.log)
        with self.log.open("ab") as log:
            return await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "bot", *self.arguments),
                cwd=_HERE,
                env=environment,
                stdout=log,
                stderr=log,
            )

    async def kill(self) -> None:
        """Kill it immediately."""
        self._ended_here = True
        self._signal(signal.SIGKILL)
        assert self._process is not None
        await self._process.wait()

    def suspend(self) -> None:
        """Suspend it until `resume`."""
        self._signal(signal.SIGSTOP)
        self.suspended = True

    def resume(self) -> None:
        """Resume it."""
        self.suspended = False
        self._signal(signal.SIGCONT)

    async def stop(self) -> float:
        """Ask it to end; return how many seconds that took.

        Raises:
            TimeoutError: it did not end and was killed.
        """
        assert self._process is not None
        self._ended_here = True
        began = asyncio.get_running_loop().time()
        self._signal(signal.SIGTERM)
        try:
            await asyncio.wait_for(self._process.wait(), _DEADLINE)
        except TimeoutError:
            await self.kill()
            raise TimeoutError(f"{self.name} does not end") from None
        return asyncio.get_running_loop().time() - began

    def _signal(self, number: signal.Signals) -> None:
        if self.alive:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def ports(self) -> set[int]:
        """Return the local TCP ports of its connections."""
        inodes = set()
        with suppress(OSError):
            for link in Path(f"/proc/{self.pid}/fd").iterdir():
                with suppress(OSError):
                    found = _SOCKET.fullmatch(str(link.readlink()))
                    inodes |= {found[1]} if found else set()
        lines = Path("/proc/net/tcp").read_text("ascii").splitlines()[1:]
        rows = [line.split() for line in lines]
        return {int(row[1].rpartition(":")[2], 16) for row in rows if row[9] in inodes}

    def errors(self) -> Counter[str]:
        """Return its logged errors with their counts."""
        found: Counter[str] = Counter()
        for line in self.log.read_text("utf-8").splitlines():
            try:
                said = json.loads(line)
            except ValueError:
                found[f"{self.role} printed: {line[:200]}"] += 1
                continue
            if said.get("level") in {"error", "critical"}:
                last = str(said.get("exception", "")).strip().rpartition("\n")[2]
                found[f"{self.role} logged: {said['event']} {last}"[:200].strip()] += 1
        return found
