"""The steps of ladders: those due by the clock, and those that follow a match's end.

Each step is one transaction that locks the ladder and checks again whether it is due. So it is
taken once, even if a process is killed or several handle the same ladder.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from bot.core.scheduling.reachability import IsAvailable
from bot.core.scheduling.scheduler import BETWEEN_BATCHES
from bot.features.ladder import changes, rules
from bot.features.ladder.changes import fresh_view
from bot.features.ladder.rules import LadderView
from bot.play.clocks.match_clocks import FindDeparted
from bot.play.matches.scoring import decided, hardly_begun
from data import posts
from data.ladders import ladder_challenges, ladders
from data.ladders.ladder_challenges import LadderChallenge
from data.ladders.ladders import Ladder, Rung
from data.matches import absences, matches
from data.people import exclusions
from data.store.store import Store, Transaction

BATCH: Final = 10
"""Players checked per transaction."""
_STEPS: Final = 20
"""Steps to take at a time."""


@dataclass(eq=False, repr=False)
class LadderSteps:
    """Takes the steps of ladders: the scheduler's source for them."""

    store: Store
    find_departed: FindDeparted
    """Returns the users known to have left a server."""
    is_available: IsAvailable

    async def next(self, tx: Transaction, /) -> datetime | None:
        """Return when the next step is due."""
        found = (await ladders.next_check(tx), await ladder_challenges.next_due(tx))
        return min((one for one in found if one is not None), default=None)

    async def due(self, now: datetime, /) -> timedelta | None:
        """Take due steps, a batch at a time."""
        async with self.store.read() as tx:
            looked = await ladders.due_for_check(tx, now, limit=_STEPS)
            called = await ladder_challenges.due(tx, now, limit=_STEPS)
        for number in looked:
            await self.check(number, now)
        for challenge in called:
            await self.take(challenge, now)
        return BETWEEN_BATCHES if _STEPS in {len(looked), len(called)} else None

    async def take(self, due: LadderChallenge, now: datetime) -> None:
        """Take a challenge's due step; the next may be due at once."""
        async with self.store.write() as tx:
            ladder = await ladders.lock(tx, due.ladder_id)
            assert ladder is not None, "a ladder is never removed"
            challenge = await ladder_challenges.get_existing(tx, due.id)
            if challenge.ended_at is not None or challenge.due_at is None or challenge.due_at > now:
                return
            if challenge.match_id is not None:
                await self._settle(tx, ladder, challenge, now)
            elif not await self._postpone(tx, ladder, challenge, now):
                await self._call(tx, ladder, challenge, now)

    async def check(self, ladder_id: int, now: datetime) -> None:
        """Take off players who have left the server, and slide inactive ones.

        Each transaction handles a few players, so that others never wait long. What is stored says
        which are left, so a check goes on after a kill, and two processes can share one.
        """
        async with self.store.read() as tx:
            view = await fresh_view(tx, ladder_id)
        departed = sorted(await self.find_departed(view.ladder.guild_id, view.order))
        for first in range(0, len(departed), BATCH):
            async with self._checking(ladder_id, now) as (tx, ladder):
                if ladder is None:
                    return
                for user_id in departed[first : first + BATCH]:
                    await changes.take_off(tx, ladder_id, user_id, "gone", now)
        while await self._check_some(ladder_id, now):
            pass

    @asynccontextmanager
    async def _checking(
        self, ladder_id: int, now: datetime
    ) -> AsyncIterator[tuple[Transaction, Ladder | None]]:
        """Lock a ladder for its check; ``None`` if the check is no longer due."""
        async with self.store.write() as tx:
            ladder = await ladders.lock(tx, ladder_id)
            if ladder is not None and (ladder.next_check_at is None or ladder.next_check_at > now):
                ladder = None
            yield tx, ladder

    async def _check_some(self, ladder_id: int, now: datetime) -> bool:
        """Take the next step of a ladder's check; return whether there may be more."""
        async with self._checking(ladder_id, now) as (tx, ladder):
            if ladder is None or ladder.next_check_at is None:
                return False
            here, late = bool(self.is_available(ladder.guild_id)), now - ladder.next_check_at
            missed = (late if late > rules.LATE else timedelta()) + (
                timedelta() if here else rules.CHECK_EVERY
            )
            if missed:
                # Storing that the check is no longer late makes up for the time once.
                await changes.discount_time(tx, await ladders.rungs(tx, ladder_id), missed, now)
                at = now if here else now + rules.CHECK_EVERY
                await ladders.change(tx, ladder_id, next_check_at=at)
                return here
            some = await ladders.to_check(tx, ladder_id, now, limit=BATCH)
            if some:
                await self._slide(tx, await fresh_view(tx, ladder_id), some, now)
                return True
            await ladders.forget_events(tx, ladder_id, now - rules.KEPT)
            await ladders.change(tx, ladder_id, next_check_at=now + rules.CHECK_EVERY)
            return False

    async def _slide(
        self, tx: Transaction, view: LadderView, some: Sequence[Rung], now: datetime
    ) -> None:
        """Slide or take off those who are idle, and store when to check each of them next."""
        known = rules.with_those_below(view, some)
        users = {one.user_id for one in known}
        found = await absences.of_players(tx, users, min(one.active_at for one in known))
        away = {user: [(one.starts_at, one.ends_at) for one in found[user]] for user in found}
        busy = await self._busy(tx, view, users, now)
        idle = rules.idleness(view, some, away, busy, now)
        await ladders.change_times(tx, idle.checked)
        for user, place in idle.slides:
            slide = {"before": place, "after": place + 1}
            await ladders.move(tx, view.id, user, **slide)
            await ladders.record(tx, view.id, "slid", user, now, **slide)
        for user in idle.gone:
            await changes.take_off(tx, view.id, user, "idle", now)
        if idle.sliding:
            await changes.show(tx, view.ladder, now)

    async def _busy(
        self, tx: Transaction, view: LadderView, users: Collection[int], now: datetime
    ) -> set[int]:
        """Return who doesn't slide: who plays a game that will count, or waits for an answer."""
        found = set()
        for one in view.challenges:
            if not one.playing:
                found.add(one.challenger_id)
            elif set(one.both) & set(users):
                met = await ladder_challenges.between(tx, view.id, *one.both)
                if not rules.has_counted(met, view.ladder.idle_days, now):
                    found.update(one.both)
        return found & set(users)

    async def _postpone(
        self, tx: Transaction, ladder: Ladder, challenge: LadderChallenge, now: datetime
    ) -> bool:
        """Extend the time to answer if the player couldn't; return whether it was extended.

        They are on vacation, the challenge isn't posted yet, or the bot is away from the server or
        was when this was due.
        """
        assert challenge.due_at is not None
        away = await absences.present(tx, challenge.challenged_id, now)
        post = await posts.find(tx, changes.CHALLENGE_POST, ladder.id, part=challenge.id)
        posted = (
            post is not None
            and post.message_id is not None
            and post.channel_id == ladder.channel_id
        )
        until = due_at = challenge.answer_by
        if not posted or not self.is_available(ladder.guild_id):
            # Check again in a day: whenever this changes by then, a day is left to answer.
            due_at, until = now + rules.A_DAY, now + 2 * rules.A_DAY
        elif challenge.due_at + rules.LATE < now:
            due_at = until = now + rules.A_DAY
        if away is not None:
            until = max(until, away.ends_at + rules.A_DAY)
            due_at = until if challenge.reminded else away.ends_at
        if until <= challenge.answer_by:
            return False
        await ladder_challenges.change(tx, challenge.id, answer_by=until, due_at=due_at)
        await changes.show(tx, ladder, now, changes.CHALLENGE_POST, challenge.id)
        if posted and away is None:
            await self._remind(tx, ladder, challenge, now)
        return True

    async def _remind(
        self, tx: Transaction, ladder: Ladder, challenge: LadderChallenge, now: datetime
    ) -> None:
        """Remind the challenged player, once."""
        if not challenge.reminded:
            await ladder_challenges.change(tx, challenge.id, reminded=True)
            await changes.show(tx, ladder, now, changes.REMINDER_POST, challenge.id)

    async def _call(
        self, tx: Transaction, ladder: Ladder, challenge: LadderChallenge, now: datetime
    ) -> None:
        """Remind the challenged player; or end the challenge as unanswered."""
        if challenge.answer_by > now:
            await ladder_challenges.change(tx, challenge.id, due_at=challenge.answer_by)
            await self._remind(tx, ladder, challenge, now)
            return
        # With a block between the two, the place can't be taken.
        apart = await exclusions.blocks_between(
            tx, challenge.challenger_id, [challenge.challenged_id]
        )
        outcome = "withdrawn" if challenge.both in apart else "unanswered"
        await changes.end(tx, challenge, outcome, now)

    async def _settle(
        self, tx: Transaction, ladder: Ladder, challenge: LadderChallenge, now: datetime
    ) -> None:
        """Record the result of a match that has ended."""
        match = await matches.get_existing(tx, challenge.match_id or 0)
        if not match.finished:
            await ladder_challenges.change(tx, challenge.id, due_at=None)
            return
        points, how = await decided(tx, match, challenge.both)
        met = await ladder_challenges.between(tx, ladder.id, *challenge.both)
        counted = (
            how == "played"
            and not await hardly_begun(tx, match)
            and not rules.has_counted(met, ladder.idle_days, now)
        )
        await changes.end(tx, challenge, rules.outcome(points, how), now, counted=counted)
