"""Translates between the engine's positions and moves and those of the kernels."""

from __future__ import annotations

from typing import Final

import numpy as np

from ai.games.tablan.board import (
    BOTH_DONE,
    FIRST_FINISHER,
    OPPOSED,
    OPTIONS,
    ORDER,
    PHASE,
    SCORE,
    SEAT,
    SIZE,
    TOGETHER,
    UNLOCK,
    fresh,
    hand,
    men,
    put,
    settings,
    turn,
)
from ai.games.tablan.move_generation import MOST_MOVES, SPLIT, moves
from ai.kernels import Board
from engine.game import Seat
from engine.games.tablan.board import COURSES
from engine.games.tablan.state import Order, Phase, Settings, State

_PHASES: Final = tuple(Phase)
_ORDERS: Final = tuple(Order)


def options_of(settled: Settings) -> int:
    """Return the options as bits."""
    return (
        OPPOSED * (settled.course.name == "opposed")
        | UNLOCK * settled.unlock
        | BOTH_DONE * settled.both_done
        | FIRST_FINISHER * settled.first_finisher
        | _ORDERS.index(settled.order) << ORDER
    )


def encode(state: State) -> Board:
    """Return an engine position as an array."""
    array = np.zeros(SIZE, dtype=np.int32)
    for seat in (0, 1):
        put(array, seat, state.men[seat], state.fresh[seat])
    array[SEAT] = state.seat
    array[PHASE] = _PHASES.index(state.phase)
    array[SCORE] = state.score
    array[TOGETHER] = state.together
    array[OPTIONS] = options_of(state.settings)
    return array


def decode(array: Board, settled: Settings) -> State:
    """Return an array as an engine position; ``settled`` must match the array's options."""
    both = (0, 1)
    masks = [int(men(array, seat)) for seat in both]
    unmoved = [int(fresh(array, seat)) for seat in both]
    return State(
        settled,
        (masks[0], masks[1]),
        (unmoved[0], unmoved[1]),
        Seat(int(array[SEAT])),
        _PHASES[array[PHASE]],
        int(array[SCORE]),
        together=bool(array[TOGETHER]),
    )


def notation(array: Board, move: int) -> str:
    """Return a move in the engine's notation."""
    course = COURSES["opposed" if settings(array) & OPPOSED else "alongside"]
    squares, score = course.squares[turn(array)], int(hand(array))
    first, second = move % SPLIT, move // SPLIT - 1
    if second < 0:
        return f"{squares[first]}-{squares[first + score]}"
    half = score // 2
    return f"{squares[first]}-{squares[first + half]},{squares[second]}-{squares[second + half]}"


def read(array: Board, text: str) -> int:
    """Return a legal move given in the engine's notation.

    Raises:
        ValueError: no legal move is written that way.

    """
    found = np.empty(MOST_MOVES, dtype=np.int64)
    for move in found[: moves(array, found)]:
        if notation(array, int(move)) == text:
            return int(move)
    raise ValueError(f"no legal move is written {text}")
