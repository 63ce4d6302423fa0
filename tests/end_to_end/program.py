"""The bot as a program of its own."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sqlite3
import sys
from asyncio import subprocess
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from playground.request_log import Request
from tests.end_to_end import forking
from tests.end_to_end.forking import Forked
from tests.end_to_end.harness import Environment

ROOT = Path(__file__).parents[2]


WRONG = re.compile(r"\[(error|critical) |Traceback|Exception ignored")
"""What a program says that has gone wrong; a request that it repeats has not."""
AFRESH = ("-m", "bot")
"""Runs the program as an operator does."""


class Program:
    """``python -m bot`` in its own process, connected to an environment's playground."""

    def __init__(self, env: Environment) -> None:
        """Prepare to run it."""
        self.env = env
        self.process: subprocess.Process | Forked | None = None

    async def launch(
        self,
        *,
        arguments: Sequence[str] = (),
        program: Sequence[str] = (),
        **settings: str,
    ) -> subprocess.Process | Forked:
        """Start it, as given to Python in ``program``, or else from a process that has loaded it."""
        known = {
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(ROOT),
            "PLAYGROUND_URL": self.env.playground.url,
            "DATABASE_URL": self.env.database,
            "DISCORD_TOKEN": self.env.playground.token,
            "PICTURE_WIDTH": "400",
        }
        if not program:
            self.process = await forking.start(arguments, known | settings, self.env.folder)
            return self.process
        self.process = await asyncio.create_subprocess_exec(
            sys.executable,
            *program,
            *arguments,
            env=known | settings,
            cwd=self.env.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        return self.process

    async def start(self, program: Sequence[str] = ()) -> None:
        """Start it and wait until it receives interactions."""
        await self.env.save_settings()
        process = await self.launch(program=program)
        joined = asyncio.ensure_future(self.env.gateway.wait_connected())
        ended = asyncio.ensure_future(process.wait())
        await asyncio.wait({joined, ended}, return_when=asyncio.FIRST_COMPLETED)
        if ended.done():
            joined.cancel()
            _, output = await process.communicate()
            raise AssertionError(output.decode())
        ended.cancel()

    async def logged(self, *words: str) -> str:
        """Wait for a line of its log with these words, and return it."""
        assert self.process is not None
        assert self.process.stderr is not None
        said = []
        async for line in self.process.stderr:
            said.append(line.decode())
            if all(word in said[-1] for word in words):
                return said[-1]
        raise AssertionError(f"it ended without {words}:\n{''.join(said)}")

    async def ends(self) -> tuple[int, str]:
        """Wait for its end; return its exit status and standard error."""
        assert self.process is not None
        _, output = await self.process.communicate()
        assert self.process.returncode is not None
        await self.env.gateway.wait_connected(present=False)
        return self.process.returncode, output.decode()

    async def stop(self) -> tuple[int, str]:
        """Ask it to stop and wait for its end."""
        assert self.process is not None
        self.process.send_signal(signal.SIGTERM)
        return await self.ends()

    async def stop_beside(self) -> tuple[int, str]:
        """Ask it to stop while another bot stays connected."""
        assert self.process is not None
        self.process.send_signal(signal.SIGTERM)
        _, output = await self.process.communicate()
        return self.process.returncode or 0, output.decode()

    async def killed(self) -> None:
        """Kill it if it runs, and wait until it is gone."""
        if self.process is not None and self.process.returncode is None:
            self.process.kill()
            await self.process.communicate()

    def kill(self, _: Request) -> bool:
        """Kill it as soon as a request comes in."""
        assert self.process is not None
        self.process.kill()
        return True


def joined(env: Environment) -> list[int]:
    """Return who has joined the only challenge, beginning with its challenger."""
    with closing(sqlite3.connect(env.folder / "games.db")) as database:
        found = database.execute("SELECT user_id FROM invited ORDER BY place").fetchall()
    return [user_id for (user_id,) in found]
