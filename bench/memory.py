"""The bot's memory after many presses by many people.

People play somewhat more matches side by side than the bot's caches of positions and interactions
hold. So every cache is filled early and replaced from then on, and any growth after that is a leak.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
from pathlib import Path

from bench.end_to_end import challenge
from bench.loopback.load import LoadGenerator
from bench.loopback.program import Program
from bench.row import Row
from playground.app import Playground

TABLES = 600
SEATS = 4
FEW = int(os.environ.get("PRESSES", "10_000"))
"""Presses before the first reading; ten times as many before the second."""
_MB = 1_000_000


def run() -> list[Row]:
    """Measure and return the figures."""
    return asyncio.run(_measure())


async def _measure() -> list[Row]:
    with tempfile.TemporaryDirectory(prefix="bench-") as name:
        folder = Path(name)
        settings = {"DATABASE_URL": f"sqlite:///{folder}/memory.db"}
        async with (
            Playground() as playground,
            Program(playground, folder, "bot", settings=settings) as bot,
        ):
            generator = LoadGenerator(playground, challenge, tables=SEATS, spare=TABLES - SEATS)
            await generator.in_turn(FEW)
            few = bot.memory() / _MB
            await generator.in_turn(9 * FEW)
            many = bot.memory() / _MB
    return [
        Row(
            f"memory after {FEW:,} presses", few, "MB", f"{2 * TABLES:,} people, {TABLES:,} matches"
        ),
        Row(f"memory after {10 * FEW:,} presses", many, "MB"),
        Row("memory: then against first", many / few, "×", "lower is better", at_most=1.2),
    ]
