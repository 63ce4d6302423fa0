"""The steps of a tournament: each is one transaction, and the stored state decides the next.

So a tournament survives a killed process, and if two processes take the same step, one finds it
done: every step locks the tournament and starts over if it has changed since it was read.
"""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Final

import structlog

from bot.tournaments import endings, jobs, pairing, pairing_workers, playing, transitions, view
from bot.tournaments.model import Format
from data import tournament_entrants, tournament_rounds, tournaments
from data.tournament_rounds import Round
from data.tournaments import State

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
    from datetime import datetime

    from bot.challenges.service import Challenges
    from bot.matches.absences import FindDeparted
    from bot.matches.service import Matches
    from bot.scheduling.wall_clock import WallClock
    from bot.tournaments.model import Pairing
    from bot.tournaments.view import TournamentView
    from bot.workers.pool import WorkerPool
    from data.scope import Scope
    from data.store import Store, Transaction

    Step = Callable[[], Awaitable[None]]

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

BATCH: Final = 8
"""Matches to begin or end per transaction."""
SIGN_UP_FOR: Final = timedelta(days=60)
"""How long a tournament waits to be started."""
JUDGED_WITHIN: Final = timedelta(minutes=30)
"""How long a round waits for the computer; games not judged by then are drawn."""
_LOOK_AGAIN: Final = timedelta(seconds=30)
_LINKS_AFTER: Final = timedelta(seconds=30)
"""When to update a round's post: by then its matches have their threads."""


class ConcurrentChange(Exception):
    """Another process or user changed the tournament first."""


class Steps:
    """Takes the steps of tournaments."""

    def __init__(
        self,
        store: Store,
        matches: Matches,
        challenges: Challenges,
        find_departed: FindDeparted,
        pool: WorkerPool,
        *,
        clock: WallClock,
    ) -> None:
        """Work on a store.

        Args:
            store: holds the tournaments.
            matches: ends matches when their round is over.
            challenges: begins matches.
            find_departed: returns the users known to have left a server.
            pool: pairs large rounds, see `bot.tournaments.pairing_workers`.
            clock: the time of day.

        """
        self._store = store
        self._matches = matches
        self._challenges = challenges
        self._find_departed = find_departed
        self._pool = pool
        self._clock = clock

    async def take_due(self, scope: Scope | None) -> None:
        """Take all steps that are due.

        Raises:
            ExceptionGroup: some tournaments failed.

        """
        async with self._store.read() as tx:
            found = [
                *await tournaments.due(tx, self._clock(), scope=scope),
                *await tournament_rounds.with_new_results(tx, scope=scope),
            ]
        failed = []
        for number in dict.fromkeys(found):
            try:
                while await self.take(number):
                    pass
            except Exception as error:  # noqa: BLE001 -- one must not hold up the others
                failed.append(error)
        if failed:
            raise ExceptionGroup("tournaments", failed)

    async def take(self, tournament_id: int) -> bool:
        """Take the next step; return whether there was one."""
        async with self._store.read() as tx:
            seen = await view.read(tx, tournament_id)
        if seen is None or not seen.tournament.state.open:
            return False
        now = self._clock()
        step = self._next(seen, now)
        try:
            if step is not None:
                await step()
                return True
            return await self._schedule_next(seen)
        except ConcurrentChange:
            return True

    def _next(self, seen: TournamentView, now: datetime) -> Step | None:
        """Return the next step; ``None`` while waiting for time or players."""
        tournament = seen.tournament
        if tournament.state is State.SIGN_UP:
            if _has_passed(tournament.starts_at, now):
                return lambda: self._start(seen, now)
            if tournament.created_at + SIGN_UP_FOR <= now and tournament.starts_at is None:
                return lambda: self._cancel(seen, now)
            return None
        if tournament.state is not State.RUNNING:
            return None
        played = seen.round
        if played is None or played.ended_at is not None:
            return lambda: self._pair(seen, now)
        return self._next_in_round(seen, played, now)

    def _next_in_round(self, seen: TournamentView, played: Round, now: datetime) -> Step | None:
        open_ = [(one, game) for one in seen.current for game in one.games if game.points is None]
        if ended := [pair for pair in open_ if pair[1].ended]:
            return lambda: self._decide(seen, ended[:BATCH], now)
        if waiting := [pair for pair in open_ if pair[1].match_id is None]:
            return lambda: self._begin(seen, waiting[:BATCH], last=len(waiting) <= BATCH, now=now)
        if not open_:
            return lambda: self._close(seen, played, now)
        if _has_passed(played.ends_at, now):
            return lambda: self._end(seen, played, open_, now)
        if _has_passed(played.warn_at, now):
            return lambda: self._warn(seen, played, now)
        return None

    async def _schedule_next(self, seen: TournamentView) -> bool:
        """Store when the next step is due; return whether that changed."""
        tournament, played = seen.tournament, seen.round
        moments: list[datetime | None] = []
        if tournament.state is State.SIGN_UP:
            moments = [tournament.starts_at or tournament.created_at + SIGN_UP_FOR]
        elif tournament.state is State.RUNNING and played is not None:
            moments = [played.ends_at, played.warn_at]
        next_at = min((moment for moment in moments if moment is not None), default=None)
        if next_at == tournament.next_at:
            return False
        async with self._changing(seen) as tx:
            await tournaments.change(tx, tournament, next_at=next_at)
        return True

    async def _start(self, seen: TournamentView, now: datetime) -> None:
        if len(seen.present) < max(2, seen.plan.smallest):
            await self._cancel(seen, now)
            return
        async with self._changing(seen) as tx:
            await transitions.begin(tx, seen.tournament, now)

    async def _cancel(self, seen: TournamentView, now: datetime) -> None:
        async with self._changing(seen) as tx:
            cancelled = await transitions.cancel(tx, seen.tournament, now)
            await transitions.repeat(tx, cancelled, now)

    async def _pair(self, seen: TournamentView, now: datetime) -> None:
        """Pair the next round, or finish if there is none."""
        number = seen.tournament.round + 1
        gone = await self._find_departed(seen.tournament.guild_id, seen.present)
        if gone:
            async with self._changing(seen) as tx:
                for user_id in sorted(gone):
                    await tournament_entrants.withdraw(
                        tx, seen.id, user_id, after=number - 1, why="gone"
                    )
                await tournaments.change(tx, seen.tournament, next_at=now)
            return
        try:
            made = await pairing_workers.next_round(self._pool, seen)
        except pairing.PairingImpossible as error:
            log.info("a tournament cannot begin", tournament=seen.id, why=error.reason)
            await self._cancel(seen, now)
            return
        if not made:
            await seen.ranked()  # computed first, as the transaction blocks others
        async with self._changing(seen) as tx:
            if not made:
                finished = await transitions.finish(tx, seen, now)
                await transitions.repeat(tx, finished, now)
                return
            await self._add_round(tx, seen, made, now)

    async def _add_round(
        self, tx: Transaction, seen: TournamentView, made: Sequence[Pairing], now: datetime
    ) -> None:
        number, terms = made[0].round, seen.tournament
        ends_at = None if terms.round_days is None else now + timedelta(days=terms.round_days)
        # When a quarter of the time for the first move is left.
        warn_at = now + timedelta(days=terms.bank or terms.days) * 3 / 4
        round_ = Round(seen.id, number, now, ends_at, warn_at)
        await tournament_rounds.add(tx, round_, [view.stored(one) for one in made])
        changed = await tournaments.change(tx, terms, round=number, next_at=now)
        if not any(one.open for one in made):
            await jobs.show_round(tx, changed, number, now)

    async def _begin(
        self, seen: TournamentView, some: Sequence[playing.Open], *, last: bool, now: datetime
    ) -> None:
        """Begin the matches of some games; after the last ones, queue the round's post."""
        users = {user for _, game in some for user in game.seats}
        departed = await self._find_departed(seen.tournament.guild_id, users)
        async with self._changing(seen) as tx:
            for one, game in some:
                await playing.begin(tx, self._challenges, seen, one, game, departed=departed)
            changed = await tournaments.change(tx, seen.tournament, next_at=now)
            if last:
                number = changed.round
                await jobs.show_round(tx, changed, number, now)
                await jobs.show_round(tx, changed, number, now, not_before=now + _LINKS_AFTER)
                await jobs.show(tx, changed, now)

    async def _decide(
        self, seen: TournamentView, some: Sequence[playing.Open], now: datetime
    ) -> None:
        """Record the results of matches that have ended."""
        async with self._changing(seen) as tx:
            for one, game in some:
                await playing.decide(tx, seen, one, game)
            fresh = await view.read(tx, seen.id)
            assert fresh is not None
            tables = {one.table for one, _ in some}
            for one in fresh.current:
                if one.table in tables:
                    more = pairing.further_games(seen.plan, view.plain(one))
                    if more:
                        seats = [game.seats for game in more]
                        await tournament_rounds.add_games(tx, seen.id, one, seats)
            changed = await tournaments.change(tx, seen.tournament, next_at=now)
            await jobs.show_round(tx, changed, changed.round, now)

    async def _end(
        self, seen: TournamentView, played: Round, open_: Sequence[playing.Open], now: datetime
    ) -> None:
        """End open matches as a round ends; if the organiser decides, only those hardly begun."""
        if seen.tournament.verdict == "computer" and await self._judging(seen, played, open_, now):
            return
        by_hand = seen.tournament.verdict == "manager" and not played.forced
        some = open_ if by_hand else open_[:BATCH]
        async with self._changing(seen) as tx:
            over = [
                await endings.end(tx, self._matches, game, now, only_absent=by_hand)
                for _, game in some
            ]
            changed = await tournaments.change(tx, seen.tournament, next_at=now)
            if by_hand:
                await tournament_rounds.change(tx, replace(played, ends_at=None))
                if not all(over):
                    await jobs.note(tx, changed, "undecided", now)

    async def _judging(
        self, seen: TournamentView, played: Round, open_: Sequence[playing.Open], now: datetime
    ) -> bool:
        """Have the computer judge open matches; return whether the round waits for it."""
        until = played.judged_until or now + JUDGED_WITHIN
        async with self._changing(seen) as tx:
            again = played.judged_until is not None
            waits = [
                await endings.ask(tx, self._matches, game, now, again=again)
                for _, game in open_
                if now < until
            ]
            if any(waits):
                later = replace(played, ends_at=now + _LOOK_AGAIN, judged_until=until)
                await tournament_rounds.change(tx, later)
                await tournaments.change(tx, seen.tournament, next_at=now)
            return any(waits)

    async def _warn(self, seen: TournamentView, played: Round, now: datetime) -> None:
        """Warn the players who have not moved yet."""
        async with self._changing(seen) as tx:
            await tournament_rounds.change(tx, replace(played, warn_at=None))
            changed = await tournaments.change(tx, seen.tournament, next_at=now)
            if await playing.unmoved(tx, seen):
                await jobs.note(tx, changed, "warning", now)

    async def _close(self, seen: TournamentView, played: Round, now: datetime) -> None:
        """End a round with all games decided, and withdraw the absent players."""
        async with self._changing(seen) as tx:
            if seen.plan.format is not Format.KNOCKOUT or seen.plan.lives > 1:
                await self._withdraw_absent(tx, seen, played)
            await tournament_rounds.change(
                tx, replace(played, ended_at=now, ends_at=None, warn_at=None)
            )
            changed = await tournaments.change(tx, seen.tournament, next_at=now)
            await jobs.show_round(tx, changed, played.round, now)

    async def _withdraw_absent(self, tx: Transaction, seen: TournamentView, played: Round) -> None:
        """Withdraw absent players; reserves take their places."""
        waiting = list(seen.reserves)
        replaced = {one.replaces_user_id for one in seen.everyone}  # by the organiser
        for user_id in await playing.absent(tx, seen):
            await tournament_entrants.withdraw(
                tx, seen.id, user_id, after=played.round, why="absent"
            )
            if waiting and user_id not in replaced:
                following = played.round + 1
                await tournament_entrants.take_place(
                    tx, seen.id, waiting.pop(0), of=user_id, round_no=following
                )

    @asynccontextmanager
    async def _changing(self, seen: TournamentView) -> AsyncIterator[Transaction]:
        """Open a transaction to change a tournament; raise Changed if it is no longer as seen."""
        async with self._store.write() as tx:
            found = await tournaments.lock(tx, seen.id)
            if found is None or found.version != seen.tournament.version:
                raise ConcurrentChange
            yield tx


def _has_passed(moment: datetime | None, now: datetime) -> bool:
    return moment is not None and moment <= now
