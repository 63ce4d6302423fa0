"""Slow pictures, limits, backlogs, and a failing store."""

from __future__ import annotations

import asyncio
import random
import sqlite3
from contextlib import closing

import discord
import pytest
from sqlalchemy import text

from bot.core.interactions.dispatch import Dispatcher
from bot.core.requests.sending import RequestBudget, Urgency
from bot.play.clocks.match_clocks import BATCH
from bot.play.delivery import match_requests
from bot.play.delivery.deliverer import AT_ONCE
from bot.play.delivery.outbox_worker import MAX_BACKLOG, OutboxWorker
from bot.play.pictures.rendering import USUAL, BoardStyle, Renderer
from data.matches import boards, outbox
from engine.scene import Scene
from tests.end_to_end.harness import Environment
from tests.end_to_end.people import begin_and_play
from tests.routes import POST


class SlowRenderer(Renderer):
    """A renderer that can be told to wait."""

    def __init__(self) -> None:
        """Paint at once until asked to wait."""
        super().__init__(width=400)
        self.may_paint = asyncio.Event()
        self.may_paint.set()

    async def picture(self, scene: Scene, style: BoardStyle = USUAL) -> bytes:
        """Wait, then paint."""
        await self.may_paint.wait()
        return await super().picture(scene, style)


@pytest.fixture
async def slow(empty_env: Environment) -> Environment:
    env = empty_env
    env.renderer = SlowRenderer()
    await env.start()
    return env


def hold(env: Environment, *, painting: bool) -> None:
    assert isinstance(env.renderer, SlowRenderer)
    if painting:
        env.renderer.may_paint.set()
    else:
        env.renderer.may_paint.clear()


async def test_a_slow_board_is_announced_and_then_shown(slow: Environment) -> None:
    await slow.begin()
    slow.app.get(Dispatcher).acknowledge_after = 0.0
    hold(slow, painting=False)
    reply = await slow.ann.slash("/tablan board")
    assert reply.deferred
    assert reply.shown.loading
    hold(slow, painting=True)
    message = await reply.filled()
    assert message.ephemeral
    assert message.picture
    assert "match #1" in message.text


async def test_a_press_with_a_slow_picture_is_acknowledged_first(slow: Environment) -> None:
    dice = random.Random(31)
    await slow.begin()
    slow.app.get(Dispatcher).acknowledge_after = 0.0
    hold(slow, painting=False)
    board = slow.board()
    ply = await slow.ply()
    reply = await slow.start_pick(board, slow.mover(board), dice.choice(slow.choices(board)))
    assert reply.deferred
    hold(slow, painting=True)
    await slow.settled()
    assert await slow.ply() > ply
    assert f"Move {await slow.move()}" in slow.board().text
    for _ in range(5):
        await slow.turn(slow.board(), dice)


async def test_a_refusal_after_a_public_delay_is_private(env: Environment) -> None:
    await env.challenge()
    await env.settled()
    env.app.get(Dispatcher).acknowledge_after = 0.0
    seen_before = len(env.carol.sees("games"))
    reply = await env.handled(
        lambda: env.ann.slash("/tablan challenge", options={"opponent": env.ben})
    )
    message = await reply.followup()
    assert message.ephemeral_for is env.ann.user
    assert "still open" in message.text
    assert len(env.carol.sees("games")) == seen_before


async def test_a_move_that_cannot_be_saved_is_not_made(env: Environment) -> None:
    env.expected_errors.append("the store failed")
    dice = random.Random(32)
    await env.begin()
    async with env.store.write() as tx:
        await tx.rows(text("PRAGMA max_page_count = 1"))
    # The database may not grow further; its free space is soon used up.
    told, ply, board, revision = None, 0, env.board(), 0
    for _ in range(300):
        board, ply = env.board(), await env.ply()
        revision = board.revision
        value = dice.choice(env.choices(board))
        told = await env.start_pick(board, env.mover(board), value)
        if told.ephemeral:
            break
        await env.app.get(Dispatcher).drained()
        await env.app.get(OutboxWorker).idle()
    assert told is not None
    assert told.ephemeral
    assert "nothing has changed" in told.text
    async with env.store.write() as tx:
        await tx.rows(text("PRAGMA max_page_count = 1000000"))
    assert await env.ply() == ply
    assert env.board() is board
    assert board.revision == revision
    await env.turn(board, random.Random(32))
    assert await env.ply() > ply


async def test_with_a_closed_store_every_request_gets_a_polite_answer(env: Environment) -> None:
    env.expected_errors.append("the store failed")
    board = await env.begin()
    await env.store.close()
    for line in ("/tablan board", "/tablan games", "/leaderboard", "/tablan resign"):
        assert "Try again" in (await env.carol.slash(line)).private
    pressed = (await env.start_pick(board, env.mover(board), env.choices(board)[0])).private
    assert "nothing has changed" in pressed
    await env.restart()
    with closing(sqlite3.connect(env.folder / "games.db")) as database:
        assert database.execute("SELECT count(*) FROM matches").fetchone() == (1,)
    await env.turn(env.board(), random.Random(33))


ANSWERS = ("/interactions/", "/webhooks/")


async def test_every_counted_request_goes_through_the_budget(empty_env: Environment) -> None:
    env = empty_env
    env.threads = True
    await env.start()
    await env.begin()
    dice = random.Random(4)
    for _ in range(6):
        await env.turn(env.board(), dice)
    await env.done(env.ann.slash("/tablan resign"))
    counted = [
        request
        for request in env.playground.requests
        if not any(answer in request.route for answer in ANSWERS)
    ]
    assert env.budget.sent == len(counted) > 5


async def test_requests_are_checked_against_discords_api_description(env: Environment) -> None:
    if env.description is None:
        pytest.skip("Discord's interface description does not lie beside the project")
    message = {"components": "none", "flags": 1 << 15}
    route = discord.http.Route(
        "POST", "/channels/{channel_id}/messages", channel_id=env.channel().id
    )
    env.expected |= {400}
    with pytest.raises(discord.HTTPException):
        await env.bot.http.request(route, json=message)
    assert any("OPENAPI" in str(violation) for violation in env.playground.violations)
    env.playground.violations.clear()


async def test_above_the_limit_all_boards_come_slightly_later(
    empty_env: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    env = empty_env
    env.budget = RequestBudget(limit=6)
    order: list[Urgency] = []
    take = RequestBudget.take

    async def noted(budget: RequestBudget, urgency: Urgency) -> None:
        await take(budget, urgency)
        order.append(urgency)

    monkeypatch.setattr(RequestBudget, "take", noted)
    await env.start()
    for _ in range(3):
        await env.begin()
    await env.settled()
    assert env.budget.delayed > 0
    assert Urgency.BOARD in order
    async with env.store.read() as tx:
        assert not await outbox.pending(tx)
        for match_id in range(1, 4):
            (live,) = await boards.live(tx, match_id)
            assert live.message_id in env.channel().messages


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
