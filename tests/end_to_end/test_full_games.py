"""Whole games, from the challenge to the leaderboard and the proof."""

from __future__ import annotations

import random
import re

import discord
import pytest

from playground.model import Message
from tests.end_to_end.harness import Environment, playable
from tests.end_to_end.verification import verify_match

LOOKED_AT = 40
"""Turns played on boards."""


def over(board: Message) -> bool:
    return not playable(board)


async def test_a_whole_game_is_rated_and_verified(env: Environment) -> None:
    """Uses unusual rules; the usual ones are played in tests/end_to_end/test_every_game."""
    dice = random.Random("bell")
    await env.begin(rules="bell")

    for _ in range(LOOKED_AT):
        board = env.board()
        check_turn(env, board)
        await env.turn(board, dice)

    board = await env.hurry(dice, lambda view: view.to_move is None)
    assert re.search(r"\*\*(.*won\*\* against|A draw\*\* between) ", board.text), board.text
    assert board.pinged == ()
    assert all(over(shown) and shown.alt for shown in env.boards())

    table = await env.ann.slash("/leaderboard", game="tablan")
    assert env.ann.mention in table.text
    assert env.ben.mention in table.text
    await verify_match(env)


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


def check_turn(env: Environment, board: Message) -> None:
    assert board.pinged == (env.mover(board).user,)
    assert board.alt
    assert len(board.alt) <= 1024
    older = env.boards()[:-1]
    assert all(over(shown) for shown in older[-2:])
