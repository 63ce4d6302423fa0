"""Choosing a person, and the page in light and dark and on each screen size."""

from __future__ import annotations

import re
from pathlib import Path

import discord
import pytest
from playwright.async_api import expect

from tests.browser.conftest import Environment
from tests.browser.harness import PHONE, Browser, Window

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_the_page_opens_the_chat_as_the_first_person(
    env: Environment, browser: Browser
) -> None:
    window = await browser.window(env.url, None)
    await expect(window.page.locator(".me-name")).to_contain_text("Ann")
    await expect(window.page.locator("#channel-name")).to_have_text("general")
    assert window.problems == []


async def test_an_unknown_name_leads_to_the_first_person(
    env: Environment, browser: Browser
) -> None:
    window = await browser.window(env.url, None)
    await window.page.goto(f"{env.url}/?as=zoe")
    await expect(window.page.locator(".me-name")).to_contain_text("Ann")
    assert not window.page.url.endswith("zoe")


async def test_the_owner_of_the_server_can_be_chosen(env: Environment, ann: Window) -> None:
    await ann.page.locator(".switch summary").click()
    await ann.page.get_by_role("link", name="Be Olive").click()
    await expect(ann.page.locator(".me-name")).to_contain_text("Olive")
    olive = env.playground.person("Olive")
    assert olive.id == env.playground.guild.owner_id


async def test_each_person_chooses_their_clients_language(env: Environment, ann: Window) -> None:
    await ann.page.get_by_label("Language").select_option("Deutsch")
    await expect(ann.page.get_by_label("Sprache")).to_have_value("de")
    assert env.playground.person("Ann").locale == "de"
    assert env.playground.person("Ben").locale == "en-US"
    # A playground that was started again has forgotten it, the browser has not.
    env.playground.person("Ann").locale = "en-US"
    await ann.page.reload()
    await expect(ann.page.get_by_label("Sprache")).to_have_value("de")
    await ann.page.get_by_label("Sprache").select_option("English")
    await expect(ann.page.get_by_label("Language")).to_have_value("en-US")
    await ann.page.reload()
    await expect(ann.page.get_by_label("Language")).to_have_value("en-US")


async def test_at_first_discord_speaks_the_language_of_the_browser(
    env: Environment, browser: Browser
) -> None:
    ann = await browser.window(env.url, "ann", language="fr-CA")
    await expect(ann.page.get_by_label("Langue")).to_have_value("fr")
    assert env.playground.person("Ann").locale == "fr"
    env.playground.person("Ben").locale = "de"  # chosen in another browser
    ben = await browser.window(env.url, "ben", language="fr-CA")
    await expect(ben.page.get_by_label("Sprache")).to_have_value("de")
    assert ann.problems == ben.problems == []


async def test_the_pages_own_words_and_times_are_in_the_persons_language(
    env: Environment, browser: Browser
) -> None:
    env.playground.person("Ann").locale = "de"
    ann = await browser.window(env.url, "ann", channel="games")
    await expect(ann.page.locator("html")).to_have_attribute("lang", "de")
    await expect(ann.page.locator("#say")).to_have_attribute("placeholder", "Nachricht an #games")
    for name in ("Senden", "Befehl eingeben", "Tastatur", "Personen"):
        await expect(ann.page.get_by_role("button", name=name, exact=True)).to_be_visible()
    await expect(ann.page.get_by_role("heading", name="Kanäle")).to_be_visible()
    await ann.says("Hallo, @Ben")
    await expect(ann.page.locator("#hint")).to_contain_text("Ben wurde angepingt.")
    shown = ann.message("Hallo").locator("time").first
    await expect(shown).to_have_attribute("title", re.compile(r" um \d\d:\d\d"))
    assert ann.problems == []


async def test_changing_to_another_person_stays_in_the_channel(ann: Window) -> None:
    await ann.page.locator(".switch summary").click()
    await ann.page.get_by_role("link", name="Be Ben").click()
    await expect(ann.page.locator(".me-name")).to_contain_text("Ben")
    await expect(ann.page.locator("#channel-name")).to_have_text("games")


async def test_a_mention_of_another_person_shows_a_hint_to_become_them(ann: Window) -> None:
    hint = ann.page.locator("#hint")
    await expect(hint).to_be_hidden()
    await ann.says("Your turn, @Ben")
    await expect(hint).to_contain_text("Ben was pinged.")
    await ann.go("general")
    await expect(hint).to_be_hidden()
    await ann.go("games")
    async with ann.page.context.expect_page() as opened:
        await hint.get_by_role("link", name="in a second window").click()
    second = await opened.value
    await expect(second.locator(".me-name")).to_contain_text("Ben")
    await expect(second.locator("#channel-name")).to_have_text("games")
    # The hint goes once it has been followed.
    await expect(hint).to_be_hidden()
    await ann.page.reload()
    await expect(ann.page.locator(".me-name")).to_contain_text("Ann")
    await expect(hint).to_be_hidden()


async def test_no_hint_asks_to_become_somebody_who_is_here(
    env: Environment, browser: Browser
) -> None:
    ben = await browser.window(env.url, "ben", channel="games")
    ann = await browser.window(env.url, "ann", channel="games")
    await ann.says("Your turn, @Ben")
    await ann.sees("Your turn")
    await ben.sees("Your turn")
    await expect(ann.page.locator("#hint")).to_be_hidden()
    await ben.page.goto("about:blank")
    await expect(ann.page.locator("#hint")).to_contain_text("To answer, be Ben now")


async def test_a_board_that_has_lost_its_controls_calls_nobody_any_more(
    env: Environment, ann: Window
) -> None:
    (games,) = [one for one in env.bot.get_all_channels() if one.name == "games"]
    assert isinstance(games, discord.TextChannel)
    view = discord.ui.View(timeout=None)
    view.add_item(discord.ui.Button(label="Move", custom_id="move"))
    board = await games.send(
        f"Your turn, {env.playground.person('Ben').mention}",
        view=view,
        allowed_mentions=discord.AllowedMentions(users=True),
    )
    await expect(ann.page.locator("#hint")).to_contain_text("Ben was pinged.")
    await board.edit(view=None)
    await expect(ann.page.locator("#hint")).to_be_hidden()


async def test_the_hint_can_be_dismissed_for_good(ann: Window) -> None:
    await ann.says("Your turn, @Ben")
    await ann.page.get_by_role("button", name="Dismiss this hint").click()
    await ann.says("@Carol, yours too")
    await ann.sees("yours too")
    await expect(ann.page.locator("#hint")).to_be_hidden()


async def test_colours_follow_the_system_until_changed(env: Environment, browser: Browser) -> None:
    ann = await browser.window(env.url, "ann", dark=True)
    body = ann.page.locator("body")
    ground = "element => getComputedStyle(element).backgroundColor"
    dark = await body.evaluate(ground)
    button = ann.page.get_by_role("button", name="Colours")
    await button.click()
    await expect(button).to_have_accessible_name("Colours: light. Change")
    light = await body.evaluate(ground)
    assert light != dark
    await ann.page.reload()
    await expect(button).to_have_accessible_name("Colours: light. Change")
    assert await body.evaluate(ground) == light


async def test_on_a_phone_nothing_is_wider_than_the_screen(
    env: Environment, browser: Browser, tmp_path: Path
) -> None:
    ann = await browser.window(env.url, "ann", channel="games", size=PHONE, touch=True)
    await ann.slash("/demo all")
    await ann.sees_picture("twelve black men")
    await ann.slash("/demo classic")
    await ann.says("word" * 300)
    await ann.sees("wordword")
    assert await ann.width_beyond() == 0
    reach = "pane => pane.scrollWidth - pane.clientWidth"
    assert await ann.page.locator("#pane").evaluate(reach) == 0
    await ann.picture(tmp_path / "phone.png")
    assert (tmp_path / "phone.png").stat().st_size > 10_000


async def test_a_long_welcome_is_read_from_its_beginning_and_a_threads_board_at_its_end(
    env: Environment, browser: Browser
) -> None:
    (games,) = [one for one in env.bot.get_all_channels() if one.name == "elsewhere"]
    assert isinstance(games, discord.TextChannel)
    await games.send("line\n" * 100)
    ann = await browser.window(env.url, "ann", channel="elsewhere", size=PHONE, touch=True)
    await ann.sees("line")
    top = "pane => pane.scrollTop"
    assert await ann.page.locator("#pane").evaluate(top) == 0
    thread = await games.create_thread(
        name="A rather long name of two people · Tablut", type=discord.ChannelType.public_thread
    )
    await thread.send("line\n" * 100)
    await ann.go(thread.name)
    await ann.sees("line")
    left = "pane => pane.scrollHeight - pane.clientHeight - pane.scrollTop"
    assert await ann.page.locator("#pane").evaluate(left) < 2
    box = ann.page.locator("#say")
    assert await box.evaluate("box => box.clientHeight") < 40, "its placeholder has one line"
    assert ann.problems == []


async def test_on_a_phone_the_side_panels_are_drawers(env: Environment, browser: Browser) -> None:
    ann = await browser.window(env.url, "ann", size=PHONE, touch=True)
    places = ann.page.locator("#left")
    await expect(places).to_be_hidden()
    await ann.page.get_by_role("button", name="Channels", exact=True).click()
    await expect(places).to_be_visible()
    await ann.page.keyboard.press("Escape")
    await expect(places).to_be_hidden()
    await ann.page.get_by_role("button", name="People", exact=True).click()
    await expect(ann.page.locator("#right")).to_be_visible()


async def test_on_a_phone_choosing_a_channel_closes_the_drawer_even_if_it_is_the_current_one(
    env: Environment, browser: Browser
) -> None:
    ann = await browser.window(env.url, "ann", channel="games", size=PHONE, touch=True)
    await ann.go("games")
    await expect(ann.page.locator("#left")).to_be_hidden()
    await ann.says("Here I am.")


async def test_beside_a_long_name_a_topic_that_cannot_be_read_is_hidden(
    env: Environment, browser: Browser
) -> None:
    ann = await browser.window(env.url, "ann", channel="games", size=PHONE, touch=True)
    topic = ann.page.locator("#channel-topic")
    await expect(topic).to_be_visible()
    name = ann.page.locator("#channel-name")
    await name.evaluate("name => name.textContent = 'Carol beat Ann · Tablut #31'")
    await expect(topic).to_be_hidden()


async def test_leaving_the_server_hides_a_person_until_they_come_back(
    env: Environment, browser: Browser
) -> None:
    dan = await browser.window(env.url, "dan", channel="games")
    ann = await browser.window(env.url, "ann", channel="games")
    await dan.says("I am off.")
    await ann.sees("I am off.")
    here = ann.page.locator("#right .person-name")
    await expect(here.get_by_text("Dan", exact=True)).to_be_visible()

    await dan.page.locator("#right .person").filter(has_text="Dan").click()
    await dan.page.get_by_role("menuitem", name="Leave The Games Club").click()
    await expect(dan.page.locator("#places")).to_contain_text("You've left The Games Club.")
    await expect(dan.page.locator("#channel-name")).to_have_text("Nowhere")
    await expect(dan.messages).to_have_count(0)
    await expect(dan.page.locator("#older")).to_be_empty()
    await expect(here.get_by_text("Dan", exact=True)).to_have_count(0)
    assert env.playground.person("Dan").id not in env.playground.guild.members

    await dan.page.reload()
    await dan.page.get_by_role("button", name="Rejoin").click()
    await dan.go("games")
    await dan.sees("I am off.")
    await expect(here.get_by_text("Dan", exact=True)).to_be_visible()
    assert dan.problems == []
    assert ann.problems == []


async def test_after_leaving_people_still_have_their_groups_and_find_their_messages_on_return(
    ann: Window,
) -> None:
    await ann.says("Is anybody here?")
    await ann.sees("Is anybody here?")
    await ann.page.locator("#right .person").filter(has_text="Ann").click()
    await ann.page.get_by_role("menuitem", name="Leave The Games Club").click()
    await expect(ann.page.locator("#channel-name")).to_have_text("old friends")
    await ann.page.get_by_role("button", name="Rejoin").click()
    await ann.go("games")
    await ann.sees("Is anybody here?")
