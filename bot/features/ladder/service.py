"""Use cases of ladders: open, join, leave; `challenges` has those of their challenges."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import timedelta
from typing import Any, Final

from bot.core import hourly_limits
from bot.core.errors import NotAllowed, Refusal, TooMany
from bot.core.hooks import (
    before_anonymised,
    interest_in_match,
    on_match_ended,
    on_match_shown,
    on_server_left,
    on_withdrawal,
    places_of,
)
from bot.core.i18n.mentions import mention
from bot.core.permissions import opponents
from bot.core.scheduling.scheduler import WallClock
from bot.core.settings.service import SettingsStore
from bot.features.ladder import changes, rules, text
from bot.features.ladder.challenges import MAX_ACTS
from bot.features.ladder.changes import changing, fresh_view, read_view
from bot.features.ladder.rules import LadderView
from bot.play.boards.board_text import occasion_of
from data import locks, posts, privacy
from data.ladders import ladder_challenges, ladders
from data.ladders.ladders import Event, Ladder, Terms
from data.matches.match import Match
from data.store.store import Store, Transaction
from engine.phrase import Phrase, concat, say

MAX_PLAYERS: Final = 200
"""Maximum players per ladder."""
MAX_JOINED: Final = 10
"""Maximum ladders per player."""
_READ: Final = 500
"""Maximum events read to work out a player's places."""


@dataclass(eq=False, repr=False)
class Ladders:
    """The ladders in a store. Callers check who may manage one.

    Use cases raise Refusal if there is no such ladder in the server, and changes if it is closed.
    """

    store: Store
    players: SettingsStore
    """Holds whether players take challenges."""
    clock: WallClock

    async def get(self, ladder_id: int, guild_id: int | None) -> LadderView:
        """Return a ladder of a server, even a closed one."""
        async with self.store.read() as tx:
            return await read_view(tx, ladder_id, guild_id)

    async def of_server(self, guild_id: int) -> Sequence[Ladder]:
        """Return a server's open ladders, oldest first."""
        async with self.store.read() as tx:
            return await ladders.of_server(tx, guild_id)

    async def open(self, terms: Terms) -> tuple[Ladder, bool]:
        """Open a ladder; an existing one for the game moves here and takes these rules.

        Returns the ladder, and whether it is new. Raises NotAllowed if who changes its rules is on
        it: they may only move it.
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
            moves = known.channel_id != terms.channel_id
            view = await fresh_view(tx, known.id)
            values: dict[str, Any] = {"channel_id": terms.channel_id}
            if view.of(terms.created_by) is None:
                values = asdict(replace(terms, created_by=known.created_by))
            elif not moves and known.lost_at is None:
                # A player brings it back, but doesn't make its rules.
                check_neutral(view, terms.created_by)
            changed = await ladders.change(tx, known.id, **values)
            if known.lost_at is not None or moves:
                await changes.resume(tx, await fresh_view(tx, known.id), now)
            await changes.show(tx, changed, now)
        return changed, False

    async def close(self, ladder_id: int, guild_id: int | None, *, by: int) -> LadderView:
        """Close a ladder for good; its open matches continue. Who closes it may not be on it."""
        async with changing(self.store, self.clock, ladder_id, guild_id) as (tx, view, now):
            check_neutral(view, by)
            await changes.close(tx, view, now)
            return await fresh_view(tx, view.id)

    async def join(self, ladder_id: int, guild_id: int | None, user_id: int) -> LadderView:
        """Add a player at the foot.

        Raises Refusal if they are already on it, TooMany if it is full, or they are on too many or
        have joined too often, Unwelcome if they have turned challenges off.
        """
        await hourly_limits.take(self.store, user_id, "ladder", self.clock(), MAX_ACTS)
        async with changing(self.store, self.clock, ladder_id, guild_id) as (tx, view, now):
            await locks.lock_id(tx, user_id)
            if view.of(user_id) is not None:
                raise Refusal(say("You're already on this ladder."))
            if len(view.rungs) >= MAX_PLAYERS:
                raise TooMany(say("This ladder is full: {number} players.", number=MAX_PLAYERS))
            if len(await ladders.of_player(tx, user_id)) >= MAX_JOINED:
                raise TooMany(
                    say("You're already on {number} ladders. Leave one first.", number=MAX_JOINED)
                )
            if not (await self.players.player_in(tx, user_id)).challenges:
                raise opponents.challenges_off()
            place = len(view.rungs) + 1
            slide_at = now + timedelta(days=view.ladder.idle_days)
            await ladders.enter(tx, view.id, user_id, place=place, at=now, slide_at=slide_at)
            await ladders.record(tx, view.id, "joined", user_id, now, after=place)
            await changes.show(tx, view.ladder, now)
            return await fresh_view(tx, view.id)

    async def leave(
        self, ladder_id: int, guild_id: int | None, user_id: int, *, removed_by: int | None = None
    ) -> LadderView:
        """Take a player off, losing their open challenges. Who removes them may not be on it."""
        async with changing(self.store, self.clock, ladder_id, guild_id) as (tx, view, now):
            if view.of(user_id) is None:
                if removed_by is not None:
                    raise Refusal(say("{player} isn't on this ladder.", player=mention(user_id)))
                raise Refusal(text.NOT_ON_IT)
            if removed_by is not None:
                check_neutral(view, removed_by)
            reason = "left" if removed_by is None else "removed"
            await changes.take_off(tx, view.id, user_id, reason, now)
            return await fresh_view(tx, view.id)

    async def history(
        self, view: LadderView, user_id: int | None, *, limit: int
    ) -> tuple[Sequence[Event], Sequence[rules.Place]]:
        """Return the latest events of a ladder; or those of one player, and all their places."""
        async with self.store.read() as tx:
            events = await ladders.events(tx, view.id, limit=_READ)
        if user_id is None:
            return events[:limit], ()
        now = None if view.of(user_id) is None else view.place(user_id)
        mine = [one for one in events if user_id in {one.user_id, one.other_id}]
        return mine[:limit], rules.places(user_id, now, events)


def check_neutral(view: LadderView, user_id: int) -> None:
    """Raise NotAllowed if a manager is on a ladder that they would decide about."""
    if view.of(user_id) is not None:
        raise NotAllowed(_another(view))


@interest_in_match(order=20)
async def interest(tx: Transaction, match_id: int, user_id: int) -> Phrase | None:
    """Return why a user may not decide a match: they are on its ladder. Otherwise ``None``."""
    number = await ladder_challenges.of_match(tx, match_id)
    if number is None:
        return None
    view = await fresh_view(tx, number)
    if view.ladder.closed_at is not None or view.of(user_id) is None:
        return None
    return _another(view)


def _another(view: LadderView) -> Phrase:
    return say(
        "You're on the {game} ladder, so someone else who manages the server has to do that. If "
        "there's nobody, leave it first.",
        game=view.title,
    )


on_match_ended(order=50)(ladder_challenges.ended)
on_match_shown(order=30)(changes.show_board)
on_withdrawal(order=20)(changes.take_off_everywhere)
on_server_left(order=20)(changes.close_all)
before_anonymised(order=10)(privacy.request_redraws)


@occasion_of(order=20)
async def of_match(tx: Transaction, match: Match) -> Phrase:
    """Return the ladder that a match is played for; empty for others, and for a match that moved."""
    number = await ladder_challenges.of_match(tx, match.id)
    ladder = None if number is None else await ladders.get(tx, number)
    if ladder is None or ladder.channel_id not in {match.channel_id, match.parent_id}:
        return concat()
    return text.occasion(ladder, await posts.find(tx, ladders.POST, ladder.id))


@places_of(order=20)
async def places(
    tx: Transaction, user_id: int, guild_id: int | None, seen: Callable[[int], bool]
) -> Sequence[Phrase]:
    """Return a player's places on ladders."""
    found = await ladders.of_player(tx, user_id, guild_id)
    return [text.ranked(ladder, rung) for ladder, rung in found if seen(ladder.channel_id)]
