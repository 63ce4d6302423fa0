"""The page inside Discord: who gets a session there, what it shows first, and what remains if that fails."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

import pytest
from yarl import URL

from bot.features.web.server import WebServer
from playground.request_log import Request
from tests.end_to_end.harness import Environment
from tests.end_to_end.pages import Frame, window
from tests.end_to_end.people import begin_in_thread, hide, more
from tests.routes import CALLBACK

GAME = "tablut"
TOKEN = "POST /oauth2/token"


def launches(request: Request) -> bool:
    return bool(request.json and request.json["type"] == 12)


async def test_the_button_opens_the_board_inside_discord_at_its_match(
    env: Environment, frame: Frame
) -> None:
    board = await env.begin(GAME)
    await env.begin(GAME)
    mover = env.mover(board)
    menu = await more(env, mover, board)
    reply = await env.done(mover.press(menu, "Open the board"))
    assert reply.activity is not None
    assert mover.user in reply.activity.users
    assert reply.message is None, "nothing is said beside it"
    status, said = await frame.enter(env, mover)
    assert (status, said["match"]) == (HTTPStatus.OK, 1)
    view = await frame.view()
    status, after = await frame.play(view, view["moves"][0]["steps"])
    assert status == HTTPStatus.OK
    assert after["ply"] == view["ply"] + 1
    async with frame.http.get(frame.url) as answer:
        framed = answer.headers["Content-Security-Policy"].rpartition("frame-ancestors ")[2]
    assert framed.split() == [
        env.playground.url.replace("127.0.0.1", host) for host in ("127.0.0.1", "localhost")
    ]


@pytest.mark.parametrize("status", [400, 403, 500])
async def test_where_discord_refuses_there_is_a_link(
    env: Environment, frame: Frame, status: int
) -> None:
    env.expected |= {status}
    board = await env.begin(GAME)
    mover = env.mover(board)
    env.faults.respond(CALLBACK, status=status, times=None, when=launches)
    reply = await env.done(mover.press(await more(env, mover), "Open the board"))
    assert reply.activity is None
    assert reply.ephemeral
    assert "works once" in reply.shown.text
    async with window(frame.url) as browser:
        (link,) = [one.url for one in reply.shown.buttons if one.url]
        status, _ = await browser.open(str(link))
        assert status == HTTPStatus.OK


async def test_a_link_is_at_hand_beside_it(env: Environment, frame: Frame) -> None:
    board = await env.begin(GAME)
    mover = env.mover(board)
    reply = await env.done(mover.press(await more(env, mover), "In the browser"))
    assert reply.activity is None
    (link,) = [one.url for one in reply.shown.buttons if one.url]
    assert str(link).startswith(str(frame.url))


async def test_the_launch_command_opens_what_is_played_here(env: Environment, frame: Frame) -> None:
    board = await env.begin(GAME)
    mover = env.mover(board)
    entry = next(o for o in env.world.commands.registered(None).values() if o.type == 4)
    entry.data["handler"] = 1
    reply = await env.done(mover.slash("/launch"))
    assert reply.activity is not None
    _, said = await frame.enter(env, mover, channel=str(env.channel().id))
    assert said["match"] == 1


async def test_who_joins_somebody_sees_the_channels_match(env: Environment, frame: Frame) -> None:
    await env.begin(GAME)
    channel = str(env.channel().id)
    _, said = await frame.enter(env, env.carol, channel=channel)
    assert said["match"] == 1
    assert not (await frame.view())["yours"]
    for nonsense in ("", "x", "-1", "9" * 40, "0"):
        _, said = await frame.enter(env, env.carol, channel=nonsense)
        assert said["match"] is None
    hide(env, "games", env.carol)
    await env.settled()
    env.app.get(WebServer).match_routes.people._sees.clear()
    _, said = await frame.enter(env, env.carol, channel=channel)
    assert said["match"] is None


async def test_matches_in_a_channels_threads_are_found_from_the_channel(
    env: Environment, frame: Frame
) -> None:
    games = env.channel()
    env.threads = True
    await env.change_settings(threads=True)
    board = await env.begin(GAME)
    match = (await env.position()).match
    assert (match.parent_id, match.channel_id == games.id) == (games.id, False)
    for person in (env.mover(board), env.carol):
        _, said = await frame.enter(env, person, channel=str(games.id), guild=str(env.guild.id))
        assert said["match"] == 1


async def test_a_private_threads_match_is_not_named_to_who_says_its_number(
    env: Environment, frame: Frame
) -> None:
    env.expected.add(404)  # who is no member of a thread
    await begin_in_thread(env, private=True)
    thread = (await env.position()).match.channel_id
    _, said = await frame.enter(env, env.carol, channel=str(thread))
    assert said["match"] is None
    _, said = await frame.enter(env, env.ann, channel=str(thread))
    assert said["match"] == 1


async def test_the_page_speaks_the_language_that_discord_says(
    env: Environment, frame: Frame
) -> None:
    board = await env.begin(GAME)
    mover = env.mover(board)
    mover.user.locale = "de"
    await frame.enter(env, mover)
    assert (await frame.ask("/api/matches"))[1]["locale"] == "de"


async def test_pictures_that_answers_show_are_for_their_reader_alone(
    env: Environment, frame: Frame
) -> None:
    board = await env.begin(GAME)
    await frame.enter(env, env.mover(board))
    _, said = await frame.press(await frame.view(), "Replay")
    (address,) = {one for one in _texts(said) if one.startswith("/api/files/")}
    bearer = {"Authorization": f"Bearer {frame.secret}"}
    async with frame.http.get(frame.url.join(URL(address)), headers=bearer) as answer:
        assert answer.status == HTTPStatus.OK
        assert answer.content_type.startswith("image/")
    async with frame.http.get(frame.url.join(URL(address))) as answer:
        assert answer.status == HTTPStatus.UNAUTHORIZED
    await frame.enter(env, env.carol)
    status, _ = await frame.ask(address)
    assert status == HTTPStatus.NOT_FOUND


def _texts(part: Any) -> list[str]:
    if isinstance(part, dict | list):
        inner = part.values() if isinstance(part, dict) else part
        return [one for value in inner for one in _texts(value)]
    return [part] if isinstance(part, str) else []
