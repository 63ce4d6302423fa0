"""How far a turn travels through ``bot/``: modules, functions, and moves between modules.

``python -m bench.trips`` plays in its own playground and prints three trips: a press until the next
board has arrived, a deadline and a resignation until the last board has. The second of two
identical trips is counted, when everything is loaded. Each call into a function of ``bot/`` counts,
and each resumption of a coroutine; a move is a call in a different module from the last.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import FrameType

import bot
from bot.app.app import App
from bot.core.interactions.dispatch import Dispatcher
from bot.core.scheduling.scheduler import WallClock
from bot.core.settings.service import SettingsStore
from bot.play.delivery.outbox_worker import OutboxWorker
from bot.play.pictures.rendering import Renderer
from data.store.store import Store
from playground.app import Playground
from playground.clock import ManualClock, TimerHandle
from playground.connect import point_discord_here
from playground.model import Message

FOLDER = str(Path(bot.__file__).parent)
MORNING = 1_780_000_000.0


@dataclass
class Trip:
    """The calls on a trip."""

    modules: set[str] = field(default_factory=set)
    functions: set[tuple[str, str]] = field(default_factory=set)
    moves: int = 0
    last: str = ""

    def visit(self, frame: FrameType, event: str, _: object) -> None:
        """Count a call."""
        code = frame.f_code
        if event != "call" or not code.co_filename.startswith(FOLDER):
            return
        self.modules.add(code.co_filename)
        self.functions.add((code.co_filename, code.co_qualname))
        if code.co_filename != self.last:
            self.moves += 1
            self.last = code.co_filename

    def __str__(self) -> str:
        """Return the figures."""
        return (
            f"{len(self.modules):3} modules, {len(self.functions):3} functions, "
            f"{self.moves:3} moves between modules"
        )


@contextmanager
def counted() -> Iterator[Trip]:
    """Count until the end of the block."""
    trip = Trip()
    sys.setprofile(trip.visit)
    try:
        yield trip
    finally:
        sys.setprofile(None)


class _Clock(WallClock):
    """The bot runs on the playground's time."""

    def __init__(self, hands: ManualClock) -> None:
        self._hands = hands

    def __call__(self) -> datetime:
        return datetime.fromtimestamp(self._hands.time(), UTC)

    async def until(self, moment: datetime) -> None:
        await self._hands.sleep(max((moment - self()).total_seconds(), 0.0))

    def call_later(self, wait: timedelta, action: Callable[[], object]) -> TimerHandle:
        return self._hands.call_later(wait.total_seconds(), action)


class Trips:
    """A playground with a bot in it."""

    def __init__(self, playground: Playground, app: App, hands: ManualClock) -> None:
        """Count in a playground."""
        self.playground, self._app, self._hands = playground, app, hands
        self._channel = playground.channel("games")
        self._ann, self._ben = playground.person("Ann"), playground.person("Ben")

    async def _board(self, number: int, after: Message | None = None) -> Message:
        """Wait for a match's newest board, then stop counting."""

        def shows(message: Message) -> bool:
            if f"match #{number}\n" not in message.text or message.picture is None:
                return False
            sys.setprofile(None)
            return True

        return await self.playground.wait_for(self._channel, shows, after=after)

    async def _begin(self, number: int) -> Message:
        offered = await self._ann.slash("/tablut challenge", opponent=self._ben, days=1)
        await self._ben.press(await offered.filled(), "Accept")
        return await self._board(number)

    async def _rest(self) -> None:
        """Wait until the bot is idle."""
        await self._app.get(Dispatcher).drained()
        await self._app.get(OutboxWorker).idle()

    async def press(self, number: int) -> Trip:
        """Make a move with the buttons of a board."""
        board = await self._board(number)
        person = self._ann if f"<@{self._ann.id}>, your turn" in board.text else self._ben
        if board.menus and "then choose" in (board.menus[0].options[0].description or ""):
            await person.choose(board, board.menus[0].options[0].value)
        await self._rest()
        with counted() as trip:
            await person.choose(board, board.menus[0].options[0].value)
            await self._board(number, after=board)
        await self._rest()
        return trip

    async def resign(self) -> Trip:
        """Resign a match."""
        board = await self._board(1)
        question = await self._ann.slash("/tablut resign", match=1)
        assert question.message is not None
        with counted() as trip:
            await self._ann.press(question.message, "Resign")
            await self._board(1, after=board)
        await self._rest()
        return trip

    async def deadline(self) -> Trip:
        """Let a move's deadline pass so that it is forfeited."""
        board = await self._board(2)
        with counted() as trip:
            self._hands.advance(timedelta(days=1, seconds=1).total_seconds())
            await self._board(2, after=board)
        await self._rest()
        return trip

    async def take(self) -> None:
        """Print all trips."""
        for number in (1, 2):
            await self._begin(number)
            for _ in range(4):
                trip = await self.press(number)
        print(f"a press until its board:   {trip}")
        print(f"a resignation:             {await self.resign()}")
        guild = self.playground.guild
        settings = {"threads": False, "forfeit": "automatic"}
        await self._app.get(SettingsStore).change_server(guild.id, settings, by=guild.owner_id)
        print(f"a deadline and its forfeit: {await self.deadline()}")


async def main() -> None:
    """Count all trips."""
    async with AsyncExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="trips-"))
        hands = ManualClock(MORNING)
        playground = await stack.enter_async_context(Playground(clock=hands))
        stack.enter_context(point_discord_here(playground))
        store = await Store.open(f"sqlite:///{folder}/games.db")
        stack.push_async_callback(store.close)
        renderer = Renderer(width=400)
        stack.callback(renderer.close)
        app = App(store, renderer, clock=_Clock(hands), acknowledge_after=60.0)
        app.client._connection.guild_ready_timeout = 0.02  # noqa: SLF001 -- there is one server
        guild = playground.guild
        await app.get(SettingsStore).change_server(guild.id, {"threads": False}, by=guild.owner_id)
        running = asyncio.create_task(app.run(playground.token))
        await playground.gateway.wait_connected()
        await app.resumed.wait()
        for name in ("Ann", "Ben"):
            playground.person(name).place = playground.channel("games")
        await Trips(playground, app, hands).take()
        await app.close()
        await running


if __name__ == "__main__":
    asyncio.run(main())
