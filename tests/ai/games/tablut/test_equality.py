"""Unusual positions and repetition on the fast board; tests/ai/test_equality.py has whole games."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from ai.games.tablut import FAST
from ai.position import inner
from engine.errors import BadPosition
from engine.games.tablut import GAME
from tests.ai.boards import Boards
from tests.ai.games.tablut.lines import random_line

BOARDS = Boards.of("tablut")


@pytest.mark.parametrize("seed", range(4))
def test_every_move_from_unusual_positions_leads_to_the_same(seed: int) -> None:
    """Rules 7, 8, 9 and 12 are rare in random games, but not near the king."""
    dice = random.Random(seed)
    tried, ends = 0, set()
    while tried < 60:
        try:
            state: Any = GAME.read_position(random_line(dice))
        except BadPosition:
            continue
        tried += 1
        board = FAST.encode(inner(state))
        BOARDS.assert_same(state, board)
        for move in BOARDS.legal(board) if GAME.outcome(state) is None else []:
            reached = GAME.apply(state, GAME.read(state, FAST.notation(board, move)))
            ends.add(GAME.outcome(reached))
            BOARDS.assert_same(reached, BOARDS.after(board, move))
    assert len(ends) >= 4  # the game continues, the king escapes, tuichu, the king is captured


def test_the_past_is_every_position_since_the_last_capture() -> None:
    state: Any = GAME.initial()
    boards = [FAST.encode(inner(state))]
    for text in ("e3-f3", "e2-f2", "f3-e3", "f2-e2"):
        state = GAME.apply(state, GAME.read(state, text))
        boards.append(FAST.encode(inner(state)))
    past = FAST.past(inner(state))
    np.testing.assert_array_equal(past, boards[:-1])
    assert FAST.kernels.key(boards[0]) == FAST.kernels.key(boards[-1])
    assert len({FAST.kernels.key(board) for board in boards[:-1]}) == 4
