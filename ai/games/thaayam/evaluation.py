"""The evaluation: each seat's win probability, summing to 1.

A small network scores each seat's features; the probabilities are the softmax of the scores. Two,
three and four players have their own weights, made by `train`.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

import numpy as np

from ai.games.thaayam.fast import PHASE, PLAYERS, START, number
from ai.games.thaayam.features import INPUTS, extract_features
from ai.kernels import Board, Floats, Weights, kernel

HIDDEN: Final = 24
"""Hidden units."""
SCORE: Final = (INPUTS + 1) * HIDDEN
"""Start of the output weights, after those of the hidden units and their biases."""
NETWORK: Final = SCORE + HIDDEN
"""Weights of one network."""
WEIGHTS: Final = 3 * NETWORK

_FILE: Final = Path(__file__).with_name("weights.npy")
_LEAK: Final = 0.1


@cache
def weights() -> Weights:
    """Return the weights for two, three and four players, loaded on first use."""
    return np.load(_FILE).astype(np.float32)


@kernel
def network(players: int) -> int:
    """Return the start of the weights for a number of players."""
    return (players - 2) * NETWORK


@kernel
def score(x: Weights, w: Weights, at: int, hidden: Weights) -> float:
    """Return a seat's score; ``hidden`` receives the inputs of the hidden units."""
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
        activation = hidden[unit]
        total += w[at + SCORE + unit] * (
            activation if activation > 0.0 else np.float32(_LEAK) * activation
        )
    return float(total)


@kernel
def win_probabilities(state: Board, w: Weights, out: Floats) -> None:
    """Write each seat's win probability, ignoring throws in hand."""
    players = number(state, PLAYERS)
    for index in range(4):
        out[index] = 1.0 / players if index < players else 0.0
    if state[PHASE] == START:
        return
    x, hidden = np.empty(INPUTS, np.float32), np.empty(HIDDEN, np.float32)
    at = network(players)
    highest = -1e9
    for index in range(players):
        extract_features(state, index, x)
        out[index] = score(x, w, at, hidden)
        highest = max(highest, out[index])
    total = 0.0
    for index in range(players):
        out[index] = np.exp(out[index] - highest)
        total += out[index]
    for index in range(players):
        out[index] /= total
