"""The bot compared with a typical chess bot, in one run.

`bench.loopback.chess_bot` has discord.py, python-chess and CairoSVG, and nothing else a bot needs:
no store, no clocks, no languages. Each bot runs in its own process, connected to a playground in
this one, and they take turns. First, people at four tables press as soon as they have a board, then
those at one table alone, without waiting for others. Figures are medians of the rounds.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import tempfile
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from bench.end_to_end import GAME, RULES
from bench.loopback.load import LoadGenerator
from bench.loopback.program import Program
from bench.loopback.tables import Table
from bench.row import Row
from playground.app import Playground
from playground.errors import InteractionFailed

TABLES = 4
SPARE = 2
TRIAL = 160
ROUND = 160
ALONE = 40
ROUNDS = 5
_OURS: Final = "beside a chess bot: the bot"
_THEIRS: Final = "beside a chess bot: the chess bot"


@dataclass(slots=True)
class Found:
    """The measurements of one bot, one entry per round."""

    rate: list[float] = field(default_factory=list)
    """Turns per second at all tables."""
    processor: list[float] = field(default_factory=list)
    """Milliseconds of processor time per turn."""
    board: list[float] = field(default_factory=list)
    """Milliseconds to the next board at one table: the median of a round."""
    size: list[float] = field(default_factory=list)
    """KB of its picture: the median of a round."""


def run(*, scale: float = 1.0) -> list[Row]:
    """Measure and return the figures.

    Args:
        scale: the share of the usual load; a small one only shows that everything works.
    """
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        return asyncio.run(_measure(Path(folder), scale))


def _missing() -> str | None:
    """Return why there is nothing to compare with, or ``None``."""
    try:
        import cairosvg  # noqa: F401, PLC0415 -- it looks for a library of the system
    except OSError:
        return "CairoSVG finds no libcairo on this machine (libcairo2, cairo): no chess bot"
    return None


async def _measure(folder: Path, scale: float) -> list[Row]:
    missing = _missing()
    tables, spare = max(2, round(TABLES * scale)), max(1, round(SPARE * scale))
    presses = {"trial": TRIAL, "round": ROUND, "alone": ALONE}
    presses = {name: max(2 * tables, round(many * scale)) for name, many in presses.items()}
    async with AsyncExitStack() as stack:

        async def side(begin: Callable[[Table], Awaitable[None]], program: str) -> _Side:
            playground = await stack.enter_async_context(Playground())
            settings = {"DATABASE_URL": f"sqlite:///{folder}/games.db"}
            bot = Program(playground, folder, program, settings=settings)
            await stack.enter_async_context(bot)
            many = LoadGenerator(playground, begin, tables=tables, spare=spare)
            one = LoadGenerator(playground, begin, tables=1, spare=0)
            return _Side(many, one, bot)

        ours = await side(_match, "bot")
        theirs = None if missing else await side(_chess, "bench.loopback.chess_bot")
        await ours.warm(presses)
        try:
            if theirs is not None:
                await theirs.warm(presses)
            for _ in range(max(1, round(ROUNDS * scale))):
                await ours.round(presses)
                if theirs is not None:
                    await theirs.round(presses)
        except* InteractionFailed:
            missing = "A bot missed Discord's three seconds: this machine is too busy to compare"
            theirs = None
            if not ours.found.rate:
                await ours.round(presses)
    if missing is not None:
        print(missing, file=sys.stderr)
    return _rows(ours.found, None if theirs is None else theirs.found, missing or "")


@dataclass(slots=True)
class _Side:
    """A bot and the people who play with it."""

    many: LoadGenerator
    one: LoadGenerator
    bot: Program
    found: Found = field(default_factory=Found)

    async def warm(self, presses: dict[str, int]) -> None:
        """Play without measuring."""
        await self.many.saturated(presses["trial"])
        await self.one.saturated(presses["alone"])

    async def round(self, presses: dict[str, int]) -> None:
        """Measure once."""
        await self.many.prepare()
        spent = self.bot.processor_seconds()
        load, _ = await self.many.saturated(presses["round"])
        spent = self.bot.processor_seconds() - spent
        alone, answers = await self.one.saturated(presses["alone"])
        self.found.processor.append(1000 * spent / load.presses)
        self.found.rate.append(load.rate)
        self.found.board.append(1000 * statistics.median(alone.answered))
        self.found.size.append(
            statistics.median(len(answer.board.picture) for answer in answers) / 1000
        )


def _rows(ours: Found, theirs: Found | None, note: str) -> list[Row]:
    rows = _of(_OURS, ours, note)
    if theirs is None:
        return rows
    times = statistics.median(a / b for a, b in zip(ours.rate, theirs.rate, strict=True))
    spent = statistics.median(b / a for a, b in zip(ours.processor, theirs.processor, strict=True))
    waited = statistics.median(b / a for a, b in zip(ours.board, theirs.board, strict=True))
    against = "beside a chess bot"
    return [
        *rows,
        *_of(_THEIRS, theirs, "discord.py, python-chess, CairoSVG; no store"),
        Row(f"{against}: turns", times, "×", "more is better", at_least=1.0),
        Row(f"{against}: less processor time", spent, "×", "likewise", at_least=1.0),
        Row(f"{against}: sooner at one table", waited, "×", "likewise", at_least=1.0),
    ]


def _of(name: str, found: Found, note: str) -> list[Row]:
    return [
        Row(f"{name}: turns", statistics.median(found.rate), "/s", note),
        Row(f"{name}: processor time of a turn", statistics.median(found.processor), "ms"),
        Row(f"{name}: to the board at one table", statistics.median(found.board), "ms", "p50"),
        Row(f"{name}: picture", statistics.median(found.size), "KB", "median"),
    ]


async def _match(table: Table) -> None:
    one, other = table.people
    line = f"/{GAME} challenge"
    reply = await one.slash(line, channel=table.channel, opponent=other, rules=RULES)
    await other.press(await reply.filled(), "Accept")


async def _chess(table: Table) -> None:
    one, other = table.people
    await one.slash("/chess", channel=table.channel, opponent=other)
