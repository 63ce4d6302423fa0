"""Every component, form and picture, shown as in Discord."""

from __future__ import annotations

import pytest
from playwright.async_api import expect

from tests.browser.conftest import Environment
from tests.browser.harness import Browser, Window

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_every_component_is_shown(ann: Window) -> None:
    await ann.slash("/demo all")
    shown = await ann.sees("Everything")
    await expect(shown.get_by_role("heading", name="Everything")).to_be_visible()
    await expect(shown.locator(".text").first).to_have_text("Above the box, January 2, 1970")
    await expect(shown.locator(".container.accented")).to_have_count(1)
    await expect(shown.get_by_role("separator")).to_have_count(1)
    await expect(shown.locator(".section")).to_have_count(2)
    await expect(shown.get_by_role("button", name="Out of use")).to_be_disabled()
    website = shown.get_by_role("link", name="Website")
    await expect(website).to_have_attribute("href", "https://example.org/rules")
    await expect(website).to_have_attribute("rel", "noopener noreferrer")
    await expect(shown.get_by_role("button", name="Dice")).to_contain_text("🎲")
    download = shown.get_by_role("link", name="Download notes.txt")
    async with ann.page.expect_download() as started:
        await download.click()
    assert (await started.value).suggested_filename == "notes.txt"


async def test_a_picture_has_a_description_and_can_be_enlarged(ann: Window) -> None:
    await ann.slash("/demo all")
    await ann.sees_picture("twelve black men")
    shown = ann.message("Everything").locator(".gallery .picture")
    words = shown.locator("figcaption")
    await expect(words).to_be_hidden()
    toggle = shown.get_by_role("button", name="Show description")
    await toggle.click()
    await expect(words).to_have_text(
        "A board of four rows.\nRank 4: twelve black men.\nRank 1: twelve white men.",
        use_inner_text=True,
    )
    large = shown.get_by_role("button", name="Enlarge picture")
    await large.click()
    await expect(ann.page.get_by_role("dialog", name="Picture").locator("img")).to_be_visible()
    await ann.page.keyboard.press("Escape")
    await expect(large).to_be_focused()


async def test_both_windows_see_a_press_at_once(
    env: Environment, browser: Browser, ann: Window
) -> None:
    ben = await browser.window(env.url, "ben", channel="games")
    await ann.slash("/demo count")
    await ben.sees("Counted 0")
    await ben.press("More")
    await ann.sees("Counted 1")
    await ann.press("More")
    await ben.sees("Counted 2")
    await expect(ben.messages).to_have_count(1)
    await expect(ben.message("Counted 2")).to_contain_text("(edited)")
    assert ben.problems == []


async def test_focus_stays_on_a_button_when_its_message_changes(ann: Window) -> None:
    await ann.slash("/demo count")
    await ann.button("More").focus()
    for count in (1, 2):
        await ann.page.keyboard.press("Enter")
        await ann.sees(f"Counted {count}")
        await expect(ann.button("More")).to_be_focused()
        await expect(ann.page.locator('[aria-busy="true"]')).to_have_count(0)


async def test_a_dialog_gives_the_focus_back_in_its_own_message_though_that_was_drawn_again(
    env: Environment, browser: Browser, ann: Window
) -> None:
    ben = await browser.window(env.url, "ben", channel="games")
    for _ in range(2):  # with the same controls
        await ann.slash("/demo count")
    for window in (ann, ben):
        await expect(window.messages).to_have_count(2)
    last = ann.messages.last
    await last.get_by_role("button", name="More").focus()
    await ann.page.keyboard.press("?")
    await expect(ann.page.get_by_role("dialog")).to_be_visible()
    await ben.press("More")
    await expect(last).to_contain_text("Counted 1")
    await ann.page.keyboard.press("Escape")
    await expect(last.get_by_role("button", name="More")).to_be_focused()
    assert ben.problems == []


async def test_a_single_choice_is_sent_when_picked(ann: Window) -> None:
    await ann.slash("/demo all")
    await ann.choose("A fruit", "Cherry")
    await ann.sees("Chosen: Cherry")
    await expect(ann.message("Everything").locator(".picker").first).to_contain_text("Cherry")


async def test_several_choices_are_sent_together_within_the_limits(ann: Window) -> None:
    await ann.slash("/demo all")
    await ann.messages.locator(".picker").filter(has_text="Two or three").click()
    popup = ann.page.locator(".popup:popover-open")
    done = popup.get_by_role("button", name="Done")
    await expect(done).to_be_disabled()
    for name in ("Apple", "Fig", "Grape", "Hazel"):
        await popup.get_by_role("option", name=name).click()
    await expect(popup.get_by_role("option", selected=True)).to_have_count(3)
    await done.click()
    await ann.sees("Chosen: Apple, Fig, Grape")


async def test_a_menu_can_be_searched_and_used_with_the_keyboard(ann: Window) -> None:
    await ann.slash("/demo all")
    await ann.messages.locator(".picker").filter(has_text="A fruit").focus()
    keyboard = ann.page.keyboard
    await keyboard.press("ArrowDown")
    await keyboard.type("da")
    await expect(ann.page.locator(".popup .option")).to_have_text(["DamsonThe letter D"])
    await keyboard.press("Enter")
    await ann.sees("Chosen: Damson")


async def test_menus_of_people_roles_and_channels_offer_all_of_them(ann: Window) -> None:
    await ann.slash("/demo lists")
    await ann.choose("A person", "Dan")
    await ann.sees("Chosen: @Dan")
    await ann.choose("A role", "@Old Board Games")
    await ann.sees("Chosen: Old Board Games")
    await ann.choose("Anybody", "Carol")
    await ann.sees("Chosen: @Carol")
    await ann.choose("A channel", "quiet")
    await ann.sees("Chosen: #quiet")


async def test_a_form_is_validated_filled_and_answered(ann: Window) -> None:
    await ann.slash("/demo form")
    form = ann.page.get_by_role("dialog", name="A form")
    await expect(form.locator("input").first).to_be_focused()
    await form.get_by_role("button", name="Submit").click()
    await expect(form.locator(".field-problem:visible")).to_have_text(
        ["Please fill this in.", "Please choose."]
    )
    await ann.fill_form(
        "A form", {"Name": "Castle", "Story": "Long ago", "Fruit": "Banana", "Friend": "Ben"}
    )
    await ann.sees("Form: Castle, Long ago, Banana, Ben")
    await expect(ann.page.locator("#say")).to_be_focused()


async def test_the_boxes_of_a_form_can_be_ticked(ann: Window) -> None:
    await ann.slash("/demo boxes")
    await ann.fill_form("Boxes", {"Colour": "Green", "Days": ["Tuesday"], "Agreed": "Agreed"})
    await ann.sees("Boxes: Green ['Tuesday'] True")


async def test_escape_closes_a_form_without_sending_it(env: Environment, ann: Window) -> None:
    await ann.slash("/demo form")
    form = ann.page.get_by_role("dialog", name="A form")
    await expect(form).to_be_visible()
    await ann.page.keyboard.press("Escape")
    await expect(form).to_have_count(0)
    assert env.playground.channel("games").messages == {}


async def test_an_ephemeral_message_appears_on_one_screen_only(
    env: Environment, browser: Browser, ann: Window
) -> None:
    ben = await browser.window(env.url, "ben", channel="games")
    await ann.slash("/demo secret")
    shown = await ann.sees("A secret")
    await expect(shown).to_contain_text("Only you can see this, until Discord is reloaded")
    await ann.press("Tell")
    await ben.sees("Ann pressed Tell")
    await expect(ben.messages).to_have_count(1)
    await ben.page.reload()
    await ben.sees("Ann pressed Tell")
    assert "A secret" not in await ben.page.content()
    await ann.page.get_by_role("button", name="Dismiss message").click()
    await expect(ann.messages.filter(has_text="A secret")).to_have_count(0)


async def test_a_deferred_answer_shows_the_bot_thinking_until_it_arrives(
    env: Environment, ann: Window
) -> None:
    await ann.slash("/demo slow")
    await ann.sees("Old Board Games is thinking…")
    env.bot.go_on.set()
    await ann.sees("At last")
    await expect(ann.messages).to_have_count(1)
    await expect(ann.page.locator(".thinking")).to_have_count(0)


async def test_a_classic_message_shows_text_embed_picture_and_button(ann: Window) -> None:
    await ann.slash("/demo classic")
    shown = await ann.sees("Classic words")
    await expect(shown.locator(".text strong").first).to_have_text("words")
    embed = shown.locator(".embed")
    await expect(embed.locator(".embed-title")).to_have_text("Standings")
    await expect(embed.locator("dt")).to_have_text(["Ann", "Ben"])
    await expect(embed.locator(".embed-foot")).to_have_text("page 1 of 1")
    await ann.sees_picture("twelve white men")
    await ann.press("Classic")
    await ann.sees("Ann pressed Classic")


async def test_a_press_the_bot_ignores_is_shown_as_failed(env: Environment, ann: Window) -> None:
    await ann.slash("/demo count")
    await env.bot.close()
    await ann.button("More").click()
    await env.playground.world.until(
        lambda _event: env.waiting(env.playground.person("Ann")) or None, what="the press"
    )
    env.clock.advance(3.1)
    await expect(ann.message("Counted 0").get_by_role("alert")).to_have_text(
        "This interaction failed"
    )


async def test_a_thread_is_listed_below_its_channel_and_linked(ann: Window) -> None:
    await ann.slash("/demo thread")
    card = ann.page.locator(".thread-card")
    await expect(card).to_contain_text("Back room")
    under = ann.page.locator("#places .threads a")
    await expect(under).to_have_accessible_name("Back room, 1 mention")
    await card.click()
    await ann.sees("Welcome, @Ann")
    await expect(ann.page.locator("#channel-topic")).to_have_text("Thread in #games")
    await expect(under).to_have_accessible_name("Back room")


async def test_the_second_click_of_a_double_click_presses_nothing_that_moved_under_it(
    ann: Window,
) -> None:
    await ann.slash("/demo count")
    await ann.sees("Counted 0")
    # Where the pressed button was, another one appears at once.
    await ann.page.evaluate(
        """() => {
          const more = [...document.querySelectorAll("button")].find((b) => b.textContent === "More");
          more.addEventListener("click", (event) => {
            const other = document.createElement("button");
            other.textContent = "Resign";
            other.addEventListener("click", () => (window.resigned = true));
            const at = `left: ${event.clientX - 20}px; top: ${event.clientY - 10}px`;
            other.style.cssText = `position: fixed; z-index: 9; ${at}`;
            document.body.append(other);
          });
        }"""
    )
    box = await ann.button("More").bounding_box()
    assert box is not None
    await ann.page.mouse.dblclick(box["x"] + 4, box["y"] + box["height"] / 2)
    await expect(ann.page.get_by_role("button", name="Resign")).to_be_visible()
    assert not await ann.page.evaluate("window.resigned ?? false")
    await ann.page.get_by_role("button", name="Resign").click()
    assert await ann.page.evaluate("window.resigned")


@pytest.mark.parametrize("height", [860, 420])
async def test_a_menu_opens_to_the_side_with_more_room_and_stays_on_the_screen(
    ann: Window, height: int
) -> None:
    await ann.page.set_viewport_size({"width": 1280, "height": height})
    await ann.slash("/demo all")
    await ann.sees("Everything")
    await ann.sees_picture("twelve black men")
    for button in await ann.message("Everything").locator("button.picker:enabled").all():
        await button.scroll_into_view_if_needed()
        await button.click()
        popup = ann.page.locator(".popup:popover-open")
        listed, pressed = await popup.bounding_box(), await button.bounding_box()
        assert listed is not None
        assert pressed is not None
        assert listed["y"] >= 0
        assert listed["y"] + listed["height"] <= height
        below = height - pressed["y"] - pressed["height"]
        if listed["y"] < pressed["y"]:
            assert below < pressed["y"], "it opens upwards only where there is more room"
        whole = await popup.locator("ul").evaluate("l => l.scrollHeight <= l.clientHeight + 1")
        assert whole or listed["height"] >= max(below, pressed["y"]) - 20, (
            "as much as fits is shown"
        )
        await ann.page.keyboard.press("Escape")
