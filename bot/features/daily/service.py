"""The puzzle of the day: one a day in each server that has chosen a channel for it.

A server's settings give the channel and hour. The puzzle is chosen when it is due, in the
transaction that makes it the puzzle of that day; so there is only one a day, even after a crash.
Answers count until the next one is due.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from typing import Final

from bot.core.errors import GONE, Refusal
from bot.core.scheduling.scheduler import BETWEEN_BATCHES
from bot.core.settings.server_settings import ServerSettings
from bot.core.settings.service import SettingsStore, on_server_changed
from bot.features.puzzles.puzzles import Answered, PuzzlePosition, Puzzles, add_shipped_puzzles
from data.puzzles import daily_puzzles, puzzles
from data.puzzles.daily_puzzles import Schedule, Tally
from data.puzzles.puzzles import Daily, Puzzle
from data.store.store import Store, Transaction
from engine import registry

MIN_STREAK: Final = 2
"""The minimum streak shown."""
MAX_STREAKS: Final = 3
"""The maximum number of streaks shown."""
BATCH: Final = 10
"""Puzzles chosen at a time: many servers have them due at the same hour."""


@dataclass(frozen=True, slots=True)
class Announced:
    """The contents of a daily puzzle's message."""

    daily: Daily
    posed: PuzzlePosition
    before: Tally | None
    """How many solved the previous puzzle; ``None`` if there was none."""
    streaks: Sequence[tuple[int, int]]
    """The longest streaks: players, with how many puzzles in a row they have solved."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A daily puzzle as opened by a player."""

    posed: PuzzlePosition
    counts: bool
    """Whether answers to it still count."""
    solved: Answered | None
    """The reply to their solution, brought up to date; ``None`` if they have not solved it."""


@dataclass(eq=False, repr=False)
class DailyPuzzles:
    """The daily puzzles of all servers. A source of the scheduler."""

    store: Store
    puzzles: Puzzles
    settings: SettingsStore

    async def next(self, tx: Transaction, /) -> datetime | None:
        """Return when something is next due, ``None`` for never."""
        return await daily_puzzles.next_moment(tx)

    async def due(self, now: datetime, /) -> timedelta | None:
        """Choose due puzzles, a batch at a time. Idempotent."""
        async with self.store.read() as tx:
            schedules = await daily_puzzles.due_now(tx, now, limit=BATCH)
        chosen = [await self._choose(schedule, now) for schedule in schedules]
        return BETWEEN_BATCHES if len(schedules) == BATCH or not all(chosen) else None

    async def _choose(self, schedule: Schedule, now: datetime) -> bool:
        """Choose a server's due puzzle, if there is one, and schedule the next.

        Return whether that was done; not if the settings were changed meanwhile.
        """
        games = _in_turn(now)
        puzzle = await self._pick(schedule.guild_id, games, now)
        async with self.store.write() as tx:
            if await daily_puzzles.schedule_of(tx, schedule.guild_id) != schedule:
                return False
            if await daily_puzzles.of_day(tx, schedule.guild_id, now.date()) is None:
                await daily_puzzles.close(tx, schedule.guild_id, now)
                if puzzle is not None:
                    await daily_puzzles.add(
                        tx,
                        schedule.guild_id,
                        now.date(),
                        puzzle_id=puzzle.id,
                        channel_id=schedule.channel_id,
                        at=now,
                    )
            await daily_puzzles.set_next_at(tx, schedule.guild_id, following(now, schedule.hour))
        return True

    async def announced(self, daily: Daily) -> Announced:
        """Return the contents of a daily puzzle's message; refuse if the puzzle is gone."""
        posed = await self.puzzles.preview(daily.puzzle_id)
        async with self.store.read() as tx:
            last = await daily_puzzles.previous(tx, daily)
            if last is None:
                return Announced(daily, posed, None, ())
            streaks = await daily_puzzles.longest_streaks(
                tx, last.id, minimum=MIN_STREAK, limit=2 * MAX_STREAKS
            )
            tally = await daily_puzzles.tally(tx, last.id)
        public_streaks = [one for one in streaks if (await self.settings.player(one[0])).profile]
        return Announced(daily, posed, tally, public_streaks[:MAX_STREAKS])

    async def open(self, daily_id: int, guild_id: int | None, user_id: int) -> Opened:
        """Return a daily puzzle, opened by a player.

        Raises:
            Refusal: no puzzle of that number in this server.
            NotAllowed: its position is in play.

        """
        async with self.store.read() as tx:
            daily = await daily_puzzles.get(tx, daily_id)
            if daily is None or daily.guild_id != guild_id:
                raise Refusal(GONE)
            standing = await daily_puzzles.answer_of(tx, daily_id, user_id)
            tally = await daily_puzzles.tally(tx, daily_id)
            score = await puzzles.score(tx, user_id)
        posed = await self.puzzles.get(daily.puzzle_id, user_id=user_id)
        solved = None
        if standing is not None and standing.solved:
            solved = Answered(posed, right=True, first=False, score=score, today=(standing, tally))
        return Opened(posed, daily.closed_at is None, solved)

    async def _pick(self, guild_id: int, games: Sequence[str], now: datetime) -> Puzzle | None:
        """Return a puzzle new to a server, of the first game that has one, else a repeated one."""
        repeated: Puzzle | None = None
        for slug in games:
            for _ in range(2):
                async with self.store.read() as tx:
                    found = await daily_puzzles.pick(tx, guild_id, slug)
                if found is not None and not found[1]:
                    return found[0]
                if not await add_shipped_puzzles(self.store, [slug], now):
                    break
            if found is not None and repeated is None:
                repeated = found[0]
        return repeated


def following(now: datetime, hour: int) -> datetime:
    """Return when a puzzle is due on the day after a moment."""
    return _at(now, hour) + timedelta(days=1)


def _at(now: datetime, hour: int) -> datetime:
    return datetime.combine(now.astimezone(UTC).date(), time(hour), UTC)


def _in_turn(now: datetime) -> Sequence[str]:
    """Return all games, starting with the one whose turn it is on a day."""
    games = sorted(registry.games())
    first = now.date().toordinal() % len(games)
    return [*games[first:], *games[:first]]


@on_server_changed(order=20)
async def reschedule(
    tx: Transaction, guild_id: int, settings: ServerSettings, now: datetime
) -> None:
    """Follow a change of a server's settings, in its transaction.

    If there was no puzzle yet today, the first one is due at once.
    """
    known = await daily_puzzles.schedule_of(tx, guild_id)
    channel, hour = settings.puzzle_channel, settings.puzzle_hour
    if channel is None:
        if known is not None:
            await daily_puzzles.remove_schedule(tx, guild_id)
            await daily_puzzles.close(tx, guild_id, now)
        return
    if known is not None and (known.channel_id, known.hour) == (channel, hour):
        return
    today = await daily_puzzles.of_day(tx, guild_id, now.date())
    moment = now
    if today is not None:
        moment = _at(now, hour) + timedelta(days=1)
        await daily_puzzles.reopen(tx, today.id)
        await daily_puzzles.move(tx, today, channel, now)
    elif known is not None and known.channel_id == channel:
        moment = max(_at(now, hour), now)
    await daily_puzzles.set_schedule(tx, Schedule(guild_id, channel, hour, moment))
