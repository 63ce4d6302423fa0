"""A tournament with all its parts, as stored and as plain values."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any, cast

from bot.features.tournaments.model import Entrant, Format, Game, Pairing, Plan
from bot.features.tournaments.standing_rows import Standing
from bot.features.tournaments.standings import standings
from bot.play.matches.scoring import How
from data.store.store import Transaction
from data.tournaments import tournament_entrants, tournament_imports, tournament_rounds, tournaments
from data.tournaments.tournament_rounds import Round
from data.tournaments.tournaments import State, Tournament
from engine import registry
from engine.pair import MATCH
from engine.registry import AnyGame


def stored_plan(plan: Plan) -> dict[str, Any]:
    """Return a plan as plain data; `plan_of` reads it."""
    return asdict(plan) | {"format": plan.format.value}


def plan_of(stored: Mapping[str, Any]) -> Plan:
    """Return the plan that was stored."""
    return Plan(**{**stored, "format": Format(stored["format"])})


@dataclass(frozen=True)
class TournamentView:
    """A snapshot of a tournament."""

    tournament: Tournament
    everyone: tuple[tournaments.Entrant, ...]
    """All past and present entrants, in the order of joining."""
    rounds: tuple[Round, ...]
    tables: tuple[tournament_rounds.Pairing, ...]
    """All pairings, by round and table."""
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

    @cached_property
    def plan(self) -> Plan:
        """The tournament's settings."""
        return plan_of(self.tournament.plan)

    @property
    def game(self) -> AnyGame:
        """The game played."""
        return registry.game(self.tournament.game)

    @property
    def seed_revealed(self) -> bool:
        """Whether its seed is public: it is over, and so are all its matches.

        The throws of its games derive from it.
        """
        played = [game for one in self.tables for game in one.games if game.match_id is not None]
        return not self.tournament.state.open and all(game.ended for game in played)

    @property
    def unequal_sides(self) -> bool:
        """Whether one side has better chances; not if each match is two games, one per side."""
        paired = self.tournament.options.get(MATCH.name) == "true"
        return self.game.unequal_sides and not paired

    @cached_property
    def present(self) -> tuple[int, ...]:
        """Entrants who have not left."""
        playing = (one for one in self.everyone if one.joined_round != tournaments.RESERVE)
        return tuple(one.user_id for one in playing if one.left_after is None)

    @cached_property
    def named(self) -> tuple[int, ...]:
        """Entrants to list: those still in it, or once it is over all who took part."""
        if self.tournament.state.open:
            return self.present
        return tuple(one.user_id for one in self.entrants)

    @cached_property
    def reserves(self) -> tuple[int, ...]:
        """Users waiting for a place, in the order of joining."""
        waiting = (one for one in self.everyone if one.joined_round == tournaments.RESERVE)
        return tuple(one.user_id for one in waiting)

    def of(self, user_id: int) -> tournaments.Entrant | None:
        """Return a user's entry; ``None`` if they never entered."""
        return next((one for one in self.everyone if one.user_id == user_id), None)

    @cached_property
    def entrants(self) -> tuple[Entrant, ...]:
        """The entrants in the form `bot.features.tournaments.pairing` takes."""
        return tuple(
            Entrant(
                one.user_id, one.strength, one.joined_round, one.left_after, one.replaces_user_id
            )
            for one in self.everyone
            if one.joined_round != tournaments.RESERVE
        )

    @cached_property
    def pairings(self) -> tuple[Pairing, ...]:
        """All pairings in the form `bot.features.tournaments.pairing` takes."""
        return tuple(map(plain_pairing, self.tables))

    @cached_property
    def standings(self) -> tuple[Standing, ...]:
        """The standings, best first."""
        return standings(self.plan, self.entrants, self.pairings, seed=self.tournament.seed)

    async def ranked(self) -> tuple[Standing, ...]:
        """Return the standings, computed in a thread as large ones take time."""
        return await asyncio.to_thread(lambda: self.standings)

    def until(self, number: int) -> TournamentView:
        """Return the tournament up to a round."""
        return replace(
            self,
            rounds=tuple(one for one in self.rounds if one.round <= number),
            tables=tuple(one for one in self.tables if one.round <= number),
        )

    @property
    def round(self) -> Round | None:
        """The current or last round; ``None`` before the first."""
        return self.rounds[-1] if self.rounds else None

    def of_round(self, number: int) -> tuple[tournament_rounds.Pairing, ...]:
        """Return the pairings of a round, by table."""
        return tuple(one for one in self.tables if one.round == number)

    @property
    def current(self) -> tuple[tournament_rounds.Pairing, ...]:
        """The pairings of the current round."""
        return self.of_round(self.tournament.round)


def plain_pairing(pairing: tournament_rounds.Pairing) -> Pairing:
    """Return a stored pairing as a plain one."""
    games = (Game(one.seats, one.points, cast("How", one.how)) for one in pairing.games)
    return Pairing(pairing.round, pairing.table, pairing.players, tuple(games), pairing.stage)


def stored_pairing(pairing: Pairing) -> tournament_rounds.Pairing:
    """Return a plain pairing in the form the store takes."""
    games = (
        tournament_rounds.Game(number, game.seats, game.points, game.how)
        for number, game in enumerate(pairing.games, 1)
    )
    return tournament_rounds.Pairing(
        pairing.round, pairing.table, pairing.players, pairing.stage, tuple(games)
    )


def unpacked(view: TournamentView) -> TournamentView:
    """Return an imported tournament with its pairings; large ones take long."""
    people = [one.user_id for one in view.everyone]
    return replace(view, tables=tournament_imports.unpacked(view.packed, people), packed=b"")


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
