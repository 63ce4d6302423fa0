"""Between the engine's positions and notation and the fast board's integers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ai.games.tablaaza.fast import FULL, HALF
from engine.games.tablaaza.board import PLOTS

if TYPE_CHECKING:
    from ai.kernels import Board
    from engine.games.tablaaza.state import State


def encode(state: State) -> Board:
    """Return a position of the engine as a row of integers."""
    return np.array((state.vacant & FULL, state.vacant >> HALF, state.seat), np.int32)


def notation(state: Board, move: int) -> str:  # noqa: ARG001 - the same in any position
    """Return a move as it is written."""
    return PLOTS[move]


def read(state: Board, text: str) -> int:  # noqa: ARG001 - the same in any position
    """Return the move that is written so."""
    return PLOTS.index(text)
