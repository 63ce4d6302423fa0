"""A Discord, the network to it, and a bot that can die at any moment and be restarted.

Subclasses decide where the bot runs: in this process or in its own.
"""

from __future__ import annotations

import asyncio
import logging
import random
import re
import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, Protocol

import structlog

from bot.core.settings.service import SettingsStore
from data.store.store import Store
from playground.app import Playground
from playground.connect import point_discord_here
from playground.faults import Fault, Faults
from playground.openapi import OpenApi
from playground.people import Person
from playground.request_log import Request
from tests.chaos.boards import Boards
from tests.chaos.loop import LoopClock
from tests.clocks import HandClock

MORNING: Final = 1_780_000_000.0
_BOARD: Final = re.compile(r"board-[\d-]+")
_EVENT: Final = re.compile(r"event='([^']*)'")
AT_ONCE: Final = 0.2
"""Seconds within which the bot finishes everything while nothing fails."""
DEADLINE: Final = 10.0
"""Seconds after which everything must be in order again."""
LATENCY: Final = 0.03
"""Maximum seconds for a request to arrive, for its answer, and for a commit."""
_MIGRATED: Final[list[bytes]] = []
"""A database with tables and nothing in them, once there is one."""


def _never(_: str) -> bool:
    return False


class Network(Faults):
    """Injected faults, a random latency for all other requests, and moments to kill at."""

    def __init__(self, dice: random.Random) -> None:
        """Draw latencies from dice."""
        super().__init__()
        self._dice = dice
        self.slow = True
        """Whether requests take time at all."""
        self.moment: Callable[[str], bool] = _never
        """Called at each moment before and after a request; if true, the connection breaks."""

    def match(self, request: Request) -> Fault | None:
        """Return the fault for a request."""
        if self.moment(f"before {request.route}"):
            return Fault(request.route, drop=True)
        if self.moment(f"after {request.route}"):
            return Fault(request.route, drop=True, after=True)
        found = super().match(request)
        if found is not None:
            return found
        half = self.latency()
        return Fault(request.route, delay=half, hold=half)

    def latency(self) -> float:
        """Return a random latency in seconds."""
        return self._dice.uniform(0.0, LATENCY) if self.slow else 0.0


class Errors(logging.Handler):
    """Keeps logged errors."""

    def __init__(self) -> None:
        """Listen to errors only."""
        super().__init__(logging.ERROR)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a line."""
        text = record.getMessage()
        event = _EVENT.search(text)
        error = text.rstrip("'\"").rsplit("\\n", 1)[-1] if "exception=" in text else ""
        self.lines.append(f"{record.name}: {event[1] if event else text} {error}".strip())


class Found(Protocol):
    """The rows that a statement has found."""

    def fetchall(self) -> list[Any]:
        """Return all of them."""


class Reader(Protocol):
    """A connection that reads a database, as SQLite's do."""

    def execute(self, sql: str, values: Sequence[Any], /) -> Found:
        """Run a statement with ``?`` for each value."""

    def close(self) -> None:
        """Close it."""


def configure_logs() -> None:
    """Route the bot's log through the standard library, where `Errors` hears it."""
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


class World(ABC):
    """A playground with the bot in it."""

    morning = MORNING
    """The time of day when the loop began."""
    pause = 181.0
    """Seconds before a challenge: one person may make 20 an hour."""

    def __init__(
        self,
        folder: Path,
        *,
        seed: int = 0,
        openapi: OpenApi | None = None,
        threads: bool = False,
        board: str = "new",
    ) -> None:
        """Keep the database in a folder, and play with a server's settings."""
        self.boards = Boards()
        self.dice = random.Random(seed)
        self.network = Network(random.Random(seed + 1))
        self.threads = threads
        self.dead = False
        """Whether the bot has been killed and not restarted."""
        self.details: list[str] = []
        """Details of what `complaints` last returned."""
        self._seed = seed
        self._folder = folder
        self._openapi = openapi
        self._settings = {"threads": threads, "board": board}
        self._errors = Errors()
        self._moments: list[str] | None = None
        self._dies_at: int | None = None
        self._redirection: ExitStack | None = None
        self._seen_violations = 0

    # Opening and closing

    async def open(self) -> None:
        """Open the playground and start the bot in it."""
        # All luck of games comes from here, through `secrets`, so a seed reproduces a whole run.
        self._urandom = random._urandom  # type: ignore[attr-defined]
        random._urandom = random.Random(self._seed).randbytes  # type: ignore[attr-defined]
        logging.getLogger().addHandler(self._errors)
        self.clock = LoopClock(self.morning)
        self.playground = Playground(clock=self.clock, openapi=self._openapi, faults=self.network)
        self.network.moment = self.moment
        await self.playground.start()
        self.playground.world.subscribe(self.boards.hear)
        self._redirection = point_discord_here(self.playground)
        store = await self._new_database()
        guild = self.playground.guild
        choices = SettingsStore(store, clock=HandClock(self.clock))
        await choices.change_server(guild.id, self._settings, by=guild.owner_id)
        await store.close()
        self._read = self._reader()
        await self.start()

    async def _new_database(self) -> Store:
        """Open a new database; all but the first are copies, as migrating takes long."""
        if not _MIGRATED:
            await (await Store.open(self.url)).close()
            _MIGRATED.append(self._path.read_bytes())
        self._path.write_bytes(_MIGRATED[0])
        return await Store.open(self.url)

    def _reader(self) -> Reader:
        """Return what reads the database, bypassing the bot."""
        return sqlite3.connect(f"file:{self._path}?mode=ro", uri=True)

    @abstractmethod
    async def start(self) -> None:
        """Start the bot."""

    @abstractmethod
    async def until_ready(self) -> None:
        """Wait until the bot receives interactions, or has died first."""

    @abstractmethod
    async def stop(self) -> None:
        """Stop the bot gracefully."""

    @abstractmethod
    def kill(self) -> None:
        """Kill the bot immediately; uncommitted and unsent work is lost."""

    @abstractmethod
    async def bury(self) -> None:
        """Wait until nothing is left of a bot that was killed."""

    @abstractmethod
    def impatient(self, *, now: bool) -> None:
        """Set whether the bot acknowledges interactions at once, or only when it is slow."""

    async def close(self) -> None:
        """Stop the bot gracefully, and close everything."""
        self.network.clear()
        self._dies_at = None
        await self.stop()
        self._read.close()
        random._urandom = self._urandom  # type: ignore[attr-defined]
        await self.playground.stop()
        if self._redirection is not None:
            self._redirection.close()
        logging.getLogger().removeHandler(self._errors)

    # Dying

    def moment(self, name: str) -> bool:
        """Record a moment of the bot; return whether it dies there."""
        if self._moments is None or self.dead:
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

    async def revive(self) -> None:
        """Restart the bot after its death, as a supervisor does."""
        self._moments = self._dies_at = None
        await self.bury()
        # What it logged while dying does not count.
        self._errors.lines.clear()
        self.dead = False
        await self.start()
        await self.until_ready()

    # Looking

    @property
    def _path(self) -> Path:
        return self._folder / "games.db"

    @property
    def url(self) -> str:
        """The database URL."""
        return f"sqlite:///{self._path}"

    def rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """Read from the database, bypassing the bot."""
        return self._read.execute(sql, values).fetchall()

    async def rest(self, seconds: float = AT_ONCE) -> None:
        """Let time pass."""
        await asyncio.sleep(seconds)

    def person(self, name: str) -> Person:
        """Find a person by name."""
        return self.playground.person(name)

    def who(self, user_id: int) -> Person:
        """Find a person by ID."""
        return next(person for person in self.playground.people if person.id == user_id)

    def complaints(self) -> list[str]:
        """Return what has gone wrong since the last call, in any match."""
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
        """Count the due outbox jobs of a match."""
        now = self.instant(self.clock.time())
        ((count,),) = self.rows(
            "SELECT count(*) FROM outbox WHERE done_at IS NULL AND match_id = ?"
            " AND (not_before IS NULL OR not_before <= ?)",
            match,
            now,
        )
        return int(count)

    def instant(self, seconds: float) -> object:
        """Return a moment as the database compares it."""
        return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="microseconds")
