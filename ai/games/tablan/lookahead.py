"""What positions are worth when one throw more is looked at, and learning from that."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ai.games.tablan.board import MOVE, OUTSIDE, PHASE, SCORE, SEAT, SIZE, men
from ai.games.tablan.evaluation import best, learn, room
from ai.games.tablan.selfplay import LONGEST, game, random
from ai.games.tablan.walking import MOST_MOVES, side, usable
from ai.kernels import kernel

if TYPE_CHECKING:
    from ai.kernels import Board, Floats, Ints, Weights


@kernel
def scored(state: Board, weights: Weights, notes: Weights, out: Floats) -> None:
    """Write what a seat has of its next throw if that can be used, and how often it is lost.

    Args:
        state: a position in which the seat is about to throw.
        weights: of the evaluation.
        notes: a `room`.
        out: first the chances of the throws that can be used, each times what the seat may
            expect after the best move; then the chance of a throw that scores and is lost.

    """
    choices, into = np.empty(MOST_MOVES, np.int64), np.empty(SIZE, np.int32)
    thrown = state.copy()
    thrown[PHASE] = MOVE
    mine = side(state, int(state[SEAT]))
    out[0] = out[1] = 0.0
    for score, ways in ((2, 4), (8, 1), (12, 1)):
        if usable(mine, score):
            thrown[SCORE] = score
            out[0] += ways / 16 * best(thrown, weights, notes, choices, into)[1]
        else:
            out[1] += ways / 16


@kernel
def weigh(state: Board, weights: Weights, notes: Weights, out: Floats) -> None:
    """Write what White may expect before a throw of White's, and before one of Black's.

    Each is the mean over the throws of what comes after the best move, by the evaluation. A throw
    that is lost leads back to the same, one that scores nothing to the other: so they stand in
    two equations, which are solved.
    """
    turned = state.copy()
    turned[SEAT] = 0
    scored(turned, weights, notes, out)
    first, first_lost = out[0], out[1]
    turned[SEAT] = 1
    scored(turned, weights, notes, out)
    second, second_lost = 6 / 16 - out[1] - out[0], out[1]  # what White has of Black's throws
    passed = 10 / 16
    if not men(state, 0) & OUTSIDE:  # Black throws alone
        out[0] = out[1] = second / (6 / 16 - second_lost)
        return
    if not men(state, 1) & OUTSIDE:
        out[0] = out[1] = first / (6 / 16 - first_lost)
        return
    out[0] = (first * (1 - second_lost) + passed * second) / (
        (1 - first_lost) * (1 - second_lost) - passed * passed
    )
    out[1] = (passed * out[0] + second) / (1 - second_lost)


@kernel
def ponder(
    weights: Weights, options: Ints, games: int, dice: Ints, rates: Floats, one_of: int
) -> int:
    """Play games and learn from some of their positions; return from how many.

    Args:
        weights: what learns.
        options: sets of options as bits; every game is played by one of them.
        games: how many.
        dice: of everything random.
        rates: how far weights move in the first game and in the last.
        one_of: one of so many positions is looked at.

    """
    path = np.zeros((LONGEST + 1, SIZE), np.int32)
    out, notes = np.empty(2, np.float64), room(weights)
    positions = 0
    for number in range(games):
        rate = rates[0] * (rates[1] / rates[0]) ** (number / games)
        length = game(weights, options[random(dice) % len(options)], dice, path)
        for index in range(length - 1, -1, -1):
            if random(dice) % one_of:
                continue
            state = path[index]
            weigh(state, weights, notes, out)
            for seat in range(2):
                if men(state, seat) & OUTSIDE:
                    state[SEAT] = seat
                    learn(state, weights, notes, out[0] if seat == 0 else 1 - out[1], rate)
                    positions += 1
    return positions
