"""Positions for testing the fast board: all sets of options, random games, mirror images."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product

import numpy as np

from ai.games.tablan import FAST
from ai.games.tablan.board import SEAT, fresh, men, put
from ai.kernels import Board
from ai.position import CHANCE, OVER
from engine.games.tablan import GAME

KERNELS = FAST.kernels
WAYS = (1, 4, 6, 4, 1)
COMBINATIONS = [
    dict(zip(("course", "unlock", "order", "end", "tie"), values, strict=True))
    for values in product(
        ("alongside", "opposed"),
        ("none", "two"),
        ("free", "furthest-first", "nearest-first"),
        ("one-done", "both-done"),
        ("draw", "first-finisher"),
    )
]


def name_of(options: dict[str, str]) -> str:
    """Return a name for a set of options."""
    return "-".join(options.values())


def board(line: str, options: dict[str, str] | None = None) -> Board:
    """Read a position line."""
    return FAST.encode(GAME.read_position(line, options))


def legal(state: Board) -> list[int]:
    """Return the legal moves."""
    out = np.zeros(FAST.most_moves, np.int64)
    return [int(move) for move in out[: KERNELS.moves(state, out)]]


def after(state: Board, move: int) -> Board:
    """Return the position after a move or, if chance acts, after a throw."""
    into = FAST.board()
    step = KERNELS.throw if KERNELS.actor(state) == CHANCE else KERNELS.play
    step(state, move, into)
    return into


def random_game(options: dict[str, str], seed: str) -> Iterator[Board]:
    """Yield the positions of a game of random legal moves."""
    dice = random.Random(seed)
    state = FAST.encode(GAME.initial(options))
    while KERNELS.actor(state) != OVER:
        yield state
        if KERNELS.actor(state) == CHANCE:
            (step,) = dice.choices(range(5), WAYS)
        else:
            step = dice.choice(legal(state))
        state = after(state, step)


def mirrored(state: Board) -> Board:
    """Return the position with the seats swapped."""
    turned = state.copy()
    for seat in (0, 1):
        put(turned, 1 - seat, men(state, seat), fresh(state, seat))
    turned[SEAT] = 1 - state[SEAT]
    return turned
