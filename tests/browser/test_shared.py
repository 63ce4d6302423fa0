"""The page of a link as strangers see it: on a desk and a phone, by touch and by the keyboard."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import pytest_asyncio
from playwright.async_api import Page, expect

from tests.browser.bot import running_program
from tests.browser.harness import DESK, PHONE, Browser
from tests.browser.pages import IMPATIENT, PATIENT, unanswered

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.long]


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def url() -> AsyncIterator[str]:
    """The URL of a program with finished matches."""
    async with running_program(demo=True) as address:
        yield address


async def shared(browser: Browser, url: str) -> tuple[str, Page]:
    """Share a finished match; return the link's address, and a page of whoever did."""
    ann = await browser.window(url, "ann", channel="games")
    board = await ann.sees("won against")
    await ann.press("Replay", board)
    await ann.press("Share a link")
    await ann.sees("Anyone with the link")
    await ann.press("Make a link")
    link = ann.page.get_by_role("link", name="Open the link").last
    address = await link.get_attribute("href")
    assert address is not None
    return address, ann.page


@asynccontextmanager
async def stranger(
    page: Page, address: str, size: tuple[int, int], *, language: str = "en-GB", code: bool = True
) -> AsyncIterator[tuple[Page, list[str]]]:
    """Open a link in a browser that was never here; return it with what it complains of."""
    owner = page.context.browser
    assert owner is not None
    context = await owner.new_context(
        locale=language,
        viewport={"width": size[0], "height": size[1]},
        java_script_enabled=code,
    )
    opened, problems = await context.new_page(), list[str]()
    opened.on("pageerror", lambda error: problems.append(str(error)))
    opened.on("console", lambda said: problems.append(said.text))
    await opened.goto(address)
    yield opened, problems
    await context.close()


@pytest.mark.parametrize("size", [DESK, PHONE])
async def test_a_stranger_steps_through_the_game(
    browser: Browser, url: str, size: tuple[int, int]
) -> None:
    address, page = await shared(browser, url)
    async with stranger(page, address, size) as (opened, problems):
        await expect(opened).to_have_title(re.compile("Ann"))
        svg = opened.locator("#board svg")
        await expect(svg).to_have_attribute("role", "img")
        last = await svg.get_attribute("aria-label")
        slider = opened.get_by_role("slider")
        stops = int(await slider.get_attribute("max") or 0)
        await expect(slider).to_have_value(str(stops))
        story = opened.get_by_role("status")
        await opened.get_by_role("button", name="First").click()
        await expect(story).to_have_text("The start.")
        await expect(slider).to_have_attribute("aria-valuetext", re.compile(r"Move 0 of \d+"))
        await expect(svg).not_to_have_attribute("aria-label", last or "")
        await opened.get_by_role("button", name="Next").click()
        await expect(story).to_contain_text("1. ")
        await slider.focus()
        await opened.keyboard.press("End")
        await expect(svg).to_have_attribute("aria-label", last or "")
        await opened.evaluate("document.activeElement.blur()")
        await opened.keyboard.press("ArrowLeft")
        await expect(slider).to_have_value(str(stops - 1))
        await opened.get_by_text("All moves").click()
        await opened.locator(".moves button").nth(5).click()
        await expect(slider).to_have_value("5")
        await expect(opened.locator(".moves [aria-current=step]")).to_have_count(1)
        await svg.click()
        await expect(slider).to_have_value("5")
        heights = await opened.locator("button:visible").evaluate_all(
            "all => all.map(one => one.getBoundingClientRect().height)"
        )
        assert min(heights) >= 44
        beyond = "document.documentElement.scrollWidth - innerWidth"
        assert await opened.evaluate(beyond) <= 0
        assert problems == []


async def test_without_code_there_is_the_picture_with_all_words(browser: Browser, url: str) -> None:
    address, page = await shared(browser, url)
    async with stranger(page, address, PHONE, language="sv", code=False) as (opened, _):
        await expect(opened.locator("html")).to_have_attribute("lang", "sv-SE")
        picture = opened.get_by_role("img")
        await expect(picture).to_be_visible()
        assert await picture.evaluate("one => one.naturalWidth") > 300
        assert len(await picture.get_attribute("alt") or "") > 50
        await opened.get_by_text("Alla drag").click()
        await expect(opened.locator(".moves li").first).to_be_visible()


async def test_a_lost_connection_is_told_and_mended(browser: Browser, url: str) -> None:
    address, page = await shared(browser, url)
    async with stranger(page, address, DESK) as (opened, _):
        await expect(opened.locator("#board svg")).to_be_visible()
        await opened.route("**/boards/*", lambda route: route.abort())
        await opened.get_by_role("button", name="First").click()
        await expect(opened.get_by_role("status")).to_have_text("Not connected. Trying again…")
        await opened.unroute("**/boards/*")
        await expect(opened.get_by_role("status")).to_have_text("The start.")


async def test_an_answer_that_never_comes_is_given_up(browser: Browser, url: str) -> None:
    address, page = await shared(browser, url)
    async with stranger(page, address, DESK) as (opened, _):
        await opened.add_init_script(IMPATIENT)
        async with unanswered(opened, "**/boards/*"):
            await opened.reload()
            await expect(opened.get_by_role("status")).to_have_text("Not connected. Trying again…")
            await opened.evaluate(PATIENT)
        await expect(opened.locator("#board svg")).to_be_visible()


async def test_an_ended_link_says_so(browser: Browser, url: str) -> None:
    address, page = await shared(browser, url)
    await page.get_by_role("button", name="End this link").last.click()
    await expect(page.get_by_text("1 link ended.").last).to_be_visible()
    async with stranger(page, address, PHONE, language="de") as (opened, _):
        await expect(opened.get_by_text("Dieser Link funktioniert nicht mehr")).to_be_visible()


async def test_who_looks_on_when_a_link_is_ended_is_told(browser: Browser, url: str) -> None:
    address, page = await shared(browser, url)
    async with (
        stranger(page, address, DESK) as (opened, _),
        stranger(page, address, PHONE) as (other, _),
    ):
        await expect(opened.locator("#board svg")).to_be_visible()
        await expect(other.locator("#board svg")).to_be_visible()
        await page.get_by_role("button", name="End this link").last.click()
        await expect(page.get_by_text("1 link ended.").last).to_be_visible()
        await opened.get_by_role("button", name="First").click()
        await other.goto(address)
        for one in (opened, other):
            await expect(one.get_by_text("This link doesn't work any more")).to_be_visible()
