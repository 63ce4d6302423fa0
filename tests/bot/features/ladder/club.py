"""A ladder with players, on a store alone."""

from __future__ import annotations

from dataclasses import replace

from bot.core.settings.service import SettingsStore
from bot.features.ladder.challenges import LadderChallenges
from bot.features.ladder.rules import LadderView
from bot.features.ladder.service import Ladders
from bot.features.ladder.steps import LadderSteps
from data.ladders import ladder_challenges
from tests.bot.conftest import CAROL, CHANNEL, GUILD, Club
from tests.data.people import LADDER

TERMS = replace(
    LADDER, guild_id=GUILD, channel_id=CHANNEL, game="tablut", created_by=CAROL, pause_days=0
)


async def nobody(*_: object, **__: object) -> frozenset[int]:
    """Report that no one has left the server."""
    return frozenset()


class LadderClub(Club):
    """A club with a ladder."""

    @property
    def ladders(self) -> Ladders:
        """Ladders as seen by another process."""
        settings = SettingsStore(self.store, clock=self.clock)
        return Ladders(self.store, settings, clock=self.clock)

    @property
    def ladder_challenges(self) -> LadderChallenges:
        """Answers to challenges as seen by another process."""
        return LadderChallenges(self.store, self.matches.deadlines, nobody, clock=self.clock)

    @property
    def steps(self) -> LadderSteps:
        """Ladder steps as taken by another process."""
        return LadderSteps(self.store, nobody, lambda _: True)

    async def opened(self, *users: int) -> LadderView:
        """Return a ladder these players have joined."""
        made, _ = await self.ladders.open(TERMS)
        for user in users:
            await self.ladders.join(made.id, GUILD, user)
        return await self.ladders.get(made.id, GUILD)

    async def begin(self, challenger: int, challenged: int) -> int:
        """Begin a game, which the challenged player accepts; return its match."""
        made = await self.ladder_challenges.challenge(1, GUILD, challenger, challenged)
        begun = await self.ladder_challenges.accept(made.id, GUILD, challenged)
        assert begun.match_id is not None
        return begun.match_id

    async def take_steps(self) -> None:
        """Take the step of each challenge that is due."""
        due = await self.read(ladder_challenges.due, self.clock(), limit=20)
        for one in due:
            await self.steps.take(one, self.clock())

    async def places(self) -> tuple[int, ...]:
        """Return the players on the ladder, checking that it has no gap."""
        view = await self.ladders.get(1, GUILD)
        assert [one.place for one in view.rungs] == list(range(1, len(view.rungs) + 1))
        return view.order
