"""What players do about time: vacations, and claims on late players.

During a vacation, a player's clocks are stopped. A player has a number of vacation days per calendar
year, in UTC. A vacation starts at once; one that ends early costs only the days that have begun.

Once a player's time is up, the others may claim the win, abort the match, or wait. The late player
can still move until then.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final, Literal, TypeAlias

from bot.core.errors import NotForYou, NotYourTurn, OldBoard, Refusal
from bot.core.i18n.mentions import mention, slash, timestamp
from bot.core.posts.quiet_hours import after_quiet
from bot.core.scheduling.scheduler import WallClock
from bot.play.matches import endings, jobs
from bot.play.matches.computer_players import can_continue
from bot.play.matches.deadlines import Deadlines
from bot.play.matches.positions import Position, arrived, check_playing, over, player_of, waits_for
from bot.play.matches.scoring import Leaving, leaving
from bot.play.matches.service import Matches
from bot.play.matches.time_controls import stopped
from data import locks, posts
from data.matches import absences, clocks, matches
from data.matches.absences import Vacation
from data.matches.match import Player
from data.store.store import Store, Transaction
from engine.phrase import plural, say

MAX_DAYS_PER_YEAR: Final = 30
MAX_DAYS_AT_A_STRETCH: Final = 14
ENDING_POST: Final = "vacation_ending"
"""The kind of post that warns a player of the end of their vacation."""
_DAY: Final = timedelta(days=1)
What: TypeAlias = Literal["win", "abort"]


@dataclass(eq=False, repr=False)
class Vacations:
    """The vacations of all players."""

    store: Store
    deadlines: Deadlines
    clock: WallClock

    async def start(self, user_id: int, days: int) -> Vacation:
        """Start a vacation at once; the clocks waiting for this player are stopped.

        Raises Refusal if it is too long, exceeds the days left, or the player is already away.
        """
        if not 1 <= days <= MAX_DAYS_AT_A_STRETCH:
            raise Refusal(say("A vacation lasts 1 to {most} days.", most=MAX_DAYS_AT_A_STRETCH))
        now = self.clock()
        until = now + days * _DAY
        async with self.store.write() as tx:
            await locks.lock_id(tx, user_id)
            away = await absences.present(tx, user_id, now)
            if away is not None:
                raise Refusal(
                    say(
                        "You're already on vacation until {moment}. End it with {back}.",
                        back=slash("me", "back"),
                        moment=timestamp(away.ends_at),
                    )
                )
            taken = await absences.since(tx, user_id, _year(now.year))
            _check_allowance(taken, Vacation(0, user_id, now, until, over=False))
            number = await absences.add(tx, user_id, starts_at=now, ends_at=until)
            for clock in await clocks.of_player(tx, user_id):
                if clock.lapsed_at is not None or (clock.due_at and clock.due_at <= now):
                    continue  # leaving does not save what is already lost
                if await clocks.take(tx, clock, stopped(clock, now, until=until)):
                    match = await matches.get_existing(tx, clock.match_id)
                    await jobs.redraw(tx, match, user_id, f"w{match.id}a{number}", now)
            if days > 1:
                settings = await self.deadlines.players.player_in(tx, user_id)
                await posts.want(
                    tx,
                    ENDING_POST,
                    number,
                    at=now,
                    guild_id=None,
                    user_id=user_id,
                    not_before=after_quiet(settings, until - _DAY),
                )
        return Vacation(number, user_id, now, until, over=False)

    async def end(self, user_id: int) -> None:
        """End a vacation; the player's clocks resume. Raises Refusal if the player is not away."""
        now = self.clock()
        async with self.store.write() as tx:
            away = await absences.present(tx, user_id, now)
            if away is None:
                raise Refusal(
                    say("You're not on vacation. Start one with {go}.", go=slash("me", "vacation"))
                )
            await self._end(tx, away, now)

    async def left(self, user_id: int) -> int:
        """Return a player's remaining vacation days this year."""
        year = self.clock().year
        async with self.store.read() as tx:
            return days_left(await absences.since(tx, user_id, _year(year)), year)

    async def finish(self, now: datetime) -> None:
        """End all vacations that are over."""
        async with self.store.read() as tx:
            found = await absences.due(tx, now)
        for vacation in found:
            async with self.store.write() as tx:
                await self._end(tx, vacation, now)

    async def _end(self, tx: Transaction, vacation: Vacation, now: datetime) -> None:
        if not await absences.end(tx, vacation.id, min(vacation.ends_at, now)):
            return
        if await absences.present(tx, vacation.user_id, now) is not None:
            return  # another one has started: the clocks stay stopped until it ends
        for clock in await clocks.of_player(tx, vacation.user_id):
            match = await matches.get(tx, clock.match_id)
            if clock.is_paused and match is not None:
                nonce = f"w{match.id}b{vacation.id}"
                await self.deadlines.resume(
                    tx, clock, match, nonce, now, back=now < vacation.ends_at
                )


def _check_allowance(taken: tuple[Vacation, ...], wanted: Vacation) -> None:
    for year in range(wanted.starts_at.year, wanted.ends_at.year + 1):
        if _days_in((*taken, wanted), year) > MAX_DAYS_PER_YEAR:
            raise Refusal(
                plural(
                    "You have {n} vacation day left in {year}, of {most}.",
                    "You have {n} vacation days left in {year}, of {most}.",
                    days_left(taken, year),
                    year=str(year),
                    most=MAX_DAYS_PER_YEAR,
                )
            )


def days_left(taken: tuple[Vacation, ...], year: int) -> int:
    """Return the vacation days left in a year."""
    return max(0, MAX_DAYS_PER_YEAR - _days_in(taken, year))


def _days_in(taken: tuple[Vacation, ...], year: int) -> int:
    """Return the days of vacations within a year; a day that has begun counts."""
    begin, end = _year(year), _year(year + 1)
    spans = [min(v.ends_at, end) - max(v.starts_at, begin) for v in taken]
    return sum(math.ceil(span / _DAY) for span in spans if span > timedelta())


def _year(number: int) -> datetime:
    return datetime(number, 1, 1, tzinfo=UTC)


@dataclass(eq=False, repr=False)
class Claims:
    """Use cases for late players."""

    store: Store
    matches: Matches
    clock: WallClock

    async def leaving(self, position: Position, user_id: int) -> Leaving:
        """Return the consequences for a player of giving up or running out of time."""
        async with self.store.read() as tx:
            return await leaving(tx, position.match, user_id, self.clock())

    async def claim(self, match_id: int, user_id: int, ply: int, what: What) -> Position:
        """Make the late player to move lose the match, or abort it.

        Raises like `late_player`, and Refusal when aborting a match that others play on, or when
        nobody can play on the server of the match.
        """
        position = await self.matches.position(match_id)
        late, clock = late_player(position, user_id, ply), position.match.clock
        async with self.store.read() as tx:
            if await clocks.is_held(tx, position.match.guild_id):
                raise Refusal(
                    say(
                        "Discord has trouble with the server of match {match}, or I was "
                        "removed from it, so {player} can't move there. Try again later.",
                        match=f"#{match_id}",
                        player=mention(late.user_id),
                    )
                )
        if what == "abort" and can_continue(position.match):
            raise Refusal(say("Others are still playing, so you can't end this game."))
        seat, now = late.seat, self.clock()
        async with self.store.write() as tx:
            if what == "win":
                await self.matches.give_up(
                    tx, match_id, seat, "forfeited", by=user_id, ply=ply, clock=clock
                )
            else:
                ending = endings.aborted(position, late)
                await endings.end(tx, position, ending, by=user_id, at=now, ply=ply, clock=clock)
            after = await self.matches.position_in(tx, match_id)
        self.matches.positions.cache(after)
        return after

    async def mute(self, match_id: int, user_id: int, ply: int | None = None) -> None:
        """Mute a player's reminders for this turn.

        Raises NoSuchMatch, NotForYou, MatchOver, NotYourTurn, or OldBoard if that turn is over.
        """
        position = await self.matches.position(match_id)
        player_of(position, user_id)
        if position.to_move is None:
            raise over(match_id)
        if ply is not None and ply != position.version:
            raise OldBoard(say("That turn is already over."), match_id=match_id)
        if not waits_for(position, user_id):
            raise NotYourTurn(
                say(
                    "It's not your turn in match {match}. Waiting for {player}.",
                    match=f"#{match_id}",
                    player=mention(position.to_move.user_id),
                )
            )
        async with self.store.write() as tx:
            await clocks.mute(tx, match_id, user_id, position.ply)


def late_player(position: Position, user_id: int, ply: int | None = None) -> Player:
    """Return the player to move if they are late and this user may claim that.

    Raises NotForYou, MatchOver, OldBoard if the match has gone on since ``ply``, and Refusal if the
    player to move still has time, or no clock is running.
    """
    check_playing(position, player_of(position, user_id))
    match_id, clock = position.match.id, position.match.clock
    number = f"#{match_id}"
    if position.to_move is None:
        raise over(match_id)
    if ply is not None and ply != position.version:
        raise arrived(match_id)
    if waits_for(position, user_id):
        words = say("It's your turn in match {match}, and you can still move.", match=number)
        raise NotForYou(words, match_id=match_id)
    if clock is None:
        raise Refusal(say("Match {match} has no time limit.", match=number))
    if clock.is_paused and clock.next_at is not None:
        raise Refusal(
            say(
                "{player} is away until {day}. The clock is paused until then.",
                player=mention(clock.user_id),
                day=timestamp(clock.next_at, "D"),
            )
        )
    if clock.lapsed_at is None and clock.due_at is not None:
        raise Refusal(
            say(
                "{player} has time until {moment} ({distance}). After that you can claim the win.",
                player=mention(clock.user_id),
                moment=timestamp(clock.due_at, "f"),
                distance=timestamp(clock.due_at, "R"),
            )
        )
    return position.to_move
