"""A Discord and the bot in it, which can die at any moment and be started again."""

from __future__ import annotations

import asyncio
import logging
import random
import re
import sqlite3
import sys
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final
from weakref import WeakSet

import structlog

from bot.client import Bot
from bot.settings.declarations import ServerSettings
from bot.settings.service import Choices
from data.store import Store
from data.undisturbed import through
from playground.app import Playground
from playground.connect import point_discord_here
from tests.chaos.boards import Boards
from tests.chaos.loop import LoopClock
from tests.chaos.network import Network
from tests.chaos.store import WatchedStore
from tests.clocks import HandClock

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from contextvars import Context
    from pathlib import Path
    from types import FrameType

    from bot.pictures.rendering import Renderer
    from playground.connect import Redirection
    from playground.openapi import OpenApi
    from playground.people import Person

MORNING: Final = 1_780_000_000.0
_BOARD: Final = re.compile(r"board-[\d-]+")
_EVENT: Final = re.compile(r"event='([^']*)'")
AT_ONCE: Final = 0.2
"""So many seconds are enough for everything that the bot does while nothing fails."""
DEADLINE: Final = 10.0
"""After so many seconds all is as it should be."""


@dataclass(eq=False)
class _Life:
    """What one run of the bot has begun."""

    tasks: WeakSet[asyncio.Task[Any]] = field(default_factory=WeakSet)
    over: bool = False


_LIFE: ContextVar[_Life | None] = ContextVar("_LIFE", default=None)


def _task(
    loop: asyncio.AbstractEventLoop,
    work: Coroutine[Any, Any, Any],
    *,
    context: Context | None = None,
) -> asyncio.Task[Any]:
    """Make a task and remember whose it is; the dead begin nothing any more."""
    task: asyncio.Task[Any] = asyncio.Task(work, loop=loop, context=context)
    life = _LIFE.get()
    if life is not None and not _in_database():
        life.tasks.add(task)
        if life.over:
            task.cancel()
    return task


def _in_database() -> bool:
    """Tell whether a task is made by `data.undisturbed.through`, which nobody else may cancel.

    What it does is in the hands of the database: it is done wholly or not at all.
    """
    frame: FrameType | None = sys._getframe(1)
    for _ in range(6):
        if frame is not None and frame.f_code is through.__code__:
            return True
        frame = None if frame is None else frame.f_back
    return False


class Errors(logging.Handler):
    """Keeps what is logged as an error."""

    def __init__(self) -> None:
        """Listen to errors only."""
        super().__init__(logging.ERROR)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a line."""
        said = record.getMessage()
        event = _EVENT.search(said)
        error = said.rstrip("'\"").rsplit("\\n", 1)[-1] if "exception=" in said else ""
        self.lines.append(f"{record.name}: {event[1] if event else said} {error}".strip())


def configure_logs() -> None:
    """Send what the bot logs through the standard library, where `Errors` hears it."""
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            structlog.stdlib.add_log_level,
            structlog.processors.format_exc_info,
            structlog.processors.KeyValueRenderer(),
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )


class World:
    """A playground with the bot in it."""

    def __init__(
        self,
        folder: Path,
        studio: Renderer,
        *,
        seed: int = 0,
        openapi: OpenApi | None = None,
        threads: bool = False,
        board: str = "new",
    ) -> None:
        """Keep the database in a folder; play as a server does that has chosen so."""
        self.boards = Boards()
        self.dice = random.Random(seed)
        self.network = Network(random.Random(seed + 1))
        self.threads = threads
        self.deaths = 0
        self.details: list[str] = []
        """More about what `complaints` returned last."""
        self._seed = seed
        self._folder = folder
        self._studio = studio
        self._openapi = openapi
        self._settings = ServerSettings.model_validate({"threads": threads, "board": board})
        self._errors = Errors()
        self._life = _Life()
        self._moments: list[str] | None = None
        self._dies_at: int | None = None
        self._running: asyncio.Task[None] | None = None
        self._redirection: Redirection | None = None
        self._seen_violations = 0

    # Opening and closing

    async def open(self) -> None:
        """Open the playground and start the bot in it."""
        # All luck of games comes from here, by way of `secrets`: a seed has a whole run repeated.
        self._urandom = random._urandom  # type: ignore[attr-defined]
        random._urandom = random.Random(self._seed).randbytes  # type: ignore[attr-defined]
        asyncio.get_running_loop().set_task_factory(_task)  # type: ignore[arg-type] # Generators make none here.
        logging.getLogger().addHandler(self._errors)
        self.clock = LoopClock(MORNING)
        self.playground = Playground(clock=self.clock, openapi=self._openapi)
        self.playground.faults = self.playground.rest.faults = self.network
        self.network.moment = self._moment
        await self.playground.start()
        self.playground.world.subscribe(self.boards.hear)
        self._redirection = point_discord_here(self.playground)
        store = await Store.open(self._url)
        guild = self.playground.guild
        choices = Choices(store, clock=HandClock(self.clock))
        await choices.set_server(guild.id, self._settings, by=guild.owner_id)
        await store.close()
        self._read = sqlite3.connect(f"file:{self._path}?mode=ro", uri=True)
        await self.start()

    async def start(self) -> None:
        """Start the bot."""
        self._life = life = _Life()
        _LIFE.set(life)
        try:
            store = await WatchedStore.open(self._url)
            assert isinstance(store, WatchedStore)
            self.store = store
            store.moment = self._moment
            self.bot = Bot(store, self._studio, clock=HandClock(self.clock))
            # Heartbeats are sent by a thread, on the machine's clock.
            self.bot._connection.heartbeat_timeout = 1e9
            self._running = asyncio.create_task(self.bot.start(self.playground.token), name="bot")
        finally:
            _LIFE.set(None)

    async def until_ready(self) -> None:
        """Wait until the bot hears what people do, or has died before that."""
        gateway = self.playground.gateway
        while not self._life.over and not (gateway.connected and self.bot.is_ready()):
            await self.rest(0.01)

    async def close(self) -> None:
        """Stop the bot in an orderly way, and close everything."""
        self.network.clear()
        self._dies_at = None
        if self._running is not None:
            await self.bot.finish()
            await self._running
            await self.store.close()
        self._read.close()
        random._urandom = self._urandom  # type: ignore[attr-defined]
        await self.playground.stop()
        if self._redirection is not None:
            self._redirection.undo()
        logging.getLogger().removeHandler(self._errors)

    # Dying

    def _moment(self, name: str) -> bool:
        """Take notice of a moment of the bot; return whether it dies there."""
        if self._moments is None or self._life.over:
            return False
        self._moments.append(name)
        if self._dies_at != len(self._moments):
            return False
        self.kill()
        return True

    def watch(self, dies_at: int | None = None) -> list[str]:
        """Number the moments from now on, and kill the bot at one of them, counted from 1."""
        self._moments, self._dies_at = [], dies_at
        return self._moments

    def kill(self) -> None:
        """Kill the bot at this very moment: what has not been committed or sent is lost."""
        self._life.over = True
        self.store.dead = True
        self.deaths += 1
        self.playground.gateway.drop()
        for task in list(self._life.tasks):
            task.cancel()

    @property
    def dead(self) -> bool:
        """Whether the bot has been killed."""
        return self._life.over

    async def bury(self) -> None:
        """Wait until nothing of a bot that was killed is left."""
        self._moments = self._dies_at = None
        bot, store = self.bot, self.store
        while left := [task for task in self._life.tasks if not task.done()]:
            for task in left:
                task.cancel()
            await asyncio.wait(left, timeout=1.0)
        gateway = bot.ws
        if gateway is not None:
            if gateway._keep_alive is not None:
                gateway._keep_alive.stop()
            with suppress(Exception):
                await gateway.socket.close()
        with suppress(Exception):
            await bot.http.close()
        await store.close()
        self._running = None
        # What it said while it died was never said.
        self._errors.lines.clear()

    async def revive(self) -> None:
        """Start the bot again after its death, as a supervisor does."""
        await self.bury()
        await self.start()
        await self.until_ready()

    # Looking

    @property
    def _path(self) -> Path:
        return self._folder / "games.db"

    @property
    def _url(self) -> str:
        return f"sqlite+aiosqlite:///{self._path}"

    def rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """Read from the database, past the bot."""
        return self._read.execute(sql, values).fetchall()

    async def rest(self, seconds: float = AT_ONCE) -> None:
        """Let time pass."""
        await asyncio.sleep(seconds)

    def person(self, name: str) -> Person:
        """Find somebody by name."""
        return self.playground.person(name)

    def who(self, user_id: int) -> Person:
        """Find somebody by id."""
        return next(person for person in self.playground.people if person.id == user_id)

    def complaints(self) -> list[str]:
        """Return what has gone wrong since this was last asked, whatever the match."""
        found = [f"logged: {line}" for line in self._errors.lines]
        found += [f"told: {text}" for text, _ in self.boards.wrong]
        self.details = [detail for _, detail in self.boards.wrong]
        violations = self.playground.violations[self._seen_violations :]
        found += [f"violation: {violation}" for violation in violations]
        found += [f"the playground's own mistake: {slip}" for slip in self.playground.schema_errors]
        self._errors.lines.clear()
        self.boards.wrong.clear()
        self._seen_violations = len(self.playground.violations)
        self.playground.schema_errors.clear()
        return sorted({_BOARD.sub("board-...", line) for line in found})

    def pending(self, match: int) -> int:
        """Count what is due in the outbox for a match."""
        now = _instant(self.clock.time())
        ((count,),) = self.rows(
            "SELECT count(*) FROM outbox WHERE done_at IS NULL AND match_id = ?"
            " AND (not_before IS NULL OR not_before <= ?)",
            match,
            now,
        )
        return int(count)


def _instant(seconds: float) -> str:
    """Return a moment as SQLite holds it."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="microseconds")
