"""The evaluation: a logistic model of each side's vacant plots and how easily they are lost.

A vacant plot facing few vacant plots of the other colour will soon be a pavilion, and a plot that
alone faces several takes them all in one move. How much that matters changes as the board fills, so
each `PHASE` of a game has its own weights, made by `train`.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

import numpy as np

from ai.games.tablaaza.fast import BIT_AT, FACING, HALF, SEAT, number
from ai.kernels import Board, Floats, Weights, kernel

MAX_FACED: Final = 11
"""Plots facing more count as facing this many."""
MAX_TAKEN: Final = 4
SIDE_FEATURES: Final = MAX_FACED + MAX_TAKEN + 1
"""Per side: plots facing 1, 2, … others; plots alone in facing 1, 2, …; all plots."""
FEATURES: Final = 2 * SIDE_FEATURES + 1
"""Those of the side to play, those of the other side, a bias."""
PHASE: Final = 6
"""Vacant plots per set of weights."""
PHASES: Final = -(-2 * HALF // PHASE) + 1
WEIGHTS: Final = PHASES * FEATURES

_FILE: Final = Path(__file__).with_name("weights.npy")


@cache
def weights() -> Weights:
    """Return the weights of the evaluation, loaded on first use."""
    return np.load(_FILE).astype(np.float32)


@kernel
def extract_features(state: Board, x: Floats) -> int:
    """Write the features, relative to the side to play; return the phase."""
    x[:] = 0.0
    x[FEATURES - 1] = 1.0
    seat, vacant = number(state, SEAT), 0
    for turn in range(2):
        side = seat if turn == 0 else 1 - seat
        own, other = number(state, side), number(state, 1 - side)
        at = turn * SIDE_FEATURES
        alone = np.zeros(HALF, np.int64)
        # A plot of the other side facing only one plot counts for that plot
        left = other
        while left:
            bit = left & -left
            left ^= bit
            faced = own & FACING[HALF * (1 - side) + BIT_AT[bit % 37]]
            if faced & (faced - 1) == 0 and faced:
                alone[BIT_AT[faced % 37]] += 1
        left = own
        while left:
            bit = left & -left
            left ^= bit
            plot = BIT_AT[bit % 37]
            faced, many = other & FACING[HALF * side + plot], 0
            while faced:
                faced &= faced - 1
                many += 1
            x[at + min(many, MAX_FACED) - 1] += 1.0
            if alone[plot]:
                x[at + MAX_FACED + min(alone[plot], MAX_TAKEN) - 1] += 1.0
            x[at + SIDE_FEATURES - 1] += 1.0
            vacant += 1
    return vacant // PHASE


@kernel
def win_probability(state: Board, w: Weights, x: Floats) -> float:
    """Return the win probability of the side to play; ``x`` is scratch for the features."""
    at = FEATURES * extract_features(state, x)
    total = 0.0
    for index in range(FEATURES):
        total += x[index] * w[at + index]
    return float(1.0 / (1.0 + np.exp(-total)))


@kernel
def evaluate(state: Board, w: Weights, out: Floats) -> None:
    """Write each seat's win probability."""
    chance = win_probability(state, w, np.empty(FEATURES))
    out[state[SEAT]] = chance
    out[1 - state[SEAT]] = 1.0 - chance
