"""A tournament with all its parts, and the transactions that change it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import cached_property

from bot.core.errors import NoSuchMatch, Refusal
from bot.features.tournaments.rules.pairing import Record, round_name, total_rounds
from bot.features.tournaments.rules.standings import Standing, standings
from bot.play.matches import jobs
from data.matches import matches
from data.store.store import Store, Transaction
from data.tournaments import tournament_entrants, tournament_imports, tournament_rounds, tournaments
from data.tournaments.tournament_rounds import Round
from data.tournaments.tournaments import Entry, State, Tournament
from data.tournaments.values import Game, Pairing, Plan
from engine import registry
from engine.pair import MATCH
from engine.phrase import Phrase, say
from engine.registry import AnyGame


@dataclass(frozen=True)
class TournamentView:
    """A snapshot of a tournament."""

    tournament: Tournament
    everyone: tuple[Entry, ...]
    """All past and present entrants, in the order of joining."""
    rounds: tuple[Round, ...]
    pairings: tuple[Pairing, ...]
    """By round and table."""
    packed: bytes = b""
    """The pairings of an imported tournament until they are `unpacked`."""

    @property
    def id(self) -> int:
        """The number of the tournament."""
        return self.tournament.id

    @property
    def stage(self) -> int:
        """How far it has come: 0 before the start, 1 before the first round, 2 in it, and so on."""
        return 0 if self.tournament.state is State.SIGN_UP else self.tournament.round + 1

    @property
    def plan(self) -> Plan:
        """The tournament's settings."""
        return self.tournament.plan

    @property
    def game(self) -> AnyGame:
        """The game played."""
        return registry.game(self.tournament.game)

    @property
    def seed_revealed(self) -> bool:
        """Whether its seed, from which the throws derive, is public: all its matches are over."""
        played = [game for one in self.pairings for game in one.games if game.match_id is not None]
        return not self.tournament.state.open and all(game.ended for game in played)

    @property
    def unequal_sides(self) -> bool:
        """Whether one side has better chances; not if each match is two games, one per side."""
        paired = self.tournament.options.get(MATCH.name) == "true"
        return self.game.unequal_sides and not paired

    @cached_property
    def entrants(self) -> tuple[Entry, ...]:
        """All past and present entrants without those waiting for a place."""
        return tuple(one for one in self.everyone if not one.waits)

    @cached_property
    def present(self) -> tuple[int, ...]:
        """Users who have not left."""
        return tuple(one.user_id for one in self.entrants if one.left_after is None)

    @cached_property
    def listed(self) -> tuple[int, ...]:
        """Users to list: those still in it, or once it is over all who took part."""
        if self.tournament.state.open:
            return self.present
        return tuple(one.user_id for one in self.entrants)

    @cached_property
    def reserves(self) -> tuple[int, ...]:
        """Users waiting for a place, in the order of joining."""
        return tuple(one.user_id for one in self.everyone if one.waits)

    def of(self, user_id: int) -> Entry | None:
        """Return a user's entry; ``None`` if they never entered."""
        return next((one for one in self.everyone if one.user_id == user_id), None)

    @cached_property
    def standings(self) -> tuple[Standing, ...]:
        """The standings, best first."""
        return standings(self.plan, self.entrants, self.pairings, seed=self.tournament.seed)

    @property
    def record(self) -> Record:
        """All that pairings follow from."""
        return Record(
            self.plan,
            self.entrants,
            self.pairings,
            unequal_sides=self.unequal_sides,
            seed=self.tournament.seed.hex(),
            title=self.tournament.name,
        )

    async def ranked(self) -> tuple[Standing, ...]:
        """Return the standings, computed in a thread as large ones take time."""
        return await asyncio.to_thread(lambda: self.standings)

    @property
    def rounds_in_all(self) -> int:
        """The number of rounds, at most."""
        began = sum(one.joined_round == 1 and one.left_after != 0 for one in self.everyone)
        return max(self.tournament.round, total_rounds(self.plan, began))

    @property
    def more_rounds(self) -> bool:
        """Whether another round may follow, so that there is something to enter or to leave."""
        terms = self.tournament
        return terms.state.open and (not terms.round or terms.round < self.rounds_in_all)

    def round_name(self, number: int) -> Phrase:
        """Return the heading of a round."""
        return round_name(self.plan, number, self.rounds_in_all)

    def until(self, number: int) -> TournamentView:
        """Return the tournament up to a round."""
        return replace(
            self,
            rounds=tuple(one for one in self.rounds if one.round <= number),
            pairings=tuple(one for one in self.pairings if one.round <= number),
        )

    @property
    def round(self) -> Round | None:
        """The current or last round; ``None`` before the first."""
        return self.rounds[-1] if self.rounds else None

    def absent_in(self, number: int) -> list[int]:
        """Return the users withdrawn as absent in a round."""
        left = (one for one in self.everyone if one.left_after == number)
        return [one.user_id for one in left if one.leave_reason == "absent"]

    def placed(self, place: int) -> list[int]:
        """Return the users who finished in a place."""
        return [one.user_id for one in self.everyone if one.place == place]

    def of_round(self, number: int) -> tuple[Pairing, ...]:
        """Return the pairings of a round, by table."""
        return tuple(one for one in self.pairings if one.round == number)

    @property
    def current(self) -> tuple[Pairing, ...]:
        """The pairings of the current round."""
        return self.of_round(self.tournament.round)

    @property
    def open_games(self) -> list[tuple[Pairing, Game]]:
        """The undecided games of the current round, each with its pairing."""
        return [(one, game) for one in self.current for game in one.games if game.points is None]


def no_such_tournament() -> NoSuchMatch:
    """Return the refusal of what there isn't, or what a user can't see."""
    return NoSuchMatch(say("There's no such tournament on this server."))


def unpacked(view: TournamentView) -> TournamentView:
    """Return an imported tournament with its pairings; large ones take long."""
    people = [one.user_id for one in view.everyone]
    return replace(view, pairings=tournament_imports.unpacked(view.packed, people), packed=b"")


async def read_view(tx: Transaction, tournament_id: int) -> TournamentView | None:
    """Read a tournament in a transaction; ``None`` if it doesn't exist.

    The pairings of an imported one are still packed.
    """
    tournament = await tournaments.get(tx, tournament_id)
    if tournament is None:
        return None
    everyone = await tournament_entrants.of(tx, tournament_id)
    if tournament.imported:
        document = await tournament_imports.document(tx, tournament_id)
        return TournamentView(
            tournament, everyone, tournament_imports.rounds(tournament), (), document
        )
    return TournamentView(
        tournament,
        everyone,
        await tournament_rounds.of(tx, tournament_id),
        await tournament_rounds.pairings_of(tx, tournament_id),
    )


class ConcurrentChange(Exception):
    """Another process or user changed the tournament first."""


@asynccontextmanager
async def changing(store: Store, view: TournamentView) -> AsyncIterator[Transaction]:
    """Open a transaction to change a tournament.

    Raises:
        ConcurrentChange: it is no longer as seen.
    """
    async with store.write() as tx:
        tournament = await tournaments.lock(tx, view.id)
        if tournament is None or tournament.version != view.tournament.version:
            raise ConcurrentChange
        yield tx


@asynccontextmanager
async def changing_open(
    store: Store, tournament_id: int, guild_id: int | None, seen: TournamentView | None = None
) -> AsyncIterator[tuple[Transaction, TournamentView]]:
    """Open a transaction to change an open tournament of a server, ``seen`` if still the same.

    Raises:
        Refusal: there is no such tournament, or it is over.
    """
    # Read first, as a large tournament takes long and the transaction blocks others.
    view = seen or await store.run_read(lambda tx: read_view(tx, tournament_id))
    async with store.write() as tx:
        view = None if view is None else await _locked(tx, view)
        if view is None or view.tournament.guild_id != guild_id:
            raise no_such_tournament()
        if not view.tournament.state.open:
            raise Refusal(say("This tournament is over."))
        yield tx, view


async def _locked(tx: Transaction, view: TournamentView) -> TournamentView | None:
    """Lock a tournament; read it again only if it has changed."""
    locked = await tournaments.lock(tx, view.id)
    if locked is not None and locked.version == view.tournament.version:
        return replace(view, tournament=locked)
    return await read_view(tx, view.id)


def check_stage(view: TournamentView, asked_at: int | None) -> None:
    """Raise Refusal if a tournament has come further since the user was asked to confirm."""
    if asked_at in {None, view.stage}:
        return
    if not view.tournament.round:
        raise Refusal(
            say(
                "**{tournament}** has started since you were asked, so nothing has changed. "
                "Try again if you still want to.",
                tournament=view.tournament.name,
            )
        )
    raise Refusal(
        say(
            # Translators: round is "Round 2", or "Final".
            "{round} has started since you were asked, so nothing has changed. Try again if "
            "you still want to.",
            round=view.round_name(view.tournament.round),
        )
    )


async def board_links(tx: Transaction, pairings: Iterable[Pairing]) -> dict[int, str]:
    """Return the board addresses of some pairings, by match, where there are any.

    What is over leads to its thread, whose last board may not be there yet.
    """
    numbers = [game.match_id for one in pairings for game in one.games]
    found = (await matches.of_numbers(tx, [one for one in numbers if one is not None])).values()
    links = await jobs.board_links(tx, found)
    over = {match.id: jobs.thread_link(match) for match in found if match.finished}
    return {number: link for number in links if (link := over.get(number) or links[number])}
