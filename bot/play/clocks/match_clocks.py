"""Reminds players, ends their time and resumes their clocks after vacations.

Each event is taken from the store in the transaction that queues its message, so a restart at any
moment neither loses nor repeats it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Awaitable, Callable
from contextvars import Context
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final, TypeAlias

import structlog

from bot.core.background import KeyedBackground
from bot.core.computers import is_person
from bot.core.errors import Refusal
from bot.core.posts.quiet_hours import after_quiet, quiet
from bot.core.scheduling.reachability import SHORT_GRACE, Reachability, ServerOutages, was_short
from bot.core.scheduling.scheduler import WallClock
from bot.core.settings.service import SettingsStore
from bot.core.shards.ownership import Shards
from bot.play.clocks.service import Vacations
from bot.play.matches import jobs
from bot.play.matches.computer_players import can_continue, playing
from bot.play.matches.positions import Position
from bot.play.matches.scoring import leaving
from bot.play.matches.service import Matches
from bot.play.matches.time_controls import MIN_AFTER_QUIET, next_reminder
from data import locks
from data.ladders import ladder_challenges
from data.matches import absences, clocks, matches, outbox
from data.matches.match import MatchClock
from data.sql import key_values
from data.sql.errors import StoreError
from data.sql.statements import Scope
from data.store.store import Store, Transaction
from data.tournaments import tournament_rounds

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

BATCH: Final = 50
"""Clocks extended per transaction, so that players never wait for more."""
_FOUND: Final = 5_000
"""Clocks read at once after an outage. To find those that run out, the database reads all clocks."""
_AT_ONCE: Final = datetime.min.replace(tzinfo=UTC)
_GRACE_UNTIL: Final = "grace-until"
"""Key prefix of the promised times, one for each shard."""
_GRACE_OF_HOURS: Final = "grace-of-hours-until"
"""The same for those who have hours per move, after a shorter outage."""
_PROMISES: Final = (_GRACE_UNTIL, _GRACE_OF_HOURS)


FindDeparted: TypeAlias = Callable[..., Awaitable[frozenset[int]]]
"""`bot.core.permissions.members.Members.departed`, which needs Discord."""


class Absences:
    """Gives the seats of players who leave the server, in matches of three or four, to computers.

    Discord reports departures only when asked. We ask after every change to such a match, when
    another player looks at its board, and when a player's time runs short. Answers are cached
    (`bot.core.permissions.members`); without an answer, a player counts as present.
    """

    def __init__(
        self, store: Store, matches_: Matches, find_departed: FindDeparted, *, shards: Shards
    ) -> None:
        """Watch the matches of a store."""
        self._matches = matches_
        self._shards = shards
        self._find_departed = find_departed
        self.work = KeyedBackground("absences", self._check, (StoreError,))
        store.listen(outbox.TOPIC, self.check)

    def check(self, match_id: int) -> None:
        """Check in the background whether players of a match have left."""
        cached = self._matches.positions.cached(match_id)
        if match_id and (cached is None or len(cached.match.players) > 2):
            # A separate context: this is not part of answering the press that triggered it.
            Context().run(self.work.wake, match_id)

    async def _check(self, match_id: int) -> None:
        try:
            position = await self._matches.position(match_id)
            guild = position.match.guild_id
            if position.match.finished or position.practice or len(position.match.players) <= 2:
                return
            if not self._shards.owns(guild):
                return
            people = [one.user_id for one in playing(position.match) if is_person(one.user_id)]
            departed = await self._find_departed(guild, people)
            for user_id in people:
                if user_id in departed:
                    await self._matches.resign(match_id, user_id, "left")
        except Refusal as refusal:
            log.info("no player who has left", match=match_id, reason=refusal.sentence)


@dataclass(eq=False, repr=False)
class MatchClocks:
    """A scheduler source: the clocks of all matches, and vacations."""

    store: Store
    matches: Matches
    settings: SettingsStore
    vacations: Vacations
    reachability: Reachability
    _: dataclasses.KW_ONLY
    absences: Absences
    outages: ServerOutages
    shards: Shards
    clock: WallClock
    _reachable: frozenset[int] = field(default=frozenset(), init=False)
    """This process's shards whose players can play."""
    _outages: frozenset[int] = field(default=frozenset(), init=False)
    _to_compensate: list[int] = field(default_factory=list, init=False)
    """Of these, the shards that may have clocks to extend after an outage."""
    _settled: set[int] = field(default_factory=set, init=False)
    """The shards with no clocks left to extend after an outage."""

    def check_outages(self) -> None:
        """Check which shards can be played on; called before `next`."""
        self.reachability.update()
        self._reachable = frozenset(s for s in self.reachability.reachable if self.shards.has(s))
        self._settled &= self._reachable  # nothing is known about the others
        self._outages = self.reachability.outages
        unsettled = self._reachable - self._settled | self._reachable & self._outages
        self._to_compensate = sorted(unsettled)

    async def next(self, tx: Transaction, /) -> datetime | None:
        """Return the next moment of any clock or vacation; ``None`` while no shard is playable."""
        if not self._reachable:
            return None
        for shard in self._to_compensate:
            if shard in self._outages:
                return _AT_ONCE
            for promise in _PROMISES:
                if await self._grace_until(tx, promise, shard):
                    return _AT_ONCE
        with tx.limited_to(self._scope(self._reachable)):
            if await clocks.next_promised(tx):
                return _AT_ONCE
            moments = [await clocks.next_moment(tx)]
        if self.shards.owns(None):
            moments.append(await absences.next_moment(tx))
        return min((moment for moment in moments if moment is not None), default=None)

    async def due(self, now: datetime, /) -> None:
        """Make up for outages, end vacations, remind players and handle those out of time."""
        self.check_outages()
        if not self._reachable:
            return  # no shard is playable just now; it is due again once one is
        scope = self._scope(self._reachable)
        for shard in self._to_compensate:
            await self._compensate(shard, now)
        await self._compensate_servers(scope, now)
        if self.shards.owns(None):
            await self.vacations.finish(now)
        async with self.store.read() as tx:
            with tx.limited_to(scope):
                servers = await clocks.servers_due(tx, now)
        await self.outages.check(servers)
        last: MatchClock | None = None
        while True:
            async with self.store.read() as tx:
                with tx.limited_to(scope):
                    found = await clocks.due(tx, now, after=last, limit=BATCH)
            if not found:
                break
            for clock in found:
                try:
                    await self._handle(clock, now)
                except StoreError:
                    raise
                except Exception:  # one unreadable match must not hold up all others
                    log.exception("could not handle a match clock", match=clock.match_id)
                self.absences.check(clock.match_id)  # who does not move may have left
            last = found[-1]
        async with self.store.write() as tx:
            await self.reachability.record(tx)

    def _scope(self, shards: frozenset[int]) -> Scope | None:
        return None if len(shards) == self.shards.count else Scope(self.shards.count, shards)

    async def _compensate(self, shard: int, now: datetime) -> None:
        """Extend the clocks that ran out during an outage, or will soon after it.

        The promised time is stored before the first clock is extended, so that a crash in between
        neither leaves out a player nor gives one more than the others.
        """
        async with self.store.write() as tx:
            if shard in self.reachability.outages:
                grace = self.reachability.grace(shard)
                promise = _GRACE_OF_HOURS if grace == SHORT_GRACE else _GRACE_UNTIL
                promised = (now + grace).replace(microsecond=0)
                await key_values.set(tx, self._key(promise, shard), promised.isoformat())
                await self.reachability.record(tx)
            promises = [(one, await self._grace_until(tx, one, shard)) for one in _PROMISES]
        self.reachability.mark_compensated(shard)
        self._settled.discard(shard)
        scope = self._scope(frozenset({shard}))
        for promise, until in promises:
            if until is not None:
                hours = promise == _GRACE_OF_HOURS
                extended = await self._extend_all(until, now, scope=scope, hours=hours)
                async with self.store.write() as tx:
                    await key_values.remove(tx, self._key(promise, shard))
                log.info("more time after an outage", clocks=extended, shard=shard)
        self._settled.add(shard)

    async def _compensate_servers(self, scope: Scope | None, now: datetime) -> None:
        """Extend the clocks of servers that were unavailable for long, and release their matches."""
        while True:
            async with self.store.read() as tx:
                with tx.limited_to(scope):
                    outage = await clocks.next_promised(tx)
            if outage is None or outage.grace_until is None:
                return
            guild = outage.guild_id
            extended = await self._extend_all(
                outage.grace_until, now, guild_id=guild, hours=was_short(outage)
            )
            async with self.store.write() as tx:
                await clocks.end_outage(tx, outage, now)
            log.info("more time after an outage", clocks=extended, guild=guild)

    def _key(self, promise: str, shard: int) -> str:
        return f"{promise}:{shard}/{self.shards.count}"

    async def _grace_until(self, tx: Transaction, promise: str, shard: int) -> datetime | None:
        """Return the minimum deadline promised to players; ``None`` once all clocks are extended."""
        promised = await key_values.get(tx, self._key(promise, shard))
        return None if promised is None else datetime.fromisoformat(promised)

    async def _extend_all(
        self,
        until: datetime,
        now: datetime,
        *,
        scope: Scope | None = None,
        guild_id: int | None = None,
        hours: bool = False,
    ) -> int:
        """Give more time to all players who could not move during an outage; return how many.

        ``hours`` leaves out those who have days per move.
        """
        extended = 0
        while True:
            async with self.store.read() as tx:
                with tx.limited_to(scope):
                    found = await clocks.running_out(
                        tx, until, limit=_FOUND, guild_id=guild_id, hours=hours
                    )
            if not found:
                break
            for start in range(0, len(found), BATCH):
                batch = found[start : start + BATCH]
                async with self.store.write() as tx:
                    for clock in sorted(batch, key=lambda clock: clock.match_id):
                        await locks.lock_match(tx, clock.match_id)
                        await self._extend(tx, clock, until, now)
            extended += len(found)
        return extended

    async def _extend(
        self, tx: Transaction, clock: MatchClock, due: datetime, now: datetime
    ) -> None:
        changed = dataclasses.replace(clock, remind_at=None, due_at=due, next_at=due)
        if not await clocks.take(tx, clock, changed):
            return
        match = await matches.get_existing(tx, clock.match_id)
        await jobs.redraw(tx, match, clock.user_id, f"w{match.id}h{_seconds(due)}", now)
        settings = await self.settings.player_in(tx, clock.user_id)
        if settings.reminders and not clock.muted:
            pings = await self._pings(tx, [clock.user_id], now)
            await _notify(tx, clock, "reminder", now, grace=True, **pings)

    async def _handle(self, clock: MatchClock, now: datetime) -> None:
        if clock.due_at is None:
            async with self.store.write() as tx:
                match = await matches.get_existing(tx, clock.match_id)
                nonce = f"w{match.id}s{_seconds(now)}"
                await self.matches.deadlines.resume(tx, clock, match, nonce, now)
        elif clock.due_at > now:
            await self._remind(clock, clock.due_at, now)
        else:
            position = await self.matches.position(clock.match_id)
            if await self._is_automatic(position):
                await self._forfeit(clock, position, now)
            else:
                await self._lapse(clock, position, now)

    async def _is_automatic(self, position: Position) -> bool:
        """Return whether no claim is needed: tournaments and ladders must not be held up."""
        if (await self.settings.server(position.match.guild_id)).forfeit == "automatic":
            return True
        async with self.store.read() as tx:
            of_ladder = await ladder_challenges.is_match(tx, position.match.id)
            return of_ladder or await tournament_rounds.is_game(tx, position.match.id)

    async def _remind(self, clock: MatchClock, due_at: datetime, now: datetime) -> None:
        async with self.store.write() as tx:
            settings = await self.settings.player_in(tx, clock.user_id)
            hours = quiet(settings, now)
            if hours is not None and hours.end + MIN_AFTER_QUIET <= due_at:
                changed = dataclasses.replace(clock, remind_at=hours.end, next_at=hours.end)
                await clocks.take(tx, clock, changed)
                return
            match = await matches.get_existing(tx, clock.match_id)
            again = next_reminder(clock, match, settings, now)
            changed = dataclasses.replace(clock, remind_at=again, next_at=again or due_at)
            if await clocks.take(tx, clock, changed) and settings.reminders and not clock.muted:
                called = [] if hours is not None else [clock.user_id]
                await _notify(tx, clock, "reminder", now, call=called)

    async def _lapse(self, clock: MatchClock, position: Position, now: datetime) -> None:
        """Let the opponents claim the win."""
        others = [p.user_id for p in playing(position.match) if p.user_id != clock.user_id]
        changed = dataclasses.replace(clock, lapsed_at=now, remind_at=None, next_at=None)
        async with self.store.write() as tx:
            if not await clocks.take(tx, clock, changed):
                return
            pings = await self._pings(tx, others, now)
            what = await leaving(tx, position.match, clock.user_id, now)
            void = what.void and not can_continue(position.match)
            await _notify(tx, clock, "lapsed", now, void=void, **pings)

    async def _forfeit(self, clock: MatchClock, position: Position, now: datetime) -> None:
        late, number = position.player_of(clock.user_id), position.match.id
        assert late is not None
        try:
            async with self.store.write() as tx:
                ended = await self.matches.give_up(
                    tx, number, late.seat, "forfeited", by=None, ply=position.version, clock=clock
                )
                if ended:
                    pings = await self._pings(tx, [p.user_id for p in playing(position.match)], now)
                    match = await matches.get_existing(tx, number)
                    late_user = clock.user_id
                    await jobs.notify(tx, match, "forfeited", at=now, late=late_user, **pings)
        except Refusal as refusal:  # a move or a claim came first
            log.info("no forfeit", match=number, reason=refusal.sentence)

    async def _pings(self, tx: Transaction, people: list[int], now: datetime) -> dict[str, Any]:
        """Return when the first of those who want pings may get one, and which of them may then."""
        free = {}
        for user_id in filter(is_person, people):
            settings = await self.settings.player_in(tx, user_id)
            if settings.pings:
                free[user_id] = after_quiet(settings, now)
        first = min(free.values(), default=now)
        called = [user_id for user_id, moment in free.items() if moment == first]
        return {"not_before": None if first == now else first, "call": called}


async def _notify(
    tx: Transaction, clock: MatchClock, kind: str, now: datetime, **rest: Any
) -> None:
    match = await matches.get_existing(tx, clock.match_id)
    await jobs.notify(tx, match, kind, at=now, ply=clock.ply, **rest)


def _seconds(moment: datetime) -> int:
    return int(moment.timestamp())
