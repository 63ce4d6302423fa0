"""The page's board: trying and planning on it, fingers, films, and news of other games."""

from __future__ import annotations

import asyncio

import pytest
from playwright.async_api import Page, Route, expect

from engine import registry
from tests.browser.harness import PHONE, Browser
from tests.browser.matches import begin
from tests.browser.pages import BOXES, both

pytestmark = pytest.mark.asyncio(loop_scope="session")

FINGER = 44
FILM = 5_000
"""Milliseconds that no film on the board lasts."""
CHANGES = """() => {
  window.changes = 0;
  new MutationObserver((all) => {
    for (const { addedNodes } of all) for (const node of addedNodes) {
      window.changes += node.matches?.(".moving") || node.querySelector?.(".moving") ? 1 : 0;
    }
  }).observe(document.getElementById("board"), { childList: true, subtree: true });
}"""
LEADS = """() => navigator.locks.query().then(
  ({ held }) => held.some(({ name }) => name === "board-news"))"""
"""Whether a window holds the stream for all of its browser."""
TOUCH = """([name, dx, dy]) => {
  const box = document.querySelector(`.squares [data-square="${name}"]`).getBoundingClientRect();
  const at = { clientX: box.x + box.width / 2 + dx, clientY: box.y + box.height / 2 + dy };
  const hit = document.elementFromPoint(at.clientX, at.clientY);
  for (const kind of ["pointerdown", "pointerup"]) {
    hit.dispatchEvent(new PointerEvent(kind, { ...at, bubbles: true, button: 0, pointerType: "touch" }));
  }
}"""


async def tap(page: Page, times: int = 1) -> None:
    """Tap what comes last of what can be tapped."""
    for _ in range(times):
        await page.locator(".squares .can").last.click()
        await page.wait_for_function("() => !document.body.hasAttribute('aria-busy')")


async def test_moves_are_tried_on_the_board_and_given_back(browser: Browser, url: str) -> None:
    mover, other = await both(browser, url)
    page, ply = mover.page, await mover.ply()
    await page.get_by_role("button", name="Try moves", exact=True).click()
    banner = page.locator("#draft")
    await expect(banner).to_contain_text("Try moves: not played")
    assert "draft" in str(await page.locator("html").get_attribute("data-board"))
    before = await page.locator("#board .moving").inner_html()
    await tap(page, 4)
    await expect(page.locator("#story")).to_contain_text("→")
    assert await page.locator("#history input").is_hidden(), "one cannot play from here"
    assert await page.locator("#controls").is_hidden()
    await banner.get_by_role("button", name="Undo").click()
    await expect(page.locator("#story")).not_to_contain_text("→")
    await expect(banner.get_by_role("button", name="Start over")).to_have_count(0)
    await page.keyboard.press("Escape")
    await expect(banner).to_be_empty()
    assert "draft" not in str(await page.locator("html").get_attribute("data-board"))
    assert await page.locator("#board .moving").inner_html() == before
    assert await mover.ply() == await other.ply() == ply
    await mover.move(by_keyboard=True)
    await expect(other.page.locator("#history input")).to_have_attribute("max", str(ply + 1))
    assert mover.problems == other.problems == []


async def test_an_answer_is_planned_on_the_board_and_told_when_the_match_moves_on(
    browser: Browser, url: str
) -> None:
    mover, other = await both(browser, url, PHONE)
    page, ply = mover.page, await mover.ply()
    await mover.move(by_keyboard=False)
    await page.get_by_role("button", name="Plan ahead", exact=True).click()
    banner = page.locator("#draft")
    await expect(banner).to_contain_text("Plan ahead: not played yet")
    await tap(page, 4)
    await expect(banner.locator(".planned li")).to_have_count(1)
    wide = await page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0
    await other.move(by_keyboard=False)
    await expect(banner).to_contain_text("The match has moved on.")
    await banner.get_by_role("button", name="Back to the match").click()
    await expect(banner).to_be_empty()
    # What was planned is played at once.
    await expect(page.locator("#history input")).to_have_attribute("max", str(ply + 3))
    assert mover.problems == other.problems == []


@pytest.mark.parametrize("slug", sorted(registry.games()))
async def test_a_finger_finds_every_square_and_control_on_a_phone(
    browser: Browser, url: str, slug: str
) -> None:
    mover, _ = await both(browser, url, PHONE, slug=slug)
    page = mover.page
    # Without larger squares, who misses one by a little still meets it.
    name = await page.locator(".squares .can").first.get_attribute("data-square")
    await page.evaluate(TOUCH, [name, 0, 0])
    chosen = page.locator(".squares .chosen")
    if await chosen.count():
        box = await chosen.bounding_box()
        assert box is not None
        await page.evaluate(TOUCH, [name, 0, 0])
        await expect(chosen).to_have_count(0)
    small = page.get_by_role("button", name="Larger squares")
    if await small.is_visible():
        await small.click()
        await expect(small).to_have_attribute("aria-pressed", "true")
    for box in await page.evaluate(BOXES, ".squares [data-square]"):
        assert min(box["width"], box["height"]) >= FINGER, box
    assert await page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    for box in await page.evaluate(BOXES, "button"):
        assert min(box["width"], box["height"]) >= FINGER, box
    await page.evaluate("localStorage.clear()")


async def test_what_happened_is_seen_to_happen_unless_motion_is_unwanted(
    browser: Browser, url: str
) -> None:
    mover, other = await both(browser, url)
    for page in (mover.page, other.page):
        await page.clock.install()
    await other.page.evaluate(CHANGES)
    await mover.move(by_keyboard=True)
    await other.page.wait_for_function("() => window.changes >= 1")
    for page in (mover.page, other.page):  # to the end of what is shown
        await page.clock.run_for(FILM)
    shown = await other.page.evaluate("() => window.changes")
    assert shown == 3, "the new board, then where the man was, then where he is"
    await mover.page.emulate_media(reduced_motion="reduce")
    await mover.page.evaluate(CHANGES)
    await other.move(by_keyboard=True)
    await mover.page.wait_for_function("() => window.changes >= 1")
    await mover.page.clock.run_for(FILM)
    assert await mover.page.evaluate("() => document.getAnimations().length") == 0
    assert await mover.page.evaluate("() => window.changes") == 1


async def test_squares_say_what_stands_on_them(browser: Browser, url: str) -> None:
    mover, other = await both(browser, url)
    for page, can in ((mover.page, ", can move"), (other.page, "")):
        squares = page.locator("#board")
        await expect(squares.get_by_role("button", name="e5: king", exact=True)).to_have_count(1)
        await expect(squares.get_by_role("button", name="a1: empty", exact=True)).to_have_count(1)
        if can:
            assert await squares.get_by_role("button", name=can).count() > 0
        else:
            assert await squares.get_by_role("button", name="can move").count() == 0


async def test_windows_of_one_browser_share_one_stream_and_hear_of_turns_elsewhere(
    browser: Browser, url: str
) -> None:
    mover, other = await both(browser, url)
    ply = await mover.ply()
    streams: list[str] = []
    context = mover.page.context
    second = await context.new_page()
    await mover.page.wait_for_function(LEADS)  # its own stream is open by then
    for page in (mover.page, second):
        page.on(
            "request", lambda asked: streams.append(asked.url) if "/api/news" in asked.url else None
        )
    await second.goto(mover.page.url)
    await expect(second.locator("#heading")).to_contain_text("Tablut")
    await mover.move(by_keyboard=True)
    await expect(second.locator("#history input")).to_have_attribute("max", str(ply + 1))
    assert streams == [], "the first window's stream tells both"
    await mover.page.close()
    await other.move(by_keyboard=True)
    await expect(second.locator("#history input")).to_have_attribute("max", str(ply + 2))
    assert len(streams) == 1, "the stream passes on when its window closes"
    # Another game begins, and waits for whoever moves first in it.
    ann, ben = await browser.window(url, "ann"), await browser.window(url, "ben")
    await begin(ann, ben, "tablaaza")
    called = "() => document.getElementById('called').textContent.includes('Tablaaza')"
    heard = {
        asyncio.create_task(page.wait_for_function(called)): page for page in (second, other.page)
    }
    (first, *_), left = await asyncio.wait(heard, return_when=asyncio.FIRST_COMPLETED)
    for one in left:
        one.cancel()
    waiting = heard[first]
    await expect(waiting.locator("#games button").first).to_contain_text("your turn")
    if await waiting.locator(".onward").count():
        assert (await waiting.title()).startswith("(")
        await waiting.locator(".onward").click()
        await expect(waiting.locator("#heading")).to_contain_text("Tablaaza")
        await expect(waiting.locator("#choosing")).to_contain_text("Tap a marked square.")
    else:
        assert (await waiting.title()).startswith("●")


async def test_a_second_window_shows_a_turn_that_came_while_it_opened(
    browser: Browser, url: str
) -> None:
    mover, other = await both(browser, url)
    ply, asked, moved = await other.ply(), asyncio.Semaphore(0), asyncio.Event()
    second = await other.page.context.new_page()

    async def answered_late(route: Route) -> None:
        answer = await route.fetch()
        asked.release()
        await moved.wait()
        await route.fulfill(response=answer)

    for pattern in ("**/api/matches", "**/api/matches/*"):
        await second.route(pattern, answered_late, times=1)
    await second.goto(other.page.url)
    await asked.acquire()
    await asked.acquire()
    await mover.move(by_keyboard=True)
    await expect(other.page.locator("#history input")).to_have_attribute("max", str(ply + 1))
    moved.set()
    await expect(second.locator("#history input")).to_have_attribute("max", str(ply + 1))


async def test_a_window_on_a_match_that_cannot_be_seen_keeps_no_news_from_the_others(
    browser: Browser, url: str
) -> None:
    mover, other = await both(browser, url)
    page, ply = other.page, await other.ply()
    async with page.expect_response(lambda got: "/api/news" in got.url and got.ok):
        second = await page.context.new_page()
        await second.goto(page.url.split("#")[0] + "#match=999")
        await expect(second.get_by_role("alert")).to_contain_text("999")
    await mover.move(by_keyboard=True)
    await expect(page.locator("#history input")).to_have_attribute("max", str(ply + 1))


async def test_a_lost_connection_is_said_and_found_again(browser: Browser, url: str) -> None:
    mover, other = await both(browser, url)
    page, lost, ply = other.page, other.page.locator("#lost"), await other.ply()
    await page.route("**/api/news**", lambda route: route.abort())
    await page.reload()
    await expect(lost).to_have_text("Not connected. Trying again…")
    await expect(lost).to_be_visible()
    await page.unroute("**/api/news**")
    await expect(lost).to_be_hidden()
    await mover.move(by_keyboard=True)
    await expect(page.locator("#history input")).to_have_attribute("max", str(ply + 1))
