"""What the page shows while answers are late or lost, and once the connection is found again."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack

import pytest
from playwright.async_api import Page, Request, Route, expect

from tests.browser.harness import Browser
from tests.browser.pages import IMPATIENT, NEWS, PATIENT, both, unanswered

pytestmark = pytest.mark.asyncio(loop_scope="session")

READ_OUT = """() => {
    const alert = document.querySelector("[role=alert]");
    window.said = [];
    const changes = new MutationObserver(() => {
        window.readOut = alert.innerText.trim();
        said.push(readOut);
    });
    changes.observe(alert, { childList: true, subtree: true });
}"""
"""Notes what a screen reader hears of the notice from then on; some stays for seconds only."""
CHANGED = """() => {
    const match = new URLSearchParams(location.hash.slice(1)).get("match");
    new BroadcastChannel("board-news").postMessage({ news: `changed ${match}` });
}"""


async def taken(page: Page, asked: Request) -> None:
    """Wait until a page has the answer to what it asked."""
    answer = await asked.response()
    assert answer is not None
    await answer.finished()
    await page.evaluate("fetch('page/api.js').then((one) => one.text())")


async def test_a_turn_that_does_not_come_is_not_said_to_be_shown(
    browser: Browser, url: str
) -> None:
    mover, other = await both(browser, url)
    for _ in range(2):
        await mover.move(by_keyboard=True)
        await other.move(by_keyboard=True)
    page = mover.page
    await expect(page.locator(mover.choices).first).to_be_attached()
    ply = await mover.ply()  # with the other's last move
    slider, turn = page.locator("#history input"), page.locator("#turn")
    await page.route("**/api/**", lambda route: route.abort())
    await slider.focus()
    await page.keyboard.press("ArrowLeft")
    await expect(page.get_by_role("alert")).to_contain_text("Not connected.")
    await expect(slider).to_have_value(str(ply))
    await expect(turn).to_have_text(f"Move {ply + 1} of {ply + 1}")
    await page.unroute("**/api/**")
    # Any number of turns asked for at once: the last one is shown.
    for _ in range(3):
        await page.keyboard.press("ArrowLeft")
    await expect(turn).to_have_text(f"Move {ply - 2} of {ply + 1}")
    await expect(slider).to_have_value(str(ply - 3))
    await page.get_by_role("button", name="Now", exact=True).click()
    await expect(turn).to_have_text(f"Move {ply + 1} of {ply + 1}")
    await expect(page.locator(".squares .can").first).to_be_attached()


async def test_an_answer_that_comes_late_does_not_bring_an_earlier_turn_back(
    browser: Browser, url: str
) -> None:
    mover, other = await both(browser, url)
    page, ply = other.page, await other.ply()
    arrived, late = asyncio.Event(), asyncio.Event()

    asked: list[Request] = []

    async def held(route: Route) -> None:
        answer = await route.fetch()
        told = await answer.json()
        # The page also asks once it is connected, which may be before the move.
        if not asked and told["ply"] == ply + 1:
            asked.append(route.request)
            arrived.set()
            await late.wait()
        await route.fulfill(response=answer)

    await page.route("**/api/matches/*since=*", held)
    await mover.move(by_keyboard=True)
    await arrived.wait()
    await page.evaluate(NEWS)
    await other.move(by_keyboard=True)
    late.set()
    await taken(page, asked[0])
    await expect(page.locator("#history input")).to_have_attribute("max", str(ply + 2))
    assert await page.locator(".squares .can").count() == 0
    assert mover.problems == other.problems == []


async def test_a_move_is_shown_though_what_was_asked_meanwhile_tells_of_the_turn_before(
    browser: Browser, url: str
) -> None:
    mover, other = await both(browser, url)
    page, ply = mover.page, await mover.ply()
    posted, asked = asyncio.Event(), asyncio.Event()

    async def hold(route: Route) -> None:
        posted.set()
        await asked.wait()
        await route.continue_()

    await page.route("**/api/matches/*/moves", hold)
    async with AsyncExitStack() as stack, asyncio.TaskGroup() as group:
        group.create_task(mover.move(by_keyboard=True))
        await posted.wait()
        async with page.expect_request(lambda asking: "since=" in asking.url) as asking:
            await page.evaluate(CHANGED)
        await taken(page, await asking.value)
        await stack.enter_async_context(unanswered(page, "**/api/matches/*since=*"))
        asked.set()
    await expect(page.locator("#history input")).to_have_attribute("max", str(ply + 1))
    await expect(page.locator(".squares .can")).to_have_count(0)
    assert mover.problems == other.problems == []


async def test_a_move_whose_answer_is_lost_is_found_to_be_played(
    browser: Browser, url: str
) -> None:
    mover, other = await both(browser, url)
    page, ply = mover.page, await mover.ply()
    moves: list[str] = []

    async def lose(route: Route) -> None:
        moves.append(route.request.url)
        await route.fetch()
        await route.abort()

    await page.evaluate(READ_OUT)
    await page.route("**/api/matches/*/moves", lose)
    await page.route("**/api/matches/*since=*", lambda route: route.abort())
    await page.get_by_label("Type a move").fill(await a_move(page))
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("alert")).to_contain_text("Not connected.")
    await page.unroute("**/api/matches/*since=*")
    await page.wait_for_function("() => said.includes('Your move was played.')")
    await expect(page.locator("#history input")).to_have_attribute("max", str(ply + 1))
    await expect(other.page.locator("#history input")).to_have_attribute("max", str(ply + 1))
    await expect(page.get_by_label("Type a move", exact=True)).to_have_value("")
    await expect(page.get_by_role("alert")).to_have_count(0)
    assert len(moves) == 1
    assert other.problems == []


async def test_a_move_that_does_not_arrive_is_asked_for_again(browser: Browser, url: str) -> None:
    mover, other = await both(browser, url)
    page, ply = mover.page, await mover.ply()
    bad = {"status": 502, "content_type": "text/html", "body": "<h1>Bad Gateway</h1>"}
    await page.route("**/api/matches/*/moves", lambda route: route.fulfill(**bad))
    for _ in range(2):
        await page.locator(".squares .can").last.click()
        await expect(page.locator("body")).not_to_have_attribute("aria-busy", "true")
    alert = page.get_by_role("alert")
    await expect(alert).to_have_text("Your move didn't arrive. Play it again.")
    await expect(page.locator(".squares .chosen")).to_have_count(0)
    await page.unroute("**/api/matches/*/moves")
    await mover.move(by_keyboard=True)
    await expect(alert).to_have_count(0)
    await expect(other.page.locator("#history input")).to_have_attribute("max", str(ply + 1))
    assert other.problems == []


async def test_a_connection_that_is_dead_though_nobody_has_closed_it_is_given_up(
    browser: Browser, url: str
) -> None:
    mover, other = await both(browser, url)
    page, ply = mover.page, await mover.ply()
    await page.evaluate(IMPATIENT)
    async with unanswered(page, "**/api/**"):
        for _ in range(2):
            await page.locator(".squares .can").last.click()
        await expect(page.get_by_role("alert")).to_contain_text("Not connected.")
        await expect(page.locator("body")).not_to_have_attribute("aria-busy", "true")
        await expect(page.locator("#lost")).to_be_visible()
        await page.evaluate(PATIENT)
    await page.evaluate("dispatchEvent(new Event('online'))")
    await expect(page.get_by_role("alert")).to_have_text("Your move didn't arrive. Play it again.")
    await expect(page.locator("#lost")).to_be_hidden()
    await mover.move(by_keyboard=True)
    await expect(other.page.locator("#history input")).to_have_attribute("max", str(ply + 1))
    assert other.problems == []


async def test_a_game_that_could_not_be_opened_is_shown_once_there_is_a_connection(
    browser: Browser, url: str
) -> None:
    mover, _ = await both(browser, url)
    page = mover.page
    await page.route("**/api/matches/*", lambda route: route.abort())
    await page.reload()
    await expect(page.get_by_role("alert")).to_contain_text("Not connected.")
    await expect(page.locator("#match")).to_be_hidden()
    await page.unroute("**/api/matches/*")
    await expect(page.locator("#heading")).to_contain_text("Tablut")
    await expect(page.locator(mover.choices).first).to_be_attached()
    await expect(page.get_by_role("alert")).to_have_count(0)


async def test_news_whose_match_does_not_come_is_asked_for_again(
    browser: Browser, url: str
) -> None:
    mover, other = await both(browser, url)
    page, ply = other.page, await other.ply()
    failed = asyncio.Event()

    async def fail_once(route: Route) -> None:
        answer = await route.fetch()
        told = await answer.json()
        # The page also asks once it is connected, which may be before the move.
        if not failed.is_set() and told["ply"] > ply:
            failed.set()
            await route.abort()
        else:
            await route.fulfill(response=answer)

    await page.route("**/api/matches/*since=*", fail_once)
    await mover.move(by_keyboard=True)
    await failed.wait()
    await expect(page.locator("#history input")).to_have_attribute("max", str(ply + 1))
    assert mover.problems == []


async def test_moves_are_tried_no_further_once_the_draft_is_left(
    browser: Browser, url: str
) -> None:
    mover, _ = await both(browser, url)
    page = mover.page
    await page.get_by_role("button", name="Try moves", exact=True).click()
    await expect(page.locator("#draft")).to_contain_text("Try moves: not played")
    arrived, late = asyncio.Event(), asyncio.Event()

    async def hold(route: Route) -> None:
        arrived.set()
        await late.wait()
        await route.continue_()

    await page.route("**/tries", hold)
    for _ in range(2):
        await page.locator(".squares .can").last.click()
    await arrived.wait()
    await page.keyboard.press("Escape")
    await page.keyboard.press("Escape")
    await expect(page.locator("#draft")).to_be_empty()
    async with page.expect_response("**/tries"):
        late.set()
    await expect(page.locator("body")).not_to_have_attribute("aria-busy", "true")
    await expect(page.locator("#draft")).to_be_empty()
    await expect(page.locator("#controls").get_by_role("button").first).to_be_visible()
    assert mover.problems == []


async def a_move(page: Page) -> str:
    """Return a move that can be made, as it is typed."""
    number = page.url.rpartition("=")[2]
    found = await page.evaluate(f"fetch('/api/matches/{number}').then((one) => one.json())")
    return "".join(found["moves"][-1]["steps"])


async def test_a_page_that_opens_without_a_connection_finds_it(browser: Browser, url: str) -> None:
    mover, _ = await both(browser, url)
    page = mover.page
    await page.route("**/api/**", lambda route: route.abort())
    await page.reload()
    await expect(page.get_by_role("alert")).to_contain_text("Not connected.")
    await page.unroute("**/api/**")
    await expect(page.locator("#heading")).to_contain_text("Tablut")
    await expect(page.get_by_role("alert")).to_have_count(0)


async def test_a_lost_connection_is_said_once_where_it_is_heard(browser: Browser, url: str) -> None:
    """What is outside an open dialog is neither seen nor read out."""
    mover, _ = await both(browser, url)
    page = mover.page
    said = page.get_by_text("Not connected.").locator("visible=true")
    alert, dialog = page.get_by_role("alert"), page.get_by_role("dialog")
    rules = page.get_by_role("button", name="Rules", exact=True)
    await page.route("**/api/news**", lambda route: route.abort())
    await page.reload()
    await expect(alert).to_have_text("Not connected. Trying again…")
    await rules.click()
    await expect(dialog.get_by_role("alert")).to_have_text("Not connected. Trying again…")
    await expect(said).to_have_count(1)
    await page.keyboard.press("Escape")
    await expect(dialog).to_have_count(0)
    await expect(alert).to_have_text("Not connected. Trying again…")

    # Nor is it said twice once something is tried in vain.
    await page.route("**/api/**", lambda route: route.abort())
    await page.evaluate(READ_OUT)
    await rules.click()
    await page.wait_for_function("() => window.readOut === 'Not connected. Trying again…'")
    await expect(said).to_have_count(1)

    await page.unroute("**/api/**")
    await page.unroute("**/api/news**")
    await page.evaluate("dispatchEvent(new Event('online'))")
    await expect(alert).to_have_count(0)
    await expect(page.locator("#lost")).to_be_hidden()
