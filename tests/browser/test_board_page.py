"""The page in the browser as its players see it, with the program as `make play` starts it."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Locator, Page, expect

from engine import registry
from tests.browser.bot import running_program
from tests.browser.harness import DESK, PHONE, Browser, Window

pytestmark = pytest.mark.asyncio(loop_scope="session")
WIDE = (1280, 720)


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def url() -> AsyncIterator[str]:
    """The URL of a program that all games are played in."""
    async with running_program() as address:
        yield address


async def begin(ann: Window, ben: Window, slug: str) -> None:
    """Begin a match, and show it to both."""
    for window in (ann, ben):
        await window.go("games")
    await expect(ann.page.locator("#say")).to_be_editable()
    await ann.slash(f"/{slug} challenge", opponent="Ben")
    await ben.press("Accept")
    for window in (ann, ben):
        await window.go(f"Ann vs Ben · {registry.game(slug).title}")


async def board_page(window: Window, size: tuple[int, int]) -> Page:
    """Open the page of the match shown."""
    await window.press("More")
    await window.press("Open the board")
    link = window.page.get_by_role("link", name="Open in the browser").last
    async with window.page.context.expect_page() as opened:
        await link.click()
    page = await opened.value
    await page.set_viewport_size({"width": size[0], "height": size[1]})
    await expect(page.locator("#board svg")).to_be_visible()
    return page


async def edges(part: Locator) -> dict[str, float]:
    """Return where a part is in the window."""
    found = await part.bounding_box()
    assert found is not None
    return {
        "left": found["x"],
        "top": found["y"],
        "right": found["x"] + found["width"],
        "bottom": found["y"] + found["height"],
    }


async def test_the_board_is_seen_at_once_and_says_who_plays_and_what_to_do(
    browser: Browser, url: str
) -> None:
    ann, ben = await browser.window(url, "ann"), await browser.window(url, "ben")
    await begin(ann, ben, "tablaaza")
    pages = [await board_page(window, WIDE) for window in (ann, ben)]
    for page in pages:
        svg = page.locator("#board svg")
        assert (await edges(svg))["bottom"] <= WIDE[1]
        for name in ("Ann", "Ben"):
            await expect(svg.locator("text").get_by_text(name, exact=True)).to_be_visible()
        await expect(page.locator("#history")).to_contain_text("Move 0 of 0")
    turns = [await page.locator("#choosing").is_visible() for page in pages]
    assert sorted(turns) == [False, True]
    mover = pages[turns.index(True)]
    await expect(mover.locator("#choosing")).to_have_text("Tap a marked square.")
    words, slider = await edges(mover.locator("#prompt")), await edges(mover.locator("#history"))
    assert words["bottom"] <= slider["top"], "whose turn it is stands right below the board"
    await mover.locator(".squares .can").first.click()
    for page in pages:
        await expect(page.locator("#history")).to_contain_text("Move 1 of 1")


async def test_a_square_that_the_board_marks_is_not_marked_twice(
    browser: Browser, url: str
) -> None:
    ann, ben = await browser.window(url, "ann"), await browser.window(url, "ben")
    await begin(ann, ben, "tablut")
    pages = [await board_page(window, DESK) for window in (ann, ben)]
    counts = [await page.locator(".squares .can").count() for page in pages]
    mover = pages[counts.index(max(counts))]
    line = "hit => getComputedStyle(hit).stroke"
    can = mover.locator(".squares .can")
    assert await can.last.evaluate(line) == "none"
    await can.last.click()
    await expect(mover.locator(".squares .chosen")).to_have_count(1)
    assert await can.first.evaluate(line) != "none", "where it can go is marked by the page alone"


@pytest.mark.parametrize("size", [WIDE, PHONE])
async def test_what_a_control_answers_is_not_cut_off(
    browser: Browser, url: str, size: tuple[int, int]
) -> None:
    ann, ben = await browser.window(url, "ann"), await browser.window(url, "ben")
    await begin(ann, ben, "tablan")
    page = await board_page(ann, size)
    controls = page.locator("#controls")
    await controls.get_by_role("button", name="Try moves", exact=True).click()
    shown = page.get_by_role("dialog")
    picture = shown.locator("img").first
    await expect(picture).to_be_visible()
    assert (await edges(picture))["right"] <= (await edges(shown))["right"]
    beyond = "one => one.scrollWidth - one.clientWidth"
    assert await shown.evaluate(beyond) == 0
    assert await page.locator("html").evaluate(beyond) == 0

    await page.route("**/presses", lambda route: route.abort())
    await shown.get_by_role("button").last.click()
    await expect(shown.get_by_text("Not connected.")).to_be_visible()
    await page.close()


async def test_the_list_of_games_is_one_row_and_follows_a_reader_who_comes_back(
    browser: Browser, url: str
) -> None:
    ann, ben = await browser.window(url, "ann"), await browser.window(url, "ben")
    await begin(ann, ben, "tablut")
    page = await board_page(ann, PHONE)
    before = await page.locator("#games button").count()
    await begin(ann, ben, "thaayam")
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    await expect(page.locator("#games button")).to_have_count(max(before, 1) + 1)
    row = await edges(page.locator("#games"))
    assert row["bottom"] - row["top"] < 2 * 44
    current = await edges(page.locator("#games [aria-current]"))
    assert current["left"] >= 0
    assert current["right"] <= PHONE[0]
