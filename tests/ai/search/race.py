"""A small race with throws for two or three players, as a fast board for tests only.

A player who throws n plain sides moves n squares on, or sends the next seat back n squares; the
last square is home. A throw of none is useless; a throw of four gives another turn.

In the slow race a throw of two is useless too, and after three the player throws again.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from ai.kernels import Board, Floats, Ints, Weights, kernel
from ai.position import Fast, Kernels

HOME: Final = 7
TURN: Final = 0
THROWN: Final = 1
"""The throw to use; -1 before a throw."""
PLAYERS: Final = 2
RUNNERS: Final = 3
COUNT: Final = 6
"""The number of throws, so that paths of different lengths never lead to the same position."""
SIZE: Final = 7


def start(players: int, *runners: int, thrown: int = -1) -> Board:
    """Return a position with the first seat to act."""
    board = np.zeros(SIZE, np.int32)
    board[:RUNNERS] = 0, thrown, players
    board[RUNNERS : RUNNERS + len(runners)] = runners
    return board


@kernel
def actor(state: Board) -> int:
    """Return the seat to act."""
    for runner in range(RUNNERS, COUNT):
        if state[runner] >= HOME:
            return -2
    return -1 if state[THROWN] < 0 else int(state[TURN])


@kernel
def moves(state: Board, out: Ints) -> int:
    """Write both moves: move on, and send back."""
    out[0] = 0
    out[1] = 1
    return 2


@kernel
def play(state: Board, move: int, into: Board) -> None:
    """Use a throw."""
    into[:] = state
    turn, thrown = state[TURN], state[THROWN]
    following = (turn + 1) % state[PLAYERS]
    if move:
        into[RUNNERS + following] = max(0, state[RUNNERS + following] - thrown)
    else:
        into[RUNNERS + turn] += thrown
    into[THROWN] = -1
    if thrown < 4:
        into[TURN] = following


@kernel
def throw(state: Board, plain: int, into: Board) -> None:
    """Throw; a useless throw passes the turn."""
    into[:] = state
    into[THROWN] = plain
    into[COUNT] += 1
    if not plain:
        into[THROWN] = -1
        into[TURN] = (state[TURN] + 1) % state[PLAYERS]


@kernel
def slow_throw(state: Board, plain: int, into: Board) -> None:
    """Throw; a useless throw changes nothing but, at most, the turn."""
    into[:] = state
    if plain in (0, 2):
        into[TURN] = (state[TURN] + 1) % state[PLAYERS]
    elif plain != 3:
        into[THROWN] = plain
        into[COUNT] += 1


@kernel
def result(state: Board, out: Floats) -> None:
    """Write the result."""
    out[:] = 0.0
    for seat in range(state[PLAYERS]):
        if state[RUNNERS + seat] >= HOME:
            out[seat] = 1.0


@kernel
def evaluate(state: Board, weights: Weights, out: Floats) -> None:
    """Write each seat's share of the distance covered."""
    out[:] = 0.0
    total = 0.0
    for seat in range(state[PLAYERS]):
        out[seat] = weights[0] + state[RUNNERS + seat]
        total += out[seat]
    for seat in range(state[PLAYERS]):
        out[seat] /= total


@kernel
def key(state: Board) -> int:
    """Return a number unique to the position."""
    found = np.uint64(17)
    for n in range(SIZE):
        found = (found ^ np.uint64(state[n] + 1)) * np.uint64(0x9E3779B97F4A7C15)
        found ^= found >> np.uint64(29)
    return int(found)


RACE: Final = Fast(
    slug="race",
    size=SIZE,
    most_moves=2,
    seats=3,
    kernels=Kernels(actor, moves, play, throw, result, evaluate, key),
    weights=lambda: np.ones(1, np.float32),
    encode=lambda state: state,
    notation=lambda _, move: "ab"[move],
    read=lambda _, text: "ab".index(text),
    throws=True,
)
SLOW: Final = replace(
    RACE, slug="slow", kernels=RACE.kernels._replace(throw=slow_throw), passing=True
)
