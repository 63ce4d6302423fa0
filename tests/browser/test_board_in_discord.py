"""The board inside Discord, as people see it: it opens in a frame of the chat page, and is played there."""

from __future__ import annotations

import random
import re
from contextlib import AsyncExitStack, suppress

import pytest
from playwright.async_api import Error, FrameLocator, Locator, Route, expect
from yarl import URL

from tests.browser.harness import DESK, PHONE, Browser, Window
from tests.browser.matches import begin
from tests.browser.pages import unanswered

pytestmark = pytest.mark.asyncio(loop_scope="session")


def board_of(window: Window) -> FrameLocator:
    """Return the page in the Activity's frame, which is in the proxy's."""
    return window.page.frame_locator("iframe.activity-frame").frame_locator("iframe")


async def launch(window: Window) -> FrameLocator:
    """Press *Open the board*, and allow the bot to know who it is if that is asked."""
    await window.press("More")
    await window.press("Open the board")
    board = board_of(window)
    allow = window.page.get_by_role("button", name="Allow", exact=True)
    heading = board.locator("#heading")
    while not await heading.is_visible():
        if await allow.is_visible():
            await allow.click()
        await window.page.wait_for_timeout(50)
    return board


def squares(board: FrameLocator) -> Locator:
    """Return what can be tapped."""
    return board.locator(".squares .can")


async def ply(board: FrameLocator) -> int:
    """Return how many moves the match has."""
    return int(await board.locator("#history input").get_attribute("max") or 0)


async def move(board: FrameLocator) -> None:
    """Play a move."""
    before = str(await ply(board))
    await squares(board).last.click()
    await squares(board).last.click()
    await expect(board.locator("#history input")).not_to_have_attribute("max", before)


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
async def test_the_board_opens_in_discord_and_is_played_there(
    browser: Browser, url: str, size: tuple[int, int]
) -> None:
    ann, ben = await browser.window(url, "ann"), await browser.window(url, "ben")
    title = await begin(ann, ben, "tablut")
    for window in (ann, ben):
        await window.page.set_viewport_size({"width": size[0], "height": size[1]})
    boards = [await launch(window) for window in (ann, ben)]
    for board in boards:
        await expect(board.locator("#heading")).to_contain_text(title)
    after = str(await ply(boards[0]) + 2)
    for _ in range(2):
        while not (ready := [one for one in boards if await squares(one).count()]):
            await ann.page.wait_for_timeout(50)
        await move(ready[0])
    for board in boards:
        await expect(board.locator("#history input")).to_have_attribute("max", after)
    await ann.page.get_by_role("button", name="Close").first.click()
    await expect(ann.page.locator("iframe.activity-frame")).to_have_count(0)
    again = await launch(ann)
    await expect(again.locator("#history input")).to_have_attribute("max", after)
    assert ann.problems == ben.problems == []


async def test_pictures_and_links_work_in_a_frame_without_cookies(
    browser: Browser, url: str
) -> None:
    ann, ben = await browser.window(url, "ann"), await browser.window(url, "ben")
    await begin(ann, ben, "tablut")
    board = await launch(ann)
    assert await board.locator("body").evaluate("() => document.cookie") == ""
    await board.get_by_role("button", name="Replay").click()
    picture = board.get_by_role("dialog").locator("img").first
    await expect(picture).to_have_attribute("src", re.compile("^blob:"))
    assert await picture.evaluate("one => one.decode().then(() => one.naturalWidth)") > 100
    await board.get_by_role("dialog").get_by_role("button", name="Close").click()
    await board.locator("#page").evaluate(  # which is never drawn again
        "one => one.insertAdjacentHTML('beforeend', '<a href=\"https://example.org/a\">There</a>')"
    )
    await board.get_by_role("link", name="There").click()
    leaving = ann.page.get_by_role("dialog")
    await expect(leaving).to_contain_text("https://example.org/a")
    await leaving.get_by_role("button", name="Cancel").click()
    assert ann.problems == []


async def test_who_refuses_is_told_and_may_open_it_again(browser: Browser, url: str) -> None:
    dan = await browser.window(url, "dan")
    await dan.go("games")
    await dan.slash("/launch")
    await dan.page.get_by_role("button", name="Cancel", exact=True).click()
    await expect(board_of(dan).locator("#notice")).to_contain_text("allow it")
    await expect(dan.page.get_by_role("button", name="Allow", exact=True)).to_have_count(0)
    await dan.page.get_by_role("button", name="Close").first.click()
    await dan.slash("/launch")
    await dan.page.get_by_role("button", name="Allow", exact=True).click()
    await expect(board_of(dan).locator("#match, #notice").locator("visible=true")).to_be_visible()
    assert dan.problems == []


async def test_a_proxy_that_holds_news_back_holds_back_no_move(browser: Browser, url: str) -> None:
    """Whether Discord's proxy passes a long answer on at once, it does not say."""
    ann, ben = await browser.window(url, "ann"), await browser.window(url, "ben")
    await begin(ann, ben, "tablut")
    async with AsyncExitStack() as stack:
        for window in (ann, ben):
            await window.page.clock.install()
            await stack.enter_async_context(unanswered(window.page, "**/api/news**"))
        boards = {window: await launch(window) for window in (ann, ben)}
        mover, other = (ann, ben) if await squares(boards[ann]).count() else (ben, ann)
        await move(boards[mover])
        after = str(await ply(boards[mover]))
        await other.page.clock.run_for(70_000)
        await expect(boards[other].locator("#history input")).to_have_attribute("max", after)


class Losing:
    """Loses requests, or their answers: the first few, and then now and again."""

    def __init__(self, dice: random.Random, first: int) -> None:
        self.dice = dice
        self.first = first

    async def answer(self, route: Route) -> None:
        """Answer a request, if that is its fate."""
        self.first -= 1
        fate = 0.0 if self.first >= 0 else self.dice.random()
        with suppress(Error):  # the page may have given it up
            if fate < 0.1:
                await route.abort()
            elif fate < 0.2:
                await route.fulfill(status=502, content_type="text/html", body="<h1>Bad</h1>")
            elif fate < 0.3 and not route.request.url.endswith("/activity"):
                await route.fetch()
                await route.abort()
            else:
                await route.continue_()


async def test_the_board_opens_and_is_played_though_answers_are_lost(
    browser: Browser, url: str
) -> None:
    ann, ben = await browser.window(url, "ann"), await browser.window(url, "ben")
    await begin(ann, ben, "tablut")
    dice = random.Random(11)
    for window in (ann, ben):
        # At first, nothing is reached at either address, twice.
        losing = Losing(dice, 4)
        await window.page.route(re.compile("/api/(activity|matches)"), losing.answer)
    boards = [await launch(window) for window in (ann, ben)]
    for _ in range(6):
        while not (ready := [one for one in boards if await squares(one).count()]):
            await ann.page.wait_for_timeout(50)
        before = await ply(ready[0])
        while await ply(ready[0]) == before:
            # A late answer may take a square away that somebody is about to tap.
            await squares(ready[0]).evaluate_all(ENTER)
            await expect(ready[0].locator("body")).not_to_have_attribute("aria-busy", "true")
            # Until the page knows what became of it, there is nothing to play again.
            await expect(ready[0].get_by_text("Not connected.")).to_be_hidden()
        for board in boards:
            await expect(board.locator("#history input")).not_to_have_attribute("max", str(before))
    for window, board in zip((ann, ben), boards, strict=True):
        await window.page.unroute_all(behavior="ignoreErrors")
        await expect(board.locator("#lost, #notice").locator("visible=true")).to_have_count(0)
    assert await ply(boards[0]) == await ply(boards[1])


ENTER = """all =>
  all.at(-1)?.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }))
"""
FORGED = """<!doctype html><script>
  window.heard = [];
  addEventListener("message", (event) => heard.push(event.data));
</script><iframe id="page" src="%s/?frame_id=f&instance_id=i&platform=desktop"></iframe>"""


async def test_a_forged_client_hears_nothing(browser: Browser, url: str) -> None:
    """Browsers do not even load the page there; were they to, it would not speak."""
    ann, ben = await browser.window(url, "ann"), await browser.window(url, "ben")
    await begin(ann, ben, "tablut")
    await ann.press("More")
    await ann.press("In the browser")
    link = ann.page.get_by_role("link", name="Open in the browser").last
    page = str(URL(str(await link.get_attribute("href"))).origin())
    forged = await ann.page.context.new_page()
    await forged.route("http://evil.test/", lambda route: route.fulfill(body=FORGED % page))
    await forged.goto("http://evil.test/")
    frame = forged.frames[1]
    assert not frame.url.startswith(page), "the browser has blocked it"

    async def unguarded(route: Route) -> None:
        with suppress(Error):  # the page may be gone
            answer = await route.fetch()
            headers = {k: v for k, v in answer.headers.items() if k != "content-security-policy"}
            await route.fulfill(response=answer, headers=headers)

    await forged.route(f"{page}/**", unguarded)
    await forged.goto("http://evil.test/")
    notice = forged.frame_locator("#page").locator("#notice")
    await expect(notice).to_contain_text("a frame that isn't Discord's")
    assert await forged.evaluate("heard") == []
    await forged.close()
