"""Newer edits do not wait for hanging ones, whose late effects are corrected."""

from __future__ import annotations

import asyncio

import pytest

from bot.core.requests.faults import EDIT, NoReply
from bot.core.requests.sending import LOST, OneTry
from bot.play.delivery.match_requests import LATE, Requests
from tests.extras import no_extras


async def test_a_newer_edit_does_not_wait_for_one_that_hangs_and_is_written_again() -> None:
    woken = asyncio.Event()
    line = asyncio.Lock()  # discord.py sends a route's first requests one at a time
    texts: list[str] = []

    async def hang() -> None:
        async with line:
            texts.append("old")
            await asyncio.Event().wait()

    async def write() -> None:
        async with line:
            texts.append("new")

    ours = Requests(woken.set, no_extras())
    with pytest.raises(NoReply):
        await ours.edit(1, "old", hang)
    await ours.edit(1, "new", write)
    assert texts == ["old", "new"]
    assert not ours.settled, "the old edit may still arrive"
    for _ in LATE:
        await woken.wait()
        woken.clear()
        assert ours.uncertain == {1}
        await ours.edit(1, "new", write)
    assert texts == ["old", "new", "new", "new"]
    assert ours.settled


async def test_a_request_in_the_background_ends_half_a_minute_after_it_was_sent() -> None:
    loop, sent_at = asyncio.get_running_loop(), 0.0

    async def hang() -> None:
        nonlocal sent_at
        async with OneTry(limited=False) as request:
            await asyncio.sleep(100.0)  # for its turn
            request.sent(EDIT)
            sent_at = loop.time()
            await asyncio.Event().wait()

    with pytest.raises(TimeoutError):
        await hang()
    assert loop.time() - sent_at == LOST


async def test_an_edit_that_was_given_up_leaves_nothing_behind_at_the_end() -> None:
    async def hang() -> None:
        await asyncio.Event().wait()

    ours = Requests(lambda: None, no_extras())
    for content in ("first", "second"):
        with pytest.raises(NoReply):
            await ours.edit(1, content, hang)
    await ours.close()
    assert not ours.under_way
