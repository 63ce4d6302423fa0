"""Who is ahead: a logistic model of how much room each side has and how easily it can be taken.

A vacant plot that faces few vacant plots of the other colour will soon be a pavilion, and a plot
that alone faces several takes them all at one stroke. How much that says changes as the board
fills, so each `PHASE` of a game has weights of its own. `train` says how they were made.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from ai.games.tablaaza.fast import BIT_AT, FACING, HALF, SEAT, number
from ai.kernels import kernel

if TYPE_CHECKING:
    from ai.kernels import Board, Floats, Weights

MOST_FACED: Final = 11
"""Plots that face more are counted with these."""
MOST_TAKEN: Final = 4
SIDE_FACTS: Final = MOST_FACED + MOST_TAKEN + 1
"""Of a side: how many of its plots face 1, 2, … others; how many alone face 1, 2, …; all of them."""
FACTS: Final = 2 * SIDE_FACTS + 1
"""Those of who plays, those of the other side, and 1."""
PHASE: Final = 6
"""Vacant plots that one set of weights is for."""
PHASES: Final = -(-2 * HALF // PHASE) + 1
WEIGHTS: Final = PHASES * FACTS

_FILE: Final = Path(__file__).with_name("weights.npy")


@cache
def weights() -> Weights:
    """Return the weights of the evaluation, read when first asked."""
    return np.load(_FILE).astype(np.float32)


@kernel
def facts(state: Board, x: Floats) -> int:
    """Write what the evaluation sees, from the eyes of who plays; return the phase."""
    x[:] = 0.0
    x[FACTS - 1] = 1.0
    seat, vacant = number(state, SEAT), 0
    for turn in range(2):
        side = seat if turn == 0 else 1 - seat
        own, other = number(state, side), number(state, 1 - side)
        at = turn * SIDE_FACTS
        alone = np.zeros(HALF, np.int64)
        # Plots of the other side that face one plot only count for that plot
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
            x[at + min(many, MOST_FACED) - 1] += 1.0
            if alone[plot]:
                x[at + MOST_FACED + min(alone[plot], MOST_TAKEN) - 1] += 1.0
            x[at + SIDE_FACTS - 1] += 1.0
            vacant += 1
    return vacant // PHASE


@kernel
def judge(state: Board, w: Weights, x: Floats) -> float:
    """Return how likely who plays is to win; ``x`` is room for the facts."""
    at = FACTS * facts(state, x)
    total = 0.0
    for index in range(FACTS):
        total += x[index] * w[at + index]
    return float(1.0 / (1.0 + np.exp(-total)))


@kernel
def evaluate(state: Board, w: Weights, out: Floats) -> None:
    """Write how likely each seat is to win."""
    chance = judge(state, w, np.empty(FACTS))
    out[state[SEAT]] = chance
    out[1 - state[SEAT]] = 1.0 - chance
