"""Tests here run on a loop whose time passes only while everything waits."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from pathlib import Path

import pytest

from bot.play.pictures.rendering import Renderer
from tests.chaos.inside import InsideWorld
from tests.chaos.loop import VirtualLoop
from tests.chaos.world import World, configure_logs
from tests.end_to_end.registration import share_commands


def pytest_asyncio_loop_factories(
    config: pytest.Config, item: pytest.Item
) -> Mapping[str, Callable[[], asyncio.AbstractEventLoop]]:
    """Give every test the virtual loop."""
    return {"virtual": VirtualLoop}


@pytest.fixture(scope="session")
def renderer() -> Iterator[Renderer]:
    """Paint small pictures for all tests."""
    configure_logs()
    shared = Renderer(width=200)
    with share_commands():  # a bot is started after each kill
        yield shared
    shared.close()


@pytest.fixture
async def world(renderer: Renderer, request: pytest.FixtureRequest) -> AsyncIterator[World]:
    """Open a world with the bot in it; the parameter sets where its server shows boards."""
    board = getattr(request, "param", "new")
    with tempfile.TemporaryDirectory(prefix="chaos-") as folder:
        one = InsideWorld(Path(folder), renderer, seed=1, board=board)
        await one.open()
        await one.until_ready()
        yield one
        await one.close()
