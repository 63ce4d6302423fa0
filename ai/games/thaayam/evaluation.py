"""The learnt evaluation: how likely each seat is to win, summing to 1.

One small network scores what each seat sees; the chances are the scores' softmax. Two, three and
four players have weights of their own. `train` says how they were made.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ai.games.thaayam.fast import PHASE, PLAYERS, START, Row
from ai.games.thaayam.features import INPUTS, see
from ai.kernels import kernel

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
def weights() -> NDArray[np.float32]:
    """Return the weights for two, three and four players, read when first asked."""
    return np.load(_FILE).astype(np.float32)  # type: ignore[no-any-return]


@kernel
def network(players: int) -> int:
    """Return where the weights for so many players begin."""
    return (players - 2) * NETWORK


@kernel
def score(
    x: NDArray[np.float32], w: NDArray[np.float32], at: int, hidden: NDArray[np.float32]
) -> float:
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
    return total


@kernel
def evaluate(state: Row, w: NDArray[np.float32], out: NDArray[np.float64]) -> None:
    """Write how likely each seat is to win; nothing of throws in hand."""
    players = state[PLAYERS]
    out[:] = 0.0
    if state[PHASE] == START:
        out[:players] = 1.0 / players
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
