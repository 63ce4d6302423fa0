"""Whole games on the page with nothing but what a screen reader has: roles, names and states.

One of the two has a keyboard, the other a finger.
"""

from __future__ import annotations

import random
import re

import pytest
from playwright.async_api import Locator, Page, expect

from engine import registry
from tests.browser.harness import DESK, PHONE, Browser
from tests.browser.matches import begin
from tests.browser.pages import open_page

pytestmark = pytest.mark.asyncio(loop_scope="session")

TURNS = 400
TAPS = 12
KING = 0.7
"""How often the king walks where he can, so that games of his end soon."""


class Listener:
    """One person who hears the page, and has a keyboard or a finger."""

    def __init__(self, page: Page, dice: random.Random, *, finger: bool) -> None:
        self.page = page
        self.dice = dice
        self.finger = finger

    @property
    def board(self) -> Locator:
        """The board, a group of squares that says how it stands."""
        square = self.page.get_by_role("button", name=re.compile(r"^[a-z]\d+: "))
        return self.page.get_by_role("group").filter(has=square)

    async def hears(self, words: str) -> bool:
        """Return whether a live region says something."""
        found = self.page.get_by_role("status").filter(has_text=re.compile(words))
        return await found.count() > 0

    async def length(self) -> int:
        """Return how many turns the slider knows."""
        return int(await self.page.get_by_role("slider").get_attribute("max") or 0)

    async def choices(self) -> dict[str, Locator]:
        """Return what can be pressed to move, by name."""
        picks = self.page.get_by_role("group", name="Your move").get_by_role("button")
        found: dict[str, Locator] = {}
        chosen: dict[str, Locator] = {}
        squares = await self.board.get_by_role("button", disabled=False).all()
        for one in (*squares, *await picks.all()):
            name = await one.get_attribute("aria-label") or await one.inner_text()
            (chosen if name == "Undo" or await self.pressed(one) else found)[name] = one
        # The second half of a move may begin where the first one ended.
        return found or {name: one for name, one in chosen.items() if name != "Undo"}

    async def pressed(self, one: Locator) -> bool:
        """Return whether a square has been chosen already."""
        return await one.get_attribute("aria-pressed") == "true"

    async def move(self) -> None:
        """Make a move: the first that is said to win, or else any."""
        before = await self.length()
        for _ in range(TAPS):
            found = await self.choices()
            assert found, await self.board.get_attribute("aria-label")
            wins = [name for name in found if "Win:" in name]
            kings = [name for name in found if "king," in name.lower()]
            if wins:
                name = wins[0]
            elif kings and self.dice.random() < KING:
                name = self.dice.choice(kings)
            else:
                name = self.dice.choice(list(found))
            if self.finger:
                await found[name].tap()
            else:
                await found[name].focus()
                await self.page.keyboard.press("Enter")
            await expect(self.page.locator("body")).not_to_have_attribute("aria-busy", "true")
            if await self.length() > before:
                return
        raise AssertionError(f"no move is complete after {TAPS} presses")


@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.parametrize("slug", sorted(registry.games()))
async def test_a_game_is_finished_with_roles_and_names_alone(
    browser: Browser, url: str, slug: str
) -> None:
    ann = await browser.window(url, "ann", size=PHONE, touch=True)
    ben = await browser.window(url, "ben")
    title = await begin(ann, ben, slug)
    dice = random.Random(3)
    opened = [await open_page(ann, title, PHONE), await open_page(ben, title, DESK)]
    people = [Listener(one.page, dice, finger=one is opened[0]) for one in opened]
    for _ in range(TURNS):
        while not (ready := [one for one in people if await one.hears(r"Your turn \(")]):
            if await people[0].hears("won") or await people[0].hears("A draw"):
                break
            await people[0].page.wait_for_timeout(30)
        if not ready:
            break
        (mover, *_) = ready
        said = await mover.board.get_attribute("aria-label")
        assert said
        before = await mover.length()
        await mover.move()
        for one in people:
            await expect(one.page.get_by_role("slider")).not_to_have_attribute("max", str(before))
    for one in people:
        await expect(
            one.page.get_by_role("status").filter(has_text=re.compile("won|A draw"))
        ).to_have_count(1)
    assert [one.problems for one in opened] == [[], []]
