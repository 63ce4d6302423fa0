"""Starts the program in a process of its own without importing the bot anew each time.

Importing takes most of a start. So processes are forked from one that has imported the bot; each
can be killed, told to stop and waited for like any other.
"""

from __future__ import annotations

import asyncio
import importlib
import multiprocessing
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Final

ROOT = Path(__file__).parents[2]
SERVER: Final = multiprocessing.get_context("forkserver")
"""Makes the processes; it is one per test process."""
SERVER.set_forkserver_preload(["tests.end_to_end.preloaded"])


class Forked:
    """A process of the program, as ``asyncio.subprocess`` would show it."""

    def __init__(
        self, process: ForkServerProcess, stdout: asyncio.StreamReader, stderr: asyncio.StreamReader
    ) -> None:
        """Follow a process that has started."""
        self.stdout = stdout
        self.stderr = stderr
        assert process.pid is not None
        self.pid: int = process.pid
        self._process = process
        self._ended = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(process.sentinel, self._end)

    def _end(self) -> None:
        self._loop.remove_reader(self._process.sentinel)
        self._process.join()
        self._ended.set()

    @property
    def returncode(self) -> int | None:
        """Its exit status once it has ended; if a signal ended it, minus its number."""
        return self._process.exitcode

    async def wait(self) -> int:
        """Wait for its end and return its exit status."""
        await self._ended.wait()
        assert self.returncode is not None
        return self.returncode

    async def communicate(self) -> tuple[bytes, bytes]:
        """Wait for its end and return the rest of its output."""
        output, errors, _ = await asyncio.gather(
            self.stdout.read(), self.stderr.read(), self.wait()
        )
        return output, errors

    def send_signal(self, number: signal.Signals) -> None:
        """Send it a signal, unless it has ended."""
        if self.returncode is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """Kill it."""
        self.send_signal(signal.SIGKILL)


async def start(
    arguments: Sequence[str],
    environment: Mapping[str, str],
    folder: Path,
    log: Path | None = None,
    entry: str = "bot.__main__:main",
) -> Forked:
    """Start the program with these arguments and nothing but this environment.

    Args:
        arguments: its command line.
        environment: its environment variables.
        folder: its working folder.
        log: a file to append its output to, which otherwise can be read from what is returned.
        entry: what to call with the command line, as "module:function".
    """
    (stdout, output), (stderr, errors) = SERVER.Pipe(duplex=False), SERVER.Pipe(duplex=False)
    process = SERVER.Process(
        target=_run,
        args=(entry, list(arguments), dict(environment), folder, log or (output, errors)),
    )
    await asyncio.to_thread(process.start)
    output.close()
    errors.close()
    return Forked(process, await _reader(stdout), await _reader(stderr))


async def _reader(end: Connection) -> asyncio.StreamReader:
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), end
    )
    return reader


def _run(
    entry: str,
    arguments: list[str],
    environment: dict[str, str],
    folder: Path,
    output: Path | tuple[Connection, Connection],
) -> None:
    if isinstance(output, Path):
        with output.open("ab") as log:
            _write_to(log.fileno(), log.fileno())
    else:
        _write_to(*(end.fileno() for end in output))
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    module, _, function = entry.partition(":")
    sys.exit(getattr(importlib.import_module(module), function)(arguments))


def _write_to(output: int, errors: int) -> None:
    os.dup2(output, 1)
    os.dup2(errors, 2)
