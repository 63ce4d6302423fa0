"""The steps of a tournament: each is one transaction, and the stored state decides the next.

So a tournament survives a killed process, and if two processes take the same step, one finds it
done: every step locks the tournament and starts over if it has changed since it was read.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

import structlog

from bot.core.background import MIN_PAUSE
from bot.core.scheduling.wall_clock import WallClock
from bot.features.tournaments import pairing, pairing_workers, showing, transitions
from bot.features.tournaments.changing import ConcurrentChange, changing
from bot.features.tournaments.model import Pairing
from bot.features.tournaments.pairing_workers import PairingPool
from bot.features.tournaments.round_steps import RoundSteps, Step, has_passed
from bot.features.tournaments.view import TournamentView, read_view, stored_pairing
from bot.play.clocks.match_clocks import FindDeparted
from bot.play.matches.service import Matches
from data.sql.statements import Scope
from data.store.store import Store, Transaction
from data.tournaments import tournament_entrants, tournament_rounds, tournaments
from data.tournaments.tournament_rounds import Round
from data.tournaments.tournaments import State

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

SIGN_UP_FOR: Final = timedelta(days=60)
"""How long a tournament waits to be started."""


class Steps:
    """Takes the steps of tournaments."""

    def __init__(
        self,
        store: Store,
        matches: Matches,
        find_departed: FindDeparted,
        pool: PairingPool,
        *,
        clock: WallClock,
    ) -> None:
        """Work on a store.

        Args:
            store: holds the tournaments.
            matches: begins matches, and ends them when their round is over.
            find_departed: returns the users known to have left a server.
            pool: pairs large rounds, see `bot.features.tournaments.pairing_workers`.
            clock: the time of day.

        """
        self._store = store
        self._rounds = RoundSteps(store, matches, find_departed)
        self._find_departed = find_departed
        self._pool = pool
        self._clock = clock

    async def take_due(self, scope: Scope | None) -> None:
        """Take all steps that are due.

        Raises:
            ExceptionGroup: some tournaments failed.

        """
        now = self._clock()

        async def due(tx: Transaction) -> list[int]:
            return [
                *await tournaments.due(tx, now, scope=scope),
                *await tournament_rounds.with_new_results(tx, scope=scope),
            ]

        failed = []
        for number in dict.fromkeys(await self._store.run_read(due)):
            try:
                while await self.take(number):
                    pass
            except Exception as error:  # noqa: BLE001 -- one must not hold up the others
                failed.append(error)
        if failed:
            raise ExceptionGroup("tournaments", failed)

    async def take(self, tournament_id: int) -> bool:
        """Take the next step; return whether there was one."""
        view = await self._store.run_read(lambda tx: read_view(tx, tournament_id))
        if view is None or not view.tournament.state.open:
            return False
        now = self._clock()
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
        return self._rounds.next(view, played, now)

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
        async with changing(self._store, view) as tx:
            await tournaments.change(tx, tournament, next_at=next_at)
        return True

    async def _start(self, view: TournamentView, now: datetime) -> None:
        if len(view.present) < max(2, view.plan.smallest):
            await self._cancel(view, now)
            return
        async with changing(self._store, view) as tx:
            await transitions.begin(tx, view.tournament, now)

    async def _cancel(self, view: TournamentView, now: datetime) -> None:
        async with changing(self._store, view) as tx:
            cancelled = await transitions.cancel(tx, view.tournament, now)
            await transitions.repeat(tx, cancelled, now)

    async def _pair(self, view: TournamentView, now: datetime) -> None:
        """Pair the next round, or finish if there is none."""
        number = view.tournament.round + 1
        gone = await self._find_departed(view.tournament.guild_id, view.present, afresh=True)
        if gone:
            async with changing(self._store, view) as tx:
                for user_id in sorted(gone):
                    await tournament_entrants.withdraw(
                        tx, view.id, user_id, after=number - 1, reason="gone"
                    )
                await tournaments.change(tx, view.tournament, next_at=now)
            return
        try:
            pairings = await pairing_workers.next_round(self._pool, view)
        except pairing.PairingImpossible as error:
            log.info("a tournament cannot begin", tournament=view.id, reason=error.reason)
            await self._cancel(view, now)
            return
        # Computed first, as the transaction blocks others.
        final = () if pairings else await view.ranked()
        async with changing(self._store, view) as tx:
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
        warn_at = now + timedelta(days=terms.bank or terms.days) * 3 / 4
        round_ = Round(view.id, number, now, ends_at, warn_at)
        await tournament_rounds.add(tx, round_, [stored_pairing(one) for one in pairings])
        changed = await tournaments.change(tx, terms, round=number, next_at=now)
        if not any(one.open for one in pairings):
            await showing.show_round(tx, changed, number, now)
