"""Use cases of players in tournaments: sign up, leave, take another's place."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, NamedTuple

from bot.core import hourly_limits
from bot.core.errors import Refusal, TooMany
from bot.core.i18n.mentions import mention, slash
from bot.core.permissions import opponents
from bot.core.scheduling.scheduler import WallClock
from bot.core.settings.service import of_player
from bot.features.tournaments import interests, transitions
from bot.features.tournaments.interests import Person
from bot.features.tournaments.view import (
    TournamentView,
    changing_open,
    check_stage,
    read_view,
)
from bot.play.matches.luck import word_in
from bot.play.ratings.skill import START, after_pause
from data import locks
from data.ratings import ratings
from data.store.store import Store, Transaction
from data.tournaments import tournament_entrants, tournaments
from data.tournaments.tournaments import DELETED_ROLE, RESERVE, Entry, State, Terms
from data.tournaments.values import Format
from engine.phrase import plural, say

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
            Refusal, TooMany, Unwelcome: see `check`.
            TooMany: more than `MAX_SIGN_UPS` within an hour.
        """
        await hourly_limits.take(self.store, user_id, "sign-up", self.clock(), MAX_SIGN_UPS)
        async with changing_open(self.store, tournament_id, guild_id) as (tx, view):
            now = self.clock()
            await locks.lock_id(tx, user_id)
            known = await strength(tx, view.tournament, user_id, now)
            await check(tx, view, user_id, roles=roles, known=known)
            await tournament_entrants.enter(
                tx,
                view.id,
                user_id,
                strength=float(known.points),
                at=now,
                joined_round=first_round(view),
            )
            await transitions.change(tx, view.tournament, now)
            return replace(view, everyone=await tournament_entrants.of(tx, view.id))

    async def leave(
        self,
        tournament_id: int,
        guild_id: int | None,
        user_id: int,
        *,
        asked_at: int | None = None,
    ) -> TournamentView:
        """Withdraw a player; after the start, when the round ends. Return it as it was.

        Raises:
            Refusal: the tournament is over, the player isn't in it, or it has started since they
                were asked at the stage ``asked_at``.
        """
        async with changing_open(self.store, tournament_id, guild_id) as (tx, view):
            if asked_at == 0:
                check_stage(view, asked_at)
            check_in(view, user_id)
            await _leave(tx, view, user_id, reason="left")
            await transitions.change(tx, view.tournament, self.clock())
        return view

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
    ) -> None:
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
            if any(one.replaces == out for one in view.everyone):
                raise Refusal(say("{player} has already been replaced.", player=mention(out)))
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
            changed = await transitions.change(tx, view.tournament, now)
            await transitions.note(tx, changed, "replaced", now, out=out, new=new, by=by.user_id)


def check_in(view: TournamentView, user_id: int) -> Entry:
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
        changed = await transitions.change(tx, locked, now)
        if any(one.round == changed.round for one in view.rounds):
            await transitions.show_round(tx, changed, changed.round, now)


async def _leave(tx: Transaction, view: TournamentView, user_id: int, *, reason: str) -> None:
    if view.tournament.state is State.SIGN_UP or user_id in view.reserves:
        await tournament_entrants.remove(tx, view.id, user_id)
    else:
        await tournament_entrants.withdraw(
            tx, view.id, user_id, after=view.tournament.round, reason=reason
        )


MAX_ENTERED: Final = 5
"""Maximum tournaments a player takes part in at once."""


class Strength(NamedTuple):
    """A player's rating, as far as known."""

    points: int
    established: bool


async def strength(tx: Transaction, terms: Terms, user_id: int, now: datetime) -> Strength:
    """Return a player's strength by their rating in the tournament's game and server."""
    rating = await ratings.get(tx, terms.game, terms.guild_id, user_id)
    if rating is None:
        return Strength(START.points, established=False)
    return Strength(after_pause(rating, now).points, rating.established)


def takes_late(view: TournamentView) -> bool:
    """Return whether players may enter late: wherever pairings aren't fixed in advance."""
    return view.plan.format is Format.SWISS or view.plan.seats > 2


def first_round(view: TournamentView) -> int:
    """Return the first round for a player entering now, or `RESERVE` if they wait for a place."""
    if view.tournament.state is State.SIGN_UP:
        return 1
    return view.tournament.round + 1 if takes_late(view) else RESERVE


async def check(
    tx: Transaction,
    view: TournamentView,
    user_id: int,
    *,
    roles: Collection[int],
    known: Strength,
) -> None:
    """Check that a player may enter an open tournament.

    Raises:
        Refusal: the player is or was in it, or doesn't meet its conditions.
        TooMany: it is full, or the player is in too many.
        Unwelcome: the player has turned challenges off.
    """
    terms = view.tournament
    entered = view.of(user_id)
    if entered is not None and entered.left_after is None:
        raise Refusal(say("You're already in this tournament."))
    if entered is not None:
        raise Refusal(say("You've left this tournament, and its rounds have gone on without you."))
    if len(view.present) + len(view.reserves) >= terms.max_players:
        raise TooMany(
            plural(
                "This tournament is full: {n} player is in.",
                "This tournament is full: {n} players are in.",
                terms.max_players,
            )
        )
    if len(await tournaments.of_player(tx, user_id)) >= MAX_ENTERED:
        raise TooMany(
            say(
                "You're already in {number} tournaments. Leave one first, or wait until one ends.",
                number=MAX_ENTERED,
            )
        )
    if not (await of_player(tx, user_id)).challenges:
        raise opponents.challenges_off()
    check_conditions(terms, roles, known)


def check_conditions(terms: Terms, roles: Collection[int], known: Strength) -> None:
    """Raise Refusal if a player does not meet a tournament's conditions."""
    if terms.role_id == DELETED_ROLE:
        raise Refusal(
            say(
                "The role that this tournament was for has been deleted, so nobody can sign "
                "up. The organiser can open it to everyone."
            )
        )
    if terms.role_id is not None and terms.role_id not in roles:
        raise Refusal(say("This tournament is for {role} only.", role=f"<@&{terms.role_id}>"))
    if terms.established and not known.established:
        raise Refusal(
            say("This tournament is for players with a settled rating. Yours is provisional.")
        )
    if terms.min_rating is not None and known.points < terms.min_rating:
        raise Refusal(
            say(
                "This tournament is for ratings from {least}. Yours is {points}.",
                least=terms.min_rating,
                points=known.points,
            )
        )
    if terms.max_rating is not None and known.points > terms.max_rating:
        raise Refusal(
            say(
                "This tournament is for ratings up to {most}. Yours is {points}.",
                most=terms.max_rating,
                points=known.points,
            )
        )
