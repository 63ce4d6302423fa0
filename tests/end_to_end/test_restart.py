"""A restarted bot continues where the previous one stopped."""

from __future__ import annotations

import random

from tests.end_to_end.harness import Environment, half_move, playable
from tests.routes import COMMANDS


async def test_an_open_challenge_can_be_accepted_after_a_restart(env: Environment) -> None:
    offered = await env.challenge()
    await env.restart()
    assert "Match #1 is on" in (await env.done(env.ben.press(offered.shown, "Accept"))).text
    assert env.board().picture


async def test_a_game_continues_with_the_existing_boards_controls(env: Environment) -> None:
    dice = random.Random(11)
    await env.begin()
    for _ in range(3):
        await env.restart()
        for _ in range(3):
            ply = await env.ply()
            board = env.board()
            await env.turn(board, dice)
            assert await env.ply() >= ply
            assert f"Move {await env.move()}" in env.board().text
    assert len([b for b in env.boards() if playable(b)]) == 1


async def test_a_move_begun_before_a_restart_is_finished_after_it(env: Environment) -> None:
    dice = random.Random(12)
    await env.begin("tablut")

    for _ in range(400):
        board = env.board()
        ply = await env.ply()
        values = [b.custom_id or "" for b in board.buttons if b.label.endswith(" …")]
        if values:
            picked = env.start_pick(board, env.mover(board), dice.choice(values))
            await picked
            await env.settled()
            assert await env.ply() == ply
            break
        await env.turn(board, dice)
    half, mover = half_move(picked), env.mover(env.board())
    assert half is not None

    await env.restart()
    back = await mover.press(half, "Choose again")
    assert back.updated
    await env.restart()
    await env.turn_from(half, mover, random.Random(13))
    assert await env.ply() > ply
    assert len([shown for shown in env.boards() if playable(shown)]) == 1


async def test_a_resignations_confirmation_survives_a_restart(env: Environment) -> None:
    await env.begin()
    await env.play_a_while()
    question = await env.ann.slash("/tablan resign")
    await env.restart()
    assert "You resigned" in (await env.done(env.ann.press(question.shown, "Resign"))).text
    assert "won" in env.board().text


async def test_old_boards_are_recognised_after_a_restart(env: Environment) -> None:
    board = await env.begin()
    old, mover = board.snapshot(), env.mover(board)
    await env.turn(board, random.Random(15))
    await env.restart()
    late = (await mover.press(old, custom_id=old.buttons[0].custom_id, stale=True)).private
    assert "earlier turn" in late


async def test_commands_are_only_sent_to_discord_when_changed(empty_env: Environment) -> None:
    env = empty_env
    env.first_start = True
    await env.start()
    assert len(env.requests_to(COMMANDS)) == 1
    await env.restart()
    await env.restart()
    assert len(env.requests_to(COMMANDS)) == 1
    assert any(command.line("en-US") == "/tablan challenge" for command in env.ann.slash_commands())


async def test_a_restart_posts_nothing_again(env: Environment) -> None:
    await env.begin()
    for _ in range(3):
        await env.restart()
    assert len(env.boards()) == 1
