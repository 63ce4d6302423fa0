"""Practice where the bot answers only when used does not flood a channel: one message changes."""

from __future__ import annotations

import random

import pytest

from bot.core.settings.service import SettingsStore
from bot.play.matches.service import Matches
from engine import registry
from playground.app import GROUP
from playground.model import Message
from tests.end_to_end.harness import Environment, playable
from tests.end_to_end.people import QUICK

pytestmark = pytest.mark.usefixtures("kernels")


@pytest.fixture
async def env(empty_env: Environment) -> Environment:
    """Start a bot whose computer opponents move at once."""
    empty_env.worker_tasks = QUICK
    await empty_env.start()
    return empty_env


async def practise(env: Environment, slug: str = "tablut") -> Message:
    """Begin a match against a computer in a group as Ann, and return its board."""
    await env.ann.slash(f"/{slug} practice", channel=GROUP, level=1)
    await env.settled()
    return env.board(channel=GROUP)


async def moves(env: Environment, number: int) -> None:
    """Make some moves as Ann with the board's buttons and menus."""
    dice = random.Random(f"moves {number}")
    for _ in range(number):
        ply = await env.ply()
        while await env.ply() == ply and playable(env.board(channel=GROUP)):
            await env.turn_from(env.board(channel=GROUP), env.ann, dice)


@pytest.mark.parametrize("slug", ["tablut", "tablan"])
async def test_a_whole_match_leaves_one_board(env: Environment, slug: str) -> None:
    board = await practise(env, slug)
    dice = random.Random(3)
    for _ in range(12):
        if not playable(board):
            break
        await env.turn_from(board, env.ann, dice)
        assert env.boards(channel=GROUP) == [board]
    question = await env.ann.slash(f"/{slug} resign", channel=GROUP)
    if question.message is not None and question.message.buttons:
        await env.ann.press(question.message, "Resign")
        await env.settled()
    assert env.boards(channel=GROUP) == [board]
    assert not playable(board)
    assert "Rematch" in [button.label for button in board.buttons]


async def test_after_a_pause_the_next_press_edits_its_own_message(env: Environment) -> None:
    board = await practise(env)
    await moves(env, 2)
    await env.advance(minutes=20)
    await moves(env, 2)
    await env.restart()
    await moves(env, 2)
    assert env.boards(channel=GROUP) == [board]
    assert playable(board)


async def test_typed_moves_change_the_same_board(env: Environment) -> None:
    board = await practise(env)
    for _ in range(4):
        move = (await env.legal())[0]
        await env.ann.slash("/tablut move", channel=GROUP, move=move)
        await env.settled()
    assert env.boards(channel=GROUP) == [board]
    assert playable(board)


async def test_confirmed_moves_change_the_same_board(env: Environment) -> None:
    await env.app.get(SettingsStore).change_player(env.ann.id, {"confirm": True})
    board = await practise(env)
    await env.advance(minutes=20)
    for _ in range(3):
        ply, move = await env.ply(), (await env.legal())[0]
        game = registry.game("tablut")
        view = await env.app.get(Matches).view(1)
        question = board
        for step in game.steps(game.read(view.state, move)):
            value = next(one for one in env.choices(question) if one.endswith(step))
            await env.start_pick(question, env.ann, value)
            await env.settled()
            messages = env.ann.sees(env.playground.channel(GROUP))
            question = [message for message in messages if message.ephemeral][-1]
        await env.ann.press(question, "Play it")
        await env.settled()
        assert await env.ply() > ply
    assert env.boards(channel=GROUP) == [board]
    assert playable(board)


async def test_requesting_the_board_posts_no_second_one(env: Environment) -> None:
    board = await practise(env)
    for _ in range(3):
        await env.ann.slash("/tablut board", channel=GROUP)
        await env.settled()
    assert env.boards(channel=GROUP) == [board]


async def test_a_deleted_board_comes_back_once(env: Environment) -> None:
    env.expected = {404}
    board = await practise(env)
    env.playground.messages.delete(board)
    await env.ann.slash("/tablut board", channel=GROUP)
    await env.settled()
    (again,) = env.boards(channel=GROUP)
    assert again is not board
    assert playable(again)
