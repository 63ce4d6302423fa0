"""Tables: channels in which two people each press as soon as they can."""

from __future__ import annotations

import asyncio
import gc
import random
import time
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bench.loopback.recorded_answers import Answer, Board, Menu
from playground import components
from playground.events import Event, MessageEdited, MessageSent

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from playground.app import Playground
    from playground.components import Button
    from playground.model import Guild, Message
    from playground.people import Person
    from playground.reply import Reply

_PATIENCE = 30.0
_BACK = "Choose again"
"""The button that takes steps back: these people never press it."""
_PLAYED = "Played."
"""The start of the answer to a player who has made a move in steps."""
_OLD_TURN = "That button is from an earlier turn."
"""The start of the answer to a press on an older board; the current one comes with it."""
_MOVES = ("t:", "tm:")
"""The prefixes of moves' addresses, including the bare program's."""
_CHALLENGE = "c:"
"""The prefix of a challenge's addresses: it has a picture but is not a board."""


@dataclass(slots=True)
class Load:
    """The result of some presses."""

    presses: int = 0
    passes: int = 0
    """How many of them led to a new message."""
    seconds: float = 0.0
    acknowledged: list[float] = field(default_factory=list)
    """Seconds from each press, or from when it was due, to its acknowledgement."""
    answered: list[float] = field(default_factory=list)
    """Seconds from each press to the next board."""
    refused: int = 0
    """How many presses were answered as coming from an earlier turn."""

    @property
    def rate(self) -> float:
        """Presses answered with a board, per second."""
        return self.presses / self.seconds


class Table:
    """A channel, its two people and their board."""

    def __init__(
        self, playground: Playground, number: int, chance: random.Random, guild: Guild
    ) -> None:
        """Open a channel of a server for two new people."""
        self.channel = playground.world.add_channel(guild, f"table-{number}")
        self.people: tuple[Person, Person] = (
            playground.add_person(f"Left {number}", guild=guild),
            playground.add_person(f"Right {number}", guild=guild),
        )
        self.number = number
        self.board: Message | None = None
        """The message to press next; ``None`` once the match is over."""
        self.over = True
        self._chance = chance
        self._pressed: tuple[int, int] = (0, 0)
        self._shown: Message | None = None
        """The newest public board; only its player sees half a move."""
        self._known: tuple[int, int] = (0, 0)
        self._controls: frozenset[str] = frozenset()
        """The moves on that board when it was pressed."""
        self.refused = 0
        """How many presses were answered as coming from an earlier turn."""
        self._next_board: asyncio.Future[None] | None = None

    async def begin(self, start: Callable[[Table], Awaitable[None]]) -> None:
        """Start a match and wait for its first board."""
        self.over = False
        self._known = (self._shown.id, self._shown.revision) if self._shown is not None else (0, 0)
        came = self._expect()
        await start(self)
        await asyncio.wait_for(came, _PATIENCE)

    async def press(self) -> tuple[Reply, Answer | None]:
        """Press something and wait for the next board.

        Returns:
            The settled reply and the resulting answer, ``None`` if the press ended the match.
        """
        board = self.board
        assert board is not None
        shown = self._shown
        assert shown is not None
        self._pressed = (board.id, board.revision)
        self._known = (shown.id, shown.revision)
        self._controls = _controls(shown)
        refused = self.refused
        came = self._expect()
        reply = self._choose(board)
        await reply
        await asyncio.wait_for(came, _PATIENCE)
        if self.refused > refused:  # continues from the board that came with the refusal
            _, answer = await self.press()
            return reply, answer
        after = self.board
        if self.over or after is None:
            return reply, None
        passes = self._shown is not shown
        return reply, Answer(
            passes=passes,
            left_words=tuple(components.texts(shown.component_data)) if passes else (),
            board=_seen(after),
        )

    def handle(self, message: Message) -> None:
        """Handle a new or changed message."""
        next_board = self._next_board
        if next_board is None or next_board.done():
            return
        if message.ephemeral:
            self._handle_private(message, next_board)
            return
        if not message.attachments or (message.id, message.revision) <= self._known:
            return
        addresses = _addresses(message)
        if any(address.startswith(_CHALLENGE) for address in addresses):
            return
        if controls := _controls(message):
            if controls == self._controls:
                return  # rewritten, since a request about it had no reply for long
            self.board = self._shown = message
        elif message.id > self._known[0]:
            self.board, self._shown, self.over = message, message, True
        else:
            return  # the old board, without its controls
        next_board.set_result(None)

    def _handle_private(self, message: Message, next_board: asyncio.Future[None]) -> None:
        """Handle a message visible to one person: half a move, or that a move was made."""
        if any(button.label == _BACK for button in message.buttons):
            if (message.id, message.revision) > self._pressed:
                self.board = message
                next_board.set_result(None)
        elif message.text.startswith(_OLD_TURN) and _controls(message):
            self.refused += 1
            self.board = message
            next_board.set_result(None)
        elif not message.text.startswith(_PLAYED):
            next_board.set_exception(RuntimeError(f"A press was refused: {message.text}"))

    def _expect(self) -> asyncio.Future[None]:
        self._next_board = asyncio.get_running_loop().create_future()
        return self._next_board

    def _choose(self, board: Message) -> Reply:
        addressed = (*board.pinged, board.ephemeral_for)
        called = [person for person in self.people if person.user in addressed]
        person = called[0] if called else self.people[0]
        menus = board.menus
        if menus:
            menu = self._chance.choice(menus)
            option = self._chance.choice(menu.options)
            return person.choose(board, option.value, menu=menu.custom_id)
        buttons = [button for button in _moves(board) if button.label != _BACK]
        if not buttons:
            raise RuntimeError(f"There is nothing to press: {board.text}")
        return person.press(board, custom_id=self._chance.choice(buttons).custom_id)


class LoadGenerator:
    """People who press at all tables of a playground, at a given pace.

    Args:
        playground: the playground.
        start: brings a first board to a table.
        tables: how many may be in play at a time.
        spare: how many more there are, for when a match ends.
        guilds: the servers to spread them over; the playground's own if empty.
    """

    def __init__(
        self,
        playground: Playground,
        start: Callable[[Table], Awaitable[None]],
        *,
        tables: int,
        spare: int,
        guilds: Sequence[Guild] = (),
    ) -> None:
        chance = random.Random(1)
        places = guilds or (playground.guild,)
        self._tables = [
            Table(playground, number, chance, places[number % len(places)])
            for number in range(tables + spare)
        ]
        self._by_channel = {table.channel.id: table for table in self._tables}
        self._start = start
        self._seats = tables
        playground.world.subscribe(self._on_event)

    @property
    def tables(self) -> Sequence[Table]:
        """All tables, spare ones included."""
        return self._tables

    def _on_event(self, event: Event) -> None:
        if isinstance(event, MessageSent | MessageEdited):
            place = event.message.channel
            table = self._by_channel.get((place.parent or place).id)
            if table is not None:
                table.handle(event.message)

    async def prepare(self) -> None:
        """Start a match at every table without one."""
        for table in self._tables:
            if table.over:
                await table.begin(self._start)

    async def saturated(self, presses: int) -> tuple[Load, list[Answer]]:
        """Press at every table as soon as its last board has come.

        Returns:
            The load, and the answers in order of arrival.
        """
        await self.prepare()
        load, answers = Load(), list[Answer]()
        waiting = deque(self._tables)
        left = iter(range(presses))

        async def press_until_done() -> None:
            table = waiting.popleft()
            for _ in left:
                began = time.perf_counter()
                reply, answer = await table.press()
                load.answered.append(time.perf_counter() - began)
                load.acknowledged.append(reply.interaction.acknowledged_after or 0.0)
                load.presses += 1
                if answer is None:
                    if not waiting:
                        return
                    table = waiting.popleft()
                    continue
                load.passes += answer.passes
                answers.append(answer)

        began = time.perf_counter()
        async with asyncio.TaskGroup() as tasks:
            for _ in range(self._seats):
                tasks.create_task(press_until_done())
        load.seconds = time.perf_counter() - began
        return load, answers

    async def in_turn(self, presses: int) -> None:
        """Press at one table after the other, so that all matches progress together."""
        waiting, left = deque(self._tables), iter(range(presses))

        async def press_until_done() -> None:
            for _ in left:
                table = waiting.popleft()
                if table.over:
                    await table.begin(self._start)
                await table.press()
                waiting.append(table)

        async with asyncio.TaskGroup() as tasks:
            for _ in range(self._seats):
                tasks.create_task(press_until_done())

    async def paced(self, rate: float, presses: int) -> Load:
        """Press at a fixed rate per second, whether or not earlier presses were answered.

        A press that finds no table with a board is made as soon as there is one, and its time
        counts from when it was due.
        """
        await self.prepare()
        # The playground's clock: a garbage collection of this process's long-lived objects would
        # stop it, and make the bot seem slow.
        gc.collect()
        gc.freeze()
        load = Load()
        ready: asyncio.Queue[Table] = asyncio.Queue()
        for table in self._tables:
            ready.put_nowait(table)

        async def press(table: Table, due: float) -> None:
            late = max(0.0, time.perf_counter() - due)
            began = time.perf_counter()
            reply, answer = await table.press()
            load.answered.append(time.perf_counter() - began)
            load.acknowledged.append(late + (reply.interaction.acknowledged_after or 0.0))
            load.presses += 1
            if answer is not None:
                load.passes += answer.passes
                ready.put_nowait(table)

        began = time.perf_counter()
        async with asyncio.TaskGroup() as tasks:
            for number in range(presses):
                due = began + number / rate
                await asyncio.sleep(max(0.0, due - time.perf_counter()))
                tasks.create_task(press(await ready.get(), due))
        load.seconds = time.perf_counter() - began
        load.refused = sum(table.refused for table in self._tables)
        return load


def _addresses(message: Message) -> list[str]:
    return [str(part.get("custom_id")) for part in components.walk(message.component_data)]


def _controls(message: Message) -> frozenset[str]:
    """Return the addresses of a message's moves, and the options of its menus."""
    buttons = (a for a in _addresses(message) if a.startswith(_MOVES))
    return frozenset(
        [*buttons, *(f"={option.value}" for menu in message.menus for option in menu.options)]
    )


def _moves(board: Message) -> list[Button]:
    """Return the buttons that play: others, such as one that tells a story, change no board."""
    return [button for button in board.buttons if str(button.custom_id).startswith(_MOVES)]


def _seen(message: Message) -> Board:
    return Board(
        words=tuple(components.texts(message.component_data)),
        alt=message.alt or "",
        picture=message.picture or b"",
        menus=tuple(
            Menu(
                menu.placeholder or "",
                tuple((option.label, option.description or "") for option in menu.options),
            )
            for menu in message.menus
        ),
        buttons=tuple(button.label for button in _moves(message)),
    )
