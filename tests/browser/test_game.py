"""Two people play in two windows, with the program as `make play` starts it."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import expect

from engine import registry
from tests.browser.harness import Browser, Window

pytestmark = pytest.mark.asyncio(loop_scope="session")

TURNS = 4
STEPS = 8


async def sees_board(window: Window, board: str, *, side: str) -> None:
    """Wait for the picture of the board with these words; it says whose turn it is."""
    message = await window.sees(board)
    picture = message.locator('img[alt]:not([alt=""])').last
    await expect(picture).to_be_visible()
    await picture.evaluate("picture => picture.decode()")
    assert side in (await picture.get_attribute("alt") or "")


async def play_one(window: Window, board: str) -> str:
    """Make the first move offered on the board with these words, step by step.

    Return the prefix of that board's custom IDs, which no control has by then. After the first step
    the controls are in an ephemeral message.
    """
    message = await window.sees(board)
    for _ in range(STEPS):
        control = message.locator("[data-custom-id^='t:']").first
        address = await control.get_attribute("data-custom-id")
        assert address is not None
        menu = message.locator(".picker")
        if await menu.count():
            await menu.first.click()
            popup = window.page.locator(".popup:popover-open")
            await popup.get_by_role("option").first.click()
        else:
            await control.click()
        turn = address.rpartition(":")[0]
        begun = window.messages.filter(has=window.page.locator(f'[data-custom-id="{turn}:"]')).last
        offered = begun.locator("[data-custom-id^='t:']")
        left = window.messages.locator(f'[data-custom-id^="{turn}:"]')
        while await left.count():
            addresses = await offered.evaluate_all("all => all.map(one => one.dataset.customId)")
            if addresses and addresses[0] != address:
                break
            await window.page.wait_for_timeout(50)
        if not await left.count():
            return turn
        message = begun
    raise AssertionError(f"no move is complete after {STEPS} steps")


@pytest.mark.long
@pytest.mark.parametrize("slug", sorted(registry.games()))
async def test_two_people_play_some_turns_in_two_windows(
    browser: Browser, url: str, slug: str
) -> None:
    ann = await browser.window(url, "ann", channel="games")
    ben = await browser.window(url, "ben", channel="games")
    await expect(ann.page.locator("#say")).to_be_editable()
    await ann.slash(f"/{slug} challenge", opponent="Ben")
    await ben.press("Accept")
    for window in (ann, ben):
        await window.go_to_match(registry.game(slug).title)
    called = re.compile(r"@(Ann|Ben), your turn \((\w+)\)")
    seen: set[str] = set()
    turns = 0
    while turns < TURNS or len(seen) < 2:  # the throws decide how often each player is pinged
        turns += 1
        open_board = ann.messages.filter(has_text=called).last
        await expect(open_board).to_be_visible()
        words = await open_board.inner_text()
        found = called.search(words)
        assert found is not None
        turn = re.search(r"Move \d+", words)
        assert turn is not None
        seen.add(found[1])
        mover, other = (ann, ben) if found[1] == "Ann" else (ben, ann)
        await sees_board(mover, turn[0], side=found[2])
        played = await play_one(mover, turn[0])
        for window in (mover, other):
            left = window.messages.locator(f'[data-custom-id^="{played}:"]')
            await expect(left).to_have_count(0)
    assert ann.problems == []
    assert ben.problems == []
