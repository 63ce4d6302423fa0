"""Matches between two people in their windows of the chat page."""

from __future__ import annotations

from playwright.async_api import expect

from engine import registry
from tests.browser.harness import Window


async def begin(ann: Window, ben: Window, slug: str) -> str:
    """Begin a match and show it to both; return the game's title."""
    for window in (ann, ben):
        await window.go("games")
    await expect(ann.page.locator("#say")).to_be_editable()
    title = registry.game(slug).title
    known = await ann.matches(title).count()
    await ann.slash(f"/{slug} challenge", opponent="Ben")
    await ben.press("Accept")
    for window in (ann, ben):
        await expect(window.matches(title)).to_have_count(known + 1)
        await window.go_to_match(title)
        await expect(window.button("More").last).to_be_visible()
    return title
