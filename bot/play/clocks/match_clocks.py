"""Reminds players, ends their time and resumes their clocks after vacations.

Each event is taken from the store in the transaction that queues its message, so a restart at any
moment neither loses nor repeats it.
"""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Iterable
from contextvars import Context
from datetime import UTC, datetime
from typing import Any, Final, Protocol

import structlog

from bot.core.computers import is_person
from bot.core.errors import Refusal
from bot.core.posts.quiet_hours import after_quiet, quiet
from bot.core.scheduling.reachability import GRACE, Reachability
from bot.core.scheduling.wall_clock import WallClock
from bot.core.settings.service import SettingsStore
from bot.core.shards.ownership import Shards
from bot.play.clocks.service import Vacations
from bot.play.matches import jobs
from bot.play.matches.computer_players import can_continue, playing
from bot.play.matches.deadlines import MIN_AFTER_QUIET, next_reminder
from bot.play.matches.positions import MatchView
from bot.play.matches.scoring import leaving
from bot.play.matches.service import Matches
from data import locks
from data.ladders import ladder_challenges
from data.matches import clocks, matches, outbox, server_outages, vacations
from data.matches.match import MatchClock
from data.sql import key_values
from data.sql.errors import StoreError
from data.sql.scope import Scope
from data.store.store import Store, Transaction
from data.tournaments import tournament_rounds

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

BATCH: Final = 50
"""Clocks extended per transaction, so that players never wait for more."""
_AT_ONCE: Final = datetime.min.replace(tzinfo=UTC)
_GRACE_UNTIL: Final = "grace-until"
"""Key prefix of the promised times, one for each shard."""


class MatchClocks:
    """A scheduler source: the clocks of all matches, and vacations."""

    def __init__(
        self,
        store: Store,
        matches_: Matches,
        settings: SettingsStore,
        vacations_: Vacations,
        reachability: Reachability,
        *,
        absences: Absences,
        shards: Shards,
        clock: WallClock,
    ) -> None:
        """Run the clocks of a store, on the shards whose players can play."""
        self._store = store
        self._matches = matches_
        self._settings = settings
        self._vacations = vacations_
        self._reachability = reachability
        self._absences = absences
        self._shards = shards
        self._clock = clock
        self._reachable_shards, self._outages = frozenset[int](), frozenset[int]()
        self._shards_to_compensate: list[int] = []
        self._settled: set[int] = set()
        """The shards with no clocks left to extend after an outage."""

    def check_outages(self) -> None:
        """Check which shards can be played on; called before `next`."""
        self._reachable_shards = self._check_outages()
        self._outages = self._reachability.outages
        self._shards_to_compensate = self._to_compensate(self._reachable_shards)

    async def next(self, tx: Transaction, /) -> datetime | None:
        """Return the next moment of any clock or vacation; ``None`` while no shard is playable."""
        reachable = self._reachable_shards
        if not reachable:
            return None
        for shard in self._shards_to_compensate:
            if shard in self._outages or await self._grace_until(tx, shard):
                return _AT_ONCE
        if await server_outages.next_promised(tx, scope=self._scope(reachable)):
            return _AT_ONCE
        moments = [await clocks.next_moment(tx, scope=self._scope(reachable))]
        if self._shards.has_direct_messages:
            moments.append(await vacations.next_moment(tx))
        return min((moment for moment in moments if moment is not None), default=None)

    async def due(self, now: datetime, /) -> None:
        """Make up for outages, end vacations, remind players and handle those out of time."""
        reachable = self._check_outages()
        if not reachable:
            return  # no shard is playable just now; it is due again once one is
        for shard in self._to_compensate(reachable):
            await self._compensate(shard, now)
        await self._compensate_servers(reachable, now)
        if self._shards.has_direct_messages:
            await self._vacations.finish(now)
        last: MatchClock | None = None
        while found := await self._due(now, last, reachable):
            for clock in found:
                try:
                    await self._handle(clock, now)
                except StoreError:
                    raise
                except Exception:  # one unreadable match must not hold up all others
                    log.exception("could not handle a match clock", match=clock.match_id)
                self._absences.check(clock.match_id)  # who does not move may have left
            last = found[-1]
        async with self._store.write() as tx:
            await self._reachability.record(tx)

    def _check_outages(self) -> frozenset[int]:
        """Return this process's shards whose players can play."""
        self._reachability.look()
        reachable = frozenset(s for s in self._reachability.reachable if self._shards.has(s))
        self._settled &= reachable  # nothing is known about the others
        return reachable

    def _to_compensate(self, reachable: frozenset[int]) -> list[int]:
        """Return the shards that may have clocks to extend after an outage."""
        return sorted(reachable - self._settled | reachable & self._reachability.outages)

    def _scope(self, shards: frozenset[int]) -> Scope | None:
        return None if len(shards) == self._shards.count else Scope(self._shards.count, shards)

    async def _due(
        self, now: datetime, last: MatchClock | None, shards: frozenset[int]
    ) -> tuple[MatchClock, ...]:
        async with self._store.read() as tx:
            return await clocks.due(tx, now, after=last, limit=BATCH, scope=self._scope(shards))

    async def _compensate(self, shard: int, now: datetime) -> None:
        """Extend the clocks that ran out during an outage, or will soon after it.

        The promised time is stored before the first clock is extended, so that a crash in between
        neither leaves out a player nor gives one more than the others.
        """
        key = self._key(shard)
        async with self._store.write() as tx:
            if shard in self._reachability.outages:
                promised = (now + GRACE).replace(microsecond=0)
                await key_values.set(tx, key, promised.isoformat())
                await self._reachability.record(tx)
            until = await self._grace_until(tx, shard)
        self._reachability.mark_compensated(shard)
        self._settled.discard(shard)
        extended = 0
        scope = self._scope(frozenset({shard}))
        while until is not None and (found := await self._extend_some(until, now, scope=scope)):
            extended += found
        if until is not None:
            async with self._store.write() as tx:
                await key_values.remove(tx, key)
            log.info("more time after an outage", clocks=extended, shard=shard)
        self._settled.add(shard)

    async def _compensate_servers(self, shards: frozenset[int], now: datetime) -> None:
        """Extend the clocks of servers that were unavailable for long, and release their matches."""
        while True:
            async with self._store.read() as tx:
                outage = await server_outages.next_promised(tx, scope=self._scope(shards))
            if outage is None or (until := outage.grace_until) is None:
                return
            extended = 0
            while found := await self._extend_some(until, now, guild_id=outage.guild_id):
                extended += found
            async with self._store.write() as tx:
                await server_outages.remove(tx, outage, now)
            log.info("more time after an outage", clocks=extended, guild=outage.guild_id)

    def _key(self, shard: int) -> str:
        return f"{_GRACE_UNTIL}:{shard}/{self._shards.count}"

    async def _grace_until(self, tx: Transaction, shard: int) -> datetime | None:
        """Return the minimum deadline promised to players; ``None`` once all clocks are extended."""
        promised = await key_values.get(tx, self._key(shard))
        return None if promised is None else datetime.fromisoformat(promised)

    async def _extend_some(
        self,
        until: datetime,
        now: datetime,
        *,
        scope: Scope | None = None,
        guild_id: int | None = None,
    ) -> int:
        async with self._store.write() as tx:
            found = await clocks.running_out(tx, until, limit=BATCH, scope=scope, guild_id=guild_id)
            for clock in sorted(found, key=lambda clock: clock.match_id):
                await locks.lock_match(tx, clock.match_id)
                await self._extend(tx, clock, until, now)
        return len(found)

    async def _handle(self, clock: MatchClock, now: datetime) -> None:
        if clock.due_at is None:
            async with self._store.write() as tx:
                match = await _match(tx, clock)
                nonce = f"w{match.id}s{_seconds(now)}"
                await self._matches.deadlines.resume(tx, clock, match, nonce, now)
        elif clock.due_at > now:
            await self._remind(clock, clock.due_at, now)
        else:
            view = await self._matches.view(clock.match_id)
            if await self._is_automatic(view):
                await self._forfeit(clock, view, now)
            else:
                await self._lapse(clock, view, now)

    async def _is_automatic(self, view: MatchView) -> bool:
        """Return whether no claim is needed: tournaments and ladders must not be held up."""
        if (await self._settings.server(view.match.guild_id)).forfeit == "automatic":
            return True
        async with self._store.read() as tx:
            of_ladder = await ladder_challenges.is_match(tx, view.match.id)
            return of_ladder or await tournament_rounds.is_game(tx, view.match.id)

    async def _remind(self, clock: MatchClock, due_at: datetime, now: datetime) -> None:
        async with self._store.write() as tx:
            settings = await self._settings.player_in(tx, clock.user_id)
            hours = quiet(settings, now)
            if hours is not None and hours.end + MIN_AFTER_QUIET <= due_at:
                changed = dataclasses.replace(clock, remind_at=hours.end, next_at=hours.end)
                await clocks.take(tx, clock, changed)
                return
            match = await _match(tx, clock)
            again = next_reminder(clock, match, settings, now)
            changed = dataclasses.replace(clock, remind_at=again, next_at=again or due_at)
            if await clocks.take(tx, clock, changed) and settings.reminders and not clock.muted:
                called = [] if hours is not None else [clock.user_id]
                await _notify(tx, clock, "reminder", now, call=called)

    async def _lapse(self, clock: MatchClock, view: MatchView, now: datetime) -> None:
        """Let the opponents claim the win."""
        others = [p.user_id for p in playing(view.match) if p.user_id != clock.user_id]
        changed = dataclasses.replace(clock, lapsed_at=now, remind_at=None, next_at=None)
        async with self._store.write() as tx:
            if not await clocks.take(tx, clock, changed):
                return
            called = await self._reachable(tx, others, now)
            what = await leaving(tx, view.match, clock.user_id, now)
            void = what.void and not can_continue(view.match)
            await _notify(tx, clock, "lapsed", now, void=void, **called)

    async def _forfeit(self, clock: MatchClock, view: MatchView, now: datetime) -> None:
        late = view.player_of(clock.user_id)
        assert late is not None
        try:
            async with self._store.write() as tx:
                ended = await self._matches.give_up(
                    tx,
                    view.match.id,
                    late.seat,
                    "forfeited",
                    by=None,
                    ply=view.version,
                    clock=clock,
                )
                if not ended:
                    return
                called = await self._reachable(tx, [p.user_id for p in playing(view.match)], now)
                await jobs.notify(
                    tx,
                    await _match(tx, clock),
                    "forfeited",
                    at=now,
                    late=clock.user_id,
                    **called,
                )
        except Refusal as refusal:  # a move or a claim came first
            log.info("no forfeit", match=clock.match_id, reason=refusal.sentence)

    async def _extend(
        self, tx: Transaction, clock: MatchClock, due: datetime, now: datetime
    ) -> None:
        """Give more time to a player who could not move during an outage."""
        changed = dataclasses.replace(clock, remind_at=None, due_at=due, next_at=due)
        if not await clocks.take(tx, clock, changed):
            return
        match = await _match(tx, clock)
        await jobs.redraw(tx, match, clock.user_id, f"w{match.id}h{_seconds(due)}", now)
        settings = await self._settings.player_in(tx, clock.user_id)
        if settings.reminders and not clock.muted:
            called = await self._reachable(tx, [clock.user_id], now)
            await _notify(tx, clock, "reminder", now, grace=True, **called)

    async def _reachable(self, tx: Transaction, people: list[int], now: datetime) -> dict[str, Any]:
        """Return when the first of those who want pings may get one, and which of them may then."""
        wanted = {
            user_id: await self._settings.player_in(tx, user_id)
            for user_id in people
            if is_person(user_id)
        }
        free = {one: after_quiet(chosen, now) for one, chosen in wanted.items() if chosen.pings}
        first = min(free.values(), default=now)
        called = [user_id for user_id, moment in free.items() if moment == first]
        return {"not_before": None if first == now else first, "call": called}


async def _notify(
    tx: Transaction, clock: MatchClock, kind: str, now: datetime, **rest: Any
) -> None:
    await jobs.notify(tx, await _match(tx, clock), kind, at=now, ply=clock.ply, **rest)


async def _match(tx: Transaction, clock: MatchClock) -> matches.Match:
    match = await matches.get(tx, clock.match_id)
    assert match is not None
    return match


def _seconds(moment: datetime) -> int:
    return int(moment.timestamp())


class FindDeparted(Protocol):
    """Finds which of some users have left a server; see `bot.core.permissions.members`."""

    async def __call__(
        self, guild_id: int | None, user_ids: Iterable[int], /, *, afresh: bool = False
    ) -> frozenset[int]:
        """Return them; ask Discord ``afresh`` rather than rely on an earlier answer."""


class Absences:
    """Gives the seats of players who have left to computers."""

    def __init__(
        self, store: Store, matches: Matches, find_departed: FindDeparted, *, shards: Shards
    ) -> None:
        """Watch the matches of a store; ``find_departed`` returns which users have left a server."""
        self._matches = matches
        self._shards = shards
        self._find_departed = find_departed
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._closed = False
        store.listen(outbox.TOPIC, self.check)

    def check(self, match_id: int) -> None:
        """Check in the background whether players of a match have left."""
        cached = self._matches.positions.cached(match_id)
        of_two = cached is not None and len(cached.match.players) <= 2
        if not match_id or of_two or match_id in self._tasks or self._closed:
            return
        # A separate context: this is not part of answering the press that triggered it.
        work = self._check(match_id)
        task = asyncio.create_task(work, name=f"absences-{match_id}", context=Context())
        self._tasks[match_id] = task
        task.add_done_callback(lambda _: self._tasks.pop(match_id, None))

    @property
    def busy(self) -> bool:
        """Whether a check is running."""
        return bool(self._tasks)

    async def idle(self) -> None:
        """Wait until no check is running."""
        while self._tasks:
            await asyncio.wait(set(self._tasks.values()))
            await asyncio.sleep(0)

    async def close(self) -> None:
        """Stop; the next change to a match finds the departures missed here."""
        self._closed = True
        for task in self._tasks.values():
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    async def _check(self, match_id: int) -> None:
        try:
            view = await self._matches.view(match_id)
            if view.match.finished or view.practice or len(view.match.players) <= 2:
                return
            if not self._shards.owns(view.match.guild_id):
                return
            people = [one.user_id for one in playing(view.match) if is_person(one.user_id)]
            departed = await self._find_departed(view.match.guild_id, people)
            for user_id in people:
                if user_id in departed:
                    await self._matches.leave(match_id, user_id)
        except (Refusal, StoreError) as error:
            log.info(
                "a player who has left stays in the match for now",
                match=match_id,
                reason=str(error),
            )
        except Exception:
            log.exception("could not check who has left", match=match_id)
