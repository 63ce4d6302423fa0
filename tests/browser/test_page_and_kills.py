"""One plays in chat and one in a real browser, while processes are killed.

The page stays open: it says that it is not connected, and shows by itself what it has missed.
`PAGE_MOVES=1000` plays as many moves of each game.
"""

from __future__ import annotations

import os
import random
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial

import pytest
from playwright.async_api import Error, Page

from engine import registry
from playground.people import Person
from tests.browser.harness import Browser
from tests.chaos.beside import BesideWorld
from tests.chaos.match import Match
from tests.chaos.pages import Opened, PageWorld, Seen, agreed, played

pytestmark = pytest.mark.asyncio(loop_scope="session")

MOVES = int(os.environ.get("PAGE_MOVES", "6"))
KILL_EVERY = 3 if MOVES < 100 else 20
TAPS = 12
SEEN = """() => ({
  ply: Number(document.querySelector("#history input").max),
  alt: document.querySelector("#board svg").getAttribute("aria-label"),
  squares: [...document.querySelectorAll("#board .squares [data-square]")].map((one) => [
    one.dataset.square, one.ariaLabel.slice(one.dataset.square.length + 2), one.matches(".can"),
  ]),
  prompt: document.getElementById("prompt").textContent,
})"""
CHOICES = ".squares .can, #choosing .button:not(.secondary, .onward)"


@dataclass(slots=True)
class ChromiumBoard:
    """The page in Chromium, as far as it can be seen."""

    page: Page
    dice: random.Random

    async def see(self, number: int) -> Seen:
        """Return what is on the screen."""
        assert f"match={number}" in self.page.url
        try:
            seen = await self.page.evaluate(SEEN)
        except Error as error:
            raise OSError(str(error)) from error
        men = {name: words for name, words, _ in seen["squares"] if words != "empty"}
        unsure = frozenset(name for name, _, can in seen["squares"] if can)
        over = any(words in seen["prompt"] for words in ("won", "A draw", "No result"))
        return Seen(seen["ply"], seen["alt"], men, over, unsure)

    async def play(self, number: int, steps: Sequence[str]) -> int:
        """Tap until a move is made, or nothing can be tapped."""
        before = (await self.see(number)).ply
        for _ in range(TAPS):
            choices = await self.page.locator(CHOICES).all()
            if not choices:
                return 0
            try:
                await self.dice.choice(choices).click(timeout=5_000)
                await self.page.wait_for_function(
                    "() => !document.body.hasAttribute('aria-busy')", timeout=20_000
                )
            except Error:
                return 0
            now = (await self.see(number)).ply
            if now > before:
                return now
        return 0


@pytest.mark.long
@pytest.mark.timeout(max(300, 15 * MOVES))
@pytest.mark.parametrize("slug", sorted(registry.games()))
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
