"""The search plays whole turns of Thaayam: it takes wins and captures."""

from __future__ import annotations

import random

from ai.games.thaayam import FAST
from ai.games.thaayam.translation import encode, notation
from ai.levels import Level
from ai.search.searcher import Searcher
from engine.games.thaayam import GAME


def played(position: str, depth: int = 1) -> list[str]:
    """Return the moves the search makes until the next throw."""
    searcher, state = Searcher(FAST), GAME.read_position(position)
    moves = []
    while GAME.outcome(state) is None and GAME.actor(state) is not GAME.actor(GAME.initial()):
        board = encode(state)
        found = searcher.search(board, [], Level(depth, 50_000), random.Random(1))
        text = notation(board, found.moves[found.best])
        moves.append(text)
        state = GAME.apply(state, GAME.read(state, text))
    return moves


def test_a_win_in_this_turn_is_found() -> None:
    assert played("south:24,24,*,* north:24,24,*,* south 1,1,2") == ["off", "off"]


def test_capturing_a_piece_far_ahead_is_preferred() -> None:
    # e4, where North's piece stands, is two squares on from e2: place 13 of North's path.
    assert "e2+2" in played("south:3,13,24,24 north:13,24,24,24 south 2")


def test_all_throws_of_a_series_are_planned_together() -> None:
    moves = played("south:3,-,-,- north:13,24,24,24 south 1,1,2")
    assert len(moves) >= 2
