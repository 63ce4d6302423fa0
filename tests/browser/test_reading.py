"""Reading: unread messages, history, formatting, and a lost connection."""

from __future__ import annotations

import pytest
from playwright.async_api import expect

from tests.browser.conftest import Environment
from tests.browser.harness import Browser, Window

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_others_see_a_message_at_once(
    env: Environment, browser: Browser, ann: Window
) -> None:
    ben = await browser.window(env.url, "ben", channel="games")
    await ann.says("Good evening")
    await ben.sees("Good evening")
    await expect(ben.page.locator("#voice")).to_have_text("Ann: Good evening")
    env.playground.person("Carol").says("# Hello\nsecond **line**", channel="games")
    await expect(ben.page.locator("#voice")).to_have_text("Carol: Hello second line")
    await expect(ann.messages).to_have_count(2)


async def test_a_mention_elsewhere_is_counted_in_list_and_title_until_read(
    env: Environment, browser: Browser, ann: Window
) -> None:
    ben = await browser.window(env.url, "ben", channel="general")
    await ann.says("Nothing for you")
    games = ben.page.locator("#places a").filter(has_text="games")
    await expect(games).to_have_accessible_name("games, unread")
    await ann.says("Your turn, @Ben")
    await expect(games).to_have_accessible_name("games, 1 mention")
    await expect(ben.page).to_have_title("(1) #general · Ben")
    await ben.go("games")
    await expect((await ben.sees("Your turn")).locator(".mention")).to_have_text("@Ben")
    await expect(ben.page.locator(".new-line")).to_have_count(1)
    await expect(games).to_have_accessible_name("games")
    await expect(ben.page).to_have_title("#games · Ben")


async def test_clicking_a_channel_works_even_if_the_list_changes_meanwhile(
    env: Environment, browser: Browser
) -> None:
    ben = await browser.window(env.url, "ben", channel="general")
    games = ben.page.locator("#places a").filter(has_text="games")
    await games.hover()
    await ben.page.mouse.down()
    env.playground.person("Ann").says("Good evening", channel="games")
    env.playground.person("Ann").says("Here, too", channel="general")
    await ben.sees("Here, too")
    await ben.page.mouse.up()
    await expect(ben.page.locator("#channel-name")).to_have_text("games")
    await ben.sees("Good evening")
    await expect(games).to_have_accessible_name("games")
    assert ben.problems == []


async def test_reading_in_one_window_marks_as_read_in_the_other(
    env: Environment, browser: Browser
) -> None:
    ben = env.playground.person("Ben")
    env.playground.person("Ann").says(f"Look, {ben.mention}", channel="games")
    first = await browser.window(env.url, "ben", channel="general")
    second = await browser.window(env.url, "ben", channel="general")
    games = second.page.locator("#places a").filter(has_text="games")
    await expect(games).to_have_accessible_name("games, 1 mention")
    await first.go("games")
    await expect(games).to_have_accessible_name("games")


async def test_html_in_a_message_is_shown_as_text(ann: Window) -> None:
    nasty = "<img src=x onerror=alert(1)> [x](javascript:alert(2)) <script>alert(3)</script>"
    await ann.says(nasty)
    shown = await ann.sees("onerror")
    await expect(shown.locator(".text")).to_have_text(nasty)
    await expect(shown.locator(".text").locator("img, a, script")).to_have_count(0)


async def test_formatting_looks_as_in_discord(env: Environment, browser: Browser) -> None:
    ben = env.playground.person("Ben")
    games = env.playground.channel("games")
    env.playground.person("Ann").says(
        "# Title\n"
        "**bold** *slanted* _too_ __under__ ~~gone~~ ***both*** `co*d*e` \\*plain\\*\n"
        "> quoted\n"
        "- one\n  - inner\n- two\n"
        "3. third\n"
        "-# small\n"
        "```py\n<b>x</b>\n```\n"
        f"||hidden|| {ben.mention} <#{games.id}> snake_case_word https://example.org/a_b.",
        channel="games",
    )
    window = await browser.window(env.url, "ben", channel="games")
    text = (await window.sees("Title")).locator(".text")
    await expect(text.get_by_role("heading", name="Title")).to_be_visible()
    await expect(text.locator("p > strong")).to_have_text(["bold", "both"])
    await expect(text.locator("p > em")).to_have_text(["slanted", "too"])
    await expect(text.locator("strong > em")).to_have_text("both")
    await expect(text.locator("u")).to_have_text("under")
    await expect(text.locator("s")).to_have_text("gone")
    await expect(text.locator("p > code")).to_have_text("co*d*e")
    await expect(text).to_contain_text("*plain*")
    await expect(text.locator("blockquote")).to_have_text("quoted")
    await expect(text.locator("ul ul > li")).to_have_text("inner")
    await expect(text.locator("ol")).to_have_attribute("start", "3")
    await expect(text.locator(".subtext")).to_have_text("small")
    await expect(text.locator("pre")).to_have_text("<b>x</b>")
    await expect(text.locator(".mention")).to_have_text(["@Ben", "#games"])
    await expect(text).to_contain_text("snake_case_word")
    await expect(text.get_by_role("link", name="https://example.org/a_b")).to_be_visible()
    spoiler = text.get_by_role("button", name="Spoiler")
    await spoiler.focus()
    await window.page.keyboard.press("Enter")
    await expect(text.get_by_text("hidden", exact=True)).to_be_visible()


async def test_earlier_messages_load_on_scrolling_up_without_moving_the_view(
    env: Environment, browser: Browser
) -> None:
    for number in range(1, 121):
        env.playground.person("Ben").says(f"Message number {number}.", channel="games")
    ann = await browser.window(env.url, "ann", channel="games")
    await expect(ann.messages).to_have_count(50)
    await expect(ann.messages.last).to_be_in_viewport()
    pane = ann.page.locator("#pane")
    await pane.evaluate("pane => pane.scrollTo(0, 0)")
    await expect(ann.messages).to_have_count(100)
    await expect(ann.message("Message number 71.")).to_be_in_viewport()
    await pane.evaluate("pane => pane.scrollTo(0, 0)")
    await expect(ann.messages).to_have_count(120)
    await expect(ann.page.locator("#older")).to_contain_text("Welcome to #games")
    await ann.page.keyboard.press("Escape")
    await expect(ann.messages.last).to_be_in_viewport()


async def test_a_link_to_a_message_opens_it(env: Environment, browser: Browser) -> None:
    playground = env.playground
    first = playground.person("Ben").says("The very first", channel="games")
    for number in range(80):
        playground.person("Ben").says(f"Chatter {number}", channel="games")
    address = f"https://discord.com/channels/{playground.guild.id}/{first.channel.id}/{first.id}"
    playground.person("Ben").says(f"See {address}", channel="general")
    ann = await browser.window(env.url, "ann", channel="general")
    await (await ann.sees("See")).get_by_role("link").click()
    await expect(ann.page.locator("#channel-name")).to_have_text("games")
    await expect(ann.message("The very first")).to_be_in_viewport()
    await expect(ann.message("The very first")).to_be_focused()


async def test_new_messages_wait_below_while_reading_above(
    env: Environment, browser: Browser
) -> None:
    for number in range(60):
        env.playground.person("Ben").says(f"Chatter {number}", channel="games")
    ann = await browser.window(env.url, "ann", channel="games")
    await expect(ann.messages.last).to_be_in_viewport()
    # A browser reports scrolling a frame later.
    await ann.page.locator("#pane").evaluate(
        """pane => new Promise(told => {
            pane.addEventListener("scroll", () => requestAnimationFrame(told), { once: true });
            pane.scrollTo(0, pane.scrollHeight / 2);
        })"""
    )
    env.playground.person("Ben").says("Down here", channel="games")
    pill = ann.page.get_by_role("button", name="New messages")
    await expect(pill).to_be_visible()
    await expect(ann.message("Down here")).not_to_be_in_viewport()
    await pill.click()
    await expect(ann.message("Down here")).to_be_in_viewport()
    await expect(pill).to_be_hidden()


async def test_the_only_message_is_read_from_its_top_and_the_next_ones_are_followed(
    env: Environment, ann: Window
) -> None:
    ben = env.playground.person("Ben")
    ben.says("\n".join(f"Line {number}" for number in range(60)), channel="games")
    await expect(ann.messages.last.get_by_text("Line 0")).to_be_in_viewport()
    for number in range(30):
        ben.says(f"Next {number}", channel="games")
    await expect(ann.messages.last).to_contain_text("Next 29")
    await expect(ann.messages.last).to_be_in_viewport()


async def test_a_lost_connection_is_restored_with_missed_messages_and_no_duplicates(
    env: Environment, ann: Window
) -> None:
    await ann.says("Before")
    message = env.playground.person("Ben").says("To be deleted", channel="games")
    await ann.sees("To be deleted")
    env.page.closed = True
    await env.page.drop_windows()
    await expect(ann.page.locator("#connection")).to_have_text("Not connected. Trying again…")
    await ann.page.locator("#say").fill("Unsent")
    await ann.page.keyboard.press("Enter")
    await expect(ann.page.locator("#composer-problem")).to_contain_text("Not connected")
    await expect(ann.page.locator("#say")).to_have_value("Unsent")
    env.playground.person("Ben").says("Meanwhile", channel="games")
    env.playground.person("Ben").deletes(message)
    env.page.closed = False
    await ann.sees("Meanwhile")
    await expect(ann.page.locator("#connection")).to_be_hidden()
    await expect(ann.page.locator(".message .text")).to_have_text(["Before", "Meanwhile"])
    # The browser itself complains of each attempt meanwhile.
    ann.problems[:] = [one for one in ann.problems if "WebSocket" not in one]


async def test_channels_can_be_reached_with_the_keyboard(
    env: Environment, browser: Browser
) -> None:
    ann = await browser.window(env.url, "ann", channel="general")
    name = ann.page.locator("#channel-name")
    await ann.page.keyboard.press("Alt+ArrowDown")
    await expect(name).to_have_text("games")
    await ann.page.keyboard.press("Alt+ArrowUp")
    await expect(name).to_have_text("general")
    await ann.page.locator("#say").focus()
    await ann.page.keyboard.press("F6")
    await expect(ann.page.locator("#right button").first).to_be_focused()
    await ann.page.keyboard.press("F6")
    await expect(ann.page.locator("#places [aria-current]")).to_be_focused()


async def test_every_control_has_an_accessible_name(ann: Window) -> None:
    await ann.slash("/demo all")
    await ann.slash("/demo classic")
    await ann.slash("/demo secret")
    await ann.sees("A secret")
    nameless = [
        await one.evaluate("element => element.outerHTML")
        for role in ("button", "link", "textbox", "combobox", "img")
        for one in await ann.page.get_by_role(role).all()
        if '"' not in (await one.aria_snapshot()).split("\n")[0]
    ]
    assert nameless == []
