"""Sets the clock of each turn: its deadline, and when to remind the player.

A match sets the days per move, perhaps with a limit for the whole game, or uses a time bank
(`bot.play.matches.time_controls`). The reminder comes
when a quarter of the time is left, but at least half a day and at most a day before the end; a
large stock has one before that, when half of it is used up. While the player to move is on vacation
the clock is stopped; it resumes with the time that was left, at least a day.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Final, NamedTuple

from bot.core.computers import is_person, is_practice
from bot.core.posts.quiet_hours import after_quiet, quiet, reminder_time
from bot.core.settings.player_settings import PlayerSettings
from bot.core.settings.service import SettingsStore
from bot.play.matches import computer_players, jobs, time_controls
from bot.play.matches.computer_players import computer_level
from data.matches import clocks, vacations
from data.matches.match import MatchClock
from data.matches.matches import Match, Player
from data.store.store import Transaction

MIN_REMINDER: Final = timedelta(hours=12)
MAX_REMINDER: Final = timedelta(hours=24)
MIN_AFTER_QUIET: Final = timedelta(hours=2)
"""Minimum time left after quiet hours for a reminder to wait until they end."""
MIN_BETWEEN_REMINDERS: Final = timedelta(days=1)
"""Minimum time between the two reminders of a time bank; otherwise there is only one."""
MIN_AFTER_VACATION: Final = timedelta(hours=24)


class Called(NamedTuple):
    """A turn that has begun."""

    clock: MatchClock | None = None
    """The running clock; ``None`` if the match has no limit or is over."""
    quietly: bool = False
    """Whether the board notifies no one, as the player is in quiet hours."""
    stocks: Mapping[int, int] = MappingProxyType({})
    """The seconds in the time banks by seat, if the match has them."""

    def on(self, match: Match) -> Match:
        """Return a match with its time as counted from now on."""
        players = tuple(time_controls.holding(match, one, self.stocks) for one in match.players)
        return dataclasses.replace(match, clock=self.clock, players=players)


class Deadlines:
    """Sets the clocks of all matches."""

    def __init__(self, settings: SettingsStore) -> None:
        """Follow the settings of players."""
        self.players = settings
        """The settings of players."""

    async def turn(
        self,
        tx: Transaction,
        match: Match,
        to_move: Player | None,
        ply: int,
        now: datetime,
        *,
        settings: PlayerSettings | None = None,
        by: int | None = None,
    ) -> Called:
        """Start the clock of a turn in the transaction of the move before it.

        Args:
            tx: that transaction.
            match: the match.
            to_move: the player to move; ``None`` if the match is over.
            ply: the length of the log at this turn.
            now: the start of the turn.
            settings: that player's settings; if given, only the transaction is used.
            by: the player who moved before; players who move again are not pinged.

        """
        await computer_players.turn(tx, match, to_move, now)
        stocks: Mapping[int, int] = MappingProxyType({})
        if time_controls.has_stock(match) and to_move is not None:
            stocks = await time_controls.settle(tx, match, to_move, ply, now)
        if to_move is None or computer_level(to_move) is not None or not is_person(to_move.user_id):
            await clocks.remove(tx, match.id)
            return Called(stocks=stocks)
        if is_practice(match) and match.days is None:
            return Called()  # practice needs no pings
        if settings is None:
            settings = await self.players.player_in(tx, to_move.user_id)
        hours = quiet(settings, now)
        if hours is not None and settings.pings and to_move.user_id != by:
            await jobs.notify(
                tx,
                match,
                "turn",
                at=now,
                ply=ply,
                not_before=hours.end,
                user=to_move.user_id,
            )
        quietly = hours is not None
        if match.days is None:
            return Called(quietly=quietly)
        time = timedelta(days=match.days)
        if stocks:
            time = time_controls.turn_time(match, timedelta(seconds=stocks[to_move.seat]))
        clock = MatchClock(match.id, to_move.user_id, ply, now, None, now + time)
        away = await vacations.present(tx, to_move.user_id, now)
        if away is not None:
            clock = stopped(clock, now, until=away.ends_at)
        else:
            clock = running(clock, match, settings)
        await clocks.put(tx, clock)
        return Called(clock, quietly, stocks)

    async def after_quiet(self, tx: Transaction, user_id: int, moment: datetime) -> datetime:
        """Return the first moment, from one on, when a player may be notified."""
        return after_quiet(await self.players.player_in(tx, user_id), moment)

    async def resume(
        self, tx: Transaction, clock: MatchClock, match: Match, nonce: str, now: datetime
    ) -> None:
        """Restart a stopped clock and update the board."""
        least = int(MIN_AFTER_VACATION.total_seconds())
        due = now + timedelta(seconds=max(clock.left or 0, least))
        moving = dataclasses.replace(clock, due_at=due)
        settings = await self.players.player_in(tx, clock.user_id)
        # A player just back is not pinged at once.
        earliest = now + (due - now) / 2
        changed = running(moving, match, settings, earliest=earliest)
        if await clocks.take(tx, clock, changed):
            await jobs.redraw(tx, match, clock.user_id, nonce, now)


def before_end(days: float) -> timedelta:
    """Return how long before the deadline the reminder comes."""
    return min(max(timedelta(days=days) / 4, MIN_REMINDER), MAX_REMINDER)


def running(
    clock: MatchClock, match: Match, settings: PlayerSettings, *, earliest: datetime | None = None
) -> MatchClock:
    """Return a clock that runs to its end, with its reminder set."""
    assert clock.due_at is not None
    remind = None
    if settings.reminders:
        wanted = clock.due_at - before_end(_days(clock, match))
        half = clock.due_at - (clock.due_at - clock.since) / 2
        if match.bank is not None and wanted - half >= MIN_BETWEEN_REMINDERS:
            wanted = half
        if settings.remind_every is not None:
            wanted = min(wanted, clock.since + timedelta(hours=settings.remind_every))
        wanted = wanted if earliest is None else max(wanted, earliest)
        remind = reminder_time(settings, clock.since, wanted, clock.due_at, MIN_AFTER_QUIET)
    return dataclasses.replace(clock, remind_at=remind, left=None, next_at=remind or clock.due_at)


def next_reminder(
    clock: MatchClock, match: Match, settings: PlayerSettings, now: datetime
) -> datetime | None:
    """Return when the next reminder is due; ``None`` if there is none.

    More follow for players who want several, and a last one with a time bank.
    """
    assert clock.due_at is not None
    every = settings.remind_every
    if not settings.reminders or (every is None and match.bank is None):
        return None
    last = clock.due_at - before_end(_days(clock, match))
    moments = [last] if last > now else []
    if every is not None:
        moments.append(now + timedelta(hours=every))
    wanted = min(moments, default=clock.due_at)
    if wanted >= clock.due_at:
        return None
    moment = reminder_time(settings, now, wanted, clock.due_at, MIN_AFTER_QUIET)
    return moment if now < moment < clock.due_at else None


def _days(clock: MatchClock, match: Match) -> float:
    """Return the total length of a turn in days."""
    assert clock.due_at is not None
    if not time_controls.has_stock(match):
        return match.days or 1
    return (clock.due_at - clock.since) / timedelta(days=1)


def stopped(clock: MatchClock, now: datetime, *, until: datetime) -> MatchClock:
    """Return a clock that is stopped until a moment."""
    left = clock.left or 0
    if clock.due_at is not None:
        left = max(0, int((clock.due_at - now).total_seconds()))
    return dataclasses.replace(clock, remind_at=None, due_at=None, left=left, next_at=until)
