"""What is beside the board on the page: offers, rematches, lessons, and a typed move."""

from __future__ import annotations

import pytest
from playwright.async_api import Page, Route, expect

from tests.browser.harness import DESK, PHONE, Browser, Window
from tests.browser.pages import NEWS, both, open_page, press

pytestmark = pytest.mark.asyncio(loop_scope="session")


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


async def alone(browser: Browser, url: str, name: str) -> Window:
    """Open somebody's direct messages with the bot."""
    window = await browser.window(url, name, channel="games")
    await window.page.locator("#right .person").filter(has_text="Old Board Games").click()
    await window.page.get_by_role("menuitem", name="Send a direct message").click()
    await expect(window.page.locator("#channel-name")).to_have_text("Old Board Games")
    return window


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


async def test_a_rematch_is_asked_for_and_accepted_on_the_page_and_both_see_it_begin(
    browser: Browser, url: str
) -> None:
    mover, other = await both(browser, url)
    asked, offers = mover.page.locator("#offers"), other.page.locator("#offers")
    await press(other.page, "Resign", "Resign")
    for answer in ("Withdraw", "Accept"):
        await press(other.page, "Rematch")
        await in_view(mover.page, "wants a rematch")
        await expect(asked.get_by_role("button")).to_have_text(["Decline", "Accept"])
        await expect(offers.get_by_role("button")).to_have_text(["Withdraw"])
        await press(other.page if answer == "Withdraw" else mover.page, answer)
        await expect(asked).to_be_hidden()
        await expect(offers).to_be_hidden()
    for one in (mover, other):
        found = await one.page.evaluate("fetch('/api/matches').then((one) => one.json())")
        games = one.page.locator("#games button")
        await expect(games).to_have_count(len(found["matches"]))
        assert len(found["matches"]) > 0
    assert mover.problems == other.problems == []


async def test_who_has_no_games_sees_the_first_one_begin(browser: Browser, url: str) -> None:
    carol = await alone(browser, url, "carol")
    await carol.slash("/tablut practice", level="1")
    opened = await open_page(carol, "Tablut", DESK)
    await press(opened.page, "Resign", "Resign")
    await opened.page.evaluate("location.hash = ''")
    await opened.page.reload()
    await expect(opened.page.get_by_role("alert")).to_contain_text("You have no games going.")
    await carol.slash("/tablaaza practice", level="1")
    await expect(opened.page.locator("#heading")).to_contain_text("Tablaaza")
    await expect(opened.page.get_by_role("alert")).to_have_count(0)
    assert opened.problems == []


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
    mover, other = await both(browser, url)
    page = mover.page
    for label in ("Rules", "Lessons"):
        control = page.locator("#controls").get_by_role("button", name=label, exact=True)
        await control.focus()
        await page.keyboard.press("Enter")
        await expect(page.get_by_role("dialog")).to_be_visible()
        await expect(page.locator("body")).not_to_have_attribute("aria-busy", "true")
        if label == "Lessons":  # the controls are drawn again meanwhile
            await press(other.page, "Offer a draw")
            await expect(page.locator("#offers")).to_contain_text("offers you a draw")
        await page.keyboard.press("Escape")
        await expect(control).to_be_focused()
        await expect(page.get_by_role("dialog")).to_have_count(0)
    assert mover.problems == other.problems == []


async def test_a_dialog_that_closes_leaves_the_focus_where_it_is_by_then(
    browser: Browser, url: str
) -> None:
    mover, _ = await both(browser, url)
    page = mover.page
    await page.locator("#controls").get_by_role("button", name="Rules", exact=True).press("Enter")
    await expect(page.get_by_role("dialog")).to_be_visible()
    lessons = page.locator("#controls").get_by_role("button", name="Lessons", exact=True)
    await lessons.evaluate(
        "one => { document.querySelector('dialog[open]').close(); one.focus(); }"
    )
    await expect(page.locator("dialog")).to_have_count(0)
    await expect(lessons).to_be_focused()
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


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
async def test_a_match_in_direct_messages_names_its_player(
    browser: Browser, url: str, size: tuple[int, int]
) -> None:
    ann = await alone(browser, url, "ann")
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


async def test_the_focus_stays_among_the_controls_when_one_is_gone_once_pressed(
    browser: Browser, url: str
) -> None:
    mover, _ = await both(browser, url)
    page, controls = mover.page, mover.page.locator("#controls")
    mute = controls.get_by_role("button", name="Mute reminders", exact=True)
    await mute.focus()
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("dialog")).to_be_visible()
    await expect(mute).to_have_count(0)
    await page.keyboard.press("Escape")
    await expect(controls.get_by_role("button").first).to_be_focused()
    assert mover.problems == []
