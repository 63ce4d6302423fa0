"""Limits on starting sessions, several connections of one shard, and failing presses."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import aiohttp
import pytest
import pytest_asyncio

from playground.app import Playground
from playground.clock import ManualClock
from playground.errors import InteractionFailed
from tests.playground.sample_bot import identify

COMMAND = {"name": "do", "type": 1, "description": "Do something"}


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest_asyncio.fixture
async def playground(clock: ManualClock) -> AsyncIterator[Playground]:
    async with Playground(clock=clock) as one:
        one.gateway.starts.seconds = 5.0
        yield one


@asynccontextmanager
async def connection(playground: Playground) -> AsyncIterator[aiohttp.ClientWebSocketResponse]:
    async with (
        aiohttp.ClientSession() as session,
        session.ws_connect(playground.gateway_url) as line,
    ):
        assert (await line.receive_json())["op"] == 10
        yield line


async def start_session(playground: Playground, shard: int, count: int) -> tuple[int, Any]:
    """Identify on a new connection; return the op and data of the answer."""
    async with connection(playground) as line:
        await line.send_json(identify(playground, shard=[shard, count]))
        answer = await line.receive_json()
        return answer["op"], answer["d"]


async def limit(playground: Playground) -> dict[str, Any]:
    headers = {"Authorization": f"Bot {playground.token}"}
    async with (
        aiohttp.ClientSession(headers=headers) as session,
        session.get(f"{playground.rest_url}/gateway/bot") as answer,
    ):
        found: dict[str, Any] = (await answer.json())["session_start_limit"]
        return found


async def test_a_bucket_is_closed_for_five_seconds_and_earlier_attempts_are_recorded(
    playground: Playground, clock: ManualClock
) -> None:
    starts = playground.gateway.starts
    starts.max_concurrency = 2
    assert (await start_session(playground, 0, 4))[0] == 0
    assert (await start_session(playground, 1, 4))[0] == 0  # of another bucket
    clock.advance(4.9)
    assert await start_session(playground, 2, 4) == (9, False)
    (refused,) = starts.refused
    assert refused.shard == (2, 4)
    assert refused.after == pytest.approx(4.9)
    clock.advance(0.2)
    assert (await start_session(playground, 2, 4))[0] == 0
    assert [shard for _, shard in starts.times] == [0, 1, 2]


async def test_identifies_are_counted_per_day(playground: Playground, clock: ManualClock) -> None:
    starts = playground.gateway.starts
    starts.total = 2
    assert (await limit(playground))["remaining"] == 2
    await start_session(playground, 0, 1)
    clock.advance(10)
    await start_session(playground, 0, 1)
    clock.advance(10)
    payload = await limit(playground)
    assert (payload["total"], payload["remaining"], payload["reset_after"]) == (2, 0, 86_380_000)
    assert await start_session(playground, 0, 1) == (9, False)
    assert starts.refused[0].after is None
    clock.advance(86_400)
    assert (await limit(playground))["remaining"] == 2
    assert (await start_session(playground, 0, 1))[0] == 0


async def test_all_connections_of_a_shard_receive_events(
    playground: Playground, clock: ManualClock
) -> None:
    playground.world.commands.sync(None, [COMMAND])
    async with AsyncExitStack() as stack:
        lines = []
        for _ in range(2):
            line = await stack.enter_async_context(connection(playground))
            await line.send_json(identify(playground))
            while (await line.receive_json())["t"] != "GUILD_CREATE":
                pass
            lines.append(line)
            clock.advance(5)
        assert playground.gateway.connections_of(0) == 2
        playground.person("Ann").slash("/do")
        for line in lines:
            assert (await line.receive_json())["t"] == "INTERACTION_CREATE"


async def test_an_interaction_fails_if_no_bot_receives_or_answers_it(
    playground: Playground, clock: ManualClock
) -> None:
    playground.world.commands.sync(None, [COMMAND])
    playground._invite_bot()
    alone = playground.person("Ann").slash("/do")
    clock.advance(3.0)
    with pytest.raises(InteractionFailed):
        await alone
    async with connection(playground) as line:
        await line.send_json(identify(playground))
        assert (await line.receive_json())["t"] == "READY"
        playground.person("Ann").slash("/do")
        clock.advance(3.0)
    first, second = playground.interactions.failed
    assert first.failure == "no bot was connected that is told of this server"
    assert second.failure == "no bot answered within three seconds"


async def test_another_server_has_channels_and_people(playground: Playground) -> None:
    guild = playground.add_server("Harbour", ["Eve", "Finn"], channels=["games", "talk"])
    assert [channel.name for channel in guild.channels.values()] == ["games", "talk"]
    assert {member.user.display for member in guild.members.values()} == {"Eve", "Finn"}
    assert playground.person("Finn").place.guild is guild
    await start_session(playground, 0, 1)
    assert playground.world.bot.id in guild.members
