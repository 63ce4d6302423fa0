"""What Discord's answer to a request means, and when it may be sent again."""

from __future__ import annotations

import asyncio
from typing import Any

import aiohttp
import discord
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from bot.core.requests.faults import Fault
from bot.core.requests.sending import OneTry, current, failure_of


async def asked(
    body: dict[str, Any] | str, *, status: int = 429, said: str | None = None
) -> discord.HTTPException | None:
    """Send a request that is answered so; return the error that it means."""
    headers = {} if said is None else {"Retry-After": said}

    async def answer(_: web.Request) -> web.Response:
        if isinstance(body, str):
            return web.Response(text=body, status=status, headers=headers)
        return web.json_response(body, status=status, headers=headers)

    app = web.Application()
    app.router.add_get("/", answer)
    async with TestServer(app) as server, aiohttp.ClientSession() as session:
        try:
            async with OneTry(), session.get(server.make_url("/")) as response:
                attempt = current()
                assert attempt is not None
                await attempt.answered(response)
        except discord.HTTPException as error:
            return error
    return None


async def test_a_message_that_takes_no_more_edits_says_so_however_short_the_wait() -> None:
    for wait in (0.5, 600.0):
        error = await asked({"message": "Too many", "code": 30046, "retry_after": wait})
        assert error is not None
        assert failure_of(error) == (Fault.EDITS_REFUSED, wait)


@pytest.mark.parametrize(
    ("body", "said", "wait"),
    [
        ({"message": "Slow down", "retry_after": 600.5}, None, 600.5),
        ({"message": "Slow down", "retry_after": 600.5}, "601", 601.0),
        ({"message": "Slow down"}, None, 0.0),
        ("<html>You are being rate limited</html>", None, 0.0),
        ("<html>You are being rate limited</html>", "3600", 3600.0),
        ("[]", None, 0.0),
        ({"retry_after": "soon"}, None, 0.0),
        ({"retry_after": -1}, "nan", 0.0),
        ({}, "inf", 86_400.0),
    ],
)
async def test_too_many_requests_end_the_attempt_and_say_how_long_to_wait(
    body: dict[str, Any] | str, said: str | None, wait: float
) -> None:
    error = await asked(body, said=said)
    assert error is not None
    assert failure_of(error) == (Fault.BUSY, wait)


async def test_what_goes_on_after_a_block_belongs_to_none() -> None:
    go_on = asyncio.Event()

    async def request() -> OneTry | None:
        await go_on.wait()
        return current()

    async with OneTry() as block:
        assert current() is block
        task = asyncio.create_task(request())
    go_on.set()
    assert await task is None


async def test_a_short_wait_is_for_discord_py() -> None:
    assert await asked({"message": "Slow down", "retry_after": 0.5}, said="1") is None
