"""People who play all games by pressing what they see, match after match."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import asyncpg  # type: ignore[import-untyped]

from engine import registry
from playground.errors import Impossible, InteractionFailed, NothingHappened
from playground.events import Event, MessageDeleted, MessageEdited, MessageSent
from playground.model import Channel
from playground.people import Person
from tests.chaos.boards import controls
from tests.chaos.match import Match, Truth

if TYPE_CHECKING:  # the two know each other
    from tests.cluster.cluster import Cluster

AWAY: Final = (OSError, asyncpg.PostgresError)
"""Raised while PostgreSQL restarts."""
_TIMEOUT: Final = 20.0
"""Seconds before people check whether a match without a board has ended."""
_PATIENCE: Final = 30.0
"""Seconds before people give up on what they do: an answer may be lost with its process."""
_PRACTICES: Final = 0.25
_TYPES: Final = 0.1
_OFTEN: Final = 0.5
"""How often people type, where boards should also be edited without a press."""
_GIVES_UP: Final = 0.01
_RESTLESS: Final = 0.2
"""How likely the player to move gives up, where many matches should end."""
_CHALLENGES: Final = 15
"""Matches before other people sit down: one person may make 20 challenges an hour."""


@dataclass(slots=True)
class Played(Match):
    """A match, compared with the database as last read."""

    known: Truth | None = None
    seated: int = 2

    @property
    def seats(self) -> int:
        """The number of seats, including those of computers."""
        return self.seated

    @property
    def truth(self) -> Truth:
        """The match as the database had it."""
        assert self.known is not None
        return self.known


@dataclass(slots=True, eq=False)
class Table:
    """A channel and the people who play in it."""

    cluster: Cluster
    channel: Channel
    people: list[Person]
    match: Played | None = None
    presses: int = 0
    _begun: int = 0
    _changed: asyncio.Event = field(default_factory=asyncio.Event)

    def hear(self, event: Event) -> None:
        """Handle an event in the channel."""
        if isinstance(event, MessageSent | MessageEdited | MessageDeleted):
            place = event.message.channel
            if (place.parent or place) is self.channel:
                self.wake()

    async def play(self, pause: float) -> None:
        """Play until told to stop, with at most ``pause`` seconds between presses."""
        dice = self.cluster.dice
        while not self.cluster.closing:
            self._changed.clear()
            try:
                async with asyncio.timeout(_PATIENCE):
                    if self.match is None and not await self._sit_down():
                        await self._begin()
                    elif self.match is not None:
                        await self._turn(self.match)
            except (Impossible, InteractionFailed, NothingHappened, *AWAY):
                await self._look(0.5)
            await asyncio.sleep(dice.uniform(0.0, pause))

    async def _sit_down(self) -> bool:
        """Continue a match whose board is there."""
        boards = self.cluster.boards
        for number, live in list(boards.live.items()):
            places = {boards.shown[number][one].channel for one in live}
            if any((place.parent or place) is self.channel for place in places):
                self.match = await self.cluster.match(number, self.channel)
                return True
        return False

    async def _begin(self) -> None:
        dice, cluster = self.cluster.dice, self.cluster
        self._begun += 1
        if self._begun % _CHALLENGES == 0:
            self.people = cluster.others(self)
        first, *others = dice.sample(self.people, len(self.people))
        slug = dice.choice(sorted(registry.games()))
        if cluster.has_worker and dice.random() < _PRACTICES:
            await first.slash(f"/{slug} practice", channel=self.channel, options={"level": 1})
        else:
            game = registry.game(slug)
            seats = dice.choice(game.players)
            opponents = others[: seats - 1]
            names = {f"opponent{n if n > 1 else ''}": p for n, p in enumerate(opponents, 1)}
            offered = await first.slash(
                f"/{slug} challenge", channel=self.channel, options=dict(names)
            )
            message = await offered.filled()
            if message.ephemeral:  # an earlier one is still open
                await first.press(message, "Withdraw")
                return
            for person in opponents:
                await person.press(message, "Accept")
        until = asyncio.get_running_loop().time() + _TIMEOUT
        while not await self._sit_down() and asyncio.get_running_loop().time() < until:
            if cluster.closing:
                break
            await self._look(1.0)

    async def _turn(self, match: Played) -> None:
        board, dice = match.board, self.cluster.dice
        if board is None:
            await self._look(_TIMEOUT)
            if match.board is None and await self.cluster.finished(match.number):
                self.match = None
            return
        mover = match.mover
        if mover is None:
            await self._look(5.0)
            return
        if (
            dice.random() < (_RESTLESS if self.cluster.restless else _GIVES_UP)
            and len(match.players) <= 2
        ):
            self.presses += 2
            question = match.command(mover, "resign", match=match.number)
            await mover.press(await question.filled(), "Resign")
            return
        whole = [c for c in controls(board) if c.whole]
        self.presses += 1
        if whole and dice.random() < (_OFTEN if self.cluster.restless else _TYPES):
            reply = match.types(mover, dice.choice(whole).notation)
        else:
            reply = match.plays(board=match.begun)
        self.cluster.pressed(self)
        await reply
        await self._look(3.0)

    def wake(self) -> None:
        """Stop waiting for something to happen here."""
        self._changed.set()

    async def _look(self, seconds: float) -> None:
        """Wait until something happens here, up to a number of seconds; not at all at the end."""
        if self.cluster.closing:
            return
        try:
            async with asyncio.timeout(seconds):
                await self._changed.wait()
        except TimeoutError:
            pass
        self._changed.clear()
