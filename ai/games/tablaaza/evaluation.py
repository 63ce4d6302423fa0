"""Who is ahead for room: more vacant plots of one's own are more turns left, so far."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ai.games.tablaaza.fast import HALF
from ai.kernels import kernel
from engine.games.tablaaza.board import GREEN, RED

if TYPE_CHECKING:
    from ai.kernels import Board, Floats, Weights


def weights() -> Weights:
    """Return the weights of the evaluation."""
    return np.zeros(1, np.float32)


@kernel
def evaluate(state: Board, weights: Weights, out: Floats) -> None:  # noqa: ARG001 - none yet
    """Write how likely each seat is to win."""
    room = 0
    for plot in range(HALF):
        room += (state[RED] >> plot & 1) - (state[GREEN] >> plot & 1)
    out[RED] = 1.0 / (1.0 + np.exp(-0.3 * room))
    out[GREEN] = 1.0 - out[RED]
