"""The gateway's close codes, and the playground as a program."""

from __future__ import annotations

import asyncio
import json
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import aiohttp
import pytest
import pytest_asyncio

from playground.app import Playground
from playground.clock import ManualClock
from tests.playground.sample_bot import identify

Socket = aiohttp.ClientWebSocketResponse


@pytest_asyncio.fixture
async def playground() -> AsyncIterator[Playground]:
    """A playground without discord.py."""
    async with Playground(clock=ManualClock()) as one:
        yield one


@pytest_asyncio.fixture
async def socket(playground: Playground) -> AsyncIterator[Socket]:
    """A gateway connection after its hello."""
    async with (
        aiohttp.ClientSession() as session,
        session.ws_connect(playground.gateway_url) as line,
    ):
        assert (await line.receive_json())["op"] == 10
        yield line


async def closed_with(socket: Socket) -> int | None:
    """Read until the connection is closed; return the close code."""
    async for _ in socket:
        pass
    return socket.close_code


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("no json", 4002),
        ("[]", 4002),
        (json.dumps({"op": 1, "d": "x" * 4096}), 4002),
        (json.dumps({"op": 99}), 4001),
        (json.dumps({"op": 8, "d": {}}), 4003),
        (json.dumps({"op": 3, "d": {}}), 4003),
    ],
)
async def test_an_unintelligible_message_closes_the_connection(
    socket: Socket, text: str, code: int
) -> None:
    await socket.send_str(text)
    assert await closed_with(socket) == code


async def test_binary_frames_close_the_connection(socket: Socket) -> None:
    await socket.send_bytes(b"{}")
    assert await closed_with(socket) == 4002


async def test_a_wrong_token_closes_the_connection(playground: Playground, socket: Socket) -> None:
    await socket.send_json(identify(playground, token="wrong"))
    assert await closed_with(socket) == 4004


async def test_an_impossible_shard_closes_the_connection(
    playground: Playground, socket: Socket
) -> None:
    await socket.send_json(identify(playground, shard=[2, 2]))
    assert await closed_with(socket) == 4010


async def test_a_shard_with_too_many_servers_closes_the_connection(
    playground: Playground, socket: Socket
) -> None:
    playground.gateway.max_guilds_per_shard = 1
    playground.world.add_guild("Another", playground.world.application.owner)
    await socket.send_json(identify(playground))
    assert await closed_with(socket) == 4011
    assert not playground.gateway.sessions


async def test_a_bot_is_told_how_many_shards_to_use(playground: Playground) -> None:
    playground.gateway.shards = 3
    headers = {"Authorization": f"Bot {playground.token}"}
    address = f"{playground.rest_url}/gateway/bot"
    async with aiohttp.ClientSession() as http, http.get(address, headers=headers) as answer:
        told = await answer.json()
    assert (told["url"], told["shards"]) == (playground.gateway_url, 3)


async def test_identifying_twice_closes_the_connection(
    playground: Playground, socket: Socket
) -> None:
    await socket.send_json(identify(playground))
    await socket.send_json(identify(playground))
    assert await closed_with(socket) == 4005


async def test_a_heartbeat_is_answered(socket: Socket) -> None:
    await socket.send_json({"op": 1, "d": None})
    assert (await socket.receive_json())["op"] == 11


async def test_an_unknown_session_is_invalid_but_the_connection_stays_open(
    playground: Playground, socket: Socket
) -> None:
    resume = {"op": 6, "d": {"token": playground.token, "session_id": "?", "seq": 1}}
    await socket.send_json(resume)
    answer = await socket.receive_json()
    assert (answer["op"], answer["d"]) == (9, False)
    await socket.send_json(identify(playground))
    assert (await socket.receive_json())["t"] == "READY"


async def test_a_session_that_missed_too_much_is_invalid(
    playground: Playground, socket: Socket
) -> None:
    await socket.send_json(identify(playground))
    ready = await socket.receive_json()
    playground.gateway.drop()
    channel = playground.channel("general")
    for _ in range(2100):
        playground.world.archive(channel, archived=False)
    session = {"session_id": ready["d"]["session_id"], "token": playground.token, "seq": 2}
    async with aiohttp.ClientSession() as http, http.ws_connect(playground.gateway_url) as line:
        await line.receive_json()
        await line.send_json({"op": 6, "d": session})
        assert (await line.receive_json())["op"] == 9


async def test_each_shard_receives_its_own_servers(playground: Playground) -> None:
    received = []
    async with aiohttp.ClientSession() as session:
        for number in range(2):
            async with session.ws_connect(playground.gateway_url) as line:
                await line.receive_json()
                await line.send_json(identify(playground, shard=[number, 2]))
                ready = await line.receive_json()
                received.append(len(ready["d"]["guilds"]))
    mine = (playground.guild.id >> 22) % 2
    assert received[mine] == 1
    assert received[1 - mine] == 0


async def test_the_playground_runs_as_a_program_and_prints_its_addresses() -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "playground",
        "--token",
        "a-token",
        stdout=asyncio.subprocess.PIPE,
        cwd=Path(__file__).parents[2],
    )
    assert process.stdout is not None
    texts: dict[str, str] = {}
    try:
        while "token" not in texts:
            word, _, rest = (await process.stdout.readline()).decode().partition(" ")
            texts[word] = rest.strip()
        headers = {"Authorization": "Bot a-token"}
        async with (
            aiohttp.ClientSession(headers=headers) as session,
            session.get(texts["REST"] + "/users/@me") as answer,
        ):
            assert (await answer.json())["bot"] is True
    finally:
        process.send_signal(signal.SIGINT)
        assert await process.wait() == 0
    assert texts["gateway"].startswith("ws://127.0.0.1:")


async def test_the_program_shows_a_page_of_this_machine_as_the_activity_and_no_other() -> None:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "playground", "--activity", "https://example.org"),
        stderr=asyncio.subprocess.PIPE,
        cwd=Path(__file__).parents[2],
    )
    _, complaints = await process.communicate()
    assert process.returncode == 2
    assert b"An Activity is a page on this machine" in complaints
