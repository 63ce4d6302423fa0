"""After an outage two thousand clocks have expired: presses come first, the rest in due time."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing

import pytest

from bot.play.clocks.match_clocks import BATCH
from bot.play.delivery import match_requests
from bot.play.delivery.deliverer import AT_ONCE
from bot.play.delivery.outbox_worker import MAX_BACKLOG, OutboxWorker
from tests.end_to_end.harness import Environment
from tests.end_to_end.people import begin_and_play
from tests.routes import POST

MATCHES = 2_000
CHANNELS = 40
DAYS = 86_400.0
COPIED = ("matches", "players", "moves", "clocks")


def fill(env: Environment) -> None:
    """Copy the first match and its clock to make two thousand more."""
    guild = env.guild
    channels = [env.world.add_channel(guild, f"room-{n}").id for n in range(CHANNELS)]
    with closing(sqlite3.connect(env.folder / "games.db")) as db, db:
        db.execute("CREATE TEMP TABLE numbers (number INTEGER, room INTEGER)")
        db.executemany(
            "INSERT INTO numbers VALUES (?, ?)",
            ((2 + n, channels[n % CHANNELS]) for n in range(MATCHES)),
        )
        replaced = {"id": "number", "match_id": "number", "channel_id": "room"}
        for table in COPIED:
            key = "id" if table == "matches" else "match_id"
            names = [str(row[1]) for row in db.execute(f"PRAGMA table_info({table})")]
            values = ", ".join(replaced.get(name, f'"{name}"') for name in names)
            listed = ", ".join(f'"{name}"' for name in names)
            db.execute(
                f"INSERT INTO {table} ({listed}) SELECT {values} FROM {table}, numbers "
                f"WHERE {table}.{key} = 1"
            )


def in_flight(env: Environment) -> int:
    return sum(request.status is None for request in env.requests_to(POST))


def posts_elsewhere(env: Environment) -> int:
    """Return the number of posts about other matches received so far."""
    here = str(env.channel().id)
    return sum(
        request.status == 200 and request.params["channel_id"] != here
        for request in env.requests_to(POST)
    )


async def test_the_first_press_after_an_outage_does_not_wait_for_reminders(
    env: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = await begin_and_play(env)
    number = env.choices(board)[0]
    mover = env.mover(board)
    await env.stop()
    fill(env)
    env.clock.advance(5 * DAYS)
    monkeypatch.setattr(match_requests, "TIMEOUT", 3600.0)
    here = str(env.channel().id)
    posts = env.faults.delay(
        POST, DAYS, times=None, when=lambda request: request.params["channel_id"] != here
    )
    env.allow_pending = True

    await env.start(idle=False)
    picked = env.start_pick(board, mover, number)
    await picked
    assert picked.error is None
    assert posts_elsewhere(env) == 0, "none of the backlog has arrived"

    worker = env.app.get(OutboxWorker)
    while len(worker._backlog) < 4 * BATCH:  # noqa: ASYNC110 -- no event to await
        await asyncio.sleep(0.01)
    assert in_flight(env) == AT_ONCE
    tasks = [task for task in asyncio.all_tasks() if task.get_name().startswith("outbox-")]
    pressed = 1
    assert len(tasks) <= MAX_BACKLOG + pressed
    assert len(worker._under_way) <= MAX_BACKLOG + pressed

    assert posts.hits == AT_ONCE
    env.faults.clear()
    env.clock.advance(DAYS)
    await env.stop()
