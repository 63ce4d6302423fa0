"""The steps of ladders: those due by the clock, and those that follow a match's end.

Each step is one transaction that locks the ladder and checks again whether it is due. So it is
taken once, even if a process is killed or several handle the same ladder.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from bot.ladder import changes, rules
from bot.ladder.view import fresh_view, read_view
from bot.tournaments import results
from data import blocks, ladder_challenges, ladder_posts, ladders, matches, vacations

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from bot.ladder.view import LadderView
    from bot.matches.absences import FindDeparted
    from data.ladder_challenges import LadderChallenge
    from data.store import Store, Transaction


class LadderSteps:
    """Takes the steps of ladders."""

    def __init__(
        self, store: Store, find_departed: FindDeparted, is_here: Callable[[int], bool]
    ) -> None:
        """Work on a store.

        Args:
            store: holds the ladders.
            find_departed: returns the users known to have left a server.
            is_here: returns whether the bot can reach a server now.

        """
        self._store = store
        self._find_departed = find_departed
        self._is_here = is_here

    async def take(self, due: LadderChallenge, now: datetime) -> None:
        """Take a challenge's due step; the next may be due at once."""
        async with self._store.write() as tx:
            ladder = await ladders.lock(tx, due.ladder_id)
            challenge = await ladder_challenges.get(tx, due.id)
            if ladder is None or challenge is None or challenge.ended_at is not None:
                return
            here = self._is_here(ladder.guild_id)
            if challenge.due_at is None or challenge.due_at > now:
                return
            if challenge.match_id is not None:
                await self._settle(tx, challenge, now)
            elif not await self._postpone(tx, challenge, now, here=here):
                await self._call(tx, challenge, now)

    async def check(self, ladder_id: int, now: datetime) -> None:
        """Take off players who have left the server, and slide inactive ones."""
        async with self._store.read() as tx:
            view = await read_view(tx, ladder_id)
        if view is None:
            return
        departed = await self._find_departed(view.ladder.guild_id, view.order)
        async with self._store.write() as tx:
            locked = await ladders.lock(tx, ladder_id)
            if locked is None or locked.next_check_at is None or locked.next_check_at > now:
                return
            for user_id in sorted(departed):
                await changes.take_off(tx, ladder_id, user_id, "gone", now)
            here, late = self._is_here(locked.guild_id), now - locked.next_check_at
            missed = (late if late > rules.LATE else timedelta()) + (
                timedelta() if here else rules.CHECK_EVERY
            )
            if missed:
                await changes.discount_time(tx, await fresh_view(tx, ladder_id), missed, now)
            if here:
                await self._slide(tx, await fresh_view(tx, ladder_id), now)
            await ladders.forget_events(tx, ladder_id, now - rules.KEPT)
            await ladders.change(tx, ladder_id, next_check_at=now + rules.CHECK_EVERY)

    async def _slide(self, tx: Transaction, view: LadderView, now: datetime) -> None:
        """Slide the players who are due, unless they are playing or on vacation."""
        busy = {one for challenge in view.challenges for one in challenge.both}
        idle = []
        for rung in view.rungs:
            if rung.slide_at > now:
                continue
            away = await vacations.present(tx, rung.user_id, now)
            if away is not None:
                later = away.ends_at + rules.SLIDE_EVERY
            elif rung.user_id not in busy and rung.active_at + rules.OFF_AFTER <= now:
                await changes.take_off(tx, view.id, rung.user_id, "idle", now)
                continue
            else:
                later = now + rules.SLIDE_EVERY
                if rung.user_id not in busy:
                    idle.append(rung.user_id)
            await ladders.change_rung(tx, view.id, rung.user_id, slide_at=later)
        order = (await fresh_view(tx, view.id)).order
        for one in rules.slides(order, idle):
            before, after = one.before, one.after
            await ladders.move(tx, view.id, one.user_id, before=before, after=after)
            await ladders.record(tx, view.id, "slid", one.user_id, now, before=before, after=after)
        if idle:
            await changes.show(tx, view.id, now)

    async def _postpone(
        self, tx: Transaction, challenge: LadderChallenge, now: datetime, *, here: bool
    ) -> bool:
        """Extend the time to answer if the player couldn't; return whether it was extended.

        They are on vacation, the challenge isn't posted yet, or the bot is away from the server or
        was when this was due.
        """
        assert challenge.due_at is not None
        away = await vacations.present(tx, challenge.challenged_id, now)
        post = await ladder_posts.find(tx, challenge.ladder_id, "challenge", challenge.id)
        posted = post is not None and post.message_id is not None
        until = due_at = challenge.answer_by
        if not here or not posted:
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
        await ladder_posts.request_update(
            tx, challenge.ladder_id, "challenge", now, challenge_id=challenge.id
        )
        if posted and away is None:
            await self._remind(tx, challenge, now)
        return True

    async def _remind(self, tx: Transaction, challenge: LadderChallenge, now: datetime) -> None:
        """Remind the challenged player, once."""
        if not challenge.reminded:
            await ladder_challenges.change(tx, challenge.id, reminded=True)
            await ladder_posts.request_update(
                tx, challenge.ladder_id, "reminder", now, challenge_id=challenge.id
            )

    async def _call(self, tx: Transaction, challenge: LadderChallenge, now: datetime) -> None:
        """Remind the challenged player; or end the challenge as unanswered."""
        if challenge.answer_by > now:
            await ladder_challenges.change(tx, challenge.id, due_at=challenge.answer_by)
            await self._remind(tx, challenge, now)
            return
        pair = (challenge.challenger_id, challenge.challenged_id)
        if pair in await blocks.between(tx, pair[0], [pair[1]]):
            # With a block between the two, the place can't be taken.
            await changes.end(tx, challenge, "withdrawn", now)
            return
        await changes.end(tx, challenge, "unanswered", now)

    async def _settle(self, tx: Transaction, challenge: LadderChallenge, now: datetime) -> None:
        """Record the result of a match that has ended."""
        match = await matches.get(tx, challenge.match_id or 0)
        assert match is not None, "a match is never removed"
        if not match.finished:
            await ladder_challenges.change(tx, challenge.id, due_at=None)
            return
        points, how = await results.decided(tx, match, challenge.both)
        if how == "void":
            outcome = "void"
        elif points[0] == points[1]:
            outcome = "drawn"
        else:
            outcome = "won" if points[0] > points[1] else "lost"
        await changes.end(tx, challenge, outcome, now)
