"""Thaayam's fast board begins as the engine does; tests/ai/test_equality.py has the rest."""

from __future__ import annotations

import numpy as np
import pytest

from ai.games.thaayam import fast
from ai.games.thaayam.translation import encode
from engine.games.thaayam import GAME


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_game_begins_on_the_engines_board(players: int) -> None:
    board = np.empty(fast.SIZE, np.int32)
    fast.begin(players, board)
    assert board.tolist() == encode(GAME.initial({}, players)).tolist()
