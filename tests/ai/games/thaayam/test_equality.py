"""The fast board equals the engine: perft counts, and random games ply by ply."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from ai.games.thaayam import fast
from ai.games.thaayam.translation import encode, notation, read
from ai.kernels import Board
from engine.game import CHANCE
from engine.games.thaayam import GAME
from engine.games.thaayam.state import SEATS, Throw
from tests.engine.counts import Entry, entries

TABLE = Path(__file__).parents[3] / "engine" / "games" / "thaayam" / "perft.txt"


def perft(state: Board, depth: int) -> int:
    actor = fast.actor(state)
    if not depth or actor == -2:
        return int(not depth)
    into = np.empty_like(state)
    total = 0
    if actor == -1:
        for white in range(5):
            fast.throw(state, white, into)
            total += perft(into.copy(), depth - 1)
        return total
    out = np.empty(fast.MOST_MOVES, np.int64)
    number = fast.moves(state, out)
    if depth == 1:
        return number
    for move in out[:number]:
        fast.play(state, int(move), into)
        total += perft(into.copy(), depth - 1)
    return total


@pytest.mark.parametrize("entry", entries(TABLE), ids=lambda entry: entry.position)
def test_perft_counts_equal_the_engines(entry: Entry) -> None:
    state = encode(GAME.read_position(entry.position))
    counted = [perft(state, depth) for depth in range(1, len(entry.counts) + 1)]
    assert counted == list(entry.counts)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_random_games_are_equal_at_every_ply(players: int) -> None:
    rng = random.Random(players)
    out, into = np.empty(fast.MOST_MOVES, np.int64), np.empty(fast.SIZE, np.int32)
    for _ in range(12):
        slow = GAME.initial({}, players)
        quick = np.empty(fast.SIZE, np.int32)
        fast.begin(players, quick)
        while GAME.outcome(slow) is None:
            assert quick.tolist() == encode(slow).tolist()
            actor = GAME.actor(slow)
            legal = GAME.legal_moves(slow)
            move = rng.choices(legal, [float(p) for p in GAME.odds(slow).values()] or None)[0]
            if actor is CHANCE:
                assert fast.actor(quick) == -1
                assert isinstance(move, Throw)
                fast.throw(quick, move.white, into)
            else:
                assert fast.actor(quick) == SEATS[players].index(actor)
                found = out[: fast.moves(quick, out)]
                texts = {notation(quick, int(one)): int(one) for one in found}
                assert len(texts) == len(found)
                assert texts.keys() == {GAME.write(one) for one in legal}
                assert all(read(quick, text) == one for text, one in texts.items())
                fast.play(quick, texts[GAME.write(move)], into)
            slow = GAME.after(slow, move)
            quick, into = into, quick
        assert fast.actor(quick) == -2
        assert quick.tolist() == encode(slow).tolist()
        shares = np.empty(4)
        fast.result(quick, shares)
        ended = GAME.outcome(slow)
        assert ended is not None
        assert shares[:players].tolist() == [float(rank == 1) for rank in ended.ranks]
