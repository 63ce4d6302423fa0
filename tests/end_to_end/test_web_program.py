"""``python -m bot web`` and a gateway as processes of their own: killed, restarted, and wrongly set."""

from __future__ import annotations

import asyncio
import random
import socket
import time
from collections.abc import AsyncIterator, Callable
from http import HTTPStatus

import aiohttp
import pytest
from yarl import URL

from data.store.store import Store
from playground.errors import SAFETY_SECONDS
from playground.model import Message
from tests.end_to_end.harness import Environment, playable
from tests.end_to_end.pages import PageWindow, window
from tests.end_to_end.program import Program
from tests.ports import free_port

GAME = "tablut"


@pytest.fixture
async def web(program: Program) -> AsyncIterator[Program]:
    """Prepare a process for the page, and stop it after the test."""
    one = Program(program.env)
    yield one
    await one.killed()


def served_at(port: int) -> dict[str, str]:
    """Return the settings of a page."""
    return {"WEB_URL": f"http://127.0.0.1:{port}", "WEB_ADDRESS": f"127.0.0.1:{port}"}


async def answered(browser: PageWindow) -> tuple[int, object]:
    """Ask for the match until the page answers."""
    async with asyncio.timeout(SAFETY_SECONDS):
        while True:
            try:
                return await browser.ask("/api/matches/1")
            except aiohttp.ClientError:
                await asyncio.sleep(0.05)


@pytest.mark.timeout(180)
async def test_the_page_and_a_gateway_each_go_on_while_the_other_is_killed(
    program: Program, web: Program, postgresql_url: str
) -> None:
    env, dice = program.env, random.Random(7)
    env.expected |= {400, 404}
    store = await Store.open(postgresql_url)
    await env._prepare(store)
    await store.close()
    # The programs use the machine's clock, by which a challenge must not be old.
    env.clock.advance(time.time() - env.clock.time())
    settings = {"DATABASE_URL": postgresql_url, **served_at(free_port())}
    await program.launch(arguments=["gateway"], **settings)
    await program.logged("bot.app.client", "ready")
    await web.launch(arguments=["web"], **settings)
    await web.logged("bot.features.web.server", "page")
    offered = await env.challenge(GAME)
    await env.ben.press(await offered.filled(), "Accept")
    board = await env.playground.wait_for("games", playable)
    mover = env.mover(board)
    menu = await (await mover.press(board, "More")).filled()
    answer = await mover.press(menu, "Open the board")
    (link,) = [button.url for button in (await answer.filled()).buttons if button.url]
    async with window(URL(settings["WEB_URL"])) as browser:
        assert (await browser.open(link))[0] == HTTPStatus.OK
        await program.killed()
        view = await browser.view()
        status, after = await browser.play(view, view["moves"][0]["steps"])
        assert status == HTTPStatus.OK
        assert not after["turn"]
        await program.launch(arguments=["gateway"], **settings)
        board = await env.playground.wait_for("games", newer(board))
        assert env.mover(board) is not mover
        await web.killed()
        board = await env.turn_outside(board, dice)
        assert env.mover(board) is mover, "boards work without the page"
        await web.launch(arguments=["web"], **settings)
        status, shown = await answered(browser)
        assert status == HTTPStatus.OK, shown
        async with browser.news() as news:
            view = await browser.view()
            assert view["turn"]
            assert view["ply"] == after["ply"] + 1
            status, _ = await browser.play(view, view["moves"][0]["steps"])
            assert status == HTTPStatus.OK
            assert await news.get() == "changed"
    await env.playground.wait_for("games", newer(board))
    for one in (web, program):
        status, output = await one.stop_beside()
        assert status == 0, output


def newer(board: Message) -> Callable[[Message], bool]:
    """Return whether a message is a later board that can be played on."""
    return lambda found: found.id > board.id and playable(found)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"DATABASE_URL": ""}, "shares a PostgreSQL database with gateways"),
        ({"WEB_URL": ""}, "set WEB_URL"),
        ({"DISCORD_TOKEN": "", "PLAYGROUND_URL": ""}, "set DISCORD_TOKEN"),
        ({"WEB_URL": "http://play.example.org"}, "use https"),
        ({"WEB_ADDRESS": "play"}, "HOST:PORT"),
    ],
)
async def test_settings_with_which_there_is_no_page_end_it_for_good(
    program: Program, settings: dict[str, str], said: str
) -> None:
    given = {"DATABASE_URL": "postgresql://games@127.0.0.1:1/games", **served_at(1), **settings}
    process = await program.launch(arguments=["web"], **given)
    _, output = await process.communicate()
    assert process.returncode == 2, output.decode()
    assert said in output.decode()
    assert "Traceback" not in output.decode()


async def test_while_the_pages_port_is_taken_play_in_discord_goes_on(
    program: Program, env: Environment
) -> None:
    await env.stop()
    env.clock.advance(time.time() - env.clock.time())
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        await program.launch(**served_at(port))
        await program.logged("the page is not served")
        await program.logged("bot.app.client", "ready")
        offered = await env.challenge(GAME)
        await env.ben.press(await offered.filled(), "Accept")
        board = await env.playground.wait_for("games", playable)
        menu = await (await env.mover(board).press(board, "More")).filled()
        assert "Open the board" not in [one.label for one in menu.buttons]
        board = await env.turn_outside(board, random.Random(8))
    await program.logged("bot.features.web.server", "page")
    menu = await (await env.mover(board).press(board, "More")).filled()
    assert "Open the board" in [one.label for one in menu.buttons]
    status, output = await program.stop()
    assert status == 0, output
