"""The bot as a separate process, which is really killed, on the machine's clock.

The tests in one process kill at every moment; this one checks that a death by the operating system
is no different.
"""

from __future__ import annotations

import asyncio
import os
import random
import sys
import tempfile
import time
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any, ClassVar, Final

from bot.__main__ import main
from playground.errors import SAFETY_SECONDS
from tests.chaos import acts
from tests.chaos.match import Match, begin
from tests.chaos.world import DEADLINE, World
from tests.end_to_end.forking import SERVER

_PROMPT: Final = SAFETY_SECONDS
"""Seconds after which a process has started or never will."""


def program(arguments: list[str], settings: dict[str, str], log: str) -> None:
    """Run the bot, as ``python -m bot`` does."""
    os.environ.update(settings)
    os.chdir(Path(log).parent)
    with Path(log).open("ab") as said:
        os.dup2(said.fileno(), 1)
        os.dup2(said.fileno(), 2)
    sys.exit(main(arguments))


class ProcessWorld(World):
    """A playground with the bot in another process, or in several."""

    pause = 0.0
    programs: ClassVar[tuple[str, ...]] = ("",)
    """The roles of its processes; without a name, one does everything."""
    joins = ""
    """Which of them joins Discord."""

    def __init__(self, folder: Path, **server: Any) -> None:
        """Keep the database and the bot's log in a folder; for the rest see `World`."""
        super().__init__(folder, **server)
        self._log = folder / "said.txt"
        self._heard = 0
        self._running: dict[str, ForkServerProcess] = {}
        self.killed: tuple[str, ...] = ()
        """The processes that were killed and not started again."""
        self.morning = time.time() - asyncio.get_running_loop().time()

    async def start(self) -> None:
        """Start the processes that do not run."""
        for role in self.programs:
            if role not in self._running:
                given = ([role] if role else [], self.settings(), str(self._log))
                self._running[role] = SERVER.Process(target=program, args=given)
                self._running[role].start()

    def settings(self) -> dict[str, str]:
        """Return the program's settings."""
        return {
            "PLAYGROUND_URL": self.playground.url,
            "DATABASE_URL": self.url,
            "DISCORD_TOKEN": self.playground.token,
            "PICTURE_WIDTH": "400",
            "ANALYSE_MATCHES": "false",
        }

    async def until_ready(self) -> None:
        """Wait until the program receives interactions, or has ended."""
        until = time.monotonic() + _PROMPT
        while not self.playground.gateway.connected and time.monotonic() < until:
            if not self._running[self.joins].is_alive():
                return
            await self.rest(0.01)

    async def stop(self) -> None:
        """Ask the processes to end."""
        for process in self._running.values():
            if process.is_alive():
                process.terminate()
                await asyncio.to_thread(process.join)

    def impatient(self, *, now: bool) -> None:
        """Do nothing: when a program acknowledges cannot be changed."""

    def kill(self, *roles: str) -> None:
        """Kill some of the processes, or all."""
        self.dead = True
        self.killed = roles or self.programs
        for role in self.killed:
            self._running[role].kill()
            self._running.pop(role).join()

    async def bury(self) -> None:
        """Wait until Discord has noticed."""
        if self.joins in self.killed:
            await self.playground.gateway.wait_connected(present=False)
        self.killed = ()

    def complaints(self) -> list[str]:
        """Return what has gone wrong since the last call, with the program's log."""
        text = self._log.read_text("utf-8") if self._log.exists() else ""
        fresh, self._heard = text[self._heard :], len(text)
        wrong = ("Traceback", "[error", "cannot be used")
        lines = [line for line in fresh.splitlines() if any(word in line for word in wrong)]
        return [*super().complaints(), *(f"said: {line}" for line in sorted(set(lines)))]


async def killed(wanted: int, seed: int, *, board: str = "new") -> list[tuple[str, list[str]]]:
    """Kill the program repeatedly while a match is played; return what went wrong, and when."""
    dice, found = random.Random(seed), []
    with tempfile.TemporaryDirectory(prefix="chaos-") as folder:
        world = ProcessWorld(Path(folder), seed=seed, board=board)
        await world.open()
        await world.until_ready()
        match: Match | None = None
        names = [person.name for person in world.playground.people]
        for number in range(wanted):
            if match is None or match.truth.finished:
                first, second, *_ = names[number % 4 :] + names
                match = await begin(world, "tablan", (first, second))
            act, (pause, then) = dice.choice((acts.move, acts.typed)), acts.THEN["move"]
            moment = dice.randrange(12)
            moments = world.watch(moment)
            if not moment:
                asyncio.get_running_loop().call_later(dice.uniform(0.0, 0.2), world.kill)
            await acts.do(match, act)
            await world.rest(dice.choice((0.02, pause)))
            await acts.do(match, then)
            await world.rest(1.0)
            if not world.dead:
                world.kill()
            match.note(f"killed {moments[-1] if moment and moments else 'at no certain moment'}")
            await world.revive()
            problems = await _settled(world, match)
            if problems:
                found.append(("\n".join(match.trace[-8:]), problems))
                match = None
        await world.close()
    return found


async def _settled(world: World, match: Match) -> list[str]:
    """Return what is wrong after ten seconds, or nothing as soon as nothing is."""
    until = time.monotonic() + DEADLINE
    while (problems := match.problems()) and time.monotonic() < until:
        await world.rest(0.05)
    return [*problems, *world.complaints()]
