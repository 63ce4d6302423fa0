"""Tournaments over a store, without Discord: players sign up, and play or fail to turn up."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from bot.core.settings.service import SettingsStore
from bot.core.workers.pool import WorkerPool
from bot.features.tournaments import steps
from bot.features.tournaments.entrants import Entrants
from bot.features.tournaments.interests import Person
from bot.features.tournaments.service import Tournaments
from bot.features.tournaments.steps import Steps
from bot.features.tournaments.transitions import KINDS
from bot.features.tournaments.view import TournamentView
from bot.play.matches.positions import Position
from data import posts
from data.matches import matches
from data.matches.match import Match
from data.posts import Post
from data.tournaments.tournaments import State, Terms
from data.tournaments.values import Format, Game, Plan
from tests.bot.conftest import CHANNEL, GUILD, Club

ORGANISER = 99
MANAGER = Person(ORGANISER, manages_server=True)
"""An organiser who doesn't play, and may manage the server."""


@dataclass
class Cups(Club):
    """A club with tournaments."""

    pool: WorkerPool = field(default_factory=steps.workers)
    """Pairs large fields; a test that makes it start processes must close it."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.tournaments = Tournaments(self.store, clock=self.clock, seeds=self.seed)
        self.entrants = Entrants(self.store, clock=self.clock)

    @property
    def settings(self) -> SettingsStore:
        """Everyone's settings."""
        return SettingsStore(self.store, clock=self.clock)

    @property
    def steps(self) -> Steps:
        """A fresh `Steps`, as after a restart."""
        return Steps(self.store, self.matches, self._left, self.pool, clock=self.clock)

    async def run(self) -> None:
        """Take all due steps."""
        await self.steps.take_due()

    async def later(self, **time: float) -> None:
        """Take all steps due after some time."""
        self.wait(**time)
        await self.run()

    async def start_tournament(self, number: int) -> None:
        """Start a tournament, and pair its first round."""
        await self.tournaments.start(number, GUILD)
        await self.run()

    async def open(
        self,
        *people: int,
        plan: Plan | None = None,
        game: str = "tablut",
        days: int = 3,
        **terms: Any,
    ) -> int:
        """Create a tournament, sign these people up, and return its number."""
        plan = plan or Plan(Format.SWISS, rounds=3)
        made = await self.tournaments.create(
            Terms(
                guild_id=GUILD,
                channel_id=CHANNEL,
                name="Winter Cup",
                game=game,
                plan=plan,
                created_by=ORGANISER,
                days=days,
                **terms,
            )
        )
        await self.run()
        for user in people:
            await self.entrants.join(made.id, GUILD, user, ())
        return made.id

    async def begin(self, *people: int, **given: Any) -> int:
        """Start a tournament and return its number, with its first round in progress."""
        number = await self.open(*people, **given)
        await self.start_tournament(number)
        return number

    async def view(self, number: int) -> TournamentView:
        """Return a tournament's current state."""
        return await self.tournaments.get(number, GUILD)

    async def open_games(self, number: int) -> list[Game]:
        """Return the unfinished games, ordered by table."""
        tournament_view = await self.view(number)
        return [
            game for one in tournament_view.current for game in one.games if game.points is None
        ]

    async def win(self, game: Game, winner: int) -> None:
        """Play some moves; then everyone but the winner resigns."""
        assert game.match_id is not None
        view_ = await self.matches.position(game.match_id)
        await self.play_a_while(view_)
        for player in (await self.matches.position(game.match_id)).match.players:
            if player.user_id != winner and not await self.ended(game.match_id):
                await self.matches.resign(game.match_id, player.user_id)

    async def how(self, number: int) -> list[tuple[set[int], str, tuple[float, ...] | None]]:
        """Return the players, the ending and the points of each game of the current round."""
        tournament_view = await self.view(number)
        return [
            (set(game.seats), game.how, game.points)
            for one in tournament_view.pairings
            for game in one.games
            if one.round == tournament_view.tournament.round
        ]

    async def match_of(self, game: Game) -> Match:
        """Return a game's match."""
        match = await self.read(matches.get, game.match_id or 0)
        assert match is not None
        return match

    async def ended(self, match_id: int) -> bool:
        """Return whether a match has ended."""
        match = await self.read(matches.get, match_id)
        assert match is not None
        return match.finished

    async def move_in(self, game: Game) -> Position:
        """Play some moves of a game."""
        return await self.play_a_while(await self.matches.position(game.match_id or 0))

    async def play_to_the_end(self, number: int) -> None:
        """Play out all rounds, with the lower user ID winning each game."""
        while (await self.view(number)).tournament.state is State.RUNNING:
            await self.play_round(number)

    async def paired(self, number: int, round_: int) -> set[int]:
        """Return the players paired in a round."""
        return paired(await self.view(number), round_)

    async def play_round(self, number: int) -> None:
        """Play out the round, with the lower user ID winning each game, and continue."""
        for game in await self.open_games(number):
            await self.win(game, min(game.seats))
        await self.run()

    async def asked_for(self, number: int) -> list[str]:
        """Return the kinds of a tournament's posts that are due, in order, or which notes they are."""
        return [str(post.payload.get("note", post.kind)) for post in await self.posts(number)]

    async def posts(self, number: int) -> list[Post]:
        """Return a tournament's posts that are due, in order."""
        due = await self.read(posts.due, self.clock(), limit=1000)
        return [post for post in due if post.subject == number and post.kind in KINDS]


def points_of(game: Game) -> dict[int, float]:
    """Return a decided game's points by player."""
    return dict(zip(game.seats, game.points or (), strict=True))


def paired(view: TournamentView, round_: int) -> set[int]:
    """Return the players paired in a round."""
    return {user for one in view.of_round(round_) for user in one.players}
