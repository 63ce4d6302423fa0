"""The page in the browser as its players see it: by touch and by the keyboard, on a desk and a phone."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import Page, Route, expect

from engine import registry
from tests.browser.bot import running_program
from tests.browser.harness import DESK, PHONE, Browser
from tests.browser.matches import begin
from tests.browser.pages import BOXES, open_page

pytestmark = pytest.mark.asyncio(loop_scope="session")

MOVES = 6
WIDE = (1280, 720)
"""The size of the window of many a laptop."""


@pytest.mark.long
@pytest.mark.parametrize("slug", sorted(registry.games()))
async def test_two_people_play_on_the_page(browser: Browser, url: str, slug: str) -> None:
    ann, ben = await browser.window(url, "ann"), await browser.window(url, "ben")
    title = await begin(ann, ben, slug)
    touching = await open_page(ann, title, PHONE)
    typing = await open_page(ben, title, DESK)
    for _ in range(MOVES):
        both = [touching, typing]
        for one in both:
            await expect(one.page.locator("#prompt")).to_contain_text("turn")
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


async def edges(page: Page, selector: str) -> dict[str, float]:
    """Return where the only such part is in the window."""
    (found,) = await page.evaluate(BOXES, selector)
    return dict(found)


async def test_the_board_is_seen_at_once_and_says_who_plays_and_what_to_do(
    browser: Browser,
) -> None:
    async with running_program() as url:  # where nobody has another game to go on to
        await _seen_at_once(browser, url)


async def _seen_at_once(browser: Browser, url: str) -> None:
    ann, ben = await browser.window(url, "ann"), await browser.window(url, "ben")
    title = await begin(ann, ben, "tablaaza")
    opened = [await open_page(window, title, WIDE) for window in (ann, ben)]
    pages, ply = [one.page for one in opened], await opened[0].ply()
    for page in pages:
        svg = page.locator("#board svg")
        assert (await edges(page, "#board svg"))["bottom"] <= WIDE[1]
        for name in ("Ann", "Ben"):
            await expect(svg.locator("text").get_by_text(name, exact=True)).to_be_visible()
        await expect(page.locator("#history")).to_contain_text(f"Move {ply + 1} of {ply + 1}")
    turns = [await page.locator("#choosing").is_visible() for page in pages]
    assert sorted(turns) == [False, True]
    mover = pages[turns.index(True)]
    await expect(mover.locator("#choosing")).to_have_text("Tap a marked square.")
    words, slider = await edges(mover, "#prompt"), await edges(mover, "#history")
    assert words["bottom"] <= slider["top"], "whose turn it is stands right below the board"
    await mover.locator(".squares .can").first.click()
    for page in pages:
        await expect(page.locator("#history")).to_contain_text(f"Move {ply + 2} of {ply + 2}")


async def test_the_page_counts_moves_as_the_board_in_chat_does(browser: Browser, url: str) -> None:
    """A log has an entry for each throw, too, of which Thaayam has several a turn."""
    ann, ben = await browser.window(url, "ann"), await browser.window(url, "ben")
    title = await begin(ann, ben, "thaayam")
    opened = await open_page(ann, title, WIDE)
    assert await opened.ply() > 1, "it begins with throws"
    await ann.go_to_match(title)
    board = await (await ann.sees("or type")).inner_text()
    (move,) = re.findall(r"Move (\d+) · or type", board)
    await expect(opened.page.locator("#turn")).to_have_text(f"Move {move} of {move}")


async def test_a_square_that_the_board_marks_is_not_marked_twice(
    browser: Browser, url: str
) -> None:
    ann, ben = await browser.window(url, "ann"), await browser.window(url, "ben")
    title = await begin(ann, ben, "tablut")
    pages = [(await open_page(window, title, DESK)).page for window in (ann, ben)]
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
    title = await begin(ann, ben, "tablan")
    page = (await open_page(ann, title, size)).page
    controls = page.locator("#controls")
    await controls.get_by_role("button", name="Replay", exact=True).click()
    shown = page.get_by_role("dialog")
    picture = shown.locator("img").first
    await expect(picture).to_be_visible()
    await picture.evaluate("one => one.decode()")
    inside = (await edges(page, "dialog[open] img"))["right"]
    assert inside <= (await edges(page, "dialog[open]"))["right"]
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
    title = await begin(ann, ben, "tablut")
    page = (await open_page(ann, title, PHONE)).page
    before = await page.locator("#games button").count()
    await begin(ann, ben, "thaayam")
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    await expect(page.locator("#games button")).to_have_count(max(before, 1) + 1)
    row = await edges(page, "#games")
    assert row["bottom"] - row["top"] < 2 * 44
    current = await edges(page, "#games [aria-current]")
    assert current["left"] >= 0
    assert current["right"] <= PHONE[0]


async def test_who_signs_out_in_discord_sees_the_open_page_end(browser: Browser, url: str) -> None:
    ann, ben = await browser.window(url, "ann"), await browser.window(url, "ben")
    title = await begin(ann, ben, "tablut")
    page = (await open_page(ann, title, PHONE)).page
    await ann.slash("/me settings")
    await ann.messages.get_by_role("button").filter(has_text="Signed in").last.click()
    await ann.press("Sign out everywhere")
    await expect(page.get_by_role("alert")).to_contain_text("You're signed out.")
    await expect(page.locator("#match")).to_be_hidden()
    await page.close()


async def test_the_page_fits_a_phone_whose_text_is_twice_as_large(
    browser: Browser, url: str
) -> None:
    ann, ben = await browser.window(url, "ann"), await browser.window(url, "ben")
    page = (await open_page(ann, await begin(ann, ben, "tablut"), PHONE)).page
    await page.evaluate("() => { document.documentElement.style.fontSize = '200%'; }")
    wider = "one => one.scrollWidth - one.clientWidth"
    assert await page.locator("html").evaluate(wider) == 0
    board = await edges(page, "#board svg")
    assert board["left"] >= 0
    assert board["right"] <= PHONE[0]


async def test_what_only_screen_readers_are_told_is_in_the_readers_language(
    browser: Browser, url: str
) -> None:
    async def german(route: Route) -> None:
        answer = await route.fetch()
        await route.fulfill(response=answer, json={**await answer.json(), "locale": "de"})

    ann, ben = await browser.window(url, "ann"), await browser.window(url, "ben")
    await begin(ann, ben, "thaayam")
    page = (await open_page(ann, await begin(ann, ben, "tablut"), PHONE)).page
    await page.route("**/api/matches", german)
    await page.reload()
    await expect(page.get_by_role("navigation", name="Partien", exact=True)).to_be_visible()
    await expect(page.locator("html")).to_have_attribute("lang", "de")
