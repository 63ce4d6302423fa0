"""A tournament with all that belongs to it, as the store has it and as plain values."""

from __future__ import annotations

import asyncio
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from bot.tournaments.model import Entrant, Format, Game, Pairing, Plan
from bot.tournaments.standings import standings
from data import tournament_entrants, tournament_rounds, tournaments
from engine import registry
from engine.pair import MATCH

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bot.tournaments.model import How
    from bot.tournaments.standings import Standing
    from data.store import Transaction
    from data.tournament_rounds import Round
    from data.tournaments import Tournament
    from engine.registry import AnyGame


def stored_plan(plan: Plan) -> dict[str, Any]:
    """Return a plan as plain data; `plan_of` reads it."""
    return asdict(plan) | {"format": plan.format.value}


def plan_of(stored: Mapping[str, Any]) -> Plan:
    """Return the plan that was stored."""
    return Plan(**{**stored, "format": Format(stored["format"])})


@dataclass(frozen=True)
class TournamentView:
    """A tournament as it stands at one moment."""

    tournament: Tournament
    everyone: tuple[tournament_entrants.Entrant, ...]
    """Who takes part, and who did, in the order of joining."""
    rounds: tuple[Round, ...]
    tables: tuple[tournament_rounds.Pairing, ...]
    """All pairings, by round and table."""

    @property
    def id(self) -> int:
        """The number of the tournament."""
        return self.tournament.id

    @cached_property
    def plan(self) -> Plan:
        """What kind of tournament it is."""
        return plan_of(self.tournament.plan)

    @property
    def game(self) -> AnyGame:
        """The game that is played."""
        return registry.game(self.tournament.game)

    @property
    def unequal_sides(self) -> bool:
        """Whether one side has better chances; not where each match is two games, with both."""
        paired = self.tournament.options.get(MATCH.name) == "true"
        return self.game.unequal_sides and not paired

    @cached_property
    def present(self) -> tuple[int, ...]:
        """Who takes part and has not left."""
        playing = (one for one in self.everyone if one.joined_round != tournament_entrants.RESERVE)
        return tuple(one.user_id for one in playing if one.left_after is None)

    @cached_property
    def named(self) -> tuple[int, ...]:
        """Who is in it: until it is over who has not left, then all who took part."""
        if self.tournament.state.open:
            return self.present
        return tuple(one.user_id for one in self.entrants)

    @cached_property
    def reserves(self) -> tuple[int, ...]:
        """Who waits for the place of somebody, in the order of joining."""
        waiting = (one for one in self.everyone if one.joined_round == tournament_entrants.RESERVE)
        return tuple(one.user_id for one in waiting)

    def of(self, user_id: int) -> tournament_entrants.Entrant | None:
        """Return a user as an entrant, ``None`` if they never were one."""
        return next((one for one in self.everyone if one.user_id == user_id), None)

    @cached_property
    def entrants(self) -> tuple[Entrant, ...]:
        """The entrants as `bot.tournaments.pairing` takes them."""
        return tuple(
            Entrant(
                one.user_id, one.strength, one.joined_round, one.left_after, one.replaces_user_id
            )
            for one in self.everyone
            if one.joined_round != tournament_entrants.RESERVE
        )

    @cached_property
    def pairings(self) -> tuple[Pairing, ...]:
        """All pairings as `bot.tournaments.pairing` takes them."""
        return tuple(map(plain, self.tables))

    @cached_property
    def standings(self) -> tuple[Standing, ...]:
        """The standings, best first."""
        return standings(self.plan, self.entrants, self.pairings, seed=self.tournament.seed)

    async def ranked(self) -> tuple[Standing, ...]:
        """Return the standings; of many people they are computed beside the event loop."""
        return await asyncio.to_thread(lambda: self.standings)

    def until(self, number: int) -> TournamentView:
        """Return the same tournament as far as a round, without those after it."""
        return replace(
            self,
            rounds=tuple(one for one in self.rounds if one.round <= number),
            tables=tuple(one for one in self.tables if one.round <= number),
        )

    @property
    def round(self) -> Round | None:
        """The round that is played or was last; ``None`` before the first."""
        return self.rounds[-1] if self.rounds else None

    def of_round(self, number: int) -> tuple[tournament_rounds.Pairing, ...]:
        """Return the pairings of a round, by table."""
        return tuple(one for one in self.tables if one.round == number)

    @property
    def current(self) -> tuple[tournament_rounds.Pairing, ...]:
        """The pairings of the present round."""
        return self.of_round(self.tournament.round)


def plain(found: tournament_rounds.Pairing) -> Pairing:
    """Return a pairing without what only the store needs to know."""
    games = (Game(one.seats, one.points, cast("How", one.how)) for one in found.games)
    return Pairing(found.round, found.table, found.players, tuple(games), found.stage)


def stored(pairing: Pairing) -> tournament_rounds.Pairing:
    """Return a pairing as the store takes it."""
    games = (
        tournament_rounds.Game(number, game.seats, game.points, game.how)
        for number, game in enumerate(pairing.games, 1)
    )
    return tournament_rounds.Pairing(
        pairing.round, pairing.table, pairing.players, pairing.stage, tuple(games)
    )


async def read(tx: Transaction, tournament_id: int) -> TournamentView | None:
    """Return a tournament as a transaction sees it, ``None`` if there is none of that number."""
    found = await tournaments.get(tx, tournament_id)
    if found is None:
        return None
    return TournamentView(
        found,
        await tournament_entrants.of(tx, tournament_id),
        await tournament_rounds.of(tx, tournament_id),
        await tournament_rounds.pairings_of(tx, tournament_id),
    )
