"""Training on one-throw lookahead values."""

from __future__ import annotations

import numpy as np

from ai.games.tablan.board import MOVE, OUTSIDE, PHASE, SCORE, SEAT, SIZE, men
from ai.games.tablan.evaluation import best_move, scratch, update_weights
from ai.games.tablan.move_generation import MOST_MOVES, can_use, side
from ai.games.tablan.selfplay import MAX_POSITIONS, next_random, play_game
from ai.kernels import Board, Floats, Ints, Weights, kernel


@kernel
def usable_score_value(state: Board, weights: Weights, notes: Weights, out: Floats) -> None:
    """Write a seat's value from usable throws, and the probability of losing the throw.

    Args:
        state: a position in which the seat is about to throw.
        weights: evaluation weights.
        notes: a `scratch`.
        out: receives the sum over usable throws of probability times value after the best move,
            and the probability of a throw that scores but is lost.

    """
    choices, into = np.empty(MOST_MOVES, np.int64), np.empty(SIZE, np.int32)
    thrown = state.copy()
    thrown[PHASE] = MOVE
    mine = side(state, int(state[SEAT]))
    out[0] = out[1] = 0.0
    for score, ways in ((2, 4), (8, 1), (12, 1)):
        if can_use(mine, score):
            thrown[SCORE] = score
            out[0] += ways / 16 * best_move(thrown, weights, notes, choices, into)[1]
        else:
            out[1] += ways / 16


@kernel
def lookahead_values(state: Board, weights: Weights, notes: Weights, out: Floats) -> None:
    """Write White's expected result before White's throw and before Black's.

    Each is the mean, over the throws, of the value after the best move. A lost throw leads back to
    the same position, one that scores nothing to the other: two linear equations, solved here.
    """
    turned = state.copy()
    turned[SEAT] = 0
    usable_score_value(turned, weights, notes, out)
    first, first_lost = out[0], out[1]
    turned[SEAT] = 1
    usable_score_value(turned, weights, notes, out)
    second, second_lost = 6 / 16 - out[1] - out[0], out[1]  # White's value from Black's throws
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
def train_by_lookahead(
    weights: Weights, options: Ints, games: int, dice: Ints, rates: Floats, one_of: int
) -> int:
    """Train on some positions of self-play games; return their number.

    Args:
        weights: to train.
        options: sets of options as bits, one drawn for each game.
        games: number of games.
        dice: random state.
        rates: learning rates of the first and the last game.
        one_of: one in this many positions is used.

    """
    path = np.zeros((MAX_POSITIONS + 1, SIZE), np.int32)
    out, notes = np.empty(2, np.float64), scratch(weights)
    positions = 0
    for number in range(games):
        rate = rates[0] * (rates[1] / rates[0]) ** (number / games)
        length = play_game(weights, options[next_random(dice) % len(options)], dice, path)
        for index in range(length - 1, -1, -1):
            if next_random(dice) % one_of:
                continue
            state = path[index]
            lookahead_values(state, weights, notes, out)
            for seat in range(2):
                if men(state, seat) & OUTSIDE:
                    state[SEAT] = seat
                    update_weights(state, weights, notes, out[0] if seat == 0 else 1 - out[1], rate)
                    positions += 1
    return positions
