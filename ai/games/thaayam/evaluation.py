"""The learnt evaluation: how likely each seat is to win, summing to 1.

One small network scores what each seat sees; the chances are the scores' softmax. Two, three and
four players have weights of their own. `train` says how they were made.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

import numpy as np

from ai.games.thaayam.fast import PHASE, PLAYERS, START, number
from ai.games.thaayam.features import INPUTS, see
from ai.kernels import Board, Floats, Weights, kernel

HIDDEN: Final = 24
"""Units between what is seen and the score."""
SCORE: Final = (INPUTS + 1) * HIDDEN
"""Where the weights of the score begin: first come those of the units, their biases last."""
NETWORK: Final = SCORE + HIDDEN
"""Weights of one network."""
WEIGHTS: Final = 3 * NETWORK

_FILE: Final = Path(__file__).with_name("weights.npy")
_LEAK: Final = 0.1


@cache
def weights() -> Weights:
    """Return the weights for two, three and four players, read when first asked."""
    return np.load(_FILE).astype(np.float32)


@kernel
def network(players: int) -> int:
    """Return where the weights for so many players begin."""
    return (players - 2) * NETWORK


@kernel
def score(x: Weights, w: Weights, at: int, hidden: Weights) -> float:
    """Return the score of what a seat sees; ``hidden`` is left with what the units feel."""
    bias = at + INPUTS * HIDDEN
    for unit in range(HIDDEN):
        hidden[unit] = w[bias + unit]
    for index in range(INPUTS):
        value = x[index]
        if value != 0.0:
            row = at + index * HIDDEN
            for unit in range(HIDDEN):
                hidden[unit] += value * w[row + unit]
    total = np.float32(0.0)
    for unit in range(HIDDEN):
        felt = hidden[unit]
        total += w[at + SCORE + unit] * (felt if felt > 0.0 else np.float32(_LEAK) * felt)
    return float(total)


@kernel
def judge(state: Board, w: Weights, out: Floats) -> None:
    """Write how likely each seat is to win; throws in hand are not seen."""
    players = number(state, PLAYERS)
    for index in range(4):
        out[index] = 1.0 / players if index < players else 0.0
    if state[PHASE] == START:
        return
    x, hidden = np.empty(INPUTS, np.float32), np.empty(HIDDEN, np.float32)
    at = network(players)
    highest = -1e9
    for index in range(players):
        see(state, index, x)
        out[index] = score(x, w, at, hidden)
        highest = max(highest, out[index])
    total = 0.0
    for index in range(players):
        out[index] = np.exp(out[index] - highest)
        total += out[index]
    for index in range(players):
        out[index] /= total
