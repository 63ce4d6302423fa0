"""What the clocks of matches do by themselves: reminders, the end of the time, and vacations.

Each thing is taken from the store in the transaction that puts its message into the outbox. So a
restart at any moment neither loses nor repeats it.
"""

from __future__ import annotations

import dataclasses
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

import structlog

from bot.delivery import jobs
from bot.errors import Refusal
from bot.matches import begun, endings
from bot.scheduling.deadlines import MIN_AFTER_QUIET
from bot.scheduling.quiet_hours import after_quiet, quiet
from data import clocks, key_values, matches, outbox, vacations
from data.errors import StoreError

if TYPE_CHECKING:
    from bot.matches.service import Matches
    from bot.scheduling.vacations import Vacations
    from bot.scheduling.wall_clock import WallClock
    from bot.settings.service import SettingsStore
    from data.clocks import MatchClock
    from data.store import Store, Transaction

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

LONG_OUTAGE: Final = timedelta(hours=1)
"""After a longer outage, players who could not move get extra time."""
GRACE: Final = timedelta(hours=12)
_SEEN: Final = "last-seen"


class MatchClocks:
    """The source of the timekeeper for all clocks."""

    def __init__(
        self,
        store: Store,
        matches_: Matches,
        settings: SettingsStore,
        away: Vacations,
        *,
        clock: WallClock,
    ) -> None:
        """Look after the clocks of a store.

        Args:
            store: where they are.
            matches_: the use cases of matches.
            settings: of servers and players.
            away: ends vacations.
            clock: the time of day.

        """
        self._store = store
        self._matches = matches_
        self._settings = settings
        self._away = away
        self._clock = clock
        self._begun = False

    async def begin(self) -> None:
        """Extend deadlines that passed during an outage; called at start."""
        now = self._clock()
        extended: tuple[MatchClock, ...] = ()
        async with self._store.write() as tx:
            noted = await key_values.get(tx, _SEEN)
            seen = [datetime.fromisoformat(noted)] if noted else []
            # A job was put with every move: the bot was there then too, whatever ended it.
            last = await outbox.last_put(tx)
            seen += [last] if noted and last is not None else []
            if seen and now - max(seen) > LONG_OUTAGE:
                extended = await clocks.running_out(tx, now + GRACE)
                for clock in extended:
                    await self._extend(tx, clock, now)
            await key_values.set(tx, _SEEN, now.isoformat())
        self._begun = True
        if extended:
            log.info("more time after an outage", clocks=len(extended))

    async def end(self) -> None:
        """Note until when the bot was there; call this at the end."""
        if not self._begun:
            return
        try:
            await self._note(self._clock())
        except StoreError as error:
            log.warning("could not note when the bot ended", why=str(error))

    async def next(self, tx: Transaction, /) -> datetime | None:
        """Return the next moment of any clock or vacation."""
        moments = (await clocks.next_moment(tx), await vacations.next_moment(tx))
        return min((moment for moment in moments if moment is not None), default=None)

    async def due(self, now: datetime, /) -> None:
        """End vacations, remind players and find times to be over."""
        await self._away.finish(now)
        async with self._store.read() as tx:
            found = await clocks.due(tx, now)
        for clock in found:
            try:
                await self._ring(clock, now)
            except StoreError:
                raise
            except Exception:  # one match that cannot be read must not hold up all others
                log.exception("a clock cannot be looked after", match=clock.match_id)
        await self._note(now)

    async def _ring(self, clock: MatchClock, now: datetime) -> None:
        if clock.stands:
            async with self._store.write() as tx:
                match = await _match(tx, clock.match_id)
                nonce = f"w{clock.match_id}s{_seconds(now)}"
                await self._matches.deadlines.resume(tx, clock, match, nonce, now)
        elif clock.due_at is not None and clock.due_at <= now:
            await self._lapse(clock, now)
        else:
            await self._remind(clock, now)

    async def _remind(self, clock: MatchClock, now: datetime) -> None:
        assert clock.due_at is not None
        async with self._store.write() as tx:
            settings = await self._settings.player_in(tx, clock.user_id)
            hours = quiet(settings, now)
            later = hours is not None and hours.end + MIN_AFTER_QUIET <= clock.due_at
            if later and hours is not None:
                changed = dataclasses.replace(clock, remind_at=hours.end, next_at=hours.end)
                await clocks.take(tx, clock, changed)
                return
            changed = dataclasses.replace(clock, remind_at=None, next_at=clock.due_at)
            wanted = settings.reminders and not clock.muted
            if await clocks.take(tx, clock, changed) and wanted:
                nonce = f"w{clock.match_id}r{_seconds(clock.due_at)}"
                called = [] if hours is not None else [clock.user_id]
                await self._tell(tx, clock, "reminder", nonce=nonce, at=now, call=called)

    async def _lapse(self, clock: MatchClock, now: datetime) -> None:
        view = await self._matches.view(clock.match_id)
        server = await self._settings.server(view.match.guild_id)
        if server.forfeit == "automatic":
            await self._forfeit(clock, now)
            return
        others = [p.user_id for p in view.match.players if p.user_id != clock.user_id]
        changed = dataclasses.replace(clock, lapsed_at=now, remind_at=None, next_at=None)
        async with self._store.write() as tx:
            if not await clocks.take(tx, clock, changed):
                return
            when, called = await self._reachable(tx, others, now)
            await self._tell(
                tx,
                clock,
                "lapsed",
                nonce=f"w{clock.match_id}x{_seconds(now)}",
                at=now,
                not_before=when,
                call=called,
                void=await begun.hardly_begun(tx, view.match),
            )

    async def _forfeit(self, clock: MatchClock, now: datetime) -> None:
        view = await self._matches.view(clock.match_id)
        late = view.player_of(clock.user_id)
        assert late is not None
        everybody = [player.user_id for player in view.match.players]
        try:
            async with self._store.write() as tx:
                ending = await endings.lost(tx, view, late, "forfeited")
                await endings.end(
                    tx,
                    clock.match_id,
                    ending,
                    by=None,
                    at=now,
                    ply=view.version,
                    fits=lambda found: found.due_at == clock.due_at,
                )
                when, called = await self._reachable(tx, everybody, now)
                nonce = f"w{clock.match_id}f"
                match = await _match(tx, clock.match_id)
                late_id = clock.user_id
                await jobs.notify(
                    tx,
                    match,
                    "forfeited",
                    nonce=nonce,
                    at=now,
                    not_before=when,
                    call=called,
                    late=late_id,
                )
        except Refusal as refusal:  # a move or a claim was faster
            log.info("no forfeit", match=clock.match_id, why=refusal.sentence)
        await self._matches.view(clock.match_id)

    async def _extend(self, tx: Transaction, clock: MatchClock, now: datetime) -> None:
        due = now + GRACE
        changed = dataclasses.replace(clock, remind_at=None, due_at=due, next_at=due)
        if not await clocks.take(tx, clock, changed):
            return
        match = await _match(tx, clock.match_id)
        second = _seconds(now)
        await jobs.redraw(tx, match, clock.user_id, f"w{match.id}h{second}", now)
        settings = await self._settings.player_in(tx, clock.user_id)
        if settings.reminders and not clock.muted:
            when, called = await self._reachable(tx, [clock.user_id], now)
            nonce = f"w{match.id}g{second}"
            await self._tell(
                tx, clock, "reminder", nonce=nonce, at=now, not_before=when, call=called, grace=True
            )

    async def _reachable(
        self, tx: Transaction, people: list[int], now: datetime
    ) -> tuple[datetime | None, list[int]]:
        """Return when the first of some people may be called, and who may be called then."""
        free: list[tuple[datetime, int]] = []
        for user in people:
            settings = await self._settings.player_in(tx, user)
            free.append((after_quiet(settings, now), user))
        first = min(moment for moment, _ in free)
        return (None if first == now else first), [user for at, user in free if at == first]

    @staticmethod
    async def _tell(tx: Transaction, clock: MatchClock, kind: str, **rest: Any) -> None:
        match = await _match(tx, clock.match_id)
        await jobs.notify(tx, match, kind, ply=clock.ply, **rest)

    async def _note(self, now: datetime) -> None:
        async with self._store.write() as tx:
            await key_values.set(tx, _SEEN, now.isoformat())


async def _match(tx: Transaction, match_id: int) -> matches.Match:
    match = await matches.get(tx, match_id)
    assert match is not None
    return match


def _seconds(moment: datetime) -> int:
    return int(moment.timestamp())
