"""One environment per test, checked at the end of the test."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import AsyncExitStack
from datetime import timedelta
from http import HTTPStatus
from pathlib import Path
from typing import Any

import aiohttp
import pytest
import structlog
from pydantic import SecretStr
from yarl import URL

from bot.app.monitoring import Monitoring, monitored
from bot.app.shard_figures import ShardFigures
from bot.core import background
from bot.core.metrics import Metrics
from bot.core.requests import sending
from bot.core.scheduling import reachability
from bot.core.shards import cluster as cluster_module
from bot.core.shards import ownership
from bot.core.shards.ownership import Shards
from bot.features.web import guard
from bot.features.web.activity import Activity
from bot.play.delivery import match_requests, outbox_worker
from bot.play.pictures.rendering import Renderer
from data.sql.statements import shard_of
from playground import interactions
from playground.app import Playground
from playground.connect import point_discord_here
from playground.errors import SAFETY_SECONDS
from playground.openapi import OpenApi
from tests import swap
from tests.end_to_end.fast_timers import SAFETY_NETS_FROM, FastTimersLoop
from tests.end_to_end.gateways import SHARDS, Cluster
from tests.end_to_end.harness import Environment, ErrorLog
from tests.end_to_end.languages import show_pseudo_locale, untranslated
from tests.end_to_end.pages import Frame, PageWindow, link, serve, window
from tests.end_to_end.people import QUICK
from tests.end_to_end.program import Program
from tests.end_to_end.registration import Registration, share_commands
from tests.end_to_end.shared_links import Visitor
from tests.toy import dropped_in

DESCRIPTION = Path(__file__).parents[3] / "shared" / "discord-openapi.json"


@pytest.fixture
async def cluster(
    postgresql_url: str,
    renderer: Renderer,
    registration: Registration,  # shares the commands
    monkeypatch: pytest.MonkeyPatch,
) -> AsyncIterator[Cluster]:
    """A playground with two shards."""
    monkeypatch.setattr(cluster_module, "IDENTIFY_SECONDS", 0.05)
    monkeypatch.setattr(cluster_module, "HEARTBEAT_SECONDS", 0.1)
    monkeypatch.setattr(cluster_module, "_OTHERS_FIRST", 0.1)
    # The clock is the machine's, which may be busy: only what is never answered has failed.
    monkeypatch.setattr(interactions, "ACKNOWLEDGE_SECONDS", SAFETY_SECONDS)
    async with AsyncExitStack() as stack:
        playground = await stack.enter_async_context(Playground())
        stack.enter_context(point_discord_here(playground))
        playground.gateway.shards = SHARDS
        made = Cluster(postgresql_url, renderer, playground)
        while len(made.channels) < SHARDS:
            guild = playground.world.add_guild("Club", playground.world.application.owner)
            guild.invites_bots = True
            shard = shard_of(guild.id, SHARDS)
            if shard not in made.channels:
                for person in playground.people:
                    playground.world.add_member(guild, person.user)
                made.channels[shard] = playground.world.add_channel(guild, "games")
            await asyncio.sleep(0.001)
        yield made
        await made.close()


@pytest.fixture
async def url(env: Environment) -> URL:
    """Serve the page in the browser."""
    return await serve(env)


@pytest.fixture
async def browser(env: Environment, url: URL) -> AsyncIterator[PageWindow]:
    """Open the page as the mover of a new match of Tablut."""
    board = await env.begin("tablut")
    async with window(url) as opened:
        status, _ = await opened.open(await link(env, env.mover(board)))
        assert status == HTTPStatus.OK
        yield opened


@pytest.fixture
async def frame(env: Environment, url: URL) -> AsyncIterator[Frame]:
    """Open the page inside Discord, without a session."""
    env.app.get(Activity).begin(SecretStr(env.playground.client_secret))
    env.playground.enable_activities(str(url))
    async with window(url) as opened:
        yield Frame(opened.http, url)


@pytest.fixture
async def visitor() -> AsyncIterator[Visitor]:
    """Open a browser without any cookie."""
    async with aiohttp.ClientSession() as http:
        yield Visitor(http)


@pytest.fixture
async def monitoring(env: Environment) -> AsyncIterator[Monitoring]:
    """Serve monitoring for an environment's bot."""
    metrics = env.app.get(Metrics)
    backups = env.folder / "backups"
    async with monitored("127.0.0.1:0", metrics, env.store, backups=backups) as one:
        one.process.watch(env.app.pools, lambda: env.app.ready)
        shards = ShardFigures()
        shards.watch(env.app.client, env.app.get(Shards))  # type: ignore[type-abstract]
        one.add(shards)
        yield one


def pytest_configure(config: pytest.Config) -> None:
    """Register our markers."""
    config.addinivalue_line("markers", "fast_timers: time passes faster on the event loop")
    config.addinivalue_line("markers", "pseudo_locale: all words must come from a catalogue")


def pytest_asyncio_loop_factories(
    config: pytest.Config, item: pytest.Item
) -> Mapping[str, Callable[[], asyncio.AbstractEventLoop]]:
    """Give each test the event loop it asks for."""
    if item.get_closest_marker("fast_timers"):
        return {"fast_timers": FastTimersLoop}
    return {"usual": asyncio.SelectorEventLoop}


@pytest.fixture(scope="session")
def description() -> OpenApi | None:
    """Read Discord's own API description, if it lies beside the project."""
    return OpenApi(DESCRIPTION) if DESCRIPTION.exists() else None


@pytest.fixture(scope="session")
def renderer() -> Iterator[Renderer]:
    """Paint for all tests, so that each board itself is drawn only once."""
    shared = Renderer(width=400)
    yield shared
    shared.close()


@pytest.fixture(scope="session")
def registration() -> Iterator[Registration]:
    """Build and register the bot's commands once."""
    with share_commands():
        yield Registration()


@pytest.fixture
def error_log() -> Iterator[ErrorLog]:
    """Collect every logged error."""
    structlog.configure(
        processors=[
            structlog.stdlib.add_log_level,
            structlog.processors.format_exc_info,
            structlog.processors.KeyValueRenderer(),
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )
    collecting = ErrorLog()
    logging.getLogger().addHandler(collecting)
    yield collecting
    logging.getLogger().removeHandler(collecting)
    structlog.reset_defaults()


@pytest.fixture(autouse=True)
def patient(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Raise the time limits of requests to suit fast timers and a busy machine."""
    if request.node.get_closest_marker("fast_timers"):
        monkeypatch.setattr(match_requests, "TIMEOUT", 100.0)
        # Longer pauses are not sped up on that loop.
        monkeypatch.setattr(background, "MAX_PAUSE", SAFETY_NETS_FROM - 1)
    else:  # an edit that is given up for a busy machine comes only with the clock, which stands still
        monkeypatch.setattr(match_requests, "TIMEOUT", 30.0)
        monkeypatch.setattr(sending, "TIMEOUT", 30.0)


@pytest.fixture(autouse=True)
def quick_identifies(monkeypatch: pytest.MonkeyPatch) -> None:
    """Identify again soon: the playground allows it, and Discord's pause is five seconds."""
    monkeypatch.setattr(ownership, "IDENTIFY_SECONDS", 0.02)


@pytest.fixture(autouse=True)
def rare_outage_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Check for outages rarely: tests let months pass, minute by minute."""
    monkeypatch.setattr(reachability, "_TICK", reachability.SHORT_DOUBT - timedelta(minutes=1))


@pytest.fixture(autouse=True)
def retried_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Deliver what waited for a permission without waiting a second for further changes."""
    monkeypatch.setattr(outbox_worker, "TOGETHER", 0.02)


@pytest.fixture(autouse=True)
def turned_away_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tell who asks the page too much at once; tests of floods ask one after the other."""
    monkeypatch.setattr(guard, "HELD", 0.005)


@pytest.fixture
def toy_game() -> Iterator[None]:
    """Let the bot also know the tests' own game."""
    with dropped_in():
        yield


@pytest.fixture
def swap_game() -> Iterator[None]:
    """Let the bot also know the tests' game of swapped sides."""
    with swap.dropped_in():
        yield


@pytest.fixture
async def program(empty_env: Environment) -> AsyncIterator[Program]:
    """Prepare the program, and stop it after the test."""
    one = Program(empty_env)
    yield one
    await one.killed()


@pytest.fixture
def no_shipped_puzzles(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ship no puzzles; tests invent theirs or find them in matches."""
    monkeypatch.setattr("bot.features.puzzles.puzzles.shipped", lambda _: ())


@pytest.fixture
async def empty_env(
    *,
    tmp_path: Path,
    migrated_sqlite: Path,
    registration: Registration,
    renderer: Renderer,
    description: OpenApi | None,
    error_log: ErrorLog,
) -> AsyncIterator[Environment]:
    """Open a playground without a bot; check and close it afterwards."""
    env = Environment(tmp_path, migrated_sqlite, renderer, description, error_log, registration)
    await env.open()
    try:
        yield env
        env.playground.faults.clear()
        if env._running is not None:
            await env.settled()
        await env.check()
    finally:
        await env.close()


@pytest.fixture
async def env(empty_env: Environment, request: pytest.FixtureRequest) -> AsyncIterator[Environment]:
    """Open a playground with the bot in it."""
    pseudo = request.node.get_closest_marker("pseudo_locale")
    await (show_pseudo_locale(empty_env) if pseudo else empty_env.start())
    yield empty_env
    if pseudo:
        assert untranslated(empty_env) == {}


@pytest.fixture
async def quick(empty_env: Environment) -> Environment:
    """Start a bot whose computer opponents move at once."""
    empty_env.worker_tasks = QUICK
    await empty_env.start()
    return empty_env


def pytest_report_header(config: pytest.Config) -> str | Any:
    """Report whether Discord's own API description is available."""
    where = "found" if DESCRIPTION.exists() else "absent: requests are only checked by our limits"
    return f"Discord's interface description: {where}"
