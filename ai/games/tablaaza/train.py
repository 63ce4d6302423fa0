"""Trains the weights of Tablaaza's evaluation by self-play alone.

In each round both sides play the move that looks best, or now and then a random one, until few
plots are vacant and the game is solved. Then the weights of each phase are fitted to the results:
logistic regression by Newton's method. The first round plays at random.

``python -m ai train tablaaza`` runs it with the seed that made ``weights.npy``.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np

from ai.games.tablaaza.endgame import UNKNOWN, size, wins
from ai.games.tablaaza.evaluation import (
    FEATURES,
    PHASES,
    WEIGHTS,
    extract_features,
    win_probability,
)
from ai.games.tablaaza.fast import FULL, HALF, MOST_MOVES, SEAT, SIZE, moves, number, play
from ai.kernels import Board, Floats, Ints, Weights, kernel
from ai.search.alphabeta import CONTROL, LIMIT, NODES
from ai.terminal import Progress

WEIGHTS_FILE: Final = Path(__file__).with_name("weights.npy")
SEED: Final = 20261121
ROUNDS: Final = (4_000, 6_000, 8_000)
"""Games per round."""
BLUNDERS: Final = 0.15
"""Probability of a random move."""
KNOWN: Final = 17
"""With this many vacant plots or fewer, the game is solved and ends."""
_MODESTY: Final = 1e-3
"""Strength of the pull of weights towards 0."""
_STEPS: Final = 25
_LONGEST: Final = 2 * HALF


def train(seed: int = SEED) -> None:
    """Train the weights and write them beside this module."""
    dice = np.random.default_rng(seed)
    weights = np.zeros(WEIGHTS, np.float32)
    with Progress("Training games", sum(ROUNDS)) as progress:
        _train(dice, weights, progress)
    np.save(WEIGHTS_FILE, weights)
    WEIGHTS_FILE.with_suffix(".txt").write_text(
        f"weights.npy: {len(weights)} weights, made by: python -m ai train tablaaza\n"
        f"seed {seed}; games of each round: {ROUNDS}\n",
        encoding="utf-8",
    )


def _train(dice: np.random.Generator, weights: Weights, progress: Progress) -> None:
    for turn, games in enumerate(ROUNDS):
        seen = np.zeros((games * _LONGEST, FEATURES))
        phases = np.zeros(len(seen), np.int64)
        won = np.zeros(len(seen))
        blunders = BLUNDERS if turn else 1.0
        count = self_play(games, int(dice.integers(1 << 31)), blunders, weights, seen, phases, won)
        right = fit(seen[:count], phases[:count], won[:count], weights)
        progress.advance(games)
        progress.print(f"round {turn + 1}: {count} positions, {right:.3f} told right")


def fit(seen: Floats, phases: Ints, won: Floats, weights: Weights) -> float:
    """Fit each phase's weights in place; return the share of positions predicted correctly."""
    right = 0
    for phase in range(PHASES):
        rows = phases == phase
        if not rows.any():
            continue
        x, y = seen[rows], won[rows]
        w = np.zeros(FEATURES)
        for _ in range(_STEPS):
            chance = 1 / (1 + np.exp(-np.clip(x @ w, -30, 30)))
            slope = x.T @ (chance - y) / len(y) + _MODESTY * w
            bend = (x.T * (chance * (1 - chance))) @ x / len(y) + _MODESTY * np.eye(FEATURES)
            w -= np.linalg.solve(bend, slope)
        weights[phase * FEATURES : (phase + 1) * FEATURES] = w
        right += int((((x @ w) > 0) == (y > 0.5)).sum())
    return right / len(won)


@kernel
def self_play(
    games: int,
    seed: int,
    blunders: float,
    w: Weights,
    seen: Floats,
    phases: Ints,
    won: Floats,
) -> int:
    """Play games; write each position's features, phase and result; return their number."""
    np.random.seed(seed)  # noqa: NPY002 - numba's own generator
    state, into = np.empty(SIZE, np.int32), np.empty(SIZE, np.int32)
    out, x = np.empty(MOST_MOVES, np.int64), np.empty(FEATURES)
    table, control = np.zeros(1 << 18, np.uint64), np.zeros(CONTROL, np.int64)
    seats = np.empty(len(won), np.int64)
    count = 0
    for _ in range(games):
        first, winner = count, UNKNOWN
        state[0], state[1], state[SEAT] = FULL, FULL, 0
        while winner == UNKNOWN:
            seat = number(state, SEAT)
            own, other = number(state, seat), number(state, 1 - seat)
            phases[count] = extract_features(state, seen[count])
            seats[count] = seat
            count += 1
            if size(own) + size(other) <= KNOWN:
                control[NODES], control[LIMIT] = 0, 1 << 40
                winner = seat if wins(own, other, seat, table, control) else 1 - seat
                break
            play(state, _chosen(state, blunders, w, out, into, x), into)
            state, into = into, state
        for index in range(first, count):
            won[index] = 1.0 if seats[index] == winner else 0.0
    return count


@kernel
def _chosen(state: Board, blunders: float, w: Weights, out: Ints, into: Board, x: Floats) -> int:
    """Return the move that looks best, or now and then a random one."""
    found = moves(state, out)
    if np.random.random() < blunders:  # noqa: NPY002 - numba's own generator
        return int(out[np.random.randint(found)])  # noqa: NPY002 - numba's own generator
    best, lowest = out[0], 2.0
    for index in range(found):
        play(state, out[index], into)
        chance = win_probability(into, w, x) if into[into[SEAT]] else 0.0
        if chance < lowest:
            best, lowest = out[index], chance
    return int(best)
