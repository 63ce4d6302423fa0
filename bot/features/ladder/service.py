"""Use cases of ladders: open, join, challenge. `answering` has the answers."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from bot.core import hourly_limits
from bot.core.errors import BadOpponent, Refusal
from bot.core.hooks import (
    before_anonymised,
    interest_in_match,
    on_match_ended,
    on_withdrawal,
    places_of,
)
from bot.core.i18n.mentions import mention
from bot.core.permissions import opponents
from bot.core.scheduling.wall_clock import WallClock
from bot.core.settings.service import SettingsStore
from bot.features.ladder import changes, checks, rules
from bot.features.ladder.changes import changing, fresh_view, read_view
from bot.features.ladder.rules import LadderView
from bot.features.ladder.text import ranked
from bot.play.clocks.match_clocks import FindDeparted
from data import locks, privacy
from data.ladders import ladder_challenges, ladders
from data.ladders.ladder_challenges import LadderChallenge
from data.ladders.ladders import Ladder, Terms
from data.store.store import Store, Transaction
from engine.luck import SEED_BYTES
from engine.phrase import Phrase, say

MAX_ACTS: Final = 10
"""Maximum joins and challenges by a player per hour, as each is posted."""
_READ: Final = 500
"""Maximum events read to work out a player's places."""


@dataclass(eq=False, repr=False)
class Ladders:
    """The ladders in a store. Callers check who may manage one."""

    store: Store
    players: SettingsStore
    """Holds whether players take challenges."""
    find_departed: FindDeparted
    """Returns the users known to have left a server."""
    clock: WallClock
    seeds: Callable[[int], bytes] = secrets.token_bytes
    """Draws secrets."""

    async def get(self, ladder_id: int, guild_id: int | None) -> LadderView:
        """Return a ladder of a server, even a closed one.

        Raises:
            Refusal: there is no such ladder.

        """
        async with self.store.read() as tx:
            view = await read_view(tx, ladder_id)
        if view is None or view.ladder.guild_id != guild_id:
            raise Refusal(say("There's no such ladder on this server."))
        return view

    async def of_server(self, guild_id: int) -> Sequence[Ladder]:
        """Return a server's open ladders, oldest first."""
        async with self.store.read() as tx:
            return await ladders.of_server(tx, guild_id)

    async def open(self, terms: Terms) -> tuple[Ladder, bool]:
        """Open a ladder; an existing one for the game moves here and takes these rules.

        Returns:
            The ladder, and whether it is new.

        Raises:
            NotAllowed: who changes its rules is on it. They may only move it.

        """
        now = self.clock()
        async with self.store.write() as tx:
            await locks.lock_id(tx, terms.guild_id)
            known = await ladders.of_game(tx, terms.guild_id, terms.game)
            if known is not None:  # lock it and read it again
                known = await ladders.lock(tx, known.id)
            if known is None or known.closed_at is not None:
                ladder = await ladders.add(tx, terms, at=now, next_check_at=now + rules.CHECK_EVERY)
                await changes.show(tx, ladder, now)
                return ladder, True
            names = (
                "reach",
                "answer_days",
                "idle_days",
                "pause_days",
                "days",
                "game_days",
                "casual",
            )
            moves = known.channel_id != terms.channel_id
            view = await fresh_view(tx, known.id)
            values = {name: getattr(terms, name) for name in names}
            if view.of(terms.created_by) is not None:
                # A player brings it back, but doesn't make its rules.
                if not moves and known.lost_at is None:
                    checks.check_neutral(view, terms.created_by)
                values = {}
            values["channel_id"] = terms.channel_id
            changed = await ladders.change(tx, known.id, **values)
            if known.lost_at is not None or moves:
                await changes.resume(tx, await fresh_view(tx, known.id), now)
            await changes.show(tx, changed, now)
        return changed, False

    async def close(self, ladder_id: int, guild_id: int | None, *, by: int) -> LadderView:
        """Close a ladder for good; its open matches continue.

        Raises:
            Refusal: there is no such ladder, or it is closed.
            NotAllowed: who closes it is on it.

        """
        async with changing(self.store, self.clock, ladder_id, guild_id) as (tx, view, now):
            checks.check_neutral(view, by)
            await changes.close(tx, view, now)
            return await fresh_view(tx, view.id)

    async def join(self, ladder_id: int, guild_id: int | None, user_id: int) -> LadderView:
        """Add a player at the foot.

        Raises:
            Refusal: they are already on it, or it doesn't exist.
            TooMany: it is full, or they are on too many or have joined too often.
            Unwelcome: they have turned challenges off.

        """
        await self._limit(user_id)
        async with changing(self.store, self.clock, ladder_id, guild_id) as (tx, view, now):
            await locks.lock_id(tx, user_id)
            await checks.joining(tx, self.players, view, user_id)
            place = len(view.rungs) + 1
            slide_at = now + timedelta(days=view.ladder.idle_days)
            await ladders.enter(tx, view.id, user_id, place=place, at=now, slide_at=slide_at)
            await ladders.record(tx, view.id, "joined", user_id, now, after=place)
            await changes.show(tx, view.ladder, now)
            return await fresh_view(tx, view.id)

    async def leave(
        self, ladder_id: int, guild_id: int | None, user_id: int, *, removed_by: int | None = None
    ) -> LadderView:
        """Take a player off, losing their open challenges.

        Raises:
            Refusal: they aren't on it, or it doesn't exist.
            NotAllowed: who removes them is on it too.

        """
        async with changing(self.store, self.clock, ladder_id, guild_id) as (tx, view, now):
            if view.of(user_id) is None:
                if removed_by is not None:
                    raise Refusal(say("{player} isn't on this ladder.", player=mention(user_id)))
                raise _not_on_it()
            if removed_by is not None:
                checks.check_neutral(view, removed_by)
            reason = "left" if removed_by is None else "removed"
            await changes.take_off(tx, view.id, user_id, reason, now)
            return await fresh_view(tx, view.id)

    async def in_reach(
        self, ladder_id: int, guild_id: int | None, user_id: int
    ) -> tuple[LadderView, Sequence[rules.PlayerInReach]]:
        """Return the players a user may challenge by place, nearest first.

        Raises:
            Refusal: they aren't on it, or have an open challenge.

        """
        now = self.clock()
        view = await self.get(ladder_id, guild_id)
        rung, busy = view.of(user_id), checks.busy(view, user_id)
        if rung is None:
            raise _not_on_it()
        if busy is not None:
            raise Refusal(busy)
        async with self.store.read() as tx:
            found = [
                rules.PlayerInReach(other, view.order.index(other) + 1, reason)
                for other in await checks.in_reach(tx, self.players, view, user_id)
                for reason in [await checks.obstacle(tx, view, user_id, other, now)]
            ]
        return view, found

    async def challenge(
        self, ladder_id: int, guild_id: int | None, user_id: int, other: int
    ) -> LadderChallenge:
        """Challenge a player above for their place.

        If they have a challenge already, this one is queued until it is over.

        Raises:
            Refusal: it isn't possible now; the message says why.
            Unwelcome: they take no challenges, or either has blocked the other.
            TooMany: too often within an hour.

        """
        if other == user_id:
            raise BadOpponent(say("You can't challenge yourself. Pick someone else."))
        await self._limit(user_id)
        departed = await self.find_departed(guild_id, [other], afresh=True)
        async with changing(self.store, self.clock, ladder_id, guild_id) as (tx, view, now):
            if other in departed:
                await changes.take_off(tx, view.id, other, "gone", now)
            else:
                return await self._challenge(tx, view, user_id, other, now)
        raise BadOpponent(say("{person} isn't on this server.", person=mention(other)))

    async def history(
        self, ladder_id: int, guild_id: int | None, user_id: int | None, *, limit: int
    ) -> rules.History:
        """Return the history of a ladder, or of one player.

        Raises:
            Refusal: there is no such ladder.

        """
        view = await self.get(ladder_id, guild_id)
        async with self.store.read() as tx:
            events = await ladders.events(tx, ladder_id, limit=_READ)
        if user_id is None:
            return rules.History(view, events[:limit], ())
        rung = view.of(user_id)
        now = None if rung is None else rung.place
        mine = [one for one in events if user_id in {one.user_id, one.other_id}]
        return rules.History(view, tuple(mine[:limit]), rules.places(user_id, now, events))

    async def _limit(self, user_id: int) -> None:
        await hourly_limits.take(self.store, user_id, "ladder", self.clock(), MAX_ACTS)

    async def _challenge(
        self, tx: Transaction, view: LadderView, user_id: int, other: int, now: datetime
    ) -> LadderChallenge:
        busy = checks.busy(view, user_id)
        if view.of(user_id) is None:
            raise _not_on_it()
        if busy is not None:
            raise Refusal(busy)
        if view.ladder.lost_at is not None:
            raise Refusal(checks.paused())
        if view.of(other) is None:
            raise BadOpponent(say("{player} isn't on this ladder.", player=mention(other)))
        await opponents.check_welcome(tx, self.players, user_id, [other])
        if other not in await checks.in_reach(tx, self.players, view, user_id):
            raise Refusal(checks.out_of_reach(view, other))
        reason = await checks.obstacle(tx, view, user_id, other, now)
        if reason is not None:
            raise Refusal(reason)
        answer_by = now + timedelta(days=view.ladder.answer_days)
        made = await ladder_challenges.add(
            tx,
            view.id,
            user_id,
            other,
            seed=self.seeds(SEED_BYTES),
            place=view.order.index(other) + 1,
            at=now,
            answer_by=answer_by,
            due_at=None
            if view.made_to(other) is not None
            else rules.answer_reminder(now, answer_by) or answer_by,
        )
        if not made.queued:
            await changes.show(tx, view.ladder, now, changes.CHALLENGE_POST, made.id)
        await changes.show(tx, view.ladder, now)
        return made


def _not_on_it() -> Refusal:
    return Refusal(say("You're not on this ladder. Join it first."))


on_match_ended(order=50)(ladder_challenges.ended)
on_withdrawal(order=20)(changes.take_off_everywhere)
before_anonymised(order=10)(privacy.request_redraws)
interest_in_match(order=20)(checks.interest_in_match)


@places_of(order=20)
async def places(
    tx: Transaction, user_id: int, guild_id: int | None, seen: Callable[[int], bool]
) -> Sequence[Phrase]:
    """Return a player's places on ladders."""
    found = await ladders.of_player(tx, user_id, guild_id)
    return [ranked(ladder, rung) for ladder, rung in found if seen(ladder.channel_id)]
