"""The page of boards in people's browsers: what several tests do there."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Final

from playwright.async_api import ConsoleMessage, Error, Page, Route, expect

from tests.browser.harness import DESK, Browser, Window
from tests.browser.matches import begin
from tests.chaos.pages import Seen

TAPS: Final = 12
"""What a move may take, at most."""
CHOICES: Final = ".squares .can, #choosing .button:not(.secondary, .onward)"
"""Selects whatever can be tapped next."""
BOXES: Final = """(selector) => [...document.querySelectorAll(selector)]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }))
  .map((one) => ({ ...one.getBoundingClientRect().toJSON(), what: one.outerHTML }))
"""
"""Measures what is visible of some elements, all at one moment."""
NEWS: Final = "document.dispatchEvent(new Event('visibilitychange'))"
"""Has a page look at its match and its games again, as if its reader came back to it."""
IMPATIENT: Final = """
window.patience = AbortSignal.timeout.bind(AbortSignal);
AbortSignal.timeout = (wait) => window.patience(wait / 100);
"""
"""Has a page wait for an answer for a moment, instead of half a minute."""
PATIENT: Final = "() => { AbortSignal.timeout = window.patience; }"
"""Has such a page wait as long as others: a busy machine answers later."""
_SEEN: Final = """() => ({
  ply: Number(document.querySelector("#history input").max),
  alt: document.querySelector("#board svg").getAttribute("aria-label"),
  squares: [...document.querySelectorAll("#board .squares [data-square]")].map((one) => [
    one.dataset.square, one.ariaLabel.slice(one.dataset.square.length + 2), one.matches(".can"),
  ]),
  prompt: document.getElementById("prompt").textContent,
})"""


@asynccontextmanager
async def unanswered(page: Page, pattern: str) -> AsyncIterator[None]:
    """Let what a page asks go without an answer while the block lasts, as a dead connection does."""
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    await page.route(pattern, hold)
    try:
        yield
    finally:
        await page.unroute(pattern)
        for route in held:  # or it would wait in this process for good
            with suppress(Error):  # the page may have given it up
                await route.continue_()


class BoardPage:
    """The page in one person's browser."""

    choices: Final = CHOICES

    def __init__(self, page: Page) -> None:
        self.page = page
        self.problems: list[str] = []
        page.on("pageerror", lambda error: self.problems.append(str(error)))
        page.on("console", self._hear)

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            self.problems.append(message.text)

    async def ply(self) -> int:
        """Return the length of the match, as the slider has it."""
        return int(await self.page.locator("#history input").get_attribute("max") or 0)

    async def move(self, *, by_keyboard: bool) -> None:
        """Make a move, always choosing what comes last."""
        await expect(self.page.locator(self.choices).first).to_be_attached()
        before = await self.ply()  # with the move that made it this one's turn
        for _ in range(TAPS):
            await expect(self.page.locator(self.choices).first).to_be_attached()
            last = self.page.locator(self.choices).last
            if by_keyboard:
                await last.focus()
                await self.page.keyboard.press("Enter")
            else:
                await last.click()
            await self.page.wait_for_function("() => !document.body.hasAttribute('aria-busy')")
            if await self.ply() > before:
                return
        raise AssertionError(f"no move is complete after {TAPS} taps")


@dataclass(slots=True)
class ChromiumBoard:
    """The page in Chromium, as far as it can be seen."""

    page: Page
    dice: random.Random

    async def see(self, number: int) -> Seen:
        """Return what is on the screen."""
        assert f"match={number}" in self.page.url
        try:
            seen = await self.page.evaluate(_SEEN)
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


async def open_page(window: Window, title: str, size: tuple[int, int]) -> BoardPage:
    """Open the page from the board that a window shows."""
    await window.press("More")
    await window.press("In the browser")
    link = window.page.get_by_role("link", name="Open in the browser").last
    address = await link.get_attribute("href")
    assert address is not None
    opened = BoardPage(await window.page.context.new_page())
    await opened.page.set_viewport_size({"width": size[0], "height": size[1]})
    await opened.page.goto(address)
    await expect(opened.page.locator("#heading")).to_contain_text(title)
    assert "open=" not in opened.page.url, "the link is used up, and not in the history"
    return opened


async def both(
    browser: Browser, url: str, size: tuple[int, int] = DESK, *, slug: str = "tablut"
) -> tuple[BoardPage, BoardPage]:
    """Begin a match on the page; return the mover's page and the other one's."""
    ann, ben = await browser.window(url, "ann"), await browser.window(url, "ben")
    title = await begin(ann, ben, slug)
    pages = [await open_page(window, title, size) for window in (ann, ben)]
    turns = [await one.page.locator(one.choices).count() > 0 for one in pages]
    return pages[turns.index(True)], pages[turns.index(False)]


async def press(page: Page, *labels: str) -> None:
    """Press controls, those after the first in what the one before answered; then close that."""
    for number, label in enumerate(labels):
        place = page.get_by_role("dialog") if number else page
        await place.get_by_role("button", name=label, exact=True).last.click()
        await expect(page.locator("body")).not_to_have_attribute("aria-busy", "true")
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("dialog")).to_have_count(0)
