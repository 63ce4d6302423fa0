"""The search returns the values of an exhaustive search."""

from __future__ import annotations

import random
from itertools import product

import numpy as np
import pytest

from ai.games.tablut import FAST
from ai.kernels import Board, Floats
from ai.levels import Level
from ai.position import CHANCE, CHANCES, OVER, Fast
from ai.search.alphabeta import DISCOUNT
from ai.search.maxn import MaxN
from ai.search.searcher import Searcher
from engine.games.tablut.playing import START
from tests.ai.search.race import RACE, SLOW, start


def exhaustive_value(
    fast: Fast, board: Board, depth: int, fade: float, foe_of: int | None = None
) -> Floats:
    """Return the expected result of every seat, by exhaustive search.

    ``fade`` is the factor by which each decision draws a value towards one half. If ``foe_of`` is
    given, all other seats play against it.
    """
    key = (fast.slug, board.tobytes(), depth, fade, foe_of)
    if key not in _values:
        _values[key] = _exhaustive_value(fast, board, depth, fade, foe_of)
    return _values[key].copy()


_values: dict[tuple[object, ...], Floats] = {}
"""The values of positions already searched; several paths lead to each."""


def _exhaustive_value(
    fast: Fast, board: Board, depth: int, fade: float, foe_of: int | None
) -> Floats:
    kernels, out = fast.kernels, np.zeros(fast.seats)
    who = kernels.actor(board)
    if who == OVER:
        kernels.result(board, out)
        return out
    if depth <= 0 and (who == CHANCE or not fast.throws):
        kernels.evaluate(board, fast.weights(), out)
        return out
    into = fast.board()
    if who == CHANCE and fast.passing:
        return value_with_idle_throws(fast, board, depth, fade)
    if who == CHANCE:
        for plain, chance in enumerate(CHANCES):
            kernels.throw(board, plain, into)
            out += chance * exhaustive_value(fast, into.copy(), depth - 1, fade, foe_of)
        return out
    moves = np.zeros(fast.most_moves, np.int64)
    best, key = out, -2.0
    for move in moves[: kernels.moves(board, moves)]:
        kernels.play(board, move, into)
        found = exhaustive_value(
            fast, into.copy(), depth if fast.throws else depth - 1, fade, foe_of
        )
        found = 0.5 + (found - 0.5) * fade
        wish = found[who] if foe_of in {None, who} else -found[foe_of]
        if wish > key:
            best, key = found, wish
    return best


def value_with_idle_throws(fast: Fast, board: Board, depth: int, fade: float) -> Floats:
    """Return the same where throws may have no effect, by iterating over repeated throws."""
    kernels, into = fast.kernels, fast.board()
    done: dict[bytes, Floats] = {}
    idle: dict[bytes, list[tuple[float, bytes]]] = {}
    met = [board]
    while met:
        here = met.pop()
        done[here.tobytes()], idle[here.tobytes()] = np.zeros(fast.seats), []
        for plain, chance in enumerate(CHANCES):
            kernels.throw(here, plain, into)
            if kernels.actor(into) != CHANCE:
                done[here.tobytes()] += chance * exhaustive_value(
                    fast, into.copy(), depth - 1, fade
                )
                continue
            idle[here.tobytes()].append((chance, into.tobytes()))
            if into.tobytes() not in idle:
                met.append(into.copy())
    values = dict(done)
    for _ in range(60):  # 11 of 16 throws have no effect: 60 in a row are too rare to matter
        values = {
            here: done[here] + sum(chance * values[there] for chance, there in idle[here])
            for here in done
        }
    return values[board.tobytes()]


@pytest.mark.parametrize("depth", range(5))
@pytest.mark.parametrize("runners", [(0, 0), (5, 3), (2, 6), (6, 6)])
def test_with_throws_for_two(runners: tuple[int, int], depth: int) -> None:
    searcher = Searcher(RACE)
    searcher.compile()
    for thrown in (-1, 1, 2, 4):
        board = start(2, *runners, thrown=thrown)
        found = searcher.evaluate(board, (), depth)
        assert found is not None
        np.testing.assert_allclose(
            found, exhaustive_value(RACE, board, depth, DISCOUNT)[:2], atol=1e-6
        )


@pytest.mark.parametrize(
    ("runners", "depth"),
    [
        *product([(0, 0), (5, 3), (2, 6), (6, 6)], range(3)),
        ((2, 6), 3),  # takes the exhaustive search long from the start
        ((6, 6), 3),
    ],
)
def test_useless_throws_are_seen_through(runners: tuple[int, int], depth: int) -> None:
    """The turn may pass back and forth forever, and throws may repeat."""
    searcher = Searcher(SLOW)
    searcher.compile()
    for thrown in (-1, 1, 4):
        board = start(2, *runners, thrown=thrown)
        found = searcher.evaluate(board, (), depth)
        assert found is not None
        np.testing.assert_allclose(
            found, exhaustive_value(SLOW, board, depth, DISCOUNT)[:2], atol=1e-6
        )


@pytest.mark.parametrize("depth", range(4))
@pytest.mark.parametrize("runners", [(0, 0, 0), (5, 3, 4), (2, 6, 5)])
def test_with_throws_for_three_playing_for_themselves(
    runners: tuple[int, int, int], depth: int
) -> None:
    searcher = MaxN(RACE, 3)
    searcher.compile()
    for thrown in (-1, 1, 2, 4):
        board = start(3, *runners, thrown=thrown)
        found = searcher.evaluate(board, (), depth)
        assert found is not None
        np.testing.assert_allclose(found, exhaustive_value(RACE, board, depth, 1.0), atol=1e-9)


@pytest.mark.parametrize("depth", range(1, 4))
def test_with_throws_for_three_with_two_against_one(depth: int) -> None:
    searcher = Searcher(RACE, 3)
    searcher.compile()
    board = start(3, 3, 5, 4, thrown=2)
    found = searcher.search(board, (), Level(depth, 1 << 40), random.Random(1))
    into = RACE.board()
    for move, value in zip(found.moves, found.values, strict=True):
        RACE.kernels.play(board, move, into)
        exact = exhaustive_value(RACE, into, depth, DISCOUNT, foe_of=0)[0]
        if move == found.moves[found.best]:
            assert value == pytest.approx(exact, abs=1e-4)
        else:
            assert exact <= found.values[found.best] + 1e-4


@pytest.mark.parametrize("depth", [1, 2])
def test_without_throws(depth: int) -> None:
    searcher = Searcher(FAST)
    searcher.compile()
    dice = random.Random(5)
    board = FAST.encode(START)
    for _ in range(6):
        found = searcher.evaluate(board, (), depth)
        assert found is not None
        np.testing.assert_allclose(found, exhaustive_value(FAST, board, depth, DISCOUNT), atol=1e-6)
        moves = np.zeros(FAST.most_moves, np.int64)
        count = FAST.kernels.moves(board, moves)
        board, before = FAST.board(), board
        FAST.kernels.play(before, moves[dice.randrange(count)], board)
