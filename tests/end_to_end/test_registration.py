"""Shards connect within Discord's limits, and commands are registered whatever it says."""

from __future__ import annotations

import asyncio
from types import CoroutineType

import pytest
from pydantic import SecretStr

from bot.app.machine_checks import Finding, Level
from bot.core.interactions import registration
from bot.core.interactions.registration import CommandRegistration
from bot.core.metrics import Metrics
from bot.core.scheduling.reachability import Reachability
from bot.core.shards import ownership
from data.sql import key_values
from playground.errors import SAFETY_SECONDS
from tests.clocks import HandClock
from tests.end_to_end.gateways import until
from tests.end_to_end.harness import Environment
from tests.end_to_end.monitoring import of_discord
from tests.routes import COMMANDS

READ = COMMANDS.replace("PUT", "GET")


@pytest.fixture
def env(empty_env: Environment) -> Environment:
    """Let each test start the bot."""
    return empty_env


async def start_anew(env: Environment) -> None:
    env.first_start = True
    async with asyncio.timeout(SAFETY_SECONDS):
        await env.start()


def registered(env: Environment) -> set[str]:
    return {one.name for one in env.world.commands.registered(None).values()}


def gauge(env: Environment) -> float | None:
    return env.app.get(Metrics).registry.get_sample_value("boardgames_commands_registered")


def registering(env: Environment) -> asyncio.Task[None]:
    """Return the task that registers the commands."""
    task = env.app.get(CommandRegistration)._task
    assert task is not None
    return task


async def between_attempts(env: Environment) -> None:
    """Wait until no attempt is under way: the bot sleeps until the next, or has none before it."""
    task = registering(env)
    coroutine = task.get_coro()
    assert isinstance(coroutine, CoroutineType)
    sleep = HandClock.until.__qualname__
    await until(lambda: task.done() or getattr(coroutine.cr_await, "__qualname__", "") == sleep)


async def try_again(env: Environment) -> None:
    """Let time pass until the next attempt has ended."""
    before = len(env.requests_to(COMMANDS))
    await between_attempts(env)
    await env.advance(hours=1.1)
    await until(lambda: len(env.requests_to(COMMANDS)) > before)
    await between_attempts(env)


async def of_commands(env: Environment) -> Finding:
    async with env.store.read() as tx:
        pairs = {
            key: value
            for prefix in ("commands of", "failed commands of")
            for key, value in (await key_values.beginning(tx, prefix)).items()
        }
    (found,) = (await of_discord(env, pairs=pairs))["commands"]
    return found


async def test_an_entry_point_command_is_kept_as_it_is(env: Environment) -> None:
    words = {
        "name_localizations": {"de": "starten"},
        "contexts": [0, 1],
        "integration_types": [0, 1],
    }
    kept = env.world.commands.add_entry_point(**words)
    before = {name: value for name, value in kept.data.items() if name != "version"}
    await start_anew(env)
    assert {"launch", "tablan", "play"} <= registered(env)
    after = env.world.commands.registered(None)[kept.id].data
    assert {name: value for name, value in after.items() if name != "version"} == before
    assert (await of_commands(env)).level is Level.OK
    await env.begin()


async def test_with_an_activity_the_bot_describes_and_answers_its_entry_point(
    env: Environment,
) -> None:
    env.client_secret = SecretStr("a secret")
    kept = env.world.commands.add_entry_point(integration_types=[0, 1])
    await start_anew(env)
    after = env.world.commands.registered(None)[kept.id].data
    assert after["handler"] == 1
    assert after["name_localizations"]["de"] == "starten"
    assert after["description"] == "Your games on a board you can touch"
    assert {"de", "fr", "hi", "sv-SE"} <= after["description_localizations"].keys()
    assert after["integration_types"] == [0, 1]
    assert (await of_commands(env)).level is Level.OK
    before = len(env.requests_to(COMMANDS))
    await env.restart()
    assert len(env.requests_to(COMMANDS)) == before, "nothing has changed"


async def test_the_owners_own_name_of_the_entry_point_stays(env: Environment) -> None:
    env.client_secret = SecretStr("a secret")
    kept = env.world.commands.add_entry_point("club", name_localizations={"de": "verein"})
    await start_anew(env)
    after = env.world.commands.registered(None)[kept.id].data
    assert (after["name"], after["name_localizations"]) == ("club", {"de": "verein"})
    assert after["handler"] == 1


async def test_activities_may_be_enabled_after_the_bot_has_started(env: Environment) -> None:
    env.client_secret = SecretStr("a secret")
    await start_anew(env)
    assert "launch" not in registered(env)
    assert (await of_commands(env)).level is Level.OK
    made = env.world.commands.add_entry_point()
    env._registered = None
    await env.restart()
    assert env.world.commands.registered(None)[made.id].data["handler"] == 1


@pytest.mark.parametrize(
    ("status", "code", "said"),
    [
        (500, None, "500 Internal Server Error"),
        (None, 50240, "Entry Point command"),
        (None, 30034, "daily application command creates"),
        (429, None, "Too many requests"),
    ],
)
async def test_a_refusal_of_the_commands_keeps_no_one_from_playing(
    env: Environment, status: int | None, code: int | None, said: str
) -> None:
    env.expected |= {400, 429, 500}
    env.faults.respond(COMMANDS, status=status, code=code, retry_after=600, times=None)
    await start_anew(env)
    await env.begin()
    found = await of_commands(env)
    assert found.level is Level.ERROR
    assert said.lower() in found.advice.lower()
    assert gauge(env) == 0
    for _ in range(4):
        await try_again(env)
    env.faults.clear()
    await try_again(env)
    await until(lambda: gauge(env) == 1)
    assert "tablan" in registered(env)
    assert (await of_commands(env)).level is Level.OK


async def test_after_failures_attempts_become_rare(env: Environment) -> None:
    env.expected |= {400}
    env.faults.respond(COMMANDS, code=50240, times=None)
    await start_anew(env)
    for _ in range(8):
        await between_attempts(env)
        await env.advance(hours=3)
    assert 6 <= len(env.requests_to(COMMANDS)) <= 40


async def test_a_request_that_hangs_delays_the_start_only_briefly(
    env: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registration, "_FIRST_WAIT", 0.05)
    hanging = env.faults.delay(COMMANDS, 86_400, times=None)
    await start_anew(env)
    await env.begin()
    assert hanging.hits == 1


async def test_commands_are_registered_without_reading_them(env: Environment) -> None:
    env.expected |= {500}
    env.faults.respond(READ, status=500, times=None)
    await start_anew(env)
    assert "tablan" in registered(env)


@pytest.mark.parametrize("status", [403, 500])
async def test_a_start_does_not_need_to_know_the_bot(env: Environment, status: int) -> None:
    env.expected |= {status}
    env.faults.respond("GET /oauth2/applications/@me", status=status, times=None)
    async with asyncio.timeout(SAFETY_SECONDS):
        await env.start()
    await env.begin()


async def test_what_another_process_has_registered_meanwhile_stays(env: Environment) -> None:
    env.expected |= {400}
    refused = env.faults.respond(COMMANDS, code=30034, times=None)
    await start_anew(env)
    key = f"commands of {env.bot.application_id}"
    async with env.store.write() as tx:
        await key_values.set(tx, key, "of a newer version")
    env.faults.clear()
    await between_attempts(env)
    await env.advance(hours=1.1)
    await registering(env)
    assert refused.hits == len(env.requests_to(COMMANDS))


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
    env: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
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
    env: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ownership, "_BELIEVED_OF_FEW", 0.0)
    starts = env.gateway.starts
    starts.remaining = 50
    await env.start()
    await until(lambda: env.app.ready)
    starts.remaining = 0  # others have used them
    env.gateway.invalidate()
    await until(lambda: stopped(env))
    assert starts.refused == []


async def test_shards_connect_once_the_daily_limit_is_reset(env: Environment) -> None:
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


async def test_a_bot_waiting_for_the_daily_limit_stops_when_asked(env: Environment) -> None:
    env.gateway.starts.remaining = 0  # for a day
    starting = asyncio.create_task(env.start())
    await until(lambda: stopped(env))
    starting.cancel()
    await env.stop()
    assert env.gateway.identifies == 0
