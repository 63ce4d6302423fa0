"""A fresh playground with a bot for each test."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import TypeVar

import discord
import pytest
import pytest_asyncio

from playground.app import Playground
from playground.clock import ManualClock
from playground.connect import point_discord_here
from playground.openapi import OpenApi
from tests.playground.sample_bot import SampleBot

Bot = TypeVar("Bot", bound=discord.Client)
OPENAPI = Path(__file__).parents[3] / "shared" / "discord-openapi.json"


@pytest.fixture(scope="session")
def openapi() -> OpenApi | None:
    """Discord's OpenAPI document, if present."""
    return OpenApi(OPENAPI) if OPENAPI.is_file() else None


@asynccontextmanager
async def running(playground: Playground, bot: Bot) -> AsyncIterator[Bot]:
    """Start a bot, wait until it is ready, and close it at the end."""
    async with bot:
        life = asyncio.create_task(bot.start(playground.token))
        ready = asyncio.create_task(bot.wait_until_ready())
        try:
            await asyncio.wait({life, ready}, return_when=asyncio.FIRST_COMPLETED)
            if life.done():
                life.result()
            yield bot
        finally:
            ready.cancel()
            await bot.close()
            await asyncio.gather(life, ready, return_exceptions=True)


@pytest.fixture
def clock() -> ManualClock:
    """A clock that stands still unless the test advances it."""
    return ManualClock()


@pytest_asyncio.fixture
async def playground(clock: ManualClock, openapi: OpenApi | None) -> AsyncIterator[Playground]:
    """A playground for discord.py; its responses must match Discord's OpenAPI document."""
    async with Playground(clock=clock, openapi=openapi) as place:
        with point_discord_here(place):
            yield place
    assert place.schema_errors == []


@pytest_asyncio.fixture
async def meet(
    playground: Playground,
) -> AsyncIterator[Callable[[SampleBot], Awaitable[SampleBot]]]:
    """Start bots that are closed after the test."""
    async with AsyncExitStack() as stack:

        async def start(bot: SampleBot) -> SampleBot:
            return await stack.enter_async_context(running(playground, bot))

        yield start


@pytest_asyncio.fixture
async def bot(meet: Callable[[SampleBot], Awaitable[SampleBot]]) -> SampleBot:
    """The small bot, connected and with its commands synced."""
    return await meet(SampleBot())
