"""The steps of a tournament: each is one transaction, and the stored state decides the next.

So a tournament survives a killed process, and if two processes take the same step, one finds it
done: every step locks the tournament and starts over if it has changed since it was read.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated, Final, TypeAlias

import structlog

from bot.core.background import MIN_PAUSE, Background
from bot.core.scheduling.scheduler import WallClock
from bot.core.workers.fair_queue import Requester
from bot.core.workers.pool import WorkerFailure, WorkerPool
from bot.features.tournaments import transitions
from bot.features.tournaments.rounds import RoundSteps, Step, has_passed
from bot.features.tournaments.rules import pairing
from bot.features.tournaments.view import ConcurrentChange, TournamentView, changing, read_view
from bot.play.clocks.match_clocks import FindDeparted  # noqa: F401 -- of an inherited field
from bot.play.matches.service import Matches  # noqa: F401 -- of an inherited field
from data.matches.matches import ENDED
from data.sql.errors import StoreError
from data.store.store import Store, Transaction
from data.time_per_move import DAY
from data.tournaments import tournament_entrants, tournament_rounds, tournaments
from data.tournaments.tournament_rounds import Round
from data.tournaments.tournaments import State
from data.tournaments.values import Pairing

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

PairingPool: TypeAlias = Annotated[WorkerPool, "pairings"]
"""The process that pairs large rounds."""
SIGN_UP_FOR: Final = timedelta(days=60)
"""How long a tournament waits to be started."""


@dataclass(eq=False, repr=False)
class Steps(RoundSteps):
    """Takes the steps of tournaments, those within rounds included."""

    pool: PairingPool
    clock: WallClock

    async def take_due(self) -> None:
        """Take all steps that are due.

        Raises:
            ExceptionGroup: some tournaments failed.
        """
        now = self.clock()

        async def due(tx: Transaction) -> list[int]:
            return [
                *await tournaments.due(tx, now),
                *await tournament_rounds.with_new_results(tx),
            ]

        failed = []
        for number in dict.fromkeys(await self.store.run_read(due)):
            try:
                while await self.take(number):
                    pass
            except Exception as error:  # noqa: BLE001 -- one must not hold up the others
                failed.append(error)
        if failed:
            raise ExceptionGroup("tournaments", failed)

    async def take(self, tournament_id: int) -> bool:
        """Take the next step; return whether there was one."""
        view = await self.store.run_read(lambda tx: read_view(tx, tournament_id))
        if view is None or not view.tournament.state.open:
            return False
        now = self.clock()
        step = self._next(view, now)
        try:
            if step is not None:
                await step()
                return True
            return await self._schedule_next(view)
        except ConcurrentChange:
            await asyncio.sleep(MIN_PAUSE)
            return True

    def _next(self, view: TournamentView, now: datetime) -> Step | None:
        """Return the next step; ``None`` while waiting for time or players."""
        tournament = view.tournament
        if tournament.state is State.SIGN_UP:
            if has_passed(tournament.starts_at, now):
                return lambda: self._start(view, now)
            if tournament.created_at + SIGN_UP_FOR <= now and tournament.starts_at is None:
                return lambda: self._cancel(view, now)
            return None
        if tournament.state is not State.RUNNING:
            return None
        played = view.round
        if played is None or played.ended_at is not None:
            return lambda: self._pair(view, now)
        return self.in_round(view, played, now)

    async def _schedule_next(self, view: TournamentView) -> bool:
        """Store when the next step is due; return whether that changed."""
        tournament, played = view.tournament, view.round
        moments: list[datetime | None] = []
        if tournament.state is State.SIGN_UP:
            moments = [tournament.starts_at or tournament.created_at + SIGN_UP_FOR]
        elif tournament.state is State.RUNNING and played is not None:
            moments = [played.ends_at, played.warn_at]
        next_at = min((moment for moment in moments if moment is not None), default=None)
        if next_at == tournament.next_at:
            return False
        async with changing(self.store, view) as tx:
            await tournaments.change(tx, tournament, next_at=next_at)
        return True

    async def _start(self, view: TournamentView, now: datetime) -> None:
        if len(view.present) < max(2, view.plan.smallest):
            await self._cancel(view, now)
            return
        async with changing(self.store, view) as tx:
            await transitions.change(tx, view.tournament, now, state=State.RUNNING, next_at=now)

    async def _cancel(self, view: TournamentView, now: datetime) -> None:
        async with changing(self.store, view) as tx:
            cancelled = await transitions.cancel(tx, view.tournament, now)
            await transitions.repeat(tx, cancelled, now)

    async def _pair(self, view: TournamentView, now: datetime) -> None:
        """Pair the next round, or finish if there is none."""
        number = view.tournament.round + 1
        gone = await self.find_departed(view.tournament.guild_id, view.present, afresh=True)
        if gone:
            async with changing(self.store, view) as tx:
                for user_id in sorted(gone):
                    await tournament_entrants.withdraw(
                        tx, view.id, user_id, after=number - 1, reason="gone"
                    )
                await tournaments.change(tx, view.tournament, next_at=now)
            return
        try:
            pairings = await next_round(self.pool, view)
        except pairing.PairingImpossible as error:
            log.info("a tournament cannot begin", tournament=view.id, reason=str(error))
            await self._cancel(view, now)
            return
        # Computed first, as the transaction blocks others.
        final = () if pairings else await view.ranked()
        async with changing(self.store, view) as tx:
            if not pairings:
                finished = await transitions.finish(tx, view, final, now)
                await transitions.repeat(tx, finished, now)
                return
            await self._add_round(tx, view, pairings, now)

    async def _add_round(
        self, tx: Transaction, view: TournamentView, pairings: Sequence[Pairing], now: datetime
    ) -> None:
        number, terms = pairings[0].round, view.tournament
        ends_at = None if terms.round_days is None else now + timedelta(days=terms.round_days)
        # When a quarter of the time for the first move is left.
        warn_at = now + (terms.bank * DAY if terms.bank else terms.per_move) * 3 / 4
        round_ = Round(view.id, number, now, ends_at, warn_at)
        await tournament_rounds.add(tx, round_, pairings)
        changed = await tournaments.change(tx, terms, round=number, next_at=now)
        if not any(one.open for one in pairings):
            await transitions.show_round(tx, changed, number, now)


@dataclass(eq=False, repr=False)
class Progress:
    """Advances the tournaments on this process's shards; a source of the scheduler.

    A change to a tournament or the end of a match wakes it. Due steps are found in the store, so a
    missed wake-up loses nothing.
    """

    store: Store
    steps: Steps
    clock: WallClock

    def __post_init__(self) -> None:
        """Watch the store."""
        self.work = Background("tournaments", self.steps.take_due, (StoreError,))
        for topic in (tournaments.CHANGED, ENDED):
            self.store.listen(topic, self.work.wake)
        self.store.listen_missed(self.work.wake)

    async def next(self, tx: Transaction, /) -> datetime | None:
        """Return when the next step is due; steps due now are taken in the background."""
        now = self.clock()
        if await tournaments.due(tx, now):
            self.work.wake_after_from_thread()
        return await tournaments.next_moment(tx, now)

    async def due(self, now: datetime, /) -> None:
        """Take due steps soon."""
        del now
        self.work.wake()


MANY: Final = 150
"""From this many players a separate process is used; fewer take a tenth of a second."""
_LIMIT: Final = 120.0
"""Seconds until the process is killed, generous enough for a busy machine."""


def workers() -> PairingPool:
    """Return the process that pairs large rounds; it starts on demand and ends when idle.

    Pairing 500 players takes a second or two, and for much of that the library blocks all other
    threads. A thread would delay every interaction.
    """
    return WorkerPool(tasks=f"{pairing.__name__}:TASKS")


async def next_round(pool: WorkerPool, view: TournamentView) -> tuple[Pairing, ...]:
    """Return the next round of a tournament; see `pairing.next_round`.

    Raises:
        pairing.PairingImpossible: there are too few entrants to begin.
    """
    played = view.record
    if len(played.entrants) >= MANY:
        arguments = {"played": pairing.RECORDS.dump_python(played, mode="json")}
        requester = Requester(view.tournament.guild_id, 0)
        try:
            made = await pool.run("pair", arguments, requester=requester, limit=_LIMIT)
            return pairing.ROUNDS.validate_python(made)
        except WorkerFailure as error:
            log.warning("paired without a worker", tournament=view.id, reason=str(error))
    return await asyncio.to_thread(played.next_round)
