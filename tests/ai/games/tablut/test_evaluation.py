"""The evaluation gives its trained values, identical for mirror images of a position."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import pytest

from ai.games.tablut import FAST
from ai.games.tablut.evaluation import CERTAIN_WIN, COMPACT, expanded
from ai.games.tablut.train import WEIGHTS, fitted, observed
from ai.kernels import Board, Weights
from ai.position import inner
from engine.errors import BadPosition
from engine.games.tablut import GAME
from tests.ai.games.tablut.lines import random_line


def lines(count: int) -> Iterator[str]:
    """Yield positions of unfinished games."""
    dice = random.Random(1)
    while count:
        line = random_line(dice)
        try:
            state = GAME.read_position(line)
        except BadPosition:
            continue
        if GAME.outcome(state) is None:
            count -= 1
            yield line


def board(line: str) -> Board:
    """Read a line as a board."""
    return FAST.encode(inner(GAME.read_position(line)))


def swedes(position: Board, weights: Weights) -> float:
    """Return the Swedes' win chance, and check that both chances sum to 1."""
    out = np.zeros(2)
    FAST.kernels.evaluate(position, weights, out)
    assert out.sum() == pytest.approx(1)
    assert 0 < out[0] < 1
    return float(out[0])


def images(line: str) -> Iterator[str]:
    """Yield all rotations and reflections of a position."""
    men, side = line.split()
    rows = [list(row) for row in men.split("/")]
    for _ in range(2):
        for _ in range(4):
            rows = [list(row) for row in zip(*rows[::-1], strict=True)]
            yield f"{'/'.join(''.join(row) for row in rows)} {side}"
        rows = [row[::-1] for row in rows]


def test_the_evaluation_is_the_logistic_sum_of_its_features() -> None:
    compact = np.random.default_rng(1).normal(0, 0.2, COMPACT).astype(np.float32)
    weights, compared = expanded(compact), 0
    for line in lines(60):
        found = swedes(board(line), weights)
        if 1 - CERTAIN_WIN < found < CERTAIN_WIN:
            expected = 0.01 + 0.98 / (1 + np.exp(-(observed(board(line)) @ compact)))
            assert found == pytest.approx(expected, abs=1e-5)
            compared += 1
    assert compared > 10


def test_rotated_and_mirrored_positions_are_worth_the_same() -> None:
    for line in lines(20):
        values = [swedes(board(image), FAST.weights()) for image in images(line)]
        assert max(values) - min(values) < 1e-5


def test_an_immediate_win_is_seen_without_looking_ahead() -> None:
    out = np.zeros(FAST.most_moves, np.int64)
    won = 0
    for line in lines(150):
        position, into, results = board(line), FAST.board(), np.zeros(2)
        seat = FAST.kernels.actor(position)
        value = swedes(position, FAST.weights())
        mine = value if seat == 0 else 1 - value
        wins = 0
        for move in out[: FAST.kernels.moves(position, out)]:
            FAST.kernels.play(position, move, into)
            if FAST.kernels.actor(into) < 0:
                FAST.kernels.result(into, results)
                wins += results[seat] == 1
        if mine >= CERTAIN_WIN:
            assert wins
            won += 1
        assert wins == 0 or mine >= CERTAIN_WIN or seat == 0  # tuichu is left to the search
    assert won > 10


def test_with_enough_results_training_recovers_the_original_weights() -> None:
    dice = np.random.default_rng(2)
    true = np.array([1.0, -2.0, 0.5], np.float32)
    rows = dice.integers(0, 2, (60_000, 3)).astype(np.float32)
    goals = 1 / (1 + np.exp(-(rows @ true)))
    np.testing.assert_allclose(fitted(rows, goals, np.zeros(3, np.float32)), true, atol=0.05)


def test_there_are_few_weights() -> None:
    assert np.load(WEIGHTS).shape == (COMPACT,)
    assert WEIGHTS.stat().st_size < 4096
