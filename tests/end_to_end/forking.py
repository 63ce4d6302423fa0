"""Starts the program in a process of its own without importing the bot anew each time.

Importing takes most of a start. So this module, run as a script, imports the bot once and then
makes a process of the program from itself for each order. That process runs ``main``, and it can
be killed, told to stop and waited for like any other.
"""

from __future__ import annotations

import asyncio
import atexit
import functools
import importlib
import json
import os
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

ROOT = Path(__file__).parents[2]
_MOST = 1 << 16
"""Bytes of an order."""


class Forked:
    """A process of the program, as ``asyncio.subprocess`` would show it."""

    def __init__(
        self, stdout: asyncio.StreamReader, stderr: asyncio.StreamReader, told: asyncio.StreamReader
    ) -> None:
        """Make it from its output and what the starting process tells about it."""
        self.stdout = stdout
        self.stderr = stderr
        self._told = told
        self._pid = 0
        self._ended = asyncio.create_task(self._follow(), name="end of the program")
        self._begun = asyncio.Event()

    async def _follow(self) -> int:
        self._pid = int(await self._told.readline())
        self._begun.set()
        status = int(await self._told.readline())
        await self._told.read()  # so that the pipe is closed
        return status

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._pid

    async def begun(self) -> None:
        """Wait until it has a process id."""
        await self._begun.wait()

    @property
    def returncode(self) -> int | None:
        """Its exit status once it has ended; if a signal ended it, minus its number."""
        return self._ended.result() if self._ended.done() else None

    async def wait(self) -> int:
        """Wait for its end and return its exit status."""
        return await asyncio.shield(self._ended)

    async def communicate(self) -> tuple[bytes, bytes]:
        """Wait for its end and return the rest of its output."""
        said, errors, _ = await asyncio.gather(self.stdout.read(), self.stderr.read(), self.wait())
        return said, errors

    def send_signal(self, number: signal.Signals) -> None:
        """Send it a signal, unless it has ended."""
        if self.returncode is None:
            os.kill(self._pid, number)

    def kill(self) -> None:
        """Kill it."""
        self.send_signal(signal.SIGKILL)


@functools.cache
def _starter() -> socket.socket:
    """Start the process that others are made from; it ends with this one."""
    ours, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    process = subprocess.Popen(
        [sys.executable, "-P", __file__, str(its.fileno())],
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        pass_fds=[its.fileno()],
    )
    its.close()

    def end() -> None:
        ours.close()
        process.wait()

    atexit.register(end)
    return ours


async def _reader(end: int) -> asyncio.StreamReader:
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(end, "rb", 0)
    )
    return reader


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
    pipes = [os.pipe() for _ in range(3)]
    order = json.dumps([list(arguments), dict(environment), str(folder), entry]).encode()
    ends = [end for _, end in pipes]
    if log is not None:
        for end in ends[:2]:
            os.close(end)
        ends[:2] = [os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600) for _ in range(2)]
    socket.send_fds(_starter(), [order], ends)
    for end in ends:
        os.close(end)
    started = Forked(*[await _reader(end) for end, _ in pipes])
    await started.begun()
    return started


def _watch(told: int, others: Sequence[int]) -> None:
    """Tell the process id and the exit status of the process made here; return only in that."""
    pid = os.fork()
    if pid == 0:
        return
    for end in others:
        os.close(end)
    os.write(told, b"%d\n" % pid)
    _, status = os.waitpid(pid, 0)
    os.write(told, b"%d\n" % os.waitstatus_to_exitcode(status))
    os._exit(0)


def _serve(orders: socket.socket) -> int:
    """Start a process for each order; return the exit status of the program in each."""
    import bot.__main__  # noqa: PLC0415 -- not in the tests' own process
    import bot.operations.backups  # noqa: PLC0415
    import bot.operations.doctor  # noqa: PLC0415
    import bot.roles.gateway  # noqa: F401, PLC0415
    from bot import commands  # noqa: PLC0415
    from engine import registry  # noqa: PLC0415

    registry.games()
    commands.load()
    while True:
        order, ends, *_ = socket.recv_fds(orders, _MOST, 3)
        with suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        if not order:
            return 0
        if os.fork() == 0:
            break
        for end in ends:
            os.close(end)
    orders.close()
    stdout, stderr, told = ends
    _watch(told, (stdout, stderr))
    os.dup2(stdout, 1)
    os.dup2(stderr, 2)
    for end in ends:
        os.close(end)
    arguments, environment, folder, entry = json.loads(order)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    module, _, function = entry.partition(":")
    return int(getattr(importlib.import_module(module), function)(arguments))


if __name__ == "__main__":
    sys.exit(_serve(socket.socket(fileno=int(sys.argv[1]))))
