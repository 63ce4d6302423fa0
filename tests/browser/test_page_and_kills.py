"""One plays in chat and one in a real browser, while processes are killed.

The page stays open: it says that it is not connected, and shows by itself what it has missed.
`PAGE_MOVES=1000` plays as many moves of each game.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

import pytest

from engine import registry
from playground.people import Person
from tests.browser.harness import Browser
from tests.browser.pages import ChromiumBoard
from tests.chaos.beside import BesideWorld
from tests.chaos.match import Match
from tests.chaos.pages import Opened, PageWorld, agreed, played

pytestmark = pytest.mark.asyncio(loop_scope="session")

MOVES = int(os.environ.get("PAGE_MOVES", "6"))
KILL_EVERY = 3 if MOVES < 100 else 20


@pytest.mark.long
@pytest.mark.timeout(max(300, 15 * MOVES))
@pytest.mark.parametrize(
    "slug", sorted(registry.games()) if MOVES >= 100 else ["tablut", "thaayam"]
)
async def test_the_open_page_shows_what_chat_shows_after_every_kill(
    browser: Browser, slug: str
) -> None:
    run = await played(slug, MOVES, 2, kill_every=KILL_EVERY, opened=in_chromium(browser))
    agreed(run, MOVES)


@pytest.mark.long
@pytest.mark.timeout(max(300, 15 * MOVES))
@pytest.mark.parametrize("slug", sorted(registry.games()) if MOVES >= 100 else ["tablut"])
async def test_it_follows_whichever_of_two_processes_makes_a_move(
    browser: Browser, slug: str, postgresql_url: str
) -> None:
    places = partial(BesideWorld, database=postgresql_url)
    run = await played(
        slug, MOVES, 4, kill_every=KILL_EVERY, opened=in_chromium(browser), places=places
    )
    agreed(run, MOVES)


def in_chromium(browser: Browser) -> Opened:
    """Return how the page is opened in a window of its own."""

    @asynccontextmanager
    async def opened(
        world: PageWorld, match: Match, person: Person
    ) -> AsyncIterator[ChromiumBoard]:
        link = str(await world.link(match, person))
        window = await browser.window(link, None)
        await window.page.wait_for_selector("#board svg")
        yield ChromiumBoard(window.page, world.dice)
        await browser.close_windows()

    return opened
