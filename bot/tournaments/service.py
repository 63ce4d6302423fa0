"""Use cases of tournaments: create, take part, run."""

from __future__ import annotations

import secrets
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from bot import hourly_limits
from bot.errors import BadInput, Refusal, TooMany
from bot.i18n.mentions import mention
from bot.i18n.slash import slash
from bot.tournaments import entry, jobs, transitions
from bot.tournaments.leaving import leave
from bot.tournaments.names import named
from bot.tournaments.view import read_view
from data import tournament_entrants, tournament_rounds, tournaments
from data.tournaments import State
from engine.luck import SEED_BYTES
from engine.phrase import plural, say

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Collection, Sequence
    from datetime import datetime

    from bot.scheduling.wall_clock import WallClock
    from bot.tournaments.view import TournamentView
    from data.store import Store, Transaction
    from data.tournaments import Terms, Tournament

MAX_OPEN: Final = 10
"""Maximum open tournaments per server."""
MAX_OPEN_BY_ONE: Final = 2
"""Maximum open tournaments per organiser and server."""
MAX_MADE: Final = 5
"""Maximum tournaments a user creates per hour."""
MAX_SIGN_UPS: Final = 20
"""Maximum sign-ups by a user per hour, as each edits the announcement."""
MAX_RUN: Final = 20
"""Maximum starts, pairings and adjournments by a user per hour, as each is posted."""
LISTED: Final = 50
"""How many of a server's tournaments to list, newest first."""


class Tournaments:
    """The tournaments in a store. Callers check who may run one."""

    def __init__(
        self,
        store: Store,
        *,
        clock: WallClock,
        seeds: Callable[[int], bytes] = secrets.token_bytes,
    ) -> None:
        """Use a store and a clock; ``seeds`` draws secrets."""
        self._store = store
        self._clock = clock
        self._seeds = seeds

    def now(self) -> datetime:
        """Return the current time."""
        return self._clock()

    async def count_run(self, user_id: int) -> None:
        """Count a start, pairing or adjournment by a user.

        Raises:
            TooMany: more than `MAX_RUN` within an hour.

        """
        await hourly_limits.take(self._store, user_id, "tournament-run", self._clock(), MAX_RUN)

    async def get(self, tournament_id: int, guild_id: int | None) -> TournamentView:
        """Return a tournament of a server.

        Raises:
            Refusal: there is no such tournament.

        """
        async with self._store.read() as tx:
            view = await read_view(tx, tournament_id)
        if view is None or view.tournament.guild_id != guild_id:
            raise Refusal(say("There's no such tournament on this server."))
        return view

    async def of_server(self, guild_id: int, *, open_only: bool = False) -> Sequence[Tournament]:
        """Return a server's tournaments, newest first."""
        async with self._store.read() as tx:
            return await tournaments.of_server(tx, guild_id, most=LISTED, open_only=open_only)

    async def sizes(self, listed: Sequence[Tournament]) -> Sequence[int]:
        """Return the number of players in each tournament, once it is over of all who took part."""
        async with self._store.read() as tx:
            ended = {one.id for one in listed if not one.state.open}
            return await tournament_entrants.sizes(tx, [one.id for one in listed], ended)

    async def of_player(self, user_id: int, guild_id: int) -> Sequence[Tournament]:
        """Return the open tournaments a player is in on a server."""
        async with self._store.read() as tx:
            listed = await tournaments.of_player(tx, user_id)
        return [one for one in listed if one.guild_id == guild_id]

    async def create(self, terms: Terms) -> Tournament:
        """Open a tournament for sign-ups.

        Raises:
            BadInput: it has no name.
            TooMany: too many are open here, or the organiser has created too many.

        """
        name = named(terms.name)
        if not name:
            raise BadInput(say("Give the tournament a name."))
        now = self._clock()
        await hourly_limits.take(self._store, terms.created_by, "tournament", now, MAX_MADE)
        async with self._store.write() as tx:
            await tournaments.serialize(tx, terms.guild_id)
            if await tournaments.open_in_server(tx, terms.guild_id) >= MAX_OPEN:
                raise TooMany(
                    say(
                        "This server already has {number} open tournaments. End one first.",
                        number=MAX_OPEN,
                    )
                )
            mine = await tournaments.open_made_by(tx, terms.created_by, terms.guild_id)
            if mine >= MAX_OPEN_BY_ONE:
                raise TooMany(
                    say("You already run {number} tournaments here. End one first.", number=mine)
                )
            tournament = await tournaments.add(
                tx,
                replace(terms, name=name, max_players=min(terms.max_players, entry.MAX_ENTRANTS)),
                seed=self._seeds(SEED_BYTES),
                at=now,
                next_at=now,
            )
            await jobs.show(tx, tournament, now)
        return tournament

    async def join(
        self, tournament_id: int, guild_id: int | None, user_id: int, roles: Collection[int]
    ) -> TournamentView:
        """Sign a player up; after the start, where possible, from the next round on.

        Raises:
            Refusal, TooMany, Unwelcome: see `bot.tournaments.entry.check`.
            TooMany: more than `MAX_SIGN_UPS` within an hour.

        """
        now = self._clock()
        await hourly_limits.take(self._store, user_id, "sign-up", now, MAX_SIGN_UPS)
        async with self._changing(tournament_id, guild_id) as (tx, view, now):
            await tournaments.serialize(tx, user_id)
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
            return await _shown(tx, view, now)

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
        async with self._changing(tournament_id, guild_id) as (tx, view, now):
            if asked_at == 0:
                _check_stage(view, asked_at)
            if user_id not in {*view.present, *view.reserves}:
                raise Refusal(say("You're not in this tournament."))
            await leave(tx, view, user_id, reason="left")
            return await _shown(tx, view, now)

    async def replace(
        self, tournament_id: int, guild_id: int | None, out: int, new: int
    ) -> TournamentView:
        """Give an entrant's place to a reserve, from the next round on.

        Raises:
            Refusal: it isn't under way, or one of the two can't be exchanged.

        """
        async with self._changing(tournament_id, guild_id) as (tx, view, now):
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
            await leave(tx, view, out, reason="removed")
            following = view.tournament.round + 1
            await tournament_entrants.take_place(tx, view.id, new, of=out, round_no=following)
            return await _shown(tx, view, now)

    async def start(
        self, tournament_id: int, guild_id: int | None, *, channel_id: int | None = None
    ) -> TournamentView:
        """Start a tournament, or resume an adjourned one.

        Args:
            tournament_id: the tournament.
            guild_id: the server.
            channel_id: its new channel if its own is gone.

        Raises:
            Refusal: it is under way or over, or too few players have signed up.

        """
        async with self._changing(tournament_id, guild_id) as (tx, view, now):
            state = view.tournament.state
            if channel_id is not None:
                moved = {"channel_id": channel_id, "message_id": None, "thread_id": None}
                await tournaments.change(tx, view.tournament, **moved)
            if state is State.RUNNING:
                raise Refusal(say("This tournament is already under way."))
            if state is State.ADJOURNED:
                changed = await transitions.resume(tx, view, now)
                await jobs.show(tx, changed, now)
                await jobs.note(tx, changed, "resumed", now)
                return await _fresh(tx, view)
            least = max(2, view.plan.smallest)
            if len(view.present) < least:
                raise Refusal(
                    plural(
                        "At least {n} player must sign up first.",
                        "At least {n} players must sign up first.",
                        least,
                    )
                )
            await transitions.begin(tx, view.tournament, now)
            return await _fresh(tx, view)

    async def pair(self, tournament_id: int, guild_id: int | None, asked_at: int) -> TournamentView:
        """End a round, deciding its open games, and pair the next.

        Raises:
            Refusal: the round of the stage ``asked_at`` is over, or none is under way.

        """
        async with self._changing(tournament_id, guild_id) as (tx, view, now):
            played = view.round
            if 1 < asked_at < view.stage:
                raise Refusal(say("Round {round} is already over.", round=asked_at - 1))
            _check_stage(view, asked_at)
            if view.tournament.state is not State.RUNNING or played is None or played.ended_at:
                raise Refusal(say("No round of this tournament is under way."))
            await tournament_rounds.change(tx, replace(played, ends_at=now, forced=True))
            await tournaments.change(tx, view.tournament, next_at=now)
            return await _fresh(tx, view)

    async def adjourn(
        self, tournament_id: int, guild_id: int | None, *, asked_at: int | None = None
    ) -> TournamentView:
        """Adjourn a tournament: no round ends or begins until it is resumed.

        Raises:
            Refusal: it isn't under way, or has come further since the stage ``asked_at``.

        """
        async with self._changing(tournament_id, guild_id) as (tx, view, now):
            _check_stage(view, asked_at)
            if view.tournament.state is not State.RUNNING:
                raise Refusal(say("This tournament isn't under way."))
            changed = await transitions.adjourn(tx, view, now)
            await jobs.show(tx, changed, now)
            await jobs.note(tx, changed, "adjourned", now)
            return await _fresh(tx, view)

    async def end(
        self, tournament_id: int, guild_id: int | None, *, asked_at: int | None = None
    ) -> TournamentView:
        """End a tournament early with the standings as they are.

        Without any result yet it is cancelled. Open matches go on by themselves.

        Raises:
            Refusal: it is over, or has come further since the stage ``asked_at``.

        """
        async with self._changing(tournament_id, guild_id) as (tx, view, now):
            _check_stage(view, asked_at)
            decided = any(not one.bye and one.met and not one.open for one in view.pairings)
            if decided:
                await transitions.finish(tx, view, now)
            else:
                await transitions.cancel(tx, view.tournament, now)
            return await _fresh(tx, view)

    @asynccontextmanager
    async def _changing(
        self, tournament_id: int, guild_id: int | None
    ) -> AsyncIterator[tuple[Transaction, TournamentView, datetime]]:
        """Open a transaction to change an open tournament of a server.

        Raises:
            Refusal: there is no such tournament, or it is over.

        """
        async with self._store.write() as tx:
            locked = await tournaments.lock(tx, tournament_id)
            view = None if locked is None else await read_view(tx, tournament_id)
            if view is None or view.tournament.guild_id != guild_id:
                raise Refusal(say("There's no such tournament on this server."))
            if not view.tournament.state.open:
                raise Refusal(say("This tournament is over."))
            yield tx, view, self._clock()


def _check_stage(view: TournamentView, asked_at: int | None) -> None:
    """Raise Refusal if a tournament has come further since the user was asked to confirm."""
    if asked_at in {None, view.stage}:
        return
    if not view.tournament.round:
        raise Refusal(
            say(
                "**{tournament}** has started since you were asked, so nothing was changed. "
                "Try again if you still want to.",
                tournament=view.tournament.name,
            )
        )
    raise Refusal(
        say(
            "Round {round} has begun since you were asked, so nothing was changed. "
            "Try again if you still want to.",
            round=view.tournament.round,
        )
    )


async def _shown(tx: Transaction, view: TournamentView, now: datetime) -> TournamentView:
    """Redraw a tournament's announcement, and return it as it is now."""
    await jobs.show(tx, await tournaments.change(tx, view.tournament), now)
    return await _fresh(tx, view)


async def _fresh(tx: Transaction, view: TournamentView) -> TournamentView:
    found = await read_view(tx, view.id)
    assert found is not None
    return found
