"""The page on which the board is touched: two people play, one by touch and one by the keyboard."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import ConsoleMessage, Page, expect

from engine import registry
from tests.browser.bot import running_program
from tests.browser.harness import Browser, Window

pytestmark = pytest.mark.asyncio(loop_scope="session")

MOVES = 6
TAPS = 12


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def url() -> AsyncIterator[str]:
    """The URL of a program that all games are played in."""
    async with running_program() as address:
        yield address


class BoardPage:
    """The page in one person's browser."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.problems: list[str] = []
        page.on("pageerror", lambda error: self.problems.append(str(error)))
        page.on("console", self._hear)

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            self.problems.append(message.text)

    @property
    def choices(self) -> str:
        """Selects whatever can be tapped next."""
        return ".squares .can, #choosing .button:not(.secondary)"

    async def ply(self) -> int:
        """Return the length of the match, as the slider has it."""
        return int(await self.page.locator("#history input").get_attribute("max") or 0)

    async def move(self, *, by_keyboard: bool) -> None:
        """Make a move, always choosing what comes last."""
        before = await self.ply()
        for _ in range(TAPS):
            await expect(self.page.locator(self.choices).first).to_be_attached()
            last = self.page.locator(self.choices).last
            if by_keyboard:
                await last.focus()
                await self.page.keyboard.press("Enter")
            else:
                await last.click()
            await self.page.wait_for_function(
                "() => !document.body.hasAttribute('aria-busy')", timeout=10_000
            )
            if await self.ply() > before:
                return
        raise AssertionError(f"no move is complete after {TAPS} taps")


async def open_page(window: Window, title: str, size: tuple[int, int]) -> BoardPage:
    """Open the page from the board that a window shows."""
    await window.press("More")
    await window.press("Open the board")
    link = window.page.get_by_role("link", name="Open in the browser").last
    address = await link.get_attribute("href")
    assert address is not None
    opened = BoardPage(await window.page.context.new_page())
    await opened.page.set_viewport_size({"width": size[0], "height": size[1]})
    await opened.page.goto(address)
    await expect(opened.page.locator("#heading")).to_contain_text(title)
    assert "open=" not in opened.page.url, "the link is used up, and not in the history"
    return opened


@pytest.mark.long
@pytest.mark.parametrize("slug", sorted(registry.games()))
async def test_two_people_play_on_the_page(browser: Browser, url: str, slug: str) -> None:
    title = registry.game(slug).title
    ann = await browser.window(url, "ann", channel="games")
    ben = await browser.window(url, "ben", channel="games")
    await expect(ann.page.locator("#say")).to_be_editable()
    await ann.slash(f"/{slug} challenge", opponent="Ben")
    await ben.press("Accept")
    for window in (ann, ben):
        await window.go(f"Ann vs Ben · {title}")
        await expect(window.button("More").last).to_be_visible()
    touching = await open_page(ann, title, (390, 844))
    typing = await open_page(ben, title, (1280, 900))
    for _ in range(MOVES):
        both = [touching, typing]
        for one in both:
            await expect(one.page.locator("#story")).to_contain_text(re.compile("turn"))
        while True:
            ready = [one for one in both if await one.page.locator(one.choices).count()]
            if ready:
                break
            await touching.page.wait_for_timeout(50)
        (mover,) = ready
        (other,) = [one for one in both if one is not mover]
        await mover.move(by_keyboard=mover is typing)
        ply = await mover.ply()
        await expect(other.page.locator("#history input")).to_have_attribute("max", str(ply))
    wide = await touching.page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0, "nothing is cut off on a phone"
    assert touching.problems == typing.problems == []
    assert ann.problems == ben.problems == []
