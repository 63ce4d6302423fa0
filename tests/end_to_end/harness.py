"""The environment of an end-to-end test: a playground with people and the real bot.

The bot is that of ``bot/app/client.py``, with a real SQLite file and the real renderer. It talks
through the unmodified discord.py to a playground on the loopback address. A restart is a new `Bot`
on the same file.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import random
import re
from collections.abc import Awaitable, Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar

from pydantic import SecretStr

from bot.app.app import App
from bot.app.client import Client
from bot.core.interactions.dispatch import Dispatcher
from bot.core.posts.poster import Poster
from bot.core.requests.sending import RequestBudget
from bot.core.scheduling.reachability import Reachability
from bot.core.scheduling.scheduler import Scheduler
from bot.core.settings.service import SettingsStore
from bot.core.workers.pool import WorkerPool
from bot.core.workers.task_queue import TaskRunner
from bot.features.challenges.service import Challenges
from bot.features.tournaments.steps import Progress
from bot.play.clocks.match_clocks import Absences
from bot.play.delivery.outbox_worker import OutboxWorker
from bot.play.matches import scoring
from bot.play.matches.positions import Position
from bot.play.matches.service import Matches
from bot.play.pictures.rendering import Renderer
from data import time_per_move
from data.challenges.challenges import Invitation
from data.matches import outbox
from data.sql import key_values
from data.sql.transaction import Transaction
from data.store.store import Store
from engine import registry
from playground.app import GROUP, Playground
from playground.clock import ManualClock
from playground.connect import point_discord_here
from playground.events import ChannelUpdated
from playground.faults import Faults
from playground.gateway.server import Gateway
from playground.model import Channel, Guild, Message, Overwrite, Snapshot
from playground.openapi import OpenApi
from playground.people import Person
from playground.permissions import Permission
from playground.reply import Reply
from playground.request_log import Request
from playground.world import World
from tests.clocks import HandClock
from tests.databases import copy_sqlite
from tests.end_to_end.registration import Registration
from tests.end_to_end.thread_workers import ThreadPool
from tests.moves import play_on

P = ParamSpec("P")
T = TypeVar("T")

MORNING = 1_780_000_000.0
"""When every test begins, in seconds since 1970; IDs follow from it."""

BRIEF_TASKS = "tests.bot.core.workers.brief:TASKS"
"""The tasks of worker processes, with little time for analyses."""
MOVES = "t:"
"""Prefix of the custom IDs of moves; a board has other buttons too."""

_AGAIN = re.compile(r"t:\d+:\d+:")
"""The custom ID of the button that goes back to the first choice of a move."""

_MAN = re.compile(r"t:\d+:\d+:[a-i][1-9]")
"""The custom ID of a man's button on a board of Tablut."""

_CALLED = re.compile(r"<@(\d+)>, your turn")


def playable(board: Message) -> bool:
    """Return whether a board offers moves."""
    return bool(board.menus) or any(
        (button.custom_id or "").startswith(MOVES) for button in board.buttons
    )


def first_steps(board: Message | Snapshot) -> list[str]:
    """Return the choices of a board of Tablut that are only the first step of a move: a man."""
    return [b.custom_id for b in board.buttons if b.custom_id and _MAN.fullmatch(b.custom_id)]


def unlinked(text: str) -> str:
    """Return a text as a reader sees it, without the addresses of links."""
    return re.sub(r"\[([^\]]+)\]\(https://\S+?\)", r"\1", text)


def alone(reply: Reply) -> Message | None:
    """Return the ephemeral answer, which may follow an acknowledgement."""
    messages = [*reply.followups[::-1], *([] if reply.message is None else [reply.message])]
    return next((message for message in messages if message.ephemeral), None)


def receipt(reply: Reply) -> str:
    """Return the text of an answer, even if it was deleted afterwards."""
    original = reply.interaction.original
    return "" if original is None else original.text


def half_move(reply: Reply) -> Message | None:
    """Return the message that continues a player's half-made move, if any."""
    message = alone(reply)
    if message is None:
        return None
    return message if any(_AGAIN.fullmatch(b.custom_id or "") for b in message.buttons) else None


def _event_handlers() -> list[asyncio.Task[object]]:
    """Return the bot's handlers of gateway events that are not done yet."""
    return [task for task in asyncio.all_tasks() if task.get_name().startswith("discord.py: on_")]


class ErrorLog(logging.Handler):
    """Collects logged errors."""

    def __init__(self) -> None:
        """Collect errors only."""
        super().__init__(logging.ERROR)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a line."""
        self.lines.append(f"{record.name}: {record.getMessage()}")


class ReadyLog(logging.Handler):
    """Watches the log for a bot becoming ready."""

    def __init__(self) -> None:
        """Read every level."""
        super().__init__()
        self.ready = asyncio.Event()

    def emit(self, record: logging.LogRecord) -> None:
        """Read a line."""
        if "event='ready'" in record.getMessage():
            self.ready.set()


@dataclass(repr=False)  # it would be long, and pytest makes one for every test
class Environment:
    """The playground, the bot in it, and the failures a test expects."""

    folder: Path
    migrated: Path
    """A SQLite file with all tables, to copy."""
    renderer: Renderer
    description: OpenApi | None
    error_log: ErrorLog
    registration: Registration
    playground: Playground = field(init=False)
    world: World = field(init=False)
    guild: Guild = field(init=False)
    gateway: Gateway = field(init=False)
    faults: Faults = field(init=False)
    ann: Person = field(init=False)
    """The challenger."""
    ben: Person = field(init=False)
    """The challenged player."""
    carol: Person = field(init=False)
    """Usually a bystander, like Dan."""
    dan: Person = field(init=False)
    store: Store = field(init=False)
    app: App = field(init=False)
    bot: Client = field(init=False)
    clock: ManualClock = field(init=False)
    expected: set[int] = field(default_factory=set)
    """HTTP statuses from 400 up that the test provokes."""
    expected_errors: list[str] = field(default_factory=list)
    """Parts of the error lines that the test makes the bot log."""
    allow_pending: bool = False
    """Whether jobs may remain in the outbox."""
    seeds: int = 0
    first_start: bool = False
    """Whether the bot has never run here, and so must register its commands."""
    threads: bool = False
    """Whether each match gets its own thread; most tests look at one channel."""
    acknowledge_after: float = 3600.0
    """Seconds before the bot acknowledges slow work; no test waits that long."""
    worker_tasks: str = BRIEF_TASKS
    """The tasks of workers, as "module:mapping"."""
    worker_processes: bool = False
    """Whether workers are processes, which can be killed, instead of threads."""
    budget: RequestBudget = field(default_factory=lambda: RequestBudget(limit=1e6))
    """The bot's request budget, too large for tests to wait for."""
    analyse_matches: bool = False
    """Whether every finished match is analysed, which is slow."""
    thinks: bool = True
    """Whether the bot also runs worker tasks."""
    client_secret: SecretStr | None = None
    """The client secret that the bot is given, with a page: then the board opens inside Discord, too."""
    _prepared: bool = False
    _registered: frozenset[str] | None = None
    """The games whose commands Discord knew before the first bot started."""
    _running: asyncio.Task[None] | None = None
    _redirection: ExitStack | None = None

    # Starting and stopping

    async def open(self) -> None:
        """Open the playground and make the database, without a bot."""
        copy_sqlite(self.migrated, self.folder / "games.db")
        self.clock = ManualClock(MORNING)
        self.playground = Playground(clock=self.clock, openapi=self.description)
        await self.playground.start()
        self._redirection = point_discord_here(self.playground)
        self.world, self.guild = self.playground.world, self.playground.guild
        self.gateway, self.faults = self.playground.gateway, self.playground.faults
        self.ann, self.ben, self.carol, self.dan = self.people
        for person in self.people:
            person.place = self.channel()

    async def start(self, *, idle: bool = True) -> None:
        """Start the bot; wait until it is ready and has delivered its backlog."""
        self.store = await Store.open(self.database)
        await self._prepare(self.store)
        self.app = App(
            self.store,
            self.renderer,
            clock=HandClock(self.clock),
            acknowledge_after=self.acknowledge_after,
            pools={
                "moves": self._pool(),
                "analyses": self._pool(),
                "records": ThreadPool("bot.features.records.checking:TASKS"),
            },
            analyse_after=0.0 if self.analyse_matches else None,
            budget=self.budget,
            thinks=self.thinks,
            page=None if self.client_secret is None else ("http://127.0.0.1:0", "127.0.0.1:0"),
            client_secret=self.client_secret,
        )
        self.app.get(Challenges).seeds = self.seed
        if self._registered == frozenset(registry.games()):
            self.registration.spare(self.app)
        self.bot = self.app.client
        # How long discord.py waits for the last server to appear; there is one, and it is quick.
        self.bot._connection.guild_ready_timeout = 0.02
        self._running = asyncio.create_task(self.app.run(self.playground.token), name="bot")
        ready = asyncio.create_task(self.bot.wait_until_ready())
        await asyncio.wait({ready, self._running}, return_when=asyncio.FIRST_COMPLETED)
        if self._running.done():
            ready.cancel()
            self._running.result()
        await self.app.resumed.wait()
        if idle:
            await self.app.get(OutboxWorker).idle()
        await self.registration.keep(self.playground, self.store)

    def _pool(self) -> WorkerPool:
        if self.worker_processes:
            return WorkerPool(1, tasks=self.worker_tasks, niceness=0)
        return ThreadPool(self.worker_tasks)

    async def stop(self) -> None:
        """Stop the bot gracefully."""
        if self._running is None:
            return
        await self.app.close()
        await self._running
        await self.store.close()
        self._running = None

    async def restart(self) -> None:
        """Stop the bot and start another on the same file."""
        await self.stop()
        await self.start()

    async def run_beside(
        self, run: Callable[[Store], Awaitable[None]], stopped: asyncio.Event
    ) -> None:
        """Run another program on the same file until it has joined Discord, then stop it."""
        store = await Store.open(self.database)
        ready, log = ReadyLog(), logging.getLogger("bot.app.client")
        log.addHandler(ready)
        log.setLevel(logging.INFO)
        running = asyncio.ensure_future(run(store))
        await ready.ready.wait()
        log.removeHandler(ready)
        log.setLevel(logging.NOTSET)
        stopped.set()
        await running
        await store.close()

    async def close(self) -> None:
        """Stop everything."""
        await self.stop()
        await self.playground.stop()
        if self._redirection is not None:
            self._redirection.close()

    @property
    def database(self) -> str:
        """The URL of the store."""
        return f"sqlite:///{self.folder}/games.db"

    def now(self) -> datetime:
        """Return the playground's time."""
        return datetime.fromtimestamp(self.clock.time(), UTC)

    def seed(self, length: int) -> bytes:
        """Return a secret seed, the same in every run."""
        self.seeds += 1
        return hashlib.sha256(f"seed {self.seeds}".encode()).digest()[:length]

    async def down(self, **time: float) -> None:
        """Stop the bot, let time pass, as for `advance`, and start it again."""
        await self.stop()
        self.clock.advance(timedelta(**time).total_seconds())
        await self.start()
        await self.settled()

    async def read(
        self,
        query: Callable[Concatenate[Transaction, P], Awaitable[T]],
        *args: P.args,
        **how: P.kwargs,
    ) -> T:
        """Return what a query finds in a transaction of its own."""
        async with self.store.read() as tx:
            return await query(tx, *args, **how)

    async def save_settings(self) -> None:
        """Save the server's settings before its first bot starts."""
        store = await Store.open(self.database)
        await self._prepare(store)
        await store.close()

    async def _prepare(self, store: Store) -> None:
        if not self._prepared:
            await SettingsStore(store, clock=HandClock(self.clock)).change_server(
                self.playground.guild.id,
                {"threads": self.threads},
                by=self.playground.guild.owner_id,
            )
            async with store.write() as tx:
                await key_values.set(tx, f"welcomed:{self.playground.guild.id}", "long ago")
                if not self.first_start:
                    self._registered = await self.registration.restore(self.playground, tx)
            self._prepared = True

    async def change_settings(self, **chosen: Any) -> None:
        """Change the server's settings, as its owner would."""
        guild = self.playground.guild
        await self.app.get(SettingsStore).change_server(guild.id, chosen, by=guild.owner_id)

    # People and places

    def channel(self, name: str = "games") -> Channel:
        """Return a channel or thread by its name."""
        return self.playground.channel(name)

    @property
    def people(self) -> list[Person]:
        """Ann, Ben, Carol and Dan: everyone but the server's owner."""
        owner = self.playground.guild.owner_id
        return [person for person in self.playground.people if person.id != owner]

    def person(self, user_id: int) -> Person:
        """Return the person with an ID."""
        return next(person for person in self.people if person.id == user_id)

    # Playing

    async def settled(self) -> None:
        """Wait until the bot has nothing left to do."""
        # A person's action takes a moment to reach the bot; the answer proves it has.
        while True:
            for _ in range(5):  # lets what the playground has just sent arrive
                await asyncio.sleep(0)
            if handlers := _event_handlers():
                await asyncio.wait(handlers)
            await self.app.get(Dispatcher).drained()
            await self.app.get(Scheduler).idle()
            if self.thinks:
                await self.app.get(TaskRunner).idle()
            await self.app.get(OutboxWorker).idle()
            background = (
                self.app.get(Absences).work,
                self.app.get(Progress).work,
                self.app.get(Poster).work,
            )
            for work in background:
                await work.idle()
            await self.app.get(Scheduler).idle()  # what was posted may be due again
            working = self.app.get(OutboxWorker).busy
            working = working or (self.thinks and self.app.get(TaskRunner).busy)
            working = working or any(work.busy for work in background)
            if self.app.get(Dispatcher).idle and not working:
                return

    async def advance(self, **time: float) -> None:
        """Advance the clock; everything due on the way happens at its own moment.

        Args:
            time: how much, as for `timedelta`: ``days=2, hours=1``.
        """
        await self.settled()
        await self.app.get(Reachability).in_doubt()
        until = self.now() + timedelta(**time)
        while (moment := self.app.get(Scheduler).next_moment) is not None and moment <= until:
            # Add a fraction of a microsecond: seconds in floating point may fall short.
            self.clock.advance(max((moment - self.now()).total_seconds(), 0.0) + 1e-6)
            await self.settled()
        self.clock.advance(max((until - self.now()).total_seconds(), 0.0))
        await self.settled()

    def invited(self, players: int) -> dict[str, Person]:
        """Return the options of Ann's challenge for a number of players."""
        asked = self.people[1:players]
        return {f"opponent{n if n > 1 else ''}": who for n, who in enumerate(asked, 1)}

    async def challenge(
        self, slug: str = "tablan", *, players: int = 2, channel: str = "games", **options: str
    ) -> Reply:
        """Make Ann challenge Ben, plus Carol and Dan if the game needs them."""
        return await self.ann.slash(
            f"/{slug} challenge", channel=channel, options={**self.invited(players), **options}
        )

    async def begin(
        self, slug: str = "tablan", *, players: int = 2, channel: str = "games", **options: str
    ) -> Message:
        """Begin a match of Ann and Ben, or more, and return its first board.

        If nothing is asked for, it begins as if a challenge had been accepted. The challenge's
        message and the presses take as long as many a test, see `begin_by_challenge`.
        """
        settings = await self.app.get(SettingsStore).server(self.playground.guild.id)
        if options or channel == GROUP or settings.threads:
            return await self.begin_by_challenge(slug, players=players, channel=channel, **options)
        return await self.begin_between(self.people[:players], slug, channel=channel)

    async def begin_between(
        self, people: Sequence[Person], slug: str = "tablan", *, channel: str = "games"
    ) -> Message:
        """Begin a match as if one had challenged the others; return its first board."""
        guild, challenges = self.playground.guild.id, self.app.get(Challenges)
        challenger, *opponents = (person.id for person in people)
        invitation = Invitation(
            game=slug,
            guild_id=guild,
            channel_id=self.playground.channel(channel).id,
            challenger_id=challenger,
            opponents=tuple(opponents),
            **time_per_move.columns((await self.app.get(SettingsStore).server(guild)).per_move),
        )
        scoring = await self.store.run_write(
            partial(challenges.begin, invitation=invitation, channel_kind=None)
        )
        await self.settled()
        assert scoring.match_id is not None
        return self.board(scoring.match_id, channel=channel)

    async def begin_by_challenge(
        self, slug: str = "tablan", *, players: int = 2, channel: str = "games", **options: str
    ) -> Message:
        """Begin a match as people do: Ann challenges and the others accept."""
        offered = await self.challenge(slug, players=players, channel=channel, **options)
        accepted = offered
        for person in self.invited(players).values():
            accepted = await person.press(offered.shown, "Accept")
        await self.settled()
        number = re.search(r"(?i)match \[?#(\d+)", accepted.text)
        assert number is not None, accepted.text
        return self.board(int(number[1]), channel=channel)

    def boards(self, number: int = 1, *, channel: str = "games") -> list[Message]:
        """Return the messages showing a match, in a channel or its threads, oldest first."""
        place = self.playground.channel(channel)
        here = [
            place,
            *(
                thread
                for thread in self.playground.guild.threads.values()
                if thread.parent is place
            ),
        ]
        messages = sorted((m for c in here for m in c.messages.values()), key=lambda m: m.id)
        return [
            message
            for message in messages
            if not message.deleted
            and not message.ephemeral
            and message.picture is not None
            and f"match #{number}\n" in message.text
        ]

    def board(self, number: int = 1, *, channel: str = "games") -> Message:
        """Return the newest board of a match."""
        return self.boards(number, channel=channel)[-1]

    def mover(self, board: Message) -> Person:
        """Return the player that a board pings."""
        called = _CALLED.search(board.text)
        assert called is not None, board.text
        return self.person(int(called[1]))

    def other(self, board: Message) -> Person:
        """Return the player of Ann and Ben whose turn it is not."""
        return self.ben if self.mover(board) is self.ann else self.ann

    def choices(self, board: Message) -> list[str]:
        """Return the moves and steps that a board offers, in buttons and menus."""
        values = [choice.value for menu in board.menus for choice in menu.options]
        return values + [
            b.custom_id
            for b in board.buttons
            if b.custom_id and b.custom_id.startswith(MOVES) and not b.disabled
        ]

    def start_pick(self, board: Message, person: Person, value: str) -> Reply:
        """Choose something a board offers, without waiting for the answer."""
        for place, menu in enumerate(board.menus):
            if any(choice.value == value for choice in menu.options):
                return person.choose(board, value, menu=place)
        return person.press(board, custom_id=value)

    def next_interaction(self) -> asyncio.Future[object]:
        """Return a future that completes when the bot receives its next interaction."""
        return asyncio.ensure_future(self.bot.wait_for("interaction"))

    async def done(self, reply: Reply) -> Reply:
        """Wait for an answer and for everything that follows from it; return it."""
        await reply
        await self.settled()
        return reply

    async def handled(self, start: Callable[[], Reply]) -> Reply:
        """Start an action and wait until the bot has handled it as far as it can.

        Unlike waiting for the answer, this also ends when the answer never arrives.
        """
        received = self.next_interaction()
        reply = start()
        await received
        await self.settled()
        return reply

    async def turn(self, board: Message, dice: random.Random) -> Reply:
        """Make the player to move choose a random move, step by step."""
        return await self.turn_from(board, self.mover(board), dice)

    async def turn_from(self, message: Message, person: Person, dice: random.Random) -> Reply:
        """Choose a random move from what a message offers, step by step."""
        picked = await self.pick(message, person, dice)
        while (half := half_move(picked)) is not None:
            picked = await self.pick(half, person, dice)
        return picked

    async def pick(self, message: Message, person: Person, dice: random.Random) -> Reply:
        """Choose one random move or step that a message offers."""
        picked = self.start_pick(message, person, dice.choice(self.onward(message)))
        await picked
        await self.settled()
        return picked

    def onward(self, message: Message) -> list[str]:
        """Return the moves and steps that a message offers, without the way back."""
        return [value for value in self.choices(message) if not _AGAIN.fullmatch(value)]

    async def turn_outside(self, board: Message, dice: random.Random) -> Message:
        """Play a move with a bot in another process; return the next board."""
        person, revision, message = self.mover(board), board.revision, board

        def shows_more(found: Message) -> bool:
            if found.ephemeral and (found.id, found.revision) > seen:
                return found.ephemeral_for is person.user and playable(found)
            newer = found.id > board.id or (found is board and found.revision > revision)
            return newer and not found.ephemeral and playable(found)

        while True:
            seen = (message.id, message.revision)
            await self.start_pick(message, person, dice.choice(self.onward(message)))
            message = await self.playground.wait_for(board.channel, shows_more)
            if not message.ephemeral:
                return message

    async def play_until(
        self,
        dice: random.Random,
        enough: Callable[[Message], bool],
        *,
        number: int = 1,
        channel: str = "games",
        most: int = 1500,
    ) -> Message:
        """Play at random until a board satisfies a condition, and return it."""
        for _ in range(most):
            board = self.board(number, channel=channel)
            if enough(board):
                return board
            await self.turn(board, dice)
        raise AssertionError(f"not once in {most} choices")

    async def hurry(
        self, dice: random.Random, enough: Callable[[Position], bool], *, number: int = 1
    ) -> Message:
        """Play at random, without boards, until a match satisfies a condition; return the board."""
        position = await self.position(number)
        while not enough(position):
            text = position.game.write(dice.choice(position.game.legal_moves(position.state)))
            position = await play_on(self.app.get(Matches), position, text)
        self.app.get(OutboxWorker).wake(number)
        await self.settled()
        return self.board(number)

    async def play_a_while(self, number: int = 1, *, moves: int = 2) -> None:
        """Play first legal moves until everyone has made ``moves`` of them and the match counts."""
        position = await self.position(number)
        made = dict.fromkeys((player.seat for player in position.match.players), 0)
        while position.to_move is not None and (
            min(made.values()) < moves or await self.hardly_begun(number)
        ):
            made[position.to_move.seat] += 1
            text = position.game.write(position.game.legal_moves(position.state)[0])
            position = await play_on(self.app.get(Matches), position, text)
        self.app.get(OutboxWorker).wake(number)
        await self.settled()

    async def hardly_begun(self, number: int = 1) -> bool:
        """Return whether a player has had fewer than two turns, so that resigning costs nothing."""
        position = await self.position(number)
        async with self.store.read() as tx:
            return await scoring.hardly_begun(tx, position.match)

    async def position(self, number: int = 1) -> Position:
        """Return a match as stored."""
        return await self.app.get(Matches).position(number)

    async def resign(self, person: Person, number: int = 1) -> None:
        """Make a person resign a match, without asking."""
        await self.app.get(Matches).resign(number, person.id)
        self.app.get(OutboxWorker).wake(number)
        await self.settled()

    async def change_player(self, person: Person, **chosen: Any) -> None:
        """Change a person's settings."""
        await self.app.get(SettingsStore).change_player(person.id, chosen)

    async def ply(self, number: int = 1) -> int:
        """Return the number of entries in a match's log."""
        return (await self.position(number)).ply

    async def move(self, number: int = 1) -> int:
        """Return the number of the move to be made in a match."""
        return (await self.position(number)).move

    async def legal(self, number: int = 1) -> list[str]:
        """Return the legal moves of a match in notation."""
        position = await self.position(number)
        game = registry.game(position.match.game)
        return [game.write(move) for move in game.legal_moves(position.state)]

    # Permissions

    def forbid(self, permission: Permission, channel: str = "games") -> None:
        """Take a permission from the bot in a channel."""
        self._overwrite(channel).deny |= permission
        self.playground.world.emit(ChannelUpdated(self.playground.channel(channel)))

    def allow(self, permission: Permission, channel: str = "games") -> None:
        """Restore a permission of the bot in a channel."""
        self._overwrite(channel).deny &= ~permission
        self.playground.world.emit(ChannelUpdated(self.playground.channel(channel)))

    def _overwrite(self, channel: str) -> Overwrite:
        return self.channel(channel).overwrites.setdefault(self.world.bot.id, Overwrite(1))

    # What the bot leaves behind

    def requests_to(self, route: str) -> list[Request]:
        """Return the bot's requests to a route."""
        return [request for request in self.playground.requests if request.route == route]

    async def check(self) -> None:
        """Check that the bot has left nothing behind that it must not.

        Raises:
            AssertionError: names what is wrong.
        """
        assert sorted({str(violation) for violation in self.playground.violations}) == []
        assert self.playground.schema_errors == []
        refused = [
            (request.route, request.status, request.code)
            for request in self.playground.requests
            if request.status is not None
            and request.status >= 400
            and request.status not in self.expected
        ]
        assert refused == []
        unexpected = [
            line
            for line in self.error_log.lines
            if not any(part in line for part in self.expected_errors)
        ]
        assert unexpected == []
        if self._running is not None and not self.allow_pending:
            async with self.store.read() as tx:
                assert await outbox.pending(tx) == ()
