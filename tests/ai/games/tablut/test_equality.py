"""The fast board follows the engine's rules, move for move."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ai.games.tablut import FAST
from ai.kernels import Board
from ai.position import OVER, inner, shares
from engine.errors import BadPosition
from engine.games.tablut import GAME
from engine.games.tablut.playing import REPEATED
from tests.ai.games.tablut.lines import random_line
from tests.engine.counts import Entry, entries
from tests.engine.games.tablut import positions

PERFT = Path(positions.__file__).with_name("perft.txt")
KERNELS = FAST.kernels


def legal(board: Board) -> list[int]:
    """Return the legal moves on the fast board."""
    out = np.zeros(FAST.most_moves, np.int64)
    return [int(move) for move in out[: KERNELS.moves(board, out)]]


def after(board: Board, move: int) -> Board:
    """Return the fast board after a move."""
    into = FAST.board()
    KERNELS.play(board, move, into)
    return into


def perft(board: Board, depth: int) -> int:
    """Count move sequences as `engine.perft` does."""
    if KERNELS.actor(board) == OVER:
        return 0
    moves = legal(board)
    return len(moves) if depth == 1 else sum(perft(after(board, m), depth - 1) for m in moves)


def assert_same(state: Any, board: Board) -> None:
    """Check that an engine position and a board are equal in all that matters."""
    np.testing.assert_array_equal(FAST.encode(inner(state)), board)
    ended = GAME.outcome(state)
    assert (KERNELS.actor(board) == OVER) == (ended is not None)
    if ended is not None:
        results = np.zeros(2)
        KERNELS.result(board, results)
        assert tuple(results) == shares(ended)
        return
    assert KERNELS.actor(board) == GAME.actor(state)
    written = {FAST.notation(board, move) for move in legal(board)}
    assert len(written) == len(legal(board))
    assert written == {GAME.write(move) for move in GAME.legal_moves(state)}


@pytest.mark.parametrize("entry", entries(PERFT), ids=lambda entry: entry.position)
def test_perft_counts_equal_the_engines(entry: Entry) -> None:
    board = FAST.encode(inner(GAME.read_position(entry.position)))
    counts = entry.counts[:3]
    assert [perft(board, depth + 1) for depth in range(len(counts))] == list(counts)


@pytest.mark.parametrize("seed", range(4))
def test_whole_games_go_the_same_way(seed: int) -> None:
    dice = random.Random(seed)
    for _ in range(10):
        state: Any = GAME.initial()
        board = FAST.encode(inner(state))
        while (ended := GAME.outcome(state)) != REPEATED:
            assert_same(state, board)
            if ended is not None:
                break
            move = dice.choice(legal(board))
            state = GAME.apply(state, GAME.read(state, FAST.notation(board, move)))
            board = after(board, move)


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
        assert_same(state, board)
        for move in legal(board) if GAME.outcome(state) is None else []:
            reached = GAME.apply(state, GAME.read(state, FAST.notation(board, move)))
            ends.add(GAME.outcome(reached))
            assert_same(reached, after(board, move))
    assert len(ends) >= 4  # the game continues, the king escapes, tuichu, the king is captured


def test_the_past_is_every_position_since_the_last_capture() -> None:
    state: Any = GAME.initial()
    boards = [FAST.encode(inner(state))]
    for text in ("e3-f3", "e2-f2", "f3-e3", "f2-e2"):
        state = GAME.apply(state, GAME.read(state, text))
        boards.append(FAST.encode(inner(state)))
    past = FAST.past(inner(state))
    np.testing.assert_array_equal(past, boards[:-1])
    assert KERNELS.key(boards[0]) == KERNELS.key(boards[-1])
    assert len({KERNELS.key(board) for board in boards[:-1]}) == 4


def test_notation_is_read_back() -> None:
    board = FAST.encode(inner(GAME.initial()))
    assert all(FAST.read(board, FAST.notation(board, move)) == move for move in legal(board))
