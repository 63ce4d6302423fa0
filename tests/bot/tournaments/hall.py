"""Tournaments over a store, without Discord: people sign up, play and come or do not come."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from bot.settings.service import SettingsStore
from bot.tournaments import pairing_workers, view
from bot.tournaments.model import Format, Plan
from bot.tournaments.service import Tournaments
from bot.tournaments.steps import Steps
from bot.workers.pool import WorkerPool  # noqa: TC001 -- a dataclass reads it
from data import matches, outbox
from data.tournaments import Terms
from tests.bot.conftest import CHANNEL, GUILD, Club

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bot.tournaments.view import TournamentView
    from data.matches import Match
    from data.tournament_rounds import Game

ORGANISER = 99


@dataclass
class Hall(Club):
    """A club that has tournaments."""

    gone: set[int] = field(default_factory=set)
    pool: WorkerPool = field(default_factory=pairing_workers.workers)
    """Pairs many people; a test that lets it closes it."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.tournaments = Tournaments(self.store, clock=self.clock, seeds=self.seed)

    @property
    def settings(self) -> SettingsStore:
        """The settings of all."""
        return SettingsStore(self.store, clock=self.clock)

    async def _left(self, guild_id: int | None, users: Iterable[int]) -> frozenset[int]:
        assert guild_id == GUILD
        return frozenset(self.gone & set(users))

    @property
    def steps(self) -> Steps:
        """What a process takes steps with; a new one remembers nothing."""
        return Steps(
            self.store, self.matches, self.challenges, self._left, self.pool, clock=self.clock
        )

    async def run(self) -> None:
        """Take all steps that are due."""
        await self.steps.take_due(None)

    async def open(
        self,
        *people: int,
        plan: Plan | None = None,
        game: str = "tablut",
        days: int = 3,
        **terms: Any,
    ) -> int:
        """Return a tournament for which these people have signed up."""
        plan = plan or Plan(Format.SWISS, rounds=3)
        made = await self.tournaments.create(
            Terms(
                guild_id=GUILD,
                channel_id=CHANNEL,
                name="Winter Cup",
                game=game,
                plan=view.stored_plan(plan),
                made_by=ORGANISER,
                days=days,
                **terms,
            )
        )
        await self.run()
        for user in people:
            await self.tournaments.join(made.id, GUILD, user, ())
        return made.id

    async def begin(self, *people: int, **given: Any) -> int:
        """Return a tournament whose first round is under way."""
        number = await self.open(*people, **given)
        await self.tournaments.start(number, GUILD)
        await self.run()
        return number

    async def seen(self, number: int) -> TournamentView:
        """Return a tournament as it stands."""
        return await self.tournaments.get(number, GUILD)

    async def open_games(self, number: int) -> list[Game]:
        """Return the games under way, by table."""
        seen = await self.seen(number)
        return [game for one in seen.current for game in one.games if game.points is None]

    async def win(self, game: Game, winner: int) -> None:
        """Play a while; then all but one player resign."""
        assert game.match_id is not None
        view_ = await self.matches.view(game.match_id)
        await self.play_a_while(view_)
        for player in (await self.matches.view(game.match_id)).match.players:
            if player.user_id != winner and not await self.ended(game.match_id):
                await self.matches.resign(game.match_id, player.user_id)

    async def how(self, number: int) -> list[tuple[set[int], str, tuple[float, ...] | None]]:
        """Return of each game of the present round who played, how it ended, and the points."""
        seen = await self.seen(number)
        return [
            (set(game.seats), game.how, game.points)
            for one in seen.tables
            for game in one.games
            if one.round == seen.tournament.round
        ]

    async def match_of(self, game: Game) -> Match:
        """Return the match of a game."""
        async with self.store.read() as tx:
            match = await matches.get(tx, game.match_id or 0)
        assert match is not None
        return match

    async def ended(self, match_id: int) -> bool:
        """Tell whether a match has ended."""
        async with self.store.read() as tx:
            match = await matches.get(tx, match_id)
        assert match is not None
        return match.finished

    async def play_round(self, number: int) -> None:
        """Let whoever has the smaller number win each game of a round, and go on."""
        for game in await self.open_games(number):
            await self.win(game, min(game.seats))
        await self.run()

    async def jobs(self, number: int) -> list[str]:
        """Return the kinds of what Discord is to be told of a tournament, in order."""
        async with self.store.read() as tx:
            return [
                str(job.payload.get("note", job.kind))
                for job in await outbox.pending(tx)
                if job.tournament_id == number
            ]
