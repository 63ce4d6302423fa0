"""People at many tables: each presses as soon as they can, or all of them at a given pace."""

from __future__ import annotations

import asyncio
import gc
import random
import sys
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

from bench.loopback.recorded_answers import Answer
from bench.loopback.tables import Table
from playground.app import Playground
from playground.errors import InteractionFailed
from playground.events import Event, MessageEdited, MessageSent
from playground.model import Guild

_NEVER: Final = 1_000_000_000


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
        """Press at one table after the other, so that all matches progress together.

        A press that the machine is too busy to answer in time is made again in the table's next turn.
        """
        waiting, left = deque(self._tables), iter(range(presses))

        async def press_until_done() -> None:
            for _ in left:
                table = waiting.popleft()
                try:
                    if table.over:
                        await table.begin(self._start)
                    await table.press()
                except InteractionFailed as error:
                    print(f"{table.channel.name}: {error}", file=sys.stderr)
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
        with _no_full_collections():
            return await self._paced(rate, presses)

    async def _paced(self, rate: float, presses: int) -> Load:
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
            if answer is None:  # the match is over
                await table.begin(self._start)
            else:
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


@contextmanager
def _no_full_collections() -> Iterator[None]:
    """Let no garbage collection scan all that people have seen so far.

    It would stop the playground's clock and make the bot seem slow: at 50 presses a second, for 65 ms
    after 15 seconds, and for 45 ms more with each 1,000 presses.
    """
    gc.collect()
    gc.freeze()
    usual = gc.get_threshold()
    gc.set_threshold(*usual[:2], _NEVER)
    try:
        yield
    finally:
        gc.set_threshold(*usual)
