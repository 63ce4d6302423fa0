"""Typing commands: the palette, options, completion, errors, and the menu on a person."""

from __future__ import annotations

import pytest
from playwright.async_api import expect

from tests.browser.conftest import Environment
from tests.browser.harness import Browser, Window

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_typing_a_slash_offers_the_synced_commands(ann: Window) -> None:
    await ann.page.locator("#say").press_sequentially("/gue")
    offered = ann.page.locator(".popup .option")
    await expect(offered).to_have_count(1)
    await expect(offered).to_contain_text("/guess")
    await expect(offered).to_contain_text("Guess a word")
    await ann.page.keyboard.press("Escape")
    await expect(ann.page.locator("#say")).to_have_value("")


async def test_frequently_used_commands_come_first(ann: Window) -> None:
    await ann.page.locator("#say").press_sequentially("/")
    offered = ann.page.locator(".popup .option .option-label")
    await expect(offered.first).to_be_visible()
    before = await offered.all_text_contents()
    assert before[0] != "/demo classic"
    await ann.page.keyboard.press("Escape")
    await ann.slash("/demo classic")
    await ann.page.locator("#say").press_sequentially("/")
    await expect(offered.first).to_have_text("/demo classic")
    assert sorted(await offered.all_text_contents()) == sorted(before)


async def test_a_command_can_be_used_with_the_keyboard_alone(ann: Window) -> None:
    keyboard = ann.page.keyboard
    await ann.page.locator("#pane").focus()
    await keyboard.press("/")
    await keyboard.type("gue")
    await expect(ann.page.locator(".popup .option")).to_have_count(1)
    await keyboard.press("Enter")
    await keyboard.type("ced")
    await expect(ann.page.locator(".popup .option")).to_have_text(["cedar", "cedarwood"])
    await keyboard.press("ArrowDown")
    await keyboard.press("Enter")
    await expect(ann.page.locator('[data-option="word"]')).to_have_value("cedarwood")
    await keyboard.press("Enter")
    await ann.sees("cedarwood | 1 | - | - | none | False")
    await expect(ann.page.locator("#say")).to_be_focused()


async def test_options_of_every_kind_reach_the_bot(ann: Window) -> None:
    await ann.slash(
        "/guess",
        word="basalt",
        times=4,
        friend="Ben",
        where="quiet",
        mood="Very merry",
        loud="True",
    )
    await ann.sees("basalt | 4 | Ben | quiet | merry | True")
    await expect(ann.message("basalt").locator(".origin")).to_have_text("AAnn used /guess")


async def test_completion_shows_the_answer_to_the_latest_input(ann: Window) -> None:
    await ann.page.locator("#say").press_sequentially("/guess ")
    word = ann.page.locator('[data-option="word"]')
    await word.press_sequentially("amb")
    await expect(ann.page.locator(".popup .option")).to_have_text(["amber", "ambush"])
    await word.press_sequentially("u")
    await expect(ann.page.locator(".popup .option")).to_have_text(["ambush"])
    await word.press_sequentially("zzz")
    await expect(ann.page.locator(".options-status")).to_have_text(
        "The bot has no suggestions for that."
    )


async def test_a_pasted_command_fills_its_options(ann: Window) -> None:
    await ann.page.locator("#say").fill("/guess word:amber times:3 friend:@Ben")
    await expect(ann.page.locator('[data-option="times"]')).to_have_value("3")
    await ann.send()
    await ann.sees("amber | 3 | Ben | - | none | False")


async def test_invalid_options_are_reported_before_sending(env: Environment, ann: Window) -> None:
    await ann.page.locator("#say").press_sequentially("/guess ")
    send = ann.page.get_by_role("button", name="Send command")
    await send.click()
    hint = ann.page.locator(".command-hint")
    await expect(hint).to_have_text("word: This one is required.")
    await ann.option("word", "amber")
    for typed, problem in (
        ("many", "times: A whole number, please."),
        ("12", "times: At most 9, please."),
    ):
        await ann.option("times", typed)
        await send.click()
        await expect(hint).to_have_text(problem)
        await expect(ann.page.locator('[data-option="times"]')).to_be_focused()
    await ann.option("times", "2")
    await ann.option("friend", "Nobody")
    await send.click()
    await expect(hint).to_have_text("friend: Please choose one from the list.")
    assert env.playground.channel("games").messages == {}


async def test_escape_cancels_a_command_and_an_unknown_one_is_not_sent(
    env: Environment, ann: Window
) -> None:
    await ann.page.locator("#say").press_sequentially("/demo boxes ")
    await expect(ann.page.locator(".command-name")).to_have_text("/demo boxes")
    await ann.page.keyboard.press("Escape")
    say = ann.page.locator("#say")
    await expect(say).to_be_focused()
    await say.fill("/nothing")
    await ann.page.keyboard.press("Enter")
    await expect(ann.page.locator("#composer-problem")).to_contain_text("There's no such command")
    assert env.playground.channel("games").messages == {}


async def test_commands_are_shown_in_the_users_language(env: Environment, browser: Browser) -> None:
    env.playground.person("Ben").locale = "de"
    ben = await browser.window(env.url, "ben", channel="games")
    await ben.page.locator("#say").press_sequentially("/rate")
    await expect(ben.page.locator(".popup .option")).to_contain_text("Rate ein Wort")
    await ben.page.keyboard.press("Enter")
    await expect(ben.page.locator(".command-field label")).to_have_text("wort")
    await ben.option("word", "amber")
    await ben.send()
    await ben.sees("amber | 1")


async def test_a_used_command_is_named_in_each_readers_language(
    env: Environment, browser: Browser
) -> None:
    env.playground.person("Ben").locale = "de"
    ann = await browser.window(env.url, "ann", channel="games")
    ben = await browser.window(env.url, "ben", channel="games")
    await ann.slash("/guess", word="amber")
    used = ".origin .mention"
    await expect(ann.page.locator(used)).to_have_text("/guess")
    await expect(ben.page.locator(used)).to_have_text("/rate")
    again = await browser.window(env.url, "ben", channel="games")
    await expect(again.page.locator(used)).to_have_text("/rate")


async def test_a_user_command_is_run_from_the_persons_menu(ann: Window) -> None:
    await ann.page.locator("#right .person").filter(has_text="Ben").click(button="right")
    await ann.page.get_by_role("menuitem", name="Greet").click()
    await ann.sees("Hello, @Ben!")
    person = ann.page.locator("#right .person").filter(has_text="Dan")
    await person.focus()
    await ann.page.keyboard.press("Enter")
    menu = ann.page.get_by_role("menu")
    await expect(menu.get_by_role("menuitem", name="Mention")).to_be_focused()
    await ann.page.keyboard.press("End")
    await ann.page.keyboard.press("Enter")
    await ann.sees("Hello, @Dan!")


async def test_a_command_the_bot_ignores_is_shown_as_failed(env: Environment, ann: Window) -> None:
    await ann.page.locator("#say").press_sequentially("/demo silent ")
    await ann.page.get_by_role("button", name="Send command").click()
    await expect(ann.page.locator("#composer-status")).to_have_text("Sending /demo silent…")
    person = env.playground.person("Ann")
    await env.playground.world.until(
        lambda _event: env.waiting(person) or None, what="the command to arrive"
    )
    env.clock.advance(3.1)
    await expect(ann.page.locator("#composer-problem")).to_have_text(
        "The application did not respond"
    )


async def test_a_direct_message_can_be_opened_from_the_menu(ann: Window) -> None:
    await ann.page.locator("#right .person").filter(has_text="Old Board Games").click()
    await ann.page.get_by_role("menuitem", name="Send a direct message").click()
    await expect(ann.page.locator("#channel-name")).to_have_text("Old Board Games")
    await ann.slash("/demo secret")
    await ann.sees("A secret")


async def test_who_writes_in_direct_messages_is_named(env: Environment, ann: Window) -> None:
    room = await (await env.bot.fetch_user(env.playground.person("Ann").id)).create_dm()
    await room.typing()
    typing = ann.page.locator("#typing")
    await expect(typing).to_have_text("")
    await ann.page.locator("#right .person").filter(has_text="Old Board Games").click()
    await ann.page.get_by_role("menuitem", name="Send a direct message").click()
    await expect(ann.page.locator("#channel-name")).to_have_text("Old Board Games")
    await room.typing()
    await expect(typing).to_have_text("Old Board Games is typing…")
    await room.send("Here it is")
    await ann.sees("Here it is")
    await expect(typing).to_have_text("")


async def test_a_file_can_be_attached_to_a_command(ann: Window) -> None:
    await ann.page.locator("#say").press_sequentially("/demo hand ")
    field = ann.page.locator('input[type="file"][data-option="file"]')
    await ann.page.get_by_role("button", name="Send command").click()
    await expect(ann.page.locator(".command-hint")).to_contain_text("This one is required.")
    great = {"name": "great.txt", "mimeType": "text/plain", "buffer": bytes(600_000)}
    await field.set_input_files(great)  # type: ignore[arg-type]
    await expect(ann.page.locator(".command-hint")).to_contain_text("At most 512 KB")
    small = {"name": "note.txt", "mimeType": "text/plain", "buffer": "grüße".encode()}
    await field.set_input_files(small)  # type: ignore[arg-type]
    await expect(ann.page.locator(".command-hint")).to_contain_text("file")
    await ann.page.get_by_role("button", name="Send command").click()
    await ann.sees("note.txt says grüße")
