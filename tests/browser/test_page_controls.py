"""What is beside the board on the page: offers, lessons, a typed move, turns, and a connection that is lost."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Page, Route, expect

from tests.browser.bot import running_program
from tests.browser.harness import DESK, PHONE, Browser
from tests.browser.matches import begin
from tests.browser.pages import BoardPage, open_page

pytestmark = pytest.mark.asyncio(loop_scope="session")

NEWS = "document.dispatchEvent(new Event('visibilitychange'))"
CHANGED = """() => {
    const match = new URLSearchParams(location.hash.slice(1)).get("match");
    new BroadcastChannel("board-news").postMessage({ news: `changed ${match}` });
}"""


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def url() -> AsyncIterator[str]:
    """The URL of a program that all games are played in."""
    async with running_program() as address:
        yield address


async def both(
    browser: Browser, url: str, size: tuple[int, int] = DESK
) -> tuple[BoardPage, BoardPage]:
    """Begin a match of Tablut on the page; return the mover's page and the other one's."""
    ann, ben = await browser.window(url, "ann"), await browser.window(url, "ben")
    title = await begin(ann, ben, "tablut")
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


async def in_view(page: Page, words: str) -> None:
    """Assert that an offer is told and seen without scrolling, below whose turn it is."""
    offer = page.get_by_role("status").filter(has_text=words)
    await expect(offer).to_be_visible()
    box, prompt = await offer.bounding_box(), await page.locator("#prompt").bounding_box()
    assert box is not None
    assert prompt is not None
    assert box["y"] >= prompt["y"] + prompt["height"]
    size = page.viewport_size
    assert size is not None
    assert box["y"] + box["height"] <= size["height"]


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
async def test_offers_are_made_answered_and_withdrawn(
    browser: Browser, url: str, size: tuple[int, int]
) -> None:
    mover, other = await both(browser, url, size)
    ply = await mover.ply()
    await mover.move(by_keyboard=True)
    await press(mover.page, "Take back")
    offers = mover.page.locator("#offers")
    await expect(offers.get_by_role("button")).to_have_text(["Withdraw"])
    await in_view(other.page, "would like to take back the last move")
    await press(other.page, "Agree to take it back")
    for one in (mover, other):
        await expect(one.page.locator("#history input")).to_have_attribute("max", str(ply))
        await expect(one.page.locator("#offers")).to_be_hidden()
    await press(mover.page, "Offer a draw")
    await in_view(other.page, "offers you a draw")
    await press(mover.page, "Withdraw")
    await expect(other.page.locator("#offers")).to_be_hidden()
    await press(other.page, "Offer a draw")
    await press(mover.page, "Play on")
    await expect(other.page.locator("#offers")).to_be_hidden()
    for _ in range(2):
        await mover.move(by_keyboard=True)
        await other.move(by_keyboard=True)
    await press(mover.page, "Offer a draw")
    await in_view(other.page, "offers you a draw")
    await press(other.page, "Agree to a draw")
    for one in (mover, other):
        await expect(one.page.locator("#prompt")).to_contain_text("A draw")
        await expect(one.page.locator("#offers, #typing").locator("visible=true")).to_have_count(0)
    # Whoever else wants a rematch, too, accepts it.
    await press(other.page, "Rematch")
    await press(mover.page, "Rematch")
    for one in (mover, other):
        await expect(one.page.locator("#games")).to_contain_text("Tablut")
    assert mover.problems == other.problems == []


async def test_who_wants_to_confirm_moves_confirms_them_on_the_page(
    browser: Browser, url: str
) -> None:
    mover, other = await both(browser, url)
    page, ply = mover.page, await mover.ply()
    await page.evaluate(NEWS)

    # A person's setting, as the server tells it.
    async def confirming(route: Route) -> None:
        answer = await route.fetch()
        await route.fulfill(response=answer, json={**await answer.json(), "confirm": True})

    await page.route("**/api/matches/*", confirming)
    await page.reload()
    choosing = page.locator("#choosing")
    await page.locator(".squares .can").last.click()
    await page.locator(".squares .can").last.click()
    asked = choosing.locator(".success")
    await expect(asked).to_have_count(1)
    await choosing.get_by_role("button", name="Undo").click()
    await expect(asked).to_have_count(0)
    await page.locator(".squares .can").last.click()
    assert await mover.ply() == ply
    # The match ends while a move is half chosen: nothing is left to confirm.
    await press(other.page, "Resign", "Resign")
    await expect(page.locator("#prompt")).to_contain_text("resigned")
    await expect(choosing.locator(".success, .secondary")).to_have_count(0)
    assert await page.locator(".squares .chosen").count() == 0
    assert mover.problems == other.problems == []


async def test_what_is_typed_stays_while_the_page_hears_news(browser: Browser, url: str) -> None:
    mover, other = await both(browser, url)
    page, ply = mover.page, await mover.ply()
    field = page.get_by_label("Type a move")
    await field.fill("i9")
    await press(other.page, "Offer a draw")
    await in_view(page, "offers you a draw")
    await page.evaluate(NEWS)
    await expect(field).to_be_focused()
    await expect(field).to_have_value("i9")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("alert")).to_be_visible()
    await expect(field).to_have_value("i9")
    assert await mover.ply() == ply
    assert other.problems == []


async def test_a_control_keeps_the_focus_when_its_answer_is_closed(
    browser: Browser, url: str
) -> None:
    mover, _ = await both(browser, url)
    page = mover.page
    for label in ("Rules", "Lessons"):
        control = page.locator("#controls").get_by_role("button", name=label, exact=True)
        await control.focus()
        await page.keyboard.press("Enter")
        await expect(page.get_by_role("dialog")).to_be_visible()
        await expect(page.locator("body")).not_to_have_attribute("aria-busy", "true")
        await page.keyboard.press("Escape")
        await expect(control).to_be_focused()
    assert mover.problems == []


async def test_lessons_are_taken_beside_the_board(browser: Browser, url: str) -> None:
    mover, _ = await both(browser, url, PHONE)
    page, ply = mover.page, await mover.ply()
    await page.locator("#controls").get_by_role("button", name="Lessons").click()
    shown = page.get_by_role("dialog")
    await expect(shown).to_contain_text("1 of ")
    for _ in range(2):
        await expect(shown.locator("img")).to_be_visible()
        assert await shown.evaluate("one => one.scrollWidth - one.clientWidth") == 0
        await shown.locator(".row .button").first.click()
        await expect(page.locator("body")).not_to_have_attribute("aria-busy", "true")
    await expect(shown).to_contain_text(" of ")
    await page.keyboard.press("Escape")
    await expect(page.locator(".squares .can").first).to_be_attached()
    assert await mover.ply() == ply
    assert mover.problems == []


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
    await expect(turn).to_have_text(f"Move {ply} of {ply}")
    await page.unroute("**/api/**")
    # Any number of turns asked for at once: the last one is shown.
    for _ in range(3):
        await page.keyboard.press("ArrowLeft")
    await expect(turn).to_have_text(f"Move {ply - 3} of {ply}")
    await expect(slider).to_have_value(str(ply - 3))
    await page.get_by_role("button", name="Now", exact=True).click()
    await expect(turn).to_have_text(f"Move {ply} of {ply}")
    await expect(page.locator(".squares .can").first).to_be_attached()


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
async def test_a_match_in_direct_messages_names_its_player(
    browser: Browser, url: str, size: tuple[int, int]
) -> None:
    ann = await browser.window(url, "ann", channel="games")
    await ann.page.locator("#right .person").filter(has_text="Old Board Games").click()
    await ann.page.get_by_role("menuitem", name="Send a direct message").click()
    await expect(ann.page.locator("#channel-name")).to_have_text("Old Board Games")
    await ann.slash("/tablut practice", level="1")
    await expect(ann.button("More")).to_be_visible()
    opened = await open_page(ann, "Tablut", size)
    page = opened.page
    await expect(page.locator("#heading")).to_contain_text("@Ann")
    name = page.locator("#board svg text").get_by_text("Ann", exact=True)
    await expect(name).to_be_visible()
    await expect(page.locator("#heading")).not_to_contain_text("<@")
    await page.locator("#controls").get_by_role("button", name="Rules").click()
    await expect(page.get_by_role("dialog")).to_contain_text("The rules of Tablut")
    await page.keyboard.press("Escape")
    await opened.move(by_keyboard=True)
    await expect(page.locator("#story")).to_contain_text("to")
    assert opened.problems == ann.problems == []


async def test_an_answer_that_comes_late_does_not_bring_an_earlier_turn_back(
    browser: Browser, url: str
) -> None:
    mover, other = await both(browser, url)
    page, ply = other.page, await other.ply()
    arrived, late = asyncio.Event(), asyncio.Event()

    async def held(route: Route) -> None:
        if arrived.is_set():
            await route.continue_()
            return
        arrived.set()
        answer = await route.fetch()
        await late.wait()
        await route.fulfill(response=answer)

    await page.route("**/api/matches/*since=*", held)
    await mover.move(by_keyboard=True)
    await arrived.wait()
    await page.evaluate(NEWS)
    await other.move(by_keyboard=True)
    async with page.expect_response(lambda answer: "since=" in answer.url):
        late.set()
    await page.evaluate("fetch('page/api.js').then((one) => one.text())")
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

    async def ask(route: Route) -> None:
        if not asked.is_set():
            await route.continue_()
        # What is asked after the move is never answered.

    await page.route("**/api/matches/*/moves", hold)
    await page.route("**/api/matches/*since=*", ask)
    async with asyncio.TaskGroup() as group:
        group.create_task(mover.move(by_keyboard=True))
        await posted.wait()
        async with page.expect_response(lambda answer: "since=" in answer.url):
            await page.evaluate(CHANGED)
        asked.set()
    await expect(page.locator("#history input")).to_have_attribute("max", str(ply + 1))
    await expect(page.locator(".squares .can")).to_have_count(0)
    assert mover.problems == other.problems == []


async def test_a_page_that_opens_without_a_connection_finds_it(browser: Browser, url: str) -> None:
    mover, _ = await both(browser, url)
    page = mover.page
    await page.route("**/api/**", lambda route: route.abort())
    await page.reload()
    await expect(page.get_by_role("alert")).to_contain_text("Not connected.")
    await page.unroute("**/api/**")
    await expect(page.locator("#heading")).to_contain_text("Tablut")
    await expect(page.get_by_role("alert")).to_have_count(0)
