"""Clients that are silent, slow, many or strangers keep nobody out and leave nothing behind."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable

import aiohttp
import pytest
from aiohttp import web

from playground.app import Playground
from playground.gateway import server as gateway_server
from playground.http_server import HttpServer

MANY = 150
BEGUN = b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: "
BIG = 2 * 1024 * 1024


async def hello(_: web.Request) -> web.Response:
    return web.Response(text="hello")


async def big(_: web.Request) -> web.Response:
    return web.Response(body=b"x" * 8 * BIG)


@pytest.fixture
async def serve() -> AsyncIterator[Callable[..., Awaitable[HttpServer]]]:
    """Serve "hello" with some limits."""
    made: list[HttpServer] = []

    async def start(**limits: float) -> HttpServer:
        server = HttpServer(lambda host: host == "127.0.0.1", "no", **limits)  # type: ignore[arg-type]
        app = web.Application()
        app.router.add_get("/", hello)
        app.router.add_get("/big", big)
        await server.start(app, "127.0.0.1", 0)
        made.append(server)
        return server

    yield start
    for server in made:
        await server.stop()


async def asked(server: HttpServer) -> str:
    address = f"http://127.0.0.1:{server.port}/"
    async with aiohttp.ClientSession() as session, session.get(address) as answer:
        return await answer.text()


async def test_silent_clients_take_no_more_than_their_number_and_keep_nobody_out(
    serve: Callable[..., Awaitable[HttpServer]],
) -> None:
    server = await serve(max_connections=20)
    opened = []
    for _ in range(MANY):
        _, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(BEGUN)
        opened.append(writer)
        assert server.connections <= 20
    assert await asked(server) == "hello"
    for writer in opened:
        writer.transport.abort()


async def closed(reader: asyncio.StreamReader) -> bytes:
    """Return what is still received until the connection is closed or aborted."""
    try:
        return await reader.read()
    except ConnectionError:
        return b""


async def test_a_client_that_does_not_read_its_answers_is_disconnected(
    serve: Callable[..., Awaitable[HttpServer]],
) -> None:
    server = await serve(reading_seconds=0.1, waiting_seconds=60.0)
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(b"GET /big HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    while server.connections == 0:  # noqa: ASYNC110 -- no event to await
        await asyncio.sleep(0.01)
    assert await asked(server) == "hello"
    while server.connections:  # noqa: ASYNC110 -- no event to await
        await asyncio.sleep(0.01)
    assert len(await closed(reader)) < 8 * BIG
    writer.close()


async def test_a_client_that_never_ends_its_headers_is_disconnected(
    serve: Callable[..., Awaitable[HttpServer]],
) -> None:
    server = await serve(waiting_seconds=0.05)
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(BEGUN)
    assert await closed(reader) == b""
    assert server.connections == 0
    writer.transport.abort()


async def test_a_silent_connection_is_closed_between_requests_too(
    serve: Callable[..., Awaitable[HttpServer]],
) -> None:
    server = await serve(waiting_seconds=0.05)
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    assert b"hello" in await closed(reader)
    assert server.connections == 0
    writer.transport.abort()


async def first_line(playground: Playground, head: str) -> str:
    """Return the status line after a request's headers, without a byte of its body."""
    reader, writer = await asyncio.open_connection("127.0.0.1", playground.port)
    writer.write(head.replace("\n", "\r\n").encode() + b"\r\n\r\n")
    line = (await reader.readline()).decode()
    writer.transport.abort()
    return line


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/channels/1/messages", 401),
        ("/no/such/route", 404),
        ("/webhooks/1/no-such-token", 401),
        ("/interactions/1/no-such-token/callback", 404),
    ],
)
async def test_the_body_of_a_stranger_is_not_read_or_kept(
    playground: Playground, path: str, status: int
) -> None:
    line = await first_line(
        playground,
        f"POST /api/v10{path} HTTP/1.1\nHost: 127.0.0.1\nAuthorization: Bot wrong\n"
        f"Content-Type: application/json\nContent-Length: {BIG}",
    )
    if "/webhooks/" in path:
        status = 404  # no such application; its token is not even looked at
    assert f" {status} " in line
    assert all(request.json is None for request in playground.requests)
    assert playground.violations == []


DEEP = "[" * 100_000
HOSTILE: tuple[str, ...] = (
    DEEP,
    '{"content":' * 50_000,
    '{"content":' + "[" * 900 + "]" * 900 + "}",
    '{"flags":' + "9" * 5000 + "}",
    '{"flags":' + "9" * 4000 + ',"type":' + "9" * 4000 + ',"content":' + "9" * 4000 + "}",
    '{"flags":1e999,"type":NaN,"content":-Infinity}',
    '{"content":{},"components":{},"flags":"x","allowed_mentions":[],"type":[],"data":[]}',
    '{"content":"x","components":[[]],"embeds":[1],"message_reference":1}',
    "[]",
    "1",
    '"x"',
    "",
    "\0",
)


async def test_no_body_is_answered_with_an_internal_error(
    playground: Playground, caplog: pytest.LogCaptureFixture
) -> None:
    playground.rest._openapi = None  # it validates requests, which these are not
    place = playground.channel("games")
    headers = {"Authorization": f"Bot {playground.token}", "Content-Type": "application/json"}
    ids = {"channel_id": str(place.id), "guild_id": str(playground.guild.id)}
    tried = 0
    async with aiohttp.ClientSession() as session:
        for route in sorted(playground.rest.routes):
            method, path = route.split(" ", 1)
            if method not in {"POST", "PUT", "PATCH"}:
                continue
            for name in ("application_id", "webhook_id"):
                ids[name] = str(playground.world.application.id)
            for part in path.split("/"):
                if part.startswith("{"):
                    path = path.replace(part, ids.get(part[1:-1], "1"))
            for body in HOSTILE:
                async with session.request(
                    method, playground.rest_url + path, data=body, headers=headers
                ) as answer:
                    assert answer.status < 500, (route, body[:80], await answer.text())
                    tried += 1
    assert tried > 100
    assert json.loads("1") == 1, "the interpreter has recovered"


@pytest.mark.parametrize("number", ["9" * 6000, "\u0661", "-1", "1e9", " 1"])
async def test_no_number_in_a_path_is_answered_with_an_internal_error(
    playground: Playground, number: str
) -> None:
    headers = {"Authorization": f"Bot {playground.token}"}
    paths = (
        f"/cdn/attachments/{number}/1/x.png?ex=1",
        f"/cdn/attachments/1/{number}/x.png?ex={number}",
        f"/cdn/ephemeral-attachments/1/{number}/x.png",
        f"/cdn/avatars/{number}/x.png",
        f"/api/v10/channels/{number}/messages",
        f"/api/v10/channels/{playground.channel('games').id}/messages?limit={number}",
        f"/api/v10/users/{number}",
    )
    async with aiohttp.ClientSession() as session:
        for path in paths:
            async with session.get(playground.url + path, headers=headers) as answer:
                assert answer.status < 500, path


async def gateway_code(playground: Playground, *frames: str) -> int | None:
    """Return the code with which the gateway closes after some frames."""
    async with (
        aiohttp.ClientSession() as session,
        session.ws_connect(playground.gateway_url) as socket,
    ):
        for frame in frames:
            await socket.send_str(frame)
        while not socket.closed:
            await socket.receive()
        return socket.close_code


@pytest.mark.parametrize(
    "frame",
    [
        "[" * 4000,
        "9" * 4000,
        '{"op":2,"d":[]}',
        '{"op":2}',
        '{"op":2,"d":{"token":"{token}","intents":"x"}}',
        '{"op":2,"d":{"token":"{token}","intents":0,"shard":[1]}}',
        '{"op":2,"d":{"token":"{token}","intents":1e999}}',
        '{"op":6,"d":{"token":"{token}","session_id":[],"seq":[1]}}',
        '{"op":[]}',
    ],
)
async def test_a_malformed_frame_closes_the_gateways_connection_with_a_code(
    playground: Playground, frame: str
) -> None:
    frame = frame.replace("{token}", playground.token)
    assert await gateway_code(playground, frame) in {4001, 4002, 4004}


async def test_a_client_that_does_not_say_who_it_is_is_disconnected(
    playground: Playground, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gateway_server, "IDENTIFY_SECONDS", 0.05)
    assert await gateway_code(playground, '{"op":1,"d":null}') == 4003


async def test_a_web_page_cannot_connect_to_the_gateway(playground: Playground) -> None:
    async with aiohttp.ClientSession() as session:
        with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
            await session.ws_connect(playground.gateway_url, origin="http://evil.example")
    assert refused.value.status == 403
