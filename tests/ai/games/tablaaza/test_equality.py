"""The fast board equals the engine: perft counts, and random games ply by ply."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from ai.games.tablaaza import fast
from ai.games.tablaaza.translation import encode, notation, read
from ai.kernels import Board
from engine.games.tablaaza import GAME
from tests.engine.counts import Entry, entries

TABLE = Path(__file__).parents[3] / "engine" / "games" / "tablaaza" / "perft.txt"


def perft(state: Board, depth: int) -> int:
    if fast.actor(state) == -2 or not depth:
        return int(not depth)
    out, into = np.empty(fast.MOST_MOVES, np.int64), np.empty_like(state)
    number = fast.moves(state, out)
    if depth == 1:
        return number
    total = 0
    for move in out[:number]:
        fast.play(state, int(move), into)
        total += perft(into, depth - 1)
    return total


@pytest.mark.parametrize("entry", entries(TABLE), ids=lambda entry: entry.position)
def test_perft_counts_equal_the_engines(entry: Entry) -> None:
    state = encode(GAME.read_position(entry.position))
    counted = [perft(state, depth) for depth in range(1, len(entry.counts) + 1)]
    assert counted == list(entry.counts)


def test_random_games_are_equal_at_every_ply() -> None:
    rng = random.Random(50)
    out, into = np.empty(fast.MOST_MOVES, np.int64), np.empty(fast.SIZE, np.int32)
    for _ in range(150):
        slow = GAME.initial()
        quick = encode(slow)
        while GAME.outcome(slow) is None:
            assert quick.tolist() == encode(slow).tolist()
            assert fast.actor(quick) == GAME.actor(slow)
            found = out[: fast.moves(quick, out)]
            texts = {notation(quick, int(one)): int(one) for one in found}
            legal = GAME.legal_moves(slow)
            assert texts.keys() == {GAME.write(one) for one in legal}
            assert all(read(quick, text) == one for text, one in texts.items())
            move = rng.choice(legal)
            fast.play(quick, texts[GAME.write(move)], into)
            slow, quick, into = GAME.after(slow, move), into, quick
        assert fast.actor(quick) == -2
        assert quick.tolist() == encode(slow).tolist()
        shares = np.empty(2)
        fast.result(quick, shares)
        ended = GAME.outcome(slow)
        assert ended is not None
        assert shares.tolist() == [float(rank == 1) for rank in ended.ranks]
