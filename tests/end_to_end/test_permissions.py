"""Permissions, messages and channels that disappear in the middle of a match."""

from __future__ import annotations

import random

from data.matches import outbox
from playground.permissions import Permission
from tests.end_to_end.harness import Environment
from tests.end_to_end.people import blocked_turn


async def test_a_lost_permission_keeps_the_move_and_is_named(env: Environment) -> None:
    env.expected |= {403}
    dice = random.Random(6)
    await env.begin()
    env.forbid(Permission.ATTACH_FILES)
    message = await blocked_turn(env, dice)
    assert "**Attach Files**" in message.text
    assert "saved" in message.text
    assert "/tablan board" in message.text
    ply = await env.ply()
    waiting = await env.read(outbox.pending)
    assert waiting[-1].payload["ply"] == ply
    assert "50013" in (waiting[-1].blocked or "")
    while_away = await env.ann.slash("/tablan board")
    assert while_away.ephemeral
    assert while_away.shown.picture
    why = await while_away.followup()
    assert "**Attach Files**" in why.text
    env.allow(Permission.ATTACH_FILES)
    await env.done(env.ann.slash("/tablan board"))
    assert f"Move {await env.move()}" in env.board().text
    assert env.board().pinged == (env.mover(env.board()).user,)
    await env.turn(env.board(), dice)


async def test_the_board_comes_once_the_permission_is_granted(env: Environment) -> None:
    env.expected |= {403}
    await env.begin()
    env.forbid(Permission.SEND_MESSAGES)
    message = await blocked_turn(env, random.Random(7))
    assert "**Send Messages**" in message.text
    env.allow(Permission.SEND_MESSAGES)
    await env.restart()
    assert f"Move {await env.move()}" in env.board().text


async def test_a_deleted_board_comes_back_with_the_next_turn(env: Environment) -> None:
    env.expected |= {404}
    board = await env.begin()
    mover = env.mover(board)
    env.playground.messages.delete(board)
    again = (await mover.slash("/tablan board")).shown
    assert again.ephemeral
    assert again.buttons
    await env.turn_from(again, mover, random.Random(8))
    assert f"Move {await env.move()}" in env.board().text
    assert env.board() is not board
    await env.turn(env.board(), random.Random(9))


async def test_a_deleted_channel_does_not_end_the_match(env: Environment) -> None:
    env.expected |= {404}
    env.allow_pending = True
    board = await env.begin(channel="elsewhere")
    mover, other = env.mover(board), env.other(board)
    env.world.remove_channel(env.channel("elsewhere"))
    reply = (await mover.slash("/tablan board", channel="games")).shown
    ply = await env.ply()
    picked = await env.turn_from(reply, mover, random.Random(10))
    message = await picked.followup()
    assert "is gone" in message.text
    assert await env.ply() > ply
    await env.play_a_while()
    question = (await other.slash("/tablan resign", channel="games")).shown
    assert "You resigned" in (await other.press(question, "Resign")).text
    await env.settled()
    profile = await env.carol.slash("/profile", user=mover, channel="games")
    assert "1 won · 0 drawn · 0 lost" in profile.text
