"""Playing against a computer: at once, anywhere, and never with a match lost."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from engine import registry

if TYPE_CHECKING:
    from playground.model import Message
    from tests.end_to_end.harness import House


async def begin(house: House, slug: str = "tablut", **options: object) -> Message:
    """Let Ann begin a match against a computer, and return the board on which she is to move."""
    told = await house.ann.slash(f"/{slug} practice", options={"level": 1, **options})
    assert not told.ephemeral, told.text
    await house.settled()
    return house.board()


@pytest.mark.parametrize("slug", sorted(registry.games()))
async def test_a_match_against_a_computer_is_played_to_its_end(house: House, slug: str) -> None:
    board = await begin(house, slug)
    assert "Computer, level 1" in board.text
    dice = random.Random(7)
    board = await house.play_until(dice, lambda board: not house.choices(board))
    assert "**" in board.text
    view = await house.bot.matches.view(1)
    assert view.to_move is None
