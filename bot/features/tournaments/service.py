"""Use cases of tournaments: create, find, run. Their players are in `bot.features.tournaments.entrants`."""

from __future__ import annotations

import asyncio
import re
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

from cachetools import LRUCache

from bot.core import hourly_limits
from bot.core.errors import BadInput, Refusal, TooMany
from bot.core.hooks import (
    interest_in_match,
    on_match_shown,
    on_server_left,
    on_withdrawal,
    places_of,
)
from bot.core.scheduling.scheduler import WallClock
from bot.core.workers.fair_queue import MAX_WAITING, FairPlaces
from bot.features.tournaments import drafts, entrants, interests, text, transitions
from bot.features.tournaments.interests import Person
from bot.features.tournaments.rules.pairing import most_entrants, total_rounds
from bot.features.tournaments.rules.standings import Standing
from bot.features.tournaments.view import (
    TournamentView,
    changing_open,
    check_stage,
    no_such_tournament,
    read_view,
    unpacked,
)
from bot.play.boards.board_text import occasion_of
from bot.play.matches.scoring import decided
from data import locks
from data.matches.match import Match
from data.store.store import Store, Transaction
from data.tournaments import tournament_entrants, tournament_rounds, tournaments
from data.tournaments.tournaments import DELETED_ROLE, State, Terms, Tournament
from data.tournaments.values import Format
from engine.luck import SEED_BYTES
from engine.phrase import Phrase, concat, plural, say
from engine.plain_text import one_line

MAX_OPEN: Final = 10
"""Maximum open tournaments per server."""
MAX_OPEN_BY_ONE: Final = 2
"""Maximum open tournaments per organiser and server."""
MAX_MADE: Final = 5
"""Maximum tournaments a user creates per hour."""
MAX_RUN: Final = 20
"""Maximum starts, pairings and adjournments by a user per hour, as each is posted."""
LISTED: Final = 50
"""How many of a server's tournaments to list, newest first."""
_PLACES: Final = 2
"""Tournaments read and shown at a time; large ones take tens of megabytes meanwhile."""
_UNPACKED: Final = 4
"""Maximum cached imported tournaments, each of up to ten megabytes."""
_MAX_PRIZES: Final = 50
"""A player's tournaments searched for ones that readers of their profile may see."""
_MAX_SHOWN_PRIZES: Final = 5
_RANKED: Final = 16
"""Maximum cached standings."""
MAX_NAME: Final = 60
_MAX_READ: Final = 1000
"""How many characters of a longer text are read."""
_MARKS: Final = re.compile(r"[`*_~|<>\[\]\\]")
"""Discord's formatting characters, removed so that a name shows as plain text."""
_LINKS: Final = re.compile(r"(:|\.\w+)(//?)")
"""The parts that turn text into a link. The bot may post links where the name's author may not."""
_IDS: Final = re.compile(r"\d{15,}")
"""Ids of users, as of a mention: a name would keep them when their owner deletes their data."""


@dataclass(eq=False, repr=False)
class Tournaments:
    """The tournaments in a store. Callers check who may run one."""

    store: Store
    clock: WallClock
    seeds: Callable[[int], bytes] = secrets.token_bytes
    turns: FairPlaces[None] = field(
        default_factory=lambda: FairPlaces([None] * _PLACES, limit=MAX_WAITING), init=False
    )
    """To be taken while a tournament is read and shown; users take turns."""
    _unpacked: LRUCache[tuple[int, int], TournamentView] = field(
        default_factory=lambda: LRUCache(_UNPACKED), init=False
    )
    _ranked: LRUCache[tuple[int, int], tuple[Standing, ...]] = field(
        default_factory=lambda: LRUCache(_RANKED), init=False
    )

    async def count_run(self, user_id: int) -> None:
        """Count a start, pairing or adjournment by a user.

        Raises:
            TooMany: more than `MAX_RUN` within an hour.
        """
        await hourly_limits.take(self.store, user_id, "tournament-run", self.clock(), MAX_RUN)

    async def get(self, tournament_id: int, guild_id: int | None) -> TournamentView:
        """Return a tournament of a server.

        Raises:
            Refusal: there is no such tournament.
        """
        view = await self.store.run_read(lambda tx: read_view(tx, tournament_id))
        if view is None or view.tournament.guild_id != guild_id:
            raise no_such_tournament()
        if not view.packed:
            return view
        version = view.id, view.tournament.version
        if version not in self._unpacked:
            self._unpacked[version] = await asyncio.to_thread(unpacked, view)
        return replace(self._unpacked[version], tournament=view.tournament)

    async def ranked(self, view: TournamentView) -> tuple[Standing, ...]:
        """Return the standings, computed in a thread once for each version of a tournament."""
        version = view.id, view.tournament.version
        if version not in self._ranked:
            self._ranked[version] = await view.ranked()
        return self._ranked[version]

    async def of_server(self, guild_id: int, *, open_only: bool = False) -> Sequence[Tournament]:
        """Return a server's tournaments, newest first."""
        async with self.store.read() as tx:
            return await tournaments.of_server(tx, guild_id, limit=LISTED, open_only=open_only)

    async def sizes(self, listed: Sequence[Tournament]) -> Sequence[int]:
        """Return the number of players in each tournament, once it is over of all who took part."""
        async with self.store.read() as tx:
            ended = {one.id for one in listed if not one.state.open}
            return await tournament_entrants.sizes(tx, [one.id for one in listed], ended)

    async def rounds_in_all(self, listed: Sequence[Tournament]) -> Sequence[int]:
        """Return the number of rounds of each tournament, at most."""
        async with self.store.read() as tx:
            began = await tournament_entrants.began(tx, [one.id for one in listed])
        return [total_rounds(one.plan, many) for one, many in zip(listed, began, strict=True)]

    async def of_player(self, user_id: int, guild_id: int) -> Sequence[Tournament]:
        """Return the open tournaments a player is in on a server."""
        async with self.store.read() as tx:
            listed = await tournaments.of_player(tx, user_id)
        return [one for one in listed if one.guild_id == guild_id]

    async def create(self, terms: Terms, *, draft: int | None = None) -> Tournament:
        """Open a tournament for sign-ups, perhaps from a draft, which is then gone.

        Raises:
            Refusal: the draft is gone, or has been posted.
            BadInput: it has no name.
            TooMany: too many are open here, or the organiser has created too many.
        """
        name = clean_name(terms.name)
        if not name:
            raise BadInput(say("Give the tournament a name."))
        most = min(terms.max_players, most_entrants(terms.plan))
        now = self.clock()
        await hourly_limits.take(self.store, terms.created_by, "tournament", now, MAX_MADE)
        async with self.store.write() as tx:
            if draft is not None:
                await drafts.take(tx, draft)
            await locks.lock_id(tx, terms.guild_id)
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
                replace(terms, name=name, max_players=most),
                seed=self.seeds(SEED_BYTES),
                at=now,
                next_at=now,
            )
            await transitions.show(tx, tournament, now)
        return tournament

    async def start(
        self, tournament_id: int, guild_id: int | None, *, channel_id: int | None = None
    ) -> None:
        """Start a tournament, or resume an adjourned one, in a new channel if its own is gone.

        Raises:
            Refusal: it is under way or over, or too few players have signed up.
        """
        async with changing_open(self.store, tournament_id, guild_id) as (tx, view):
            now = self.clock()
            state = view.tournament.state
            if channel_id is not None:
                moved = {"channel_id": channel_id, "message_id": None, "thread_id": None}
                await tournaments.change(tx, view.tournament, **moved)
            if state is State.RUNNING:
                raise Refusal(say("This tournament is already under way."))
            if state is State.ADJOURNED:
                changed = await transitions.resume(tx, view, now)
                await transitions.note(tx, changed, "resumed", now)
                return
            least = max(2, view.plan.smallest)
            if len(view.present) < least:
                raise Refusal(
                    plural(
                        "At least {n} player must sign up first.",
                        "At least {n} players must sign up first.",
                        least,
                    )
                )
            await transitions.change(tx, view.tournament, now, state=State.RUNNING, next_at=now)

    async def lose_role(self, guild_id: int, role_id: int) -> None:
        """Close the sign-ups that need a role which was deleted, and tell their organisers."""
        needing = partial(tournaments.needing_role, guild_id=guild_id, role_id=role_id)
        for number in await self.store.run_read(needing):
            async with self.store.write() as tx:
                known = await tournaments.lock(tx, number)
                if known is not None and known.state.open and known.role_id == role_id:
                    now = self.clock()
                    changed = await transitions.change(tx, known, now, role_id=DELETED_ROLE)
                    await transitions.note(tx, changed, "role", now)

    async def open_to_all(self, tournament_id: int, guild_id: int | None, *, by: Person) -> None:
        """Open a tournament to everyone whose role was deleted.

        Raises:
            Refusal: it is over, or its role still exists.
            NotAllowed: the user does not run it.
        """
        async with changing_open(self.store, tournament_id, guild_id) as (tx, view):
            interests.check_runs(view, by)
            if view.tournament.role_id != DELETED_ROLE:
                raise Refusal(say("Nothing changed."))
            await transitions.change(tx, view.tournament, self.clock(), role_id=None)

    async def pair(
        self, tournament_id: int, guild_id: int | None, asked_at: int, *, by: Person
    ) -> None:
        """End a round before its time, deciding its open games, and pair the next.

        Raises:
            Refusal: the round of the stage ``asked_at`` is over, or none is under way.
            NotAllowed: see `interests.check_ends_round`.
        """
        async with changing_open(self.store, tournament_id, guild_id) as (tx, view):
            now = self.clock()
            played = view.round
            if 1 < asked_at < view.stage:
                raise Refusal(
                    # Translators: round is "Round 2", or "Final".
                    say("{round} is already over.", round=view.round_name(asked_at - 1))
                )
            check_stage(view, asked_at)
            if view.tournament.state is not State.RUNNING or played is None or played.ended_at:
                raise Refusal(say("No round of this tournament is under way."))
            interests.check_ends_round(view, by)
            await tournament_rounds.change(tx, replace(played, ends_at=now, forced=True))
            changed = await tournaments.change(tx, view.tournament, next_at=now)
            await transitions.note(tx, changed, "forced", now, by=by.user_id)

    async def adjourn(
        self, tournament_id: int, guild_id: int | None, *, by: Person, asked_at: int | None = None
    ) -> None:
        """Adjourn a tournament: no round ends or begins until it is resumed.

        Raises:
            Refusal: it isn't under way, or has come further since the stage ``asked_at``.
            NotAllowed: see `interests.check_adjourns`.
        """
        async with changing_open(self.store, tournament_id, guild_id) as (tx, view):
            now = self.clock()
            check_stage(view, asked_at)
            if view.tournament.state is not State.RUNNING:
                raise Refusal(say("This tournament isn't under way."))
            interests.check_adjourns(view, by)
            changed = await transitions.adjourn(tx, view, now)
            await transitions.show(tx, changed, now)
            await transitions.note(tx, changed, "adjourned", now)

    async def end(
        self, tournament_id: int, guild_id: int | None, *, by: Person, asked_at: int | None = None
    ) -> None:
        """End a tournament early with the standings as they are.

        Without any result yet it is cancelled. So it is if a player ends it: nobody wins by their
        own decision. Open matches continue.

        Raises:
            Refusal: it is over, or has come further since the stage ``asked_at``.
            NotAllowed: see `interests.check_ends`.
        """
        # Ranked first, as the transaction blocks others.
        seen = await self.get(tournament_id, guild_id)
        if seen.tournament.state.open:
            await self.ranked(seen)
        async with changing_open(self.store, tournament_id, guild_id, seen) as (tx, view):
            now = self.clock()
            check_stage(view, asked_at)
            interests.check_ends(view, by)
            decided = any(not one.bye and one.met and not one.open for one in view.pairings)
            if decided and not interests.took_part(view, by.user_id):
                final = await self.ranked(view)
                changed = await transitions.finish(tx, view, final, now)
                await transitions.note(tx, changed, "ended", now, by=by.user_id)
            else:
                await transitions.cancel(tx, view.tournament, now)


def clean_name(typed: str) -> str:
    """Return a typed tournament name cleaned for display; empty if nothing remains."""
    plain = _IDS.sub(" ", _MARKS.sub(" ", one_line(typed[:_MAX_READ])))
    return one_line(_LINKS.sub(r"\1 \2", plain)[: 2 * MAX_NAME])[:MAX_NAME].rstrip()


on_match_shown(order=10)(transitions.show_link)
on_withdrawal(order=10)(entrants.withdraw_everywhere)
on_server_left(order=10)(transitions.cancel_all)
interest_in_match(order=10)(interests.of_match)


@occasion_of(order=10)
async def of_match(tx: Transaction, match: Match) -> Phrase:
    """Return the tournament and the round that a match is a game of; empty for others.

    A match that was moved doesn't say so: not all who read it there may see the tournament.
    """
    found = await tournament_rounds.round_of(tx, match.id)
    terms = None if found is None else await tournaments.get(tx, found[0])
    there = terms is not None and terms.channel_id in {match.channel_id, match.parent_id}
    if found is None or terms is None or not there:
        return concat()
    # Only a knockout's rounds have names that depend on how many it has.
    knockout = terms.plan.format is Format.KNOCKOUT
    began = (await tournament_entrants.began(tx, [terms.id]))[0] if knockout else 0
    through = await _through(tx, terms, found[1], match)
    return text.occasion(terms, found[1], total_rounds(terms.plan, began), through)


async def _through(tx: Transaction, terms: Tournament, number: int, match: Match) -> int | None:
    """Return who goes on in a knockout by winning a match; ``None`` where it alone doesn't tell."""
    plan = terms.plan
    alone = plan.single_elimination and plan.best_of == 1 and not plan.both_sides
    if not (match.finished and alone):
        return None
    table = await tournament_rounds.pairings_of_round(tx, terms.id, number)
    (game,) = (one for pairing in table for one in pairing.games if one.match_id == match.id)
    points, how = game.points, game.how
    if points is None:
        points, how = await decided(tx, match, game.seats)
    entered = {one.user_id: one for one in await tournament_entrants.of(tx, terms.id)}
    winner = next(
        (entered.get(user) for user, won in zip(game.seats, points, strict=True) if won == 1), None
    )
    # A final without a game may have no winner.
    final = number == terms.round and len(table) == 1
    if winner is None or winner.left_after is not None or (final and how == "forfeit"):
        return None
    return winner.user_id


@places_of(order=10)
async def prizes(
    tx: Transaction, user_id: int, guild_id: int | None, seen: Callable[[int], bool]
) -> Sequence[Phrase]:
    """Return the tournaments that a player finished in the top three, newest first."""
    found = await tournaments.prizes(tx, guild_id, user_id, limit=_MAX_PRIZES)
    shown = [text.prize(one, place) for one, place in found if seen(one.channel_id)]
    return shown[:_MAX_SHOWN_PRIZES]
