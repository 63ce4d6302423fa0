"""Shards connect one after another, and only while the bot has identifies left."""

from __future__ import annotations

import asyncio

import pytest

from bot.core.scheduling.reachability import Reachability
from bot.core.shards import ownership
from tests.end_to_end.gateways import until
from tests.end_to_end.harness import Environment

DAY = 86_400
STOPPED = "Discord is not letting shards connect"


def waiting(env: Environment) -> int:
    """Return the number of open connections that have not identified."""
    gateway = env.gateway
    begun = sum(session.connection is not None for session in gateway.sessions.values())
    return len(gateway._connections) - begun


def stopped(env: Environment) -> bool:
    """Return whether the log says that no shard may connect, which is expected."""
    env.expected_errors = [STOPPED]
    return any(STOPPED in line for line in env.error_log.lines)


async def test_no_connection_is_opened_long_before_it_can_identify(
    empty_env: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    env = empty_env
    monkeypatch.setattr(ownership, "IDENTIFY_SECONDS", 0.05)
    env.gateway.shards = 16
    env.gateway.starts.max_concurrency = 2
    most = 0

    async def watch() -> None:
        nonlocal most
        while True:
            most = max(most, waiting(env))
            await asyncio.sleep(0.005)

    async with asyncio.TaskGroup() as group:
        watching = group.create_task(watch())
        await env.start()
        await until(lambda: env.app.get(Reachability).reachable == set(range(16)))
        watching.cancel()
    assert 1 <= most <= 2, "one per bucket"


async def test_limits_are_read_again_before_the_days_last_identifies(
    empty_env: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    env = empty_env
    monkeypatch.setattr(ownership, "_BELIEVED_OF_FEW", 0.0)
    starts = env.gateway.starts
    starts.remaining = 50
    await env.start()
    await until(lambda: env.app.ready)
    starts.remaining = 0  # others have used them
    env.gateway.invalidate()
    await until(lambda: stopped(env))
    assert starts.refused == []


async def test_shards_connect_once_the_daily_limit_is_reset(empty_env: Environment) -> None:
    env = empty_env
    env.gateway.shards = 3
    starts = env.gateway.starts
    starts._day_began -= DAY - 1  # it ends in a second
    starts.remaining = 1
    starting = asyncio.create_task(env.start())
    await until(lambda: stopped(env))
    assert len(starts.times) == 1
    env.clock.advance(1.01)
    await starting
    await until(lambda: env.app.get(Reachability).reachable == {0, 1, 2})
    assert starts.refused == []


async def test_a_bot_waiting_for_the_daily_limit_stops_when_asked(empty_env: Environment) -> None:
    env = empty_env
    env.gateway.starts.remaining = 0  # for a day
    starting = asyncio.create_task(env.start())
    await until(lambda: stopped(env))
    starting.cancel()
    await env.stop()
    assert env.gateway.identifies == 0
