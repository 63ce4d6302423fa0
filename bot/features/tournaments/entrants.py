"""Use cases of players in tournaments: sign up, leave, take another's place."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from bot.core import hourly_limits
from bot.core.errors import Refusal
from bot.core.i18n.mentions import mention
from bot.core.i18n.slash import slash
from bot.core.scheduling.wall_clock import WallClock
from bot.features.tournaments import entry, interests, showing
from bot.features.tournaments.changing import changing_open, check_stage, fresh
from bot.features.tournaments.interests import Person
from bot.features.tournaments.view import TournamentView, read_view
from bot.play.matches.luck import word_in
from data import locks
from data.store.store import Store, Transaction
from data.tournaments import tournament_entrants, tournaments
from data.tournaments.tournaments import State
from engine.phrase import say

MAX_SIGN_UPS: Final = 20
"""Maximum sign-ups by a user per hour, as each edits the announcement."""


@dataclass(eq=False, repr=False)
class Entrants:
    """The players of the tournaments in a store. Callers check who may replace one."""

    store: Store
    clock: WallClock

    async def join(
        self, tournament_id: int, guild_id: int | None, user_id: int, roles: Collection[int]
    ) -> TournamentView:
        """Sign a player up; after the start, where possible, from the next round on.

        Raises:
            Refusal, TooMany, Unwelcome: see `bot.features.tournaments.entry.check`.
            TooMany: more than `MAX_SIGN_UPS` within an hour.

        """
        await hourly_limits.take(self.store, user_id, "sign-up", self.clock(), MAX_SIGN_UPS)
        async with changing_open(self.store, tournament_id, guild_id) as (tx, view):
            now = self.clock()
            await locks.lock_id(tx, user_id)
            known = await entry.strength(tx, view.tournament, user_id, now)
            await entry.check(tx, view, user_id, roles=roles, known=known)
            await tournament_entrants.enter(
                tx,
                view.id,
                user_id,
                strength=float(known.points),
                at=now,
                joined_round=entry.first_round(view),
            )
            return await _shown(tx, view, self.clock())

    async def leave(
        self,
        tournament_id: int,
        guild_id: int | None,
        user_id: int,
        *,
        asked_at: int | None = None,
    ) -> TournamentView:
        """Withdraw a player; after the start, when the round ends.

        Raises:
            Refusal: the tournament is over, the player isn't in it, or it has started since they
                were asked at the stage ``asked_at``.

        """
        async with changing_open(self.store, tournament_id, guild_id) as (tx, view):
            if asked_at == 0:
                check_stage(view, asked_at)
            if user_id not in {*view.present, *view.reserves}:
                raise Refusal(say("You're not in this tournament."))
            await _leave(tx, view, user_id, reason="left")
            return await _shown(tx, view, self.clock())

    async def set_word(self, view: TournamentView, user_id: int, word: str) -> str:
        """Set what an entrant adds to the throws of games that begin from now on.

        Returns:
            The word as it enters the draws.

        Raises:
            Refusal: the tournament is over, or the user isn't in it.

        """
        check_in(view, user_id)
        word = word_in(view.tournament.game, word)
        async with self.store.write() as tx:
            await tournament_entrants.set_word(tx, view.id, user_id, word)
        return word

    async def replace(
        self, tournament_id: int, guild_id: int | None, out: int, new: int, *, by: Person
    ) -> TournamentView:
        """Give an entrant's place to a reserve, from the next round on, and tell both.

        Raises:
            Refusal: it isn't under way, or one of the two can't be exchanged.
            NotAllowed: see `interests.check_replaces`.

        """
        async with changing_open(self.store, tournament_id, guild_id) as (tx, view):
            if view.tournament.state is State.SIGN_UP:
                raise Refusal(say("It hasn't started. Players can still leave and sign up."))
            if view.of(out) is None or out in view.reserves:
                raise Refusal(say("{player} isn't in this tournament.", player=mention(out)))
            if any(one.replaces_user_id == out for one in view.everyone):
                raise Refusal(say("{player} was replaced before.", player=mention(out)))
            if new not in view.reserves:
                raise Refusal(
                    say(
                        "{player} must sign up first, with {join}, to wait for a place.",
                        player=mention(new),
                        join=slash("tournament", "join"),
                    )
                )
            interests.check_replaces(view, by, out)
            await _leave(tx, view, out, reason="removed")
            following = view.tournament.round + 1
            await tournament_entrants.take_place(tx, view.id, new, of=out, round_no=following)
            now = self.clock()
            changed = await tournaments.change(tx, view.tournament)
            await showing.show(tx, changed, now)
            await showing.note(tx, changed, "replaced", now, out=out, new=new, by=by.user_id)
            return await fresh(tx, view)


def check_in(view: TournamentView, user_id: int) -> tournaments.Entrant:
    """Return a user's entry in an open tournament that they have not left.

    Raises:
        Refusal: the tournament is over, or the user isn't in it.

    """
    mine = view.of(user_id)
    if not view.tournament.state.open:
        raise Refusal(say("This tournament is over."))
    if mine is None or mine.left_after is not None:
        raise Refusal(say("You're not in this tournament."))
    return mine


async def withdraw_everywhere(tx: Transaction, user_id: int, now: datetime) -> None:
    """Withdraw a user from all tournaments, as their data is deleted.

    The posts of those that they created, or had left before, are redrawn too.
    """
    entered = {one.id for one in await tournaments.of_player(tx, user_id)}
    for number in await tournaments.naming(tx, user_id):
        locked = await tournaments.lock(tx, number)
        view = await read_view(tx, number)
        if locked is None or view is None or not locked.state.open:
            continue
        if number in entered:
            await _leave(tx, view, user_id, reason="gone")
        changed = await tournaments.change(tx, locked)
        await showing.show(tx, changed, now)
        if any(one.round == changed.round for one in view.rounds):
            await showing.show_round(tx, changed, changed.round, now)


async def _leave(tx: Transaction, view: TournamentView, user_id: int, *, reason: str) -> None:
    if view.tournament.state is State.SIGN_UP or user_id in view.reserves:
        await tournament_entrants.remove(tx, view.id, user_id)
    else:
        await tournament_entrants.withdraw(
            tx, view.id, user_id, after=view.tournament.round, reason=reason
        )


async def _shown(tx: Transaction, view: TournamentView, now: datetime) -> TournamentView:
    """Redraw a tournament's announcement, and return it as it is now."""
    await showing.show(tx, await tournaments.change(tx, view.tournament), now)
    return await fresh(tx, view)
