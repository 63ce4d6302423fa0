"""Files that users attach, from servers that lie about them."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, cast

import discord
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from bot.core.interactions.commands import fetched

Answer = Callable[[web.Request], Awaitable[web.StreamResponse]]

MAXIMUM = 10_000


class Attachment:
    """The parts of Discord's attachment that are read: its size is said to be one byte."""

    size = 1

    def __init__(self, url: str) -> None:
        self.url = url


@asynccontextmanager
async def served(answer: Answer) -> AsyncIterator[discord.Attachment]:
    """Serve a file on loopback."""
    app = web.Application()
    app.router.add_get("/file", answer)
    async with TestServer(app) as server:
        yield cast("discord.Attachment", Attachment(str(server.make_url("/file"))))


async def test_a_file_is_read_as_it_is() -> None:
    async def answer(_: web.Request) -> web.StreamResponse:
        return web.Response(body=b"a" * MAXIMUM)

    async with served(answer) as file:
        assert await fetched(file, maximum=MAXIMUM) == b"a" * MAXIMUM


async def test_an_endless_file_is_read_up_to_one_byte_too_many() -> None:
    sent = 0

    async def answer(request: web.Request) -> web.StreamResponse:
        nonlocal sent
        response = web.StreamResponse()
        await response.prepare(request)
        while True:
            await response.write(b"a" * 1000)
            sent += 1000

    async with served(answer) as file:
        assert await fetched(file, maximum=MAXIMUM) == b"a" * (MAXIMUM + 1)
    assert sent < 50_000_000, "the connection was closed"


async def test_a_compressed_file_is_not_unpacked() -> None:
    small = gzip.compress(b"a" * 5_000_000)
    assert len(small) < MAXIMUM

    async def answer(_: web.Request) -> web.StreamResponse:
        return web.Response(body=small, headers={"Content-Encoding": "gzip"})

    async with served(answer) as file:
        assert await fetched(file, maximum=MAXIMUM) == small


@pytest.mark.parametrize("started", [False, True])
async def test_a_file_that_does_not_come_is_given_up(*, started: bool) -> None:
    done = asyncio.Event()

    async def answer(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse()
        if started:
            await response.prepare(request)
            await response.write(b"a")
        await done.wait()
        return response

    async with served(answer) as file:
        assert await fetched(file, maximum=MAXIMUM, seconds=0.05) is None
        done.set()


async def test_a_file_elsewhere_or_nowhere_is_not_read() -> None:
    answers: list[Any] = [web.HTTPFound("http://127.0.0.1:9/"), web.HTTPNotFound()]

    async def answer(_: web.Request) -> web.StreamResponse:
        raise answers.pop()

    async with served(answer) as file:
        assert await fetched(file, maximum=MAXIMUM) is None
        assert await fetched(file, maximum=MAXIMUM) is None
    assert await fetched(file, maximum=MAXIMUM) is None
