"""How practice affects other players: the same presses with and without it.

People press at a given rate in matches against each other. Then many practise as well: each plays a
computer, thinks for some seconds about each board and presses, while the computers think in their
own process. The comparison is how long people who play each other wait.
"""

from __future__ import annotations

import asyncio
import random
import tempfile
import time
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path

from bench.loopback.load import Load, LoadGenerator
from bench.loopback.program import Program
from bench.loopback.tables import Table
from bench.row import Row
from playground.app import Playground
from playground.events import Event, MessageEdited, MessageSent

GAME = "tablan"
LEVEL = 3
PRACTISING = 200
TABLES = 32
RATE = 25.0
PRESSES = 500
THINKING_SECONDS = 20.0
"""Seconds a practising player looks at a board, on average."""
_FIRST = 1000
"""The number of the first practice table."""


@dataclass(slots=True)
class Practice:
    """The results of practising."""

    answered: list[float] = field(default_factory=list)
    """Seconds from a press to the board with the computer's reply."""
    given_up: int = 0
    """How many waited too long."""


def run(*, scale: float = 1.0) -> list[Row]:
    """Measure and return the figures.

    Args:
        scale: the share of the usual load; a small one only shows that everything works.
    """
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        return asyncio.run(_measure(Path(folder), scale))


async def _measure(folder: Path, scale: float) -> list[Row]:
    tables, presses = max(2, round(TABLES * scale)), max(4, round(PRESSES * scale))
    many = max(2, round(PRACTISING * scale))
    async with AsyncExitStack() as stack:
        playground = await stack.enter_async_context(Playground())
        generator = LoadGenerator(playground, _challenge, tables=tables, spare=max(1, tables // 4))
        database = f"sqlite:///{folder}/practice.db"
        settings = {"DATABASE_URL": database, "ANALYSE_MATCHES": "false"}
        await stack.enter_async_context(Program(playground, folder, "bot", settings=settings))
        await generator.prepare()
        await generator.paced(RATE, max(4, presses // 5))
        without = await generator.paced(RATE, presses)
        practice = Practice()
        practising = await _practise(playground, many, scale, practice)
        began = time.perf_counter()
        beside = await generator.paced(RATE, presses)
        seconds = time.perf_counter() - began
        for task in practising:
            task.cancel()
        await asyncio.gather(*practising, return_exceptions=True)
        if playground.violations:
            raise RuntimeError(f"Discord would refuse this: {playground.violations[0]}")
    return _rows(many, without, beside, practice, seconds)


async def _practise(
    playground: Playground, many: int, scale: float, practice: Practice
) -> list[asyncio.Task[None]]:
    """Let many people start practising; they continue until stopped."""
    chance = random.Random(1)
    guild = playground.guild
    tables = [Table(playground, _FIRST + number, chance, guild) for number in range(many)]
    by_channel = {table.channel.id: table for table in tables}

    def on_event(event: Event) -> None:
        if isinstance(event, MessageSent | MessageEdited):
            place = event.message.channel
            table = by_channel.get((place.parent or place).id)
            if table is not None:
                table.handle(event.message)

    playground.world.subscribe(on_event)
    for table in tables:
        await table.begin(_alone)
    return [
        asyncio.create_task(_think_and_press(table, chance, THINKING_SECONDS * scale, practice))
        for table in tables
    ]


async def _think_and_press(
    table: Table, chance: random.Random, seconds: float, practice: Practice
) -> None:
    while True:
        await asyncio.sleep(chance.uniform(0, 2 * seconds))
        if table.over:
            await table.begin(_alone)
            continue
        before, began = table.board, time.perf_counter()
        with suppress(TimeoutError):
            await table.press()
            if table.board is not before:
                practice.answered.append(time.perf_counter() - began)
            continue
        practice.given_up += 1
        return


def _rows(many: int, without: Load, beside: Load, practice: Practice, seconds: float) -> list[Row]:
    answered = practice.answered or [0.0]
    name = f"beside {many} practice matches"
    alone = _percentile(without.acknowledged, 99)
    with_them = _percentile(beside.acknowledged, 99)
    late = f"{practice.given_up} waited too long" if practice.given_up else ""
    return [
        Row("people alone: turns", without.rate, "/s", f"{RATE:.0f} presses a second"),
        Row(f"people {name}: turns", beside.rate, "/s"),
        Row(f"people {name}: turns against alone", beside.rate / without.rate, "×", at_least=0.95),
        Row("people alone: p99 to acknowledge", 1000 * alone, "ms"),
        Row(f"people {name}: p99 to acknowledge", 1000 * with_them, "ms", at_most=250.0),
        Row(f"people {name}: p99 against alone", with_them / alone, "×", at_most=1.5),
        Row("practice: answered by computers", len(practice.answered) / seconds, "/s"),
        Row("practice: p50 to the answer", _percentile(answered, 50), "s"),
        Row("practice: p99 to the answer", _percentile(answered, 99), "s", late),
    ]


def _percentile(values: list[float], percent: int) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, len(ordered) * percent // 100)]


async def _challenge(table: Table) -> None:
    one, other = table.people
    reply = await one.slash(f"/{GAME} challenge", channel=table.channel, opponent=other)
    await other.press(await reply.filled(), "Accept")


async def _alone(table: Table) -> None:
    reply = await table.people[0].slash(
        f"/{GAME} practice", channel=table.channel, options={"level": LEVEL}
    )
    assert not reply.ephemeral, reply.text
