"""The gateway connection drops in the middle of a turn."""

from __future__ import annotations

import random

import pytest

from tests.end_to_end.harness import Environment, playable

pytestmark = pytest.mark.fast_timers


async def test_a_press_during_an_outage_is_played_after_reconnecting(env: Environment) -> None:
    dice = random.Random(16)
    board = await env.begin()
    ply, resumes = await env.ply(), env.gateway.resumes
    env.gateway.drop()
    picked = await env.handled(
        lambda: env.start_pick(board, env.mover(board), env.choices(board)[0])
    )
    assert env.gateway.resumes == resumes + 1
    assert picked.error is None
    assert await env.ply() > ply
    assert f"Move {await env.move()}" in env.board().text
    await env.turn(env.board(), dice)


async def test_a_press_received_too_late_is_still_played(env: Environment) -> None:
    env.expected |= {404}
    board = await env.begin()
    ply = await env.ply()
    env.gateway.unreachable = True
    env.gateway.drop()
    heard = env.next_interaction()
    picked = env.start_pick(board, env.mover(board), env.choices(board)[0])
    env.clock.advance(4)
    assert picked.error is not None
    env.gateway.unreachable = False
    await heard
    await env.settled()
    assert await env.ply() > ply
    assert f"Move {await env.move()}" in env.board().text
    assert [b for b in env.boards() if playable(b)] == [env.board()]
    await env.turn(env.board(), random.Random(17))


async def test_discord_can_ask_the_bot_to_reconnect(env: Environment) -> None:
    dice = random.Random(19)
    await env.begin()
    for _ in range(3):
        resumes = env.gateway.resumes
        env.gateway.reconnect()
        board = env.board()
        await env.handled(
            lambda board=board: env.start_pick(  # type: ignore[misc]
                board, env.mover(board), dice.choice(env.choices(board))
            )
        )
        await env.gateway.wait_connected()
        assert env.gateway.resumes >= resumes
    assert f"Move {await env.move()}" in env.board().text


@pytest.mark.parametrize("code", [4000, 4009, 1001, None])
async def test_a_connection_closed_by_discord_is_reopened(
    env: Environment, code: int | None
) -> None:
    board = await env.begin()
    ply, identifies = await env.ply(), env.gateway.identifies
    if code is None:
        env.gateway.invalidate()
    else:
        env.gateway.close(code)
    await env.gateway.wait_connected()
    if code is None:
        assert env.gateway.identifies == identifies + 1, "a new session"
    await env.turn(board, random.Random(20))
    assert await env.ply() > ply
