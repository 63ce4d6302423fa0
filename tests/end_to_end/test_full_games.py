"""Whole games, from the challenge to the leaderboard and the proof."""

from __future__ import annotations

import random
import re
import sys
from asyncio import create_subprocess_exec, subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import discord
import pytest

if TYPE_CHECKING:
    from playground.model import Message
    from tests.end_to_end.harness import House

ROOT = Path(__file__).parents[2]


def over(board: Message) -> bool:
    """Tell whether a board offers nothing any more."""
    return not board.buttons and not board.menus


@pytest.mark.parametrize("rules", ["walker", "bell"])
async def test_a_whole_game_is_played_told_counted_and_proved(house: House, rules: str) -> None:
    dice = random.Random(rules)
    await house.begin(rules=rules)

    for _ in range(1500):
        board = house.board()
        if over(board):
            break
        check_turn(house, board)
        await house.turn(board, dice)

    board = house.board()
    assert re.search(r"\*\*(.*wins\*\* against|A draw\*\* between) ", board.text), board.text
    assert board.pinged == ()
    assert all(over(shown) and shown.alt for shown in house.boards())

    table = await house.ann.slash("/leaderboard")
    assert house.ann.mention in table.text
    assert house.ben.mention in table.text
    await prove(house)


async def test_requests_are_compared_with_discords_own_description(house: House) -> None:
    if house.description is None:
        pytest.skip("Discord's interface description does not lie beside the project")
    message = {"components": "none", "flags": 1 << 15}
    route = discord.http.Route(
        "POST", "/channels/{channel_id}/messages", channel_id=house.town.channel("games").id
    )
    house.expected |= {400}
    with pytest.raises(discord.HTTPException):
        await house.bot.http.request(route, json=message)
    assert any("OPENAPI" in str(violation) for violation in house.town.violations)
    house.town.violations.clear()


def check_turn(house: House, board: Message) -> None:
    """Check what must be true of every board on which somebody is to move."""
    assert board.pinged == (house.mover(board).user,)
    assert board.alt
    assert len(board.alt) <= 1024
    older = house.boards()[:-1]
    assert all(over(shown) for shown in older[-2:])


async def prove(house: House) -> None:
    """Verify the last game by the bot and by the record that it hands out."""
    proof = await house.carol.slash("/match verify", number=1)
    assert proof.ephemeral
    assert "✓" in proof.text
    assert proof.message is not None
    record = house.folder / "match.txt"
    record.write_bytes(proof.message.attachments[0].data)
    checking = await create_subprocess_exec(
        sys.executable,
        "-m",
        "engine",
        "verify",
        str(record),
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    said, _ = await checking.communicate()
    assert checking.returncode == 0, said.decode()

    log = record.read_text("utf-8")
    record.write_text(re.sub(r"\*[0-4]", "*0", log, count=3), "utf-8")
    checking = await create_subprocess_exec(
        sys.executable, "-m", "engine", "verify", str(record), cwd=ROOT, stdout=subprocess.DEVNULL
    )
    assert await checking.wait() == 1
