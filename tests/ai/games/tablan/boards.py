"""Positions for the tests of the fast board: every set of options, random games, mirrors."""

from __future__ import annotations

import random
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from ai.games.tablan import FAST
from ai.games.tablan.board import SEAT, fresh, men, put
from ai.position import CHANCE, OVER
from engine.games.tablan import GAME

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ai.kernels import Board

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


def called(options: dict[str, str]) -> str:
    """Return a name for a set of options."""
    return "-".join(options.values())


def board(line: str, options: dict[str, str] | None = None) -> Board:
    """Return the position that a line describes."""
    return FAST.encode(GAME.read_position(line, options))


def legal(state: Board) -> list[int]:
    """Return the legal moves."""
    out = np.zeros(FAST.most_moves, np.int64)
    return [int(move) for move in out[: KERNELS.moves(state, out)]]


def after(state: Board, move: int) -> Board:
    """Return the position after a move of a seat or, where chance acts, after a throw."""
    into = FAST.board()
    step = KERNELS.throw if KERNELS.actor(state) == CHANCE else KERNELS.play
    step(state, move, into)
    return into


def random_game(options: dict[str, str], seed: str) -> Iterator[Board]:
    """Yield the positions of a game in which anything legal is played."""
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
    """Return the position with the seats changed: each stands where the other stood."""
    turned = state.copy()
    for seat in (0, 1):
        put(turned, 1 - seat, men(state, seat), fresh(state, seat))
    turned[SEAT] = 1 - state[SEAT]
    return turned
