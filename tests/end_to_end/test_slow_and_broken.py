"""Slow pictures, and a failing store."""

from __future__ import annotations

import asyncio
import random
import sqlite3
from contextlib import closing

import pytest
from sqlalchemy import text

from bot.core.interactions.dispatch import Dispatcher
from bot.play.delivery.outbox_worker import OutboxWorker
from bot.play.pictures.rendering import USUAL, BoardStyle, Renderer
from engine.scene import Scene
from tests.end_to_end.harness import Environment


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
    pressed = await env.start_pick(board, env.mover(board), env.choices(board)[0])
    assert pressed.ephemeral
    assert "nothing has changed" in pressed.text
    await env.restart()
    with closing(sqlite3.connect(env.folder / "games.db")) as database:
        assert database.execute("SELECT count(*) FROM matches").fetchone() == (1,)
    await env.turn(env.board(), random.Random(33))
