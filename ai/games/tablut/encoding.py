"""Translates between the engine's positions and notation and the fast board's integers."""

from __future__ import annotations

import numpy as np

from ai.games.tablut.fast import (
    COLUMN,
    DRAWN,
    ENDED,
    KEY,
    KING_AT,
    MUSCOVITES_LEFT,
    MUSCOVITES_WON,
    SIDE,
    SIZE,
    SWEDES_LEFT,
    SWEDES_WON,
    TO,
    TURN,
)
from ai.games.tablut.tables import MARKS
from ai.kernels import Board
from engine.games.tablut import board as bits
from engine.games.tablut import notation as engine_notation
from engine.games.tablut.board import KING, MUSCOVITE, SWEDE
from engine.games.tablut.playing import outcome, placed
from engine.games.tablut.state import MOVES, State


def encode(state: State) -> Board:
    """Return an engine position as a board."""
    found = np.zeros(SIZE, np.int32)
    mark = 0
    for kind in (MUSCOVITE, SWEDE, KING):
        men = state.men(kind)
        for square in men:
            rank, file = divmod(square, SIDE)
            found[rank] |= 1 << (SIDE * kind + file)
            found[COLUMN + file] |= 1 << (SIDE * kind + rank)
            mark ^= int(MARKS[kind, square])
        if kind != KING:
            found[MUSCOVITES_LEFT if kind == MUSCOVITE else SWEDES_LEFT] = len(men)
    found[TURN] = 1 if state.board & bits.TURN else 0
    found[KING_AT] = state.king
    found[KEY : KEY + 2] = np.array([mark], np.uint64).view(np.int32)
    ended = outcome(state)
    if ended is not None:
        won = SWEDES_WON if ended.ranks[0] == 1 else MUSCOVITES_WON
        found[ENDED] = DRAWN if ended.drawn else won
    return found


def past(state: State) -> list[Board]:
    """Return the positions since the last capture, without the current one."""
    return [encode(placed(board, _king(board))) for board in state.seen[:-1]]


def _king(board: int) -> int:
    return next((n for n, bit in enumerate(bits.SIGHT[KING]) if board & bit), -1)


def notation(board: Board, move: int) -> str:  # noqa: ARG001 - the same on any board
    """Return a move in the engine's notation."""
    return "".join(MOVES[move // TO][move % TO].steps)


def read(board: Board, text: str) -> int:  # noqa: ARG001 - the same on any board
    """Return a move given in the engine's notation."""
    move = engine_notation.read(text)
    return move.source * TO + move.target
