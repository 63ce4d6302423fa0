"""Men dragged on the page, by a mouse and by a finger, and all that is no drag."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import CDPSession, Page, expect

from tests.browser.bot import running_program
from tests.browser.harness import DESK, PHONE, Browser
from tests.browser.matches import begin
from tests.browser.pages import BoardPage, open_page

pytestmark = pytest.mark.asyncio(loop_scope="session")

Point = tuple[float, float]

SQUARE = '#board .squares [data-square="{}"]'
MOVED = """() => [...document.querySelectorAll("#board .token")]
  .filter((one) => one.style.transform).map((one) => one.dataset.square)"""


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def url() -> AsyncIterator[str]:
    """The URL of a program that all games are played in."""
    async with running_program() as address:
        yield address


async def opened(
    browser: Browser, url: str, slug: str, *, touch: bool = False
) -> tuple[BoardPage, BoardPage]:
    """Begin a match on the page; return the mover's page and the other one's."""
    ann = await browser.window(url, "ann", touch=touch)
    ben = await browser.window(url, "ben", touch=touch)
    title = await begin(ann, ben, slug)
    pages = [await open_page(one, title, PHONE if touch else DESK) for one in (ann, ben)]
    turns = [await one.page.locator(one.choices).count() > 0 for one in pages]
    return pages[turns.index(True)], pages[turns.index(False)]


async def at(page: Page, square: str) -> Point:
    """Return the middle of a square in the window."""
    box = await page.locator(SQUARE.format(square)).bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


async def names(page: Page, kind: str) -> list[str]:
    """Return the squares of a kind."""
    found: list[str] = await page.locator(f"#board .squares {kind}").evaluate_all(
        "all => all.map((one) => one.dataset.square)"
    )
    return found


async def free_man(page: Page) -> tuple[str, list[str], str]:
    """Return a man who can move, where he can go, and where he cannot; nothing is chosen then."""
    for man in await names(page, ".goes"):
        await page.locator(SQUARE.format(man)).click()
        goals = await names(page, ".can")
        await page.keyboard.press("Escape")
        if goals:
            refused = [
                one for one in await names(page, "[data-square]:not(.can)") if one not in goals
            ]
            return man, goals, refused[0]
    raise AssertionError("nobody can move")


class Mouse:
    """A mouse over the page."""

    def __init__(self, page: Page) -> None:
        self.page = page

    async def down(self, point: Point) -> None:
        """Press the button."""
        await self.page.mouse.move(*point)
        await self.page.mouse.down()

    async def move(self, point: Point) -> None:
        """Move it in small steps."""
        await self.page.mouse.move(*point, steps=4)

    async def up(self) -> None:
        """Let go of the button."""
        await self.page.mouse.up()


class Fingers:
    """Fingers on the page, as the browser gets them from a touch screen."""

    def __init__(self, cdp: CDPSession) -> None:
        self.cdp = cdp
        self.at: list[Point] = []

    async def _send(self, kind: str, points: Sequence[Point]) -> None:
        touches: list[dict[str, Any]] = [
            {"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)
        ]
        await self.cdp.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    async def down(self, point: Point) -> None:
        """Put one more finger down."""
        self.at.append(point)
        await self._send("touchStart", self.at)

    async def move(self, point: Point) -> None:
        """Move the first finger in small steps."""
        x, y = self.at[0]
        for part in range(1, 9):
            self.at[0] = (x + (point[0] - x) * part / 8, y + (point[1] - y) * part / 8)
            await self._send("touchMove", self.at)

    async def up(self) -> None:
        """Lift all fingers."""
        self.at.clear()
        await self._send("touchEnd", self.at)


async def hand(page: Page, *, touch: bool) -> Mouse | Fingers:
    """Return what drags on a page."""
    return Fingers(await page.context.new_cdp_session(page)) if touch else Mouse(page)


async def drag(tool: Mouse | Fingers, *way: Point) -> None:
    """Press at the first point, go to each other one, and let go."""
    first, *others = way
    await tool.down(first)
    for point in others:
        await tool.move(point)
    await tool.up()


async def nothing_moved(page: Page, *, chosen: Sequence[str] = ()) -> None:
    """Assert that all men stand where they stood, and that no move is on its way."""
    await expect(page.locator("body")).not_to_have_attribute("aria-busy", "true")
    assert await page.evaluate(MOVED) == []
    assert await names(page, ".chosen") == list(chosen)


@pytest.mark.parametrize("slug", ["tablan", "tablut"])
@pytest.mark.parametrize("touch", [False, True])
async def test_a_dragged_man_moves(browser: Browser, url: str, slug: str, *, touch: bool) -> None:
    mover, other = await opened(browser, url, slug, touch=touch)
    page, ply = mover.page, await mover.ply()
    tool = await hand(page, touch=touch)
    man, goals, _ = await free_man(page)
    start, goal = await at(page, man), await at(page, goals[-1])
    await tool.down(start)
    await tool.move(goal)
    assert await page.evaluate(MOVED) == [man], "he follows"
    await tool.up()
    for one in (mover, other):
        await expect(one.page.locator("#history input")).not_to_have_attribute("max", str(ply))
    await expect(other.page.locator("#story")).to_contain_text(goals[-1])
    await nothing_moved(page)
    assert mover.problems == other.problems == []


@pytest.mark.parametrize("touch", [False, True])
async def test_a_man_who_may_not_stand_where_he_is_dropped_goes_back(
    browser: Browser, url: str, *, touch: bool
) -> None:
    mover, _ = await opened(browser, url, "tablut", touch=touch)
    page, ply = mover.page, await mover.ply()
    tool = await hand(page, touch=touch)
    man, goals, refused = await free_man(page)
    start = await at(page, man)
    others = [one for one in await names(page, ".goes") if one != man]
    heading = await page.locator("#heading").bounding_box()
    assert heading is not None
    beside = (heading["x"] + heading["width"] / 2, heading["y"] + heading["height"] / 2)
    # On a square that he cannot reach, on another man of his side, beside the board.
    for end in (await at(page, refused), await at(page, others[-1]), beside):
        await drag(tool, start, end)
        await nothing_moved(page, chosen=[man])
    # The pointer that left the board with him no longer moves him.
    await page.mouse.move(*await at(page, goals[0]))
    await nothing_moved(page, chosen=[man])
    # Where he has been is where he goes back to; that is no second thought about choosing him.
    await drag(tool, start, await at(page, goals[0]), start)
    await nothing_moved(page, chosen=[man])
    # Another man can be dragged while this one is chosen.
    await drag(tool, await at(page, others[-1]), await at(page, refused))
    await nothing_moved(page, chosen=[others[-1]])
    assert await mover.ply() == ply
    await drag(tool, start, await at(page, goals[0]))
    await expect(page.locator("#history input")).to_have_attribute("max", str(ply + 1))
    assert mover.problems == []


async def test_two_fingers_move_nothing(browser: Browser, url: str) -> None:
    mover, _ = await opened(browser, url, "tablut", touch=True)
    page, ply = mover.page, await mover.ply()
    fingers = await hand(page, touch=True)
    man, goals, _ = await free_man(page)
    await fingers.down(await at(page, man))
    await fingers.move(await at(page, goals[0]))
    await fingers.down(await at(page, goals[-1]))
    await nothing_moved(page)
    await fingers.up()
    await nothing_moved(page)
    assert await mover.ply() == ply
    await drag(fingers, await at(page, man), await at(page, goals[0]))
    await expect(page.locator("#history input")).to_have_attribute("max", str(ply + 1))
    assert mover.problems == []


@pytest.mark.parametrize("slug", ["tablaaza", "tablut"])
async def test_a_finger_that_scrolls_the_page_chooses_nothing(
    browser: Browser, url: str, slug: str
) -> None:
    mover, _ = await opened(browser, url, slug, touch=True)
    page, ply = mover.page, await mover.ply()
    await page.set_viewport_size({"width": PHONE[0], "height": 420})
    fingers = await hand(page, touch=True)
    # Nearly every plot of Tablaaza can be built on; of Tablut's squares, those of men are for dragging.
    kind = ".can" if slug == "tablaaza" else "[data-square]:not(.can)"
    x, y = await at(page, (await names(page, kind))[-1])
    await drag(fingers, (x, y), (x, y - 150))
    await page.wait_for_function("() => scrollY > 50")
    await nothing_moved(page)
    assert await mover.ply() == ply
    assert mover.problems == []


async def test_a_mouse_that_only_comes_by_chooses_nothing(browser: Browser, url: str) -> None:
    mover, _ = await opened(browser, url, "tablaaza")
    page, ply = mover.page, await mover.ply()
    mouse = await hand(page, touch=False)
    first, second, *_ = await names(page, ".can")
    (closed, *_) = await names(page, "[data-square]:not(.can)")
    for start, end in ((first, second), (closed, first), (first, closed)):
        await drag(mouse, await at(page, start), await at(page, end))
        await nothing_moved(page)
    x, y = await at(page, first)
    assert await mover.ply() == ply
    await drag(mouse, (x, y), (x + 5, y + 5))
    await expect(page.locator("#history input")).to_have_attribute("max", str(ply + 1))
    assert mover.problems == []


async def test_a_key_takes_a_dragged_man_out_of_the_hand(browser: Browser, url: str) -> None:
    mover, _ = await opened(browser, url, "tablut")
    page, ply = mover.page, await mover.ply()
    mouse = await hand(page, touch=False)
    man, goals, _ = await free_man(page)
    start, goal = await at(page, man), await at(page, goals[0])
    await mouse.down(start)
    await mouse.move(goal)
    await page.keyboard.press("Escape")
    await nothing_moved(page)
    await mouse.up()
    await nothing_moved(page)
    other = next(one for one in await names(page, ".goes") if one != man)
    await page.locator(SQUARE.format(other)).focus()
    await mouse.down(start)
    await mouse.move(goal)
    await page.locator(SQUARE.format(other)).press("Enter")
    await nothing_moved(page, chosen=[other])
    await mouse.up()
    await nothing_moved(page, chosen=[other])
    # What is tried is not left because a man is put back.
    await page.get_by_role("button", name="Try moves", exact=True).click()
    await expect(page.locator("#draft")).to_contain_text("not played")
    await mouse.down(await at(page, man))
    await mouse.move(await at(page, goals[0]))
    assert await page.evaluate(MOVED) == [man]
    await page.keyboard.press("Escape")
    await mouse.up()
    await expect(page.locator("#draft")).to_contain_text("not played")
    assert await mover.ply() == ply
    assert mover.problems == []


async def test_a_match_that_ends_takes_a_dragged_man_out_of_the_hand(
    browser: Browser, url: str
) -> None:
    mover, other = await opened(browser, url, "tablut")
    page, ply = mover.page, await mover.ply()
    mouse = await hand(page, touch=False)
    man, goals, _ = await free_man(page)
    start, goal = await at(page, man), await at(page, goals[0])
    await mouse.down(start)
    await mouse.move(goal)
    await other.page.get_by_role("button", name="Resign", exact=True).click()
    dialog = other.page.get_by_role("dialog")
    await dialog.get_by_role("button", name="Resign", exact=True).click()
    await expect(page.locator("#prompt")).to_contain_text("resigned")
    await mouse.up()
    await nothing_moved(page)
    assert await mover.ply() == ply
    assert mover.problems == other.problems == []
