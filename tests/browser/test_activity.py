"""The bot's Activity in the chat page, as its people see it and as a hostile page would use it."""

from __future__ import annotations

import json
from urllib.parse import quote

import pytest
import pytest_asyncio
from playwright.async_api import expect

from playground.addresses import activity_host
from tests.browser.activity import fetch_sdk, frame_of, inside, serving
from tests.browser.conftest import Environment
from tests.browser.harness import DESK, PHONE, Browser

pytestmark = pytest.mark.asyncio(loop_scope="session")

AUTHORIZE = "command('AUTHORIZE', {client_id: clientId, response_type: 'code', prompt: 'none', scope: ['identify']})"


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def sdk(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Discord's own SDK, from npm."""
    found = await fetch_sdk(tmp_path_factory.mktemp("sdk"))
    if isinstance(found, str):
        pytest.skip(found)
    return found


async def test_discords_own_sdk_signs_its_person_in(
    env: Environment, browser: Browser, sdk: dict[str, str]
) -> None:
    async with serving(env.playground, sdk=sdk):
        ann = await browser.window(env.url, "ann", channel="games")
        env.playground.person("Ann").locale = "fr"
        await ann.slash("/launch")
        dialog = ann.page.get_by_role("dialog")
        await expect(dialog).to_contain_text("Know your name and picture")
        await dialog.get_by_role("button", name="Allow").click()
        out = inside(ann).locator("#out")
        await expect(out).to_contain_text('"platform","desktop"')
        assert json.loads(await out.inner_text()) == [
            ["user", "Ann"],
            ["scopes", ["identify", "guilds"]],
            ["locale", "fr"],
            ["channel", "games"],
            ["hardware", True],
            ["people", ["Ann"]],
            ["layout", 0],
            ["invite", "4002 Invalid command: OPEN_INVITE_DIALOG"],
            ["platform", "desktop"],
        ]
        assert ann.problems == []

        await ann.page.get_by_role("button", name="Close").click()
        await ann.slash("/launch")
        await expect(out).to_contain_text('"platform","desktop"')
        assert await ann.page.get_by_role("dialog").count() == 0, "it is allowed already"


async def test_the_bot_opens_it_from_a_command_and_discord_from_its_own(
    env: Environment, browser: Browser
) -> None:
    async with serving(env.playground):
        ann = await browser.window(env.url, "ann", channel="games")
        ben = await browser.window(env.url, "ben", channel="games")
        await ann.slash("/demo activity")
        await expect(inside(ann).get_by_role("heading")).to_have_text("A board")
        await expect(ben.page.locator(".activity")).to_have_count(0)
        await ben.slash("/launch")
        frame = await frame_of(ben, env.playground)
        known = await frame.evaluate("command('GET_ACTIVITY_INSTANCE_CONNECTED_PARTICIPANTS')")
        people = [one["global_name"] for one in known["data"]["participants"]]
        assert people == ["Ann", "Ben"]
        assert ann.problems == ben.problems == []


@pytest.mark.parametrize(("size", "dark"), [(DESK, False), (PHONE, True)])
async def test_it_covers_the_messages_until_it_is_closed(
    env: Environment, browser: Browser, size: tuple[int, int], *, dark: bool
) -> None:
    async with serving(env.playground):
        ann = await browser.window(env.url, "ann", channel="games", size=size, dark=dark)
        await ann.slash("/launch")
        frame = await frame_of(ann, env.playground)
        region = ann.page.get_by_role("region", name="Old Board Games")
        box = await region.bounding_box()
        assert box is not None
        if size == PHONE:
            assert (box["x"], box["y"], box["width"], box["height"]) == (0, 0, *PHONE)
        else:
            assert box["height"] == DESK[1]
            assert await ann.page.locator("#places").is_visible()
        assert await ann.width_beyond() == 0
        assert "platform=mobile" in frame.url if size == PHONE else "platform=desktop" in frame.url
        assert await ann.page.locator("iframe").get_attribute("title") == "Old Board Games"
        assert await ann.page.locator("#say").evaluate("(say) => say.closest('[inert]') !== null")
        await ann.page.get_by_role("button", name="Close", exact=True).click()
        await expect(region).to_have_count(0)
        await expect(ann.page.locator("#say")).to_be_focused()
        await ann.says("And on with the chat")
        await ann.sees("And on with the chat")
        assert ann.problems == []


async def test_the_keyboard_reaches_it_and_leaves_it(env: Environment, browser: Browser) -> None:
    async with serving(env.playground):
        ann = await browser.window(env.url, "ann", channel="games")
        await ann.slash("/launch")
        await frame_of(ann, env.playground)
        move = inside(ann).get_by_role("button", name="Move")
        await move.focus()
        await ann.page.keyboard.press("Shift+Tab")
        await expect(ann.page.get_by_role("button", name="Close", exact=True)).to_be_focused()
        await ann.page.keyboard.press("Tab")
        await expect(move).to_be_focused()
        await ann.page.keyboard.press("Shift+Tab")
        await ann.page.keyboard.press("Escape")
        await expect(ann.page.locator(".activity")).to_have_count(0)
        await expect(ann.page.locator("#say")).to_be_focused()


async def test_a_question_that_is_closed_is_answered_with_no(
    env: Environment, browser: Browser
) -> None:
    async with serving(env.playground):
        ann = await browser.window(env.url, "ann", channel="games")
        await ann.slash("/launch")
        frame = await frame_of(ann, env.playground)
        await frame.evaluate(f"window.asked = {AUTHORIZE}; 0")
        await expect(ann.page.get_by_role("dialog")).to_be_visible()
        await ann.page.keyboard.press("Escape")
        answer = await frame.evaluate("asked")
        assert (answer["evt"], answer["data"]["code"]) == ("ERROR", 5000)
        await expect(ann.page.locator(".activity")).to_have_count(1)
        await frame.evaluate(
            "window.asked = command('OPEN_EXTERNAL_LINK', {url: 'https://example.org/'}); 0"
        )
        await expect(ann.page.get_by_role("dialog")).to_contain_text("https://example.org/")
        await ann.page.get_by_role("button", name="Cancel").click()
        assert (await frame.evaluate("asked"))["data"] == {"opened": False}


async def test_who_goes_to_a_channel_leaves_it(env: Environment, browser: Browser) -> None:
    async with serving(env.playground):
        ann = await browser.window(env.url, "ann", channel="games")
        for place in ("games", "general"):
            await ann.slash("/launch")
            await frame_of(ann, env.playground)
            await ann.go(place)
            await expect(ann.page.locator(".activity")).to_have_count(0)
            await ann.says(f"Back in {place}")
            await ann.sees(f"Back in {place}")


async def test_messages_below_it_are_unread_until_it_is_closed(
    env: Environment, browser: Browser
) -> None:
    async with serving(env.playground):
        ann = await browser.window(env.url, "ann", channel="games")
        ben = await browser.window(env.url, "ben", channel="games")
        await ann.slash("/launch")
        await frame_of(ann, env.playground)
        await ben.says("Below the board")
        here = ann.page.locator("#places [aria-current]")
        await expect(here).to_contain_class("unread")
        await ann.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        await expect(here).to_contain_class("unread")
        await ann.page.get_by_role("button", name="Close", exact=True).click()
        await expect(here).not_to_contain_class("unread")
        again = await browser.window(env.url, "ann", channel="general")
        await expect(again.page.locator("#places .unread")).to_have_count(0)
        assert ann.problems == ben.problems == []


async def test_what_it_says_at_its_end_is_shown(env: Environment, browser: Browser) -> None:
    async with serving(env.playground):
        ann = await browser.window(env.url, "ann", channel="games")
        await ann.slash("/launch")
        frame = await frame_of(ann, env.playground)
        await frame.evaluate(f"{AUTHORIZE}; 0")
        await expect(ann.page.get_by_role("dialog")).to_be_visible()
        await frame.evaluate("post(2, {code: 1006, message: 'The board is gone.'}); 0")
        await expect(ann.page.locator("#composer-problem")).to_have_text("The board is gone.")
        await expect(ann.page.locator(".activity")).to_have_count(0)
        await expect(ann.page.get_by_role("dialog")).to_have_count(0)


async def test_it_ends_when_discord_restarts(env: Environment, browser: Browser) -> None:
    async with serving(env.playground):
        ann = await browser.window(env.url, "ann", channel="games")
        await ann.slash("/launch")
        await frame_of(ann, env.playground)
        await env.page.drop_windows()
        await expect(ann.page.locator(".activity")).to_have_count(0)
        await ann.slash("/launch")
        await frame_of(ann, env.playground)


async def test_only_its_own_frame_is_listened_to(env: Environment, browser: Browser) -> None:
    async with serving(env.playground):
        ann = await browser.window(env.url, "ann", channel="games")
        await ann.slash("/launch")
        frame = await frame_of(ann, env.playground)
        forged = "[2, {code: 1006, message: 'Forged.'}]"
        await frame.evaluate(f"top.postMessage({forged}, '*')")
        await ann.page.evaluate(f"postMessage({forged}, '*')")
        answer = await frame.evaluate("command('ENCOURAGE_HW_ACCELERATION')")
        assert answer["data"] == {"enabled": True}
        await expect(ann.page.locator(".activity")).to_have_count(1)
        heard = await frame.evaluate("heard.length")
        await ann.page.evaluate("frames[0].frames[0].postMessage([1, {evt: 'FORGED'}], '*')")
        await frame.evaluate("command('ENCOURAGE_HW_ACCELERATION')")
        events = await frame.evaluate(f"heard.slice({heard}).map(([, data]) => data.evt)")
        assert events == [None], "the page itself only listens to the frame around it"


@pytest.mark.parametrize("path", ["/.playground/?frame_id=1#chat=null&title=x", "/?frame_id=1"])
async def test_no_other_page_can_show_it_and_pose_as_discord(
    env: Environment, browser: Browser, path: str
) -> None:
    async with serving(env.playground):
        host = f"{activity_host(env.playground.world.application.id)}:{env.playground.port}"
        shown = quote(f"http://{host}{path}", safe="")
        mallory = await browser.window(env.url, "ann")
        async with (
            mallory.page.expect_event("requestfailed") as failing,
            mallory.page.expect_console_message(lambda said: "frame-ancestors" in said.text),
        ):
            await mallory.page.goto(
                f"{env.playground.world.application.activity_url}/framing?url={shown}"
            )
        assert (await failing.value).failure == "net::ERR_BLOCKED_BY_RESPONSE"
        assert "frame-ancestors" in mallory.problems[0]
        await mallory.page.goto(env.url)


async def test_discords_rules_hold_in_it(env: Environment, browser: Browser) -> None:
    async with serving(env.playground) as page:
        ann = await browser.window(env.url, "ann", channel="games")
        await ann.slash("/launch")
        frame = await frame_of(ann, env.playground)
        tried = """async (url) => fetch(url, {mode: 'no-cors'}).then(() => 'reached', () => 'refused')"""
        elsewhere = env.playground.world.application.activity_url
        assert await frame.evaluate(tried, f"{elsewhere}/cookies") == "refused", (
            "not past the proxy"
        )
        assert await frame.evaluate(tried, "/cookies") == "reached"
        assert await frame.evaluate(tried, "/.proxy/cookies") == "reached"
        assert page.cookies == [set(), {"own"}], "of three cookies, one is kept"
        await frame.evaluate(
            "document.body.append(Object.assign(document.createElement('script'), {textContent: 'window.inline = 1'}))"
        )
        assert await frame.evaluate("window.inline ?? 0") == 0
        await frame.evaluate("try { top.location = 'about:blank' } catch { 0 }")
        await expect(ann.page.locator(".activity")).to_have_count(1)
