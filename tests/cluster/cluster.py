"""A PostgreSQL, a playground with shards, processes of the bot, and players."""

from __future__ import annotations

import asyncio
import random
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, cast

import asyncpg  # type: ignore[import-untyped]

from data.people import stored_settings
from data.sql.statements import shard_of
from data.store.store import Store
from playground.app import Playground
from playground.interaction import Interaction
from playground.model import Channel
from playground.people import Person
from playground.request_log import Request
from tests.chaos.boards import Boards
from tests.chaos.match import Truth
from tests.chaos.world import World
from tests.cluster.programs import Program
from tests.cluster.tables import Played, Table
from tests.databases import new_database, start_postgresql

SEATS: Final = 4
_STARTING: Final = 90.0
"""Seconds until all shards have an owner, even on a busy machine."""


class Cluster:
    """The database, the playground, the processes and the players.

    Attributes:
        programs: the processes, including stopped ones.
        boards: the boards of all matches, as people see them.
        closing: whether people should stop.
    """

    threads = False

    def __init__(
        self,
        folder: Path,
        *,
        seed: int,
        shards: int = 4,
        servers: int = 8,
        forks: bool = False,
        restless: bool = False,
    ) -> None:
        """Prepare everything.

        Args:
            folder: where processes write their logs.
            seed: determines what people and faults do.
            shards: how many.
            servers: how many; spread over the shards as evenly as possible.
            forks: see `Program`.
            restless: whether players often give up, and every board is edited from turn to turn.
        """
        self.folder = folder
        self.dice = random.Random(seed)
        self.count = shards
        self.servers = servers
        self.forks = forks
        self.restless = restless
        self.programs: list[Program] = []
        self.tables: list[Table] = []
        self.boards = Boards()
        self.closing = False
        self._numbers = 0
        self._matches: dict[int, Played] = {}
        self._pending: dict[int, int] = {}
        self._playing: list[asyncio.Task[None]] = []
        self._pressed: asyncio.Future[int] | None = None

    @asynccontextmanager
    async def running(
        self, *, tables: int = 2, identify_seconds: float = 5.0
    ) -> AsyncIterator[None]:
        """Run the database and the playground, with a number of playing channels per server."""
        self.server = await asyncio.to_thread(start_postgresql)
        try:
            self.url = self.server.get_uri(
                database=await new_database(self.server), driver="asyncpg"
            )
            async with Playground() as playground:
                self.playground = playground
                self.clock = playground.clock
                playground.gateway.shards = self.count
                playground.gateway.starts.max_concurrency = 2
                playground.gateway.starts.seconds = identify_seconds
                playground.world.subscribe(self.boards.hear)
                await self._furnish(tables)
                await self._settle()
                try:
                    yield
                finally:
                    await self._end()
        finally:
            await asyncio.to_thread(self.server.cleanup)

    async def _furnish(self, tables: int) -> None:
        world = self.playground.world
        self.playground.guild.invites_bots = False
        for number in range(self.servers):
            while shard_of(world.ids.next(), self.count) != number % self.count:
                time.sleep(0.0005)  # noqa: ASYNC251 -- nothing else runs yet
            people = [f"P{number}.{n}" for n in range(2)]
            names = [f"table-{number}-{n}" for n in range(tables)]
            guild = self.playground.add_server(f"Server {number}", people, channels=names)
            for channel in guild.channels.values():
                table = Table(self, channel, [])
                table.people = self.others(table)
                world.subscribe(table.hear)
                self.tables.append(table)

    async def _settle(self) -> None:
        """Let servers keep one board for each match: all of them, or every other one of a shard."""
        store = await Store.open(self.url)
        async with store.write() as tx:
            for number, guild in enumerate(self.playground.world.guilds.values()):
                if self.restless or number // self.count % 2:
                    values, owner = {"board": "edit"}, guild.owner_id
                    at = datetime.now(UTC)
                    await stored_settings.put_server(tx, guild.id, values, by=owner, at=at)
        await store.close()

    async def _end(self) -> None:
        self.closing = True
        for task in self._playing:
            task.cancel()
        await asyncio.gather(*self._playing, return_exceptions=True)
        for program in self.programs:
            program.resume()
        await asyncio.gather(*(one.kill() for one in self.programs if one.alive))

    # Processes

    @property
    def gateways(self) -> list[Program]:
        """The running gateways, including suspended ones."""
        return [one for one in self.programs if one.role == "gateway" and one.alive]

    @property
    def has_worker(self) -> bool:
        """Whether a process ever thinks for computers."""
        return any(one.role == "worker" for one in self.programs)

    async def start(self, *arguments: str) -> Program:
        """Start a process."""
        self._numbers += 1
        settings = {
            "PLAYGROUND_URL": self.playground.url,
            "DISCORD_TOKEN": self.playground.token,
            "DATABASE_URL": self.url,
            "PICTURE_WIDTH": "400",
            "ANALYSE_MATCHES": "false",
            "LOG_FORMAT": "json",
        }
        program = Program(
            f"{self._numbers}-{arguments[0]}",
            *arguments,
            settings=settings,
            folder=self.folder,
            forks=self.forks,
        )
        self.programs.append(program)
        await program.start()
        return program

    async def ready(self, seconds: float = _STARTING) -> None:
        """Wait until every shard is connected and has a living owner.

        Raises:
            TimeoutError: that takes too long.
        """
        await self.until(self._owned, seconds, "every shard has an owner")

    async def until(
        self,
        reached: Callable[[], Awaitable[object]],
        seconds: float,
        what: str,
        pause: float = 0.1,
    ) -> float:
        """Wait until a coroutine function returns something true; return the seconds taken.

        Raises:
            TimeoutError: naming what was waited for.
        """
        loop = asyncio.get_running_loop()
        began = loop.time()
        while loop.time() - began < seconds:
            if await reached():
                return loop.time() - began
            await asyncio.sleep(pause)
        raise TimeoutError(f"waited {seconds:g} s until {what}\n{await self._described()}")

    async def _described(self) -> str:
        """Describe each shard's owner and its connections, to help diagnose a failure."""
        owned = await self.rows(
            "SELECT number, epoch, owner, wanted_by, connected FROM shards ORDER BY number"
        )
        known = await self.rows(
            "SELECT id, role, clock_timestamp() - heartbeat_at, draining, replaces, started_at"
            " FROM processes ORDER BY started_at"
        )
        ports = {one.name: one.ports() for one in self.programs if one.alive}
        sessions = [
            f"{one.id} shard {one.shard[0]} of "
            + (" ".join(name for name, has in ports.items() if one.connection.port in has) or "?")
            for one in self.playground.gateway.sessions.values()
            if one.connection is not None
        ]
        programs = [
            f"{one.name} alive={one.alive} suspended={one.suspended}" for one in self.programs
        ]
        return "\n".join(str(line) for line in [*owned, *known, *sessions, *programs])

    async def _owned(self) -> bool:
        connected = all(
            self.playground.gateway.connections_of(number) for number in range(self.count)
        )
        owners = await self.rows(
            "SELECT s.number FROM shards s JOIN processes p ON p.id = s.owner"
            " WHERE p.heartbeat_at > clock_timestamp() - interval '5 seconds'"
        )
        return connected and len(owners) >= self.count

    def shards_of(self, program: Program) -> set[int]:
        """Return the shards for which a process is connected."""
        ports = program.ports()
        return {
            session.shard[0]
            for session in self.playground.gateway.sessions.values()
            if session.connection is not None and session.connection.port in ports
        }

    def shard(self, interaction: Interaction) -> int:
        """Return the shard that receives an interaction."""
        guild = interaction.channel.guild
        return shard_of(guild.id if guild else None, self.count)

    def shard_of_request(self, request: Request) -> int | None:
        """Return the shard whose owner sends a request; ``None`` if that is unknown."""
        channel = self.playground.world.channels.get(int(request.params.get("channel_id", 0)))
        if channel is None:
            for one in self.boards.interactions.values():
                if one.token in request.path:
                    return self.shard(one)
            return None
        return None if channel.guild is None else shard_of(channel.guild.id, self.count)

    # People

    def others(self, table: Table) -> list[Person]:
        """Seat new people at a table."""
        guild = table.channel.guild
        found = []
        for _ in range(SEATS):
            self._numbers += 1
            found.append(self.playground.add_person(f"P{self._numbers}", guild=guild))
        return found

    def play(self, pause: float) -> None:
        """Make everyone play, again after `rise`."""
        self.closing = False
        self._playing = [
            asyncio.create_task(table.play(pause), name=f"plays in {table.channel.name}")
            for table in self.tables
        ]

    async def next_press(self) -> int:
        """Wait for somebody to make a move; return the shard that it goes to."""
        self._pressed = asyncio.get_running_loop().create_future()
        return await self._pressed

    def pressed(self, table: Table) -> None:
        """Note that somebody makes a move."""
        if self._pressed is not None and not self._pressed.done():
            assert table.channel.guild is not None
            self._pressed.set_result(shard_of(table.channel.guild.id, self.count))

    async def rise(self) -> None:
        """Stop everyone, each after their current action.

        Raises:
            Exception: a player could not play on.
        """
        self.closing = True
        for table in self.tables:
            table.wake()
        await asyncio.gather(*self._playing)

    # What `tests.chaos.match.Match` needs from its world

    def who(self, user_id: int) -> Person:
        """Find a person by ID."""
        return next(person for person in self.playground.people if person.id == user_id)

    async def rest(self, seconds: float = 0.2) -> None:
        """Let time pass."""
        await asyncio.sleep(seconds)

    def pending(self, match: int) -> int:
        """Count the due outbox jobs of a match as of the last read of the database."""
        return self._pending.get(match, 0)

    # The database, bypassing the bot

    async def rows(self, sql: str, *values: object) -> list[Any]:
        """Read from the database, on a separate connection.

        Raises:
            OSError, asyncpg.PostgresError: it is unavailable, or the connection was cut.
        """
        connection = await asyncpg.connect(self.url.replace("+asyncpg", ""))
        try:
            found: list[Any] = await connection.fetch(sql, *values)
        except asyncpg.InternalClientError as error:
            # asyncpg raises this when a connection is cut while it prepares a query.
            raise ConnectionError(str(error)) from error
        else:
            return found
        finally:
            await connection.close()

    async def finished(self, match: int) -> bool:
        """Return whether a match has ended, or cannot be looked up now."""
        try:
            found = await self.rows("SELECT finished_at FROM matches WHERE id = $1", match)
        except (OSError, asyncpg.PostgresError):
            return False
        return bool(found) and found[0][0] is not None

    async def match(self, number: int, channel: Channel) -> Played:
        """Return a match shown in a channel."""
        known = self._matches.get(number)
        if known is None:
            (game,) = (await self.rows("SELECT game FROM matches WHERE id = $1", number))[0]
            seats = await self.rows("SELECT user_id FROM players WHERE match_id = $1", number)
            people = {person.id: person for person in self.playground.people}
            players = [people[seat[0]] for seat in seats if seat[0] in people]
            world, place = cast("World", self), cast("str", channel)
            found = Played(world, number, game, players, place, seated=len(seats))
            # A table and `read` may look at the same time; what is sent is counted in one place.
            known = self._matches.setdefault(number, found)
        return known

    async def read(self) -> list[Played]:
        """Read all matches and their pending jobs from the database."""
        matches = await self.rows(
            "SELECT id, plies, takebacks, finished_at IS NOT NULL, channel_id FROM matches"
        )
        known = {person.id for person in self.playground.people}
        computers = {
            (match, seat)
            for match, seat, user in await self.rows("SELECT match_id, seat, user_id FROM players")
            if user not in known
        }
        logs: defaultdict[int, list[tuple[int, int | None, str]]] = defaultdict(list)
        for match, ply, actor, notation in await self.rows(
            "SELECT match_id, ply, actor, notation FROM moves ORDER BY match_id, ply"
        ):
            # A computer's moves come from no person.
            seat = None if (match, actor) in computers else actor
            logs[match].append((ply, seat, notation))
        self._pending = dict(
            await self.rows(
                "SELECT match_id, count(*) FROM outbox WHERE done_at IS NULL"
                " AND (not_before IS NULL OR not_before <= now()) GROUP BY match_id"
            )
        )
        found = []
        for number, plies, takebacks, finished, channel_id in matches:
            match = await self.match(number, self.playground.world.channels[channel_id])
            match.known = Truth(plies, takebacks, finished, channel_id, tuple(logs[number]))
            found.append(match)
        return found

    async def tasks(self) -> list[str]:
        """Return the unfinished worker tasks, except analyses, which are not made here."""
        found = await self.rows(
            "SELECT kind, match_id FROM computer_tasks WHERE kind <> 'analysis'"
        )
        return [f"a task is left: {kind} of match {match}" for kind, match in found]
