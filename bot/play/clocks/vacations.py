"""Vacations: a player's clocks are stopped while they are away.

A player has a number of vacation days per calendar year, in UTC. A vacation starts at once; one
that ends early costs only the days that have begun.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from bot.core.errors import Refusal
from bot.core.i18n.mentions import timestamp
from bot.core.i18n.slash import slash
from bot.core.scheduling.wall_clock import WallClock
from bot.play.matches import jobs
from bot.play.matches.deadlines import Deadlines, stopped
from data.challenges.open_challenges import serialize
from data.matches import clocks, matches, vacations
from data.matches.vacations import Vacation
from data.posts import posts
from data.store.store import Store, Transaction
from engine.phrase import plural, say

MAX_DAYS_PER_YEAR: Final = 30
MAX_DAYS_AT_A_STRETCH: Final = 14
ENDING_POST: Final = "vacation_ending"
"""The kind of post that warns a player of the end of their vacation."""

_DAY = timedelta(days=1)


@dataclass(eq=False, repr=False)
class Vacations:
    """The vacations of all players."""

    store: Store
    deadlines: Deadlines
    clock: WallClock

    async def start(self, user_id: int, days: int) -> Vacation:
        """Start a vacation at once; the clocks waiting for this player are stopped.

        Raises:
            Refusal: it is too long, exceeds the days left, or the player is already away.

        """
        if not 1 <= days <= MAX_DAYS_AT_A_STRETCH:
            raise Refusal(say("A vacation lasts 1 to {most} days.", most=MAX_DAYS_AT_A_STRETCH))
        now = self.clock()
        until = now + days * _DAY
        async with self.store.write() as tx:
            await serialize(tx, user_id)
            away = await vacations.present(tx, user_id, now)
            if away is not None:
                raise Refusal(
                    say(
                        "You're already on vacation until {moment}. End it with {back}.",
                        back=slash("me", "back"),
                        moment=timestamp(away.ends_at),
                    )
                )
            taken = await vacations.since(tx, user_id, _year(now.year))
            _check_allowance(taken, Vacation(0, user_id, now, until, over=False))
            number = await vacations.add(tx, user_id, starts_at=now, ends_at=until)
            for clock in await clocks.of_player(tx, user_id):
                if clock.lapsed_at is not None or (clock.due_at and clock.due_at <= now):
                    continue  # leaving does not save what is already lost
                if not await clocks.take(tx, clock, stopped(clock, now, until=until)):
                    continue
                match = await matches.get(tx, clock.match_id)
                assert match is not None
                await jobs.redraw(tx, match, user_id, f"w{match.id}a{number}", now)
            if days > 1:
                await posts.want(
                    tx,
                    ENDING_POST,
                    number,
                    at=now,
                    guild_id=None,
                    user_id=user_id,
                    not_before=await self.deadlines.after_quiet(tx, user_id, until - _DAY),
                )
        return Vacation(number, user_id, now, until, over=False)

    async def end(self, user_id: int) -> None:
        """End a vacation; the player's clocks resume.

        Raises:
            Refusal: the player is not away.

        """
        now = self.clock()
        async with self.store.write() as tx:
            away = await vacations.present(tx, user_id, now)
            if away is None:
                raise Refusal(
                    say("You're not on vacation. Start one with {go}.", go=slash("me", "vacation"))
                )
            await self._end(tx, away, now)

    async def left(self, user_id: int) -> int:
        """Return a player's remaining vacation days this year."""
        now = self.clock()
        async with self.store.read() as tx:
            taken = await vacations.since(tx, user_id, _year(now.year))
        return _left(taken, now.year)

    async def finish(self, now: datetime) -> None:
        """End all vacations that are over."""
        async with self.store.read() as tx:
            found = await vacations.due(tx, now)
        for vacation in found:
            async with self.store.write() as tx:
                await self._end(tx, vacation, now)

    async def _end(self, tx: Transaction, vacation: Vacation, now: datetime) -> None:
        if not await vacations.end(tx, vacation.id, min(vacation.ends_at, now)):
            return
        if await vacations.present(tx, vacation.user_id, now) is not None:
            return  # another one has started: the clocks stay stopped until it ends
        for clock in await clocks.of_player(tx, vacation.user_id):
            match = await matches.get(tx, clock.match_id)
            if clock.is_paused and match is not None:
                nonce = f"w{match.id}b{vacation.id}"
                await self.deadlines.resume(tx, clock, match, nonce, now)


def _check_allowance(taken: tuple[Vacation, ...], wanted: Vacation) -> None:
    for year in range(wanted.starts_at.year, wanted.ends_at.year + 1):
        if _days_in((*taken, wanted), year) > MAX_DAYS_PER_YEAR:
            raise Refusal(
                plural(
                    "You have {n} vacation day left in {year}, of {most}.",
                    "You have {n} vacation days left in {year}, of {most}.",
                    _left(taken, year),
                    year=str(year),
                    most=MAX_DAYS_PER_YEAR,
                )
            )


def _left(taken: tuple[Vacation, ...], year: int) -> int:
    return max(0, MAX_DAYS_PER_YEAR - _days_in(taken, year))


def _days_in(taken: tuple[Vacation, ...], year: int) -> int:
    """Return the days of vacations within a year; a day that has begun counts."""
    begin, end = _year(year), _year(year + 1)
    spans = [min(v.ends_at, end) - max(v.starts_at, begin) for v in taken]
    return sum(math.ceil(span / _DAY) for span in spans if span > timedelta())


def _year(number: int) -> datetime:
    return datetime(number, 1, 1, tzinfo=UTC)
