"""Translates between the engine's positions and notation and the fast board's integers."""

from __future__ import annotations

import numpy as np

from ai.games.tablaaza.fast import FULL, HALF
from ai.kernels import Board
from engine.games.tablaaza.board import PLOTS
from engine.games.tablaaza.state import State


def encode(state: State) -> Board:
    """Return an engine position as a row of integers."""
    return np.array((state.vacant & FULL, state.vacant >> HALF, state.seat), np.int32)


def notation(state: Board, move: int) -> str:  # noqa: ARG001 - the same in any position
    """Return a move in the engine's notation."""
    return PLOTS[move]


def read(state: Board, text: str) -> int:  # noqa: ARG001 - the same in any position
    """Return a move given in the engine's notation."""
    return PLOTS.index(text)
