"""What the page inside Discord withstands: forged codes, floods, a Discord that fails, and people shut out."""

from __future__ import annotations

import asyncio
import logging
from http import HTTPStatus
from typing import Any

import aiohttp
import pytest
from pydantic import SecretStr
from yarl import URL

from bot.core.owner_decisions import OwnerDecisions
from bot.core.scheduling.scheduler import WallClock
from bot.features.web import activity, guard
from bot.features.web.activity import Activity
from bot.features.web.service import WebAccess
from data.people import owner_orders
from data.people.owner_orders import BotBlock
from tests.end_to_end.gateways import until
from tests.end_to_end.harness import Environment
from tests.end_to_end.pages import Frame, controls, window
from tests.end_to_end.people import delete_data, more

GAME = "tablut"
TOKEN = "POST /oauth2/token"


async def test_a_code_works_once(env: Environment, frame: Frame) -> None:
    env.expected |= {400}
    code = env.playground.oauth2.code(env.ann.user, ["identify"])
    answers = await asyncio.gather(*(frame.ask("/api/activity", {"code": code}) for _ in range(3)))
    assert sorted(status for status, _ in answers) == [
        HTTPStatus.OK,
        HTTPStatus.FORBIDDEN,
        HTTPStatus.FORBIDDEN,
    ]
    for wrong in ("", "x", code + "x", "x" * 20_000):
        status, said = await frame.ask("/api/activity", {"code": wrong})
        assert status == HTTPStatus.FORBIDDEN
        assert "Discord doesn't say who you are" in said["error"]


async def test_another_applications_code_is_no_use(env: Environment, frame: Frame) -> None:
    """Discord refuses it, as it was given to another; and so it does without the scope."""
    env.expected |= {400, 401}
    code = env.playground.oauth2.code(env.ann.user, ["identify"])
    own = env.world.application.id
    env.world.application.id = own + 1
    env.app.get(Activity).secret = SecretStr("another's")
    env.expected_errors.append("DISCORD_CLIENT_SECRET")
    status, said = await frame.ask("/api/activity", {"code": code})
    assert status == HTTPStatus.CONFLICT
    assert "secret" not in said
    env.world.application.id = own
    env.app.get(Activity).secret = SecretStr(env.playground.client_secret)
    narrow = env.playground.oauth2.code(env.ann.user, ["guilds"])
    status, said = await frame.ask("/api/activity", {"code": narrow})
    assert status == HTTPStatus.FORBIDDEN


async def test_a_wrong_client_secret_is_logged_without_showing_it(
    env: Environment, frame: Frame
) -> None:
    env.expected |= {401}
    env.expected_errors.append("DISCORD_CLIENT_SECRET")
    env.app.get(Activity).secret = SecretStr("mistyped")
    assert "mistyped" not in repr(env.app.get(Activity).secret)
    status, said = await frame.enter(env, env.ann)
    assert status == HTTPStatus.CONFLICT
    assert "In the browser" in said["error"]


@pytest.mark.parametrize("failing", [TOKEN, "GET /users/@me"])
@pytest.mark.parametrize("status", [429, 500, 503])
async def test_a_failure_of_discords_is_told_and_the_link_remains(
    env: Environment, frame: Frame, failing: str, status: int
) -> None:
    board = await env.begin(GAME)
    mover = env.mover(board)
    env.expected |= {status}
    env.faults.respond(failing, status=status, retry_after=60, times=None)
    answered, said = await frame.enter(env, mover)
    assert answered == HTTPStatus.CONFLICT
    assert "Discord isn't answering" in said["error"]
    reply = await env.done(mover.press(await more(env, mover), "In the browser"))
    (link,) = [one.url for one in reply.shown.buttons if one.url]
    async with window(frame.url) as browser:
        assert (await browser.open(str(link)))[0] == HTTPStatus.OK
    env.faults.clear()
    assert (await frame.enter(env, mover))[0] == HTTPStatus.OK


async def test_while_discord_is_slow_others_are_told_at_once_and_everything_else_works(
    env: Environment, frame: Frame, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(activity, "MAX_AT_ONCE", 2)
    await env.begin(GAME)
    await frame.enter(env, env.ann)
    env.faults.delay(TOKEN, 5, times=None)
    before = len(env.requests_to(TOKEN))
    async with window(frame.url) as opened, asyncio.TaskGroup() as group:
        others = [Frame(opened.http, frame.url) for _ in range(3)]
        waiting = [group.create_task(one.enter(env, env.ben)) for one in others[:2]]
        await until(lambda: len(env.requests_to(TOKEN)) == before + 2)
        status, said = await others[2].enter(env, env.carol)
        assert status == HTTPStatus.CONFLICT
        assert "Too many people" in said["error"]
        view = await frame.view()
        assert view["match"] == 1
        await env.advance(seconds=6)
        for one in waiting:
            assert (await one)[0] == HTTPStatus.OK
    env.faults.clear()
    assert (await frame.enter(env, env.carol))[0] == HTTPStatus.OK


async def test_who_waits_for_discord_does_not_wait_for_long(
    env: Environment, frame: Frame, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(activity, "_TIMEOUT", aiohttp.ClientTimeout(total=0.05))
    env.faults.delay(TOKEN, 3600, times=1)
    status, said = await frame.enter(env, env.ann)
    assert status == HTTPStatus.CONFLICT
    assert "Discord isn't answering" in said["error"]


async def test_nothing_of_discords_is_stored_logged_or_sent(
    env: Environment, frame: Frame, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    code = env.playground.oauth2.code(env.ann.user, ["identify"])
    status, said = await frame.ask("/api/activity", {"code": code})
    assert status == HTTPStatus.OK
    tokens = [*env.playground.oauth2._access, *env.playground.oauth2._refresh]
    assert tokens
    stored = (env.folder / "games.db").read_bytes()
    for secret in (code, *tokens, env.playground.client_secret, said["secret"]):
        assert secret not in caplog.text
        assert secret.encode() not in stored
    assert not [token for token in tokens if token in str(said)]
    assert said.keys() == {"secret", "match"}


async def test_only_the_page_itself_signs_in(env: Environment, frame: Frame) -> None:
    code = env.playground.oauth2.code(env.ann.user, ["identify"])
    path = frame.url.join(URL("/api/activity"))
    for headers in (
        {},
        {"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site", guard.HEADER: "1"},
        {"Sec-Fetch-Site": "same-site", guard.HEADER: "1"},
    ):
        async with frame.http.post(path, json={"code": code}, headers=headers) as answer:
            assert answer.status == HTTPStatus.FORBIDDEN
    bodies: list[object] = [[], {}, {"code": 5}, {"code": "x", "channel": 5}, "x"]
    for nonsense in bodies:
        status, _ = await frame.ask("/api/activity", nonsense)
        assert status == HTTPStatus.BAD_REQUEST
    status, _ = await frame.ask("/api/activity", {"code": code})
    assert status == HTTPStatus.OK, "none of them has used it up"


async def test_a_session_ends_with_the_data_with_sign_out_and_after_hours(
    env: Environment, frame: Frame
) -> None:
    await env.begin(GAME)
    await frame.enter(env, env.ann)
    async with window(frame.url) as opened:
        stolen = Frame(opened.http, frame.url)
        stolen.secret = frame.secret
        assert (await stolen.ask("/api/matches"))[0] == HTTPStatus.OK
        listed = (await env.ann.slash("/me settings", channel="games")).shown
        await env.ann.press(listed, "Signed in: 1 place")
        assert "1. Discord on Linux · since" in listed.text
        await env.ann.press(listed, "Sign out everywhere")
        for one in (frame, stolen):
            status, _ = await one.ask("/api/matches")
            assert status == HTTPStatus.UNAUTHORIZED
        await frame.enter(env, env.ann)
        stolen.secret = frame.secret
        await delete_data(env, env.ann)
        for one in (frame, stolen):
            status, _ = await one.ask("/api/matches")
            assert status == HTTPStatus.UNAUTHORIZED
    await frame.enter(env, env.ben)
    await env.advance(hours=11)
    assert (await frame.ask("/api/matches"))[0] == HTTPStatus.OK
    await env.advance(hours=2)
    assert (await frame.ask("/api/matches"))[0] == HTTPStatus.UNAUTHORIZED


async def test_openings_end_no_session_in_a_browser(env: Environment, frame: Frame) -> None:
    """A person has twenty at most, and those that end first give way."""
    await env.begin(GAME)
    access = env.app.get(WebAccess)
    secret, _ = await access.open(
        await access.link(env.ann.id, match_id=1, locale="de"), device="Firefox"
    )
    for _ in range(25):
        assert (await frame.enter(env, env.ann))[0] == HTTPStatus.OK
    assert await access.session(secret) is not None
    assert len(await access.of_user(env.ann.id)) <= 20


async def test_openings_are_limited_by_the_hour(env: Environment, frame: Frame) -> None:
    for _ in range(60):
        assert (await frame.enter(env, env.ann))[0] == HTTPStatus.OK
    status, said = await frame.enter(env, env.ann)
    assert status == HTTPStatus.CONFLICT
    assert "limit of 60 an hour" in said["error"]


async def test_many_people_behind_one_of_discords_proxies_are_each_limited_alone(
    env: Environment, frame: Frame, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guard, "_PER_SECOND", 0.0)  # however slow this machine is
    await env.begin(GAME)
    async with window(frame.url) as opened:
        other = Frame(opened.http, frame.url)
        await frame.enter(env, env.ann)
        await other.enter(env, env.ben)
        for one in (frame, other):
            assert (await one.ask("/api/matches"))[0] == HTTPStatus.OK
        answers = await asyncio.gather(*(frame.ask("/api/matches") for _ in range(300)))
        assert HTTPStatus.TOO_MANY_REQUESTS in [status for status, _ in answers]
        assert (await other.ask("/api/matches"))[0] == HTTPStatus.OK
        for _ in range(300):
            await frame.ask("/api/activity", {"code": 5})
        assert (await other.ask("/api/matches"))[0] == HTTPStatus.OK, "nor by who has no session"
        async with other.http.get(frame.url) as answer:
            assert answer.status == HTTPStatus.OK, "nor who comes for the page"


async def test_a_made_up_secret_costs_its_address(
    env: Environment, frame: Frame, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guard, "_PER_SECOND", 0.0)  # however slow this machine is
    found = []
    for n in range(300):
        frame.secret = f"made up {n}"
        found.append((await frame.ask("/api/matches"))[0])
    assert set(found) == {HTTPStatus.UNAUTHORIZED, HTTPStatus.TOO_MANY_REQUESTS}


async def test_whom_the_owner_has_blocked_gets_no_session(env: Environment, frame: Frame) -> None:
    async with env.store.write() as tx:
        await owner_orders.block(tx, BotBlock(env.ann.id, server=False, reason="", since=env.now()))
    await env.app.get(OwnerDecisions).load()
    status, said = await frame.enter(env, env.ann)
    assert status == HTTPStatus.FORBIDDEN
    assert "secret" not in said


async def test_without_a_secret_nothing_opens_inside_discord(
    env: Environment, frame: Frame
) -> None:
    await env.app.get(Activity).close()
    board = await env.begin(GAME)
    mover = env.mover(board)
    menu = await more(env, mover)
    assert "In the browser" not in [one.label for one in menu.buttons]
    reply = await env.done(mover.press(menu, "Open the board"))
    assert reply.activity is None
    for body in (None, {"code": "x"}):
        status, said = await frame.ask("/api/activity", body)
        assert status == HTTPStatus.CONFLICT
        assert said == {"error": "The board in Discord is off here."}
    async with frame.http.get(frame.url) as answer:
        assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]


def test_in_discord_only_its_clients_may_show_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    client: Any = type("Client", (), {"application_id": 123})()
    made = Activity(client, WallClock())
    made.secret = SecretStr("x")
    assert made.frames == (
        "https://discord.com https://discordapp.com https://*.discord.com "
        "https://*.discordapp.com https://123.discordsays.com"
    )
    assert "https://ptb.discord.com" in made.parents
    assert all(one.startswith("https://") for one in made.parents)
    assert controls([]) == []
