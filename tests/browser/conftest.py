"""A playground with the demo bot for each test, and one browser for all."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest
import pytest_asyncio

from playground.app import Playground
from playground.chat.page import ChatPage
from playground.clock import ManualClock
from playground.connect import point_discord_here
from playground.events import InteractionCreated
from playground.interaction import Interaction, InteractionState
from playground.people import Person
from tests.browser.bot import DemoBot, running_program
from tests.browser.harness import Browser, Window, chromium, chromium_path


@dataclass
class Environment:
    """The playground, its page and its bot."""

    playground: Playground
    page: ChatPage
    bot: DemoBot
    clock: ManualClock
    asked: list[Interaction]

    @property
    def url(self) -> str:
        """The page's URL."""
        return self.playground.url

    def waiting(self, person: Person) -> bool:
        """Return whether the bot still owes a person a first answer."""
        return any(
            i.user is person.user and i.state is InteractionState.WAITING for i in self.asked
        )


@pytest_asyncio.fixture(loop_scope="session")
async def env() -> AsyncIterator[Environment]:
    clock = ManualClock()
    pages: list[ChatPage] = []

    def attach(playground: Playground, app: object) -> None:
        pages.append(ChatPage(playground))
        pages[-1].register(app)  # type: ignore[arg-type]

    async with Playground(clock=clock, attach=[attach]) as playground:
        with point_discord_here(playground):
            bot = DemoBot()
            running = asyncio.create_task(bot.start(playground.token))
            ready = asyncio.create_task(bot.ready.wait())
            await asyncio.wait({running, ready}, return_when=asyncio.FIRST_COMPLETED)
            assert bot.ready.is_set(), running.exception()
            interactions: list[Interaction] = []
            playground.world.subscribe(
                lambda e: (
                    interactions.append(e.interaction)
                    if isinstance(e, InteractionCreated)
                    else None
                )
            )
            yield Environment(playground, pages[0], bot, clock, interactions)
            await bot.close()
            await running


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def shared_browser() -> AsyncIterator[Browser]:
    if chromium_path() is None:
        pytest.skip("no Chromium is installed here (Debian: apt-get install chromium)")
    async with chromium() as one:
        yield one


@pytest_asyncio.fixture(loop_scope="session")
async def browser(shared_browser: Browser) -> AsyncIterator[Browser]:
    yield shared_browser
    await shared_browser.close_windows()


@pytest_asyncio.fixture(loop_scope="session")
async def ann(env: Environment, browser: Browser) -> AsyncIterator[Window]:
    """Ann's window of the chat page, in which nothing may go wrong."""
    window = await browser.window(env.url, "ann", channel="games")
    yield window
    assert window.problems == []


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def url() -> AsyncIterator[str]:
    """The URL of a program that all games are played in."""
    async with running_program() as address:
        yield address
