"""Positions for testing the fast board: all sets of options, random games, mirror images."""

from __future__ import annotations

import random
from collections.abc import Iterator

from ai.games.tablan import FAST
from ai.games.tablan.board import SEAT, fresh, men, put
from ai.kernels import Board
from ai.position import CHANCE, OVER
from engine.games.tablan import GAME
from tests.ai.boards import WAYS, Boards

BOARDS = Boards.of("tablan")
KERNELS = FAST.kernels
COMBINATIONS = BOARDS.combinations()
board, legal, after = BOARDS.read, BOARDS.legal, BOARDS.after


def name_of(options: dict[str, str]) -> str:
    """Return a name for a set of options."""
    return "-".join(options.values())


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
