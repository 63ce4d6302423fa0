"""Sessions of the page are listed beside one's settings, and ended there."""

from __future__ import annotations

from http import HTTPStatus

import pytest
from yarl import URL

from bot.features.web.service import SESSION_VALID, WebAccess
from playground.errors import Impossible
from playground.model import Message
from playground.people import Person
from tests.end_to_end.harness import Environment
from tests.end_to_end.pages import PageWindow, link, window
from tests.end_to_end.people import labels, more

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
EDGE = (
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) "
    "Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0"
)
PHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 "
    "(KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1"
)


@pytest.fixture
async def url(env: Environment, url: URL) -> URL:
    """Serve the page while a match is played."""
    await env.begin("tablut")
    return url


async def settings(person: Person) -> Message:
    return (await person.slash("/me settings", channel="games")).shown


async def sign_in(env: Environment, browser: PageWindow, person: Person, device: str) -> None:
    """Open the page with a browser that says this of itself."""
    opened = URL(await link(env, person)).fragment.partition("=")[2]
    status, _ = await browser.ask("/api/session", {"link": opened}, **{"User-Agent": device})
    assert status == HTTPStatus.OK


async def status_of(browser: PageWindow) -> int:
    return (await browser.ask("/api/matches"))[0]


async def test_one_session_or_all_are_ended_beside_the_settings(env: Environment, url: URL) -> None:
    assert not [label for label in labels(await settings(env.ann)) if "Signed in" in label]
    async with window(url) as first, window(url) as second, window(url) as third:
        for browser, device in ((first, FIREFOX), (second, EDGE), (third, PHONE)):
            await sign_in(env, browser, env.ann, device)
        message = await settings(env.ann)
        await env.ann.press(message, "Signed in: 3 places")
        listed = [line for line in message.text.split("\n") if line[:1].isdigit()]
        expected = ("1. Safari on iPhone", "2. Edge on Windows", "3. Firefox on Linux")
        assert [line.split(" · ")[0] for line in listed] == list(expected)
        chosen = next(one for one in message.menus[0].options if "Edge" in one.label)
        await env.ann.choose(message, chosen.value)
        assert "Edge" not in message.text
        assert [await status_of(one) for one in (first, second, third)] == [200, 401, 200]
        await env.ann.press(message, "Back")
        assert "How you like to play" in message.text
        await env.ann.press(message, "Signed in: 2 places")
        await env.ann.press(message, "Sign out everywhere")
        assert [await status_of(one) for one in (first, second, third)] == [401, 401, 401]
        await env.ann.press(message, "Back")
        assert not [label for label in labels(message) if "Signed in" in label]


async def test_a_session_ended_meanwhile_or_of_another_is_not_ended(
    env: Environment, url: URL
) -> None:
    async with window(url) as anns, window(url) as bens:
        await sign_in(env, anns, env.ann, FIREFOX)
        await sign_in(env, bens, env.ben, FIREFOX)
        message = await settings(env.ann)
        await env.ann.press(message, "Signed in: 1 place")
        (own,) = message.menus[0].options
        with pytest.raises(Impossible):
            await env.ben.choose(message, own.value)
        (other,) = await env.app.get(WebAccess).of_user(env.ben.id)
        await env.app.get(WebAccess).end(env.ann.id, other.id)
        assert await status_of(bens) == HTTPStatus.OK
        await env.app.get(WebAccess).end(env.ann.id)
        await env.ann.choose(message, own.value)
        assert "How you like to play" in message.text, "nothing is left to list"
        assert await status_of(bens) == HTTPStatus.OK


async def test_the_list_knows_no_secret_and_no_ended_session(env: Environment, url: URL) -> None:
    async with window(url) as browser:
        await sign_in(env, browser, env.ann, "<script>@everyone **curl**/8")
        message = await settings(env.ann)
        await env.ann.press(message, "Signed in: 1 place")
        assert "1. Browser · since" in message.text
        assert "curl" not in message.text
        (session,) = await env.app.get(WebAccess).of_user(env.ann.id)
        shown = [message.text, *(one.custom_id or "" for one in message.buttons)]
        shown += [str(one.options) for one in message.menus]
        assert session.secret_hash not in "\n".join(shown)
        env.clock.advance(SESSION_VALID.total_seconds())
        again = await settings(env.ann)
        assert not [label for label in labels(again) if "Signed in" in label]


async def test_a_new_link_says_where_sessions_are_listed(env: Environment, url: URL) -> None:
    async with window(url) as browser:
        await sign_in(env, browser, env.ann, FIREFOX)
        menu = await more(env, env.ann)
        answer = (await env.done(env.ann.press(menu, "Open the board"))).shown
        assert "/me settings lists where you're signed in." in answer.text
        assert labels(answer) == ["Open in the browser"]
