"""Alpha-beta for everybody: one seat, the hero, against all others, with chance between them.

Values are the hero's expected result from -1 to 1. Each ply nearer the end weighs a little more,
so that a win is taken rather than put off and a loss put off. In games without throws a step of
depth is a move; in games with throws it is a throw, so that a turn of several decisions is always
looked at wholly and positions are valued where the next throw is due. Where throws may do nothing
but pass the sticks on, it is the next throw that does more.

With more than two seats all others are taken to play against the hero (paranoid search).
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numba import float64, int64

from ai.kernels import (
    BOARDS,
    FLOATS,
    GAME,
    INTS,
    INTS_2,
    WEIGHTS,
    WORDS,
    Boards,
    Floats,
    Ints,
    Weights,
    Words,
    kernel,
)
from ai.search.waiting import CHANCES, FACES, LIKELIEST, awaited

PLIES: Final = 96
"""The longest line that is followed, decisions and throws together."""

# What stands where in ``control``.
NODES: Final = 0
"""How many positions were looked at."""
LIMIT: Final = 1
"""How many may be."""
STOP: Final = 2
"""Set from outside when time is up."""
BROKEN: Final = 3
"""Set when the search broke off; what it returns then means nothing."""
HERO: Final = 4
THROWS: Final = 5
"""Whether the game has throws."""
TIMES: Final = 6
"""How often a position may come up before the game is drawn; 0 for no such rule."""
PAST: Final = 7
"""How many positions of the past stand at the beginning of ``trail``."""
COUNT: Final = 8
"""How many moves are looked at in the root, where they stand in ``moves_of[0]``, best first."""
WHOLE: Final = 9
"""Whether the value of each of these is wanted exactly, or only that of the best."""
PASSING: Final = 10
"""Whether throws may do nothing but pass the sticks on, see `ai.search.waiting`."""
CONTROL: Final = 11

CHANCE: Final = -1
OVER: Final = -2
WINDOW: Final = 1e-6
"""The narrowest window: two values nearer than this are the same."""
FADE: Final = 1.0 - 1e-5
"""What a ply takes from a value."""
_UNFADE: Final = 1.0 / FADE
SKETCH: Final = 1 << 12
"""The size of the sketch that tells which keys may stand in the trail."""
HISTORY: Final = 1 << 14
KILLERS: Final = 2 * PLIES

EXACT: Final = 0
LEAST: Final = 1
"""The value is at least what is stored."""
MOST: Final = 2
_SCALE: Final = float(1 << 28)
_MOVE_BITS: Final = (1 << 24) - 1
_FAR: Final = 1 << 40
"""Above every score of the ordering that history can reach."""

SIGNATURE: Final = float64(
    GAME, BOARDS, INTS_2, INTS_2, INTS, FLOATS, WEIGHTS, WORDS, WORDS, INTS, FLOATS, int64, int64,
    float64, float64,
)  # fmt: skip


@kernel
def _store(table: Words, key: Any, move: int, depth: int, bound: int, value: float) -> None:
    """Keep what is known of a position, in place of what stood there."""
    slot = 2 * (key & np.uint64(len(table) // 2 - 1))
    table[slot] = key
    table[slot + 1] = (
        np.uint64(move & _MOVE_BITS)
        | np.uint64(max(depth, 0) + 1) << np.uint64(24)
        | np.uint64(bound) << np.uint64(31)
        | np.uint64((value + 1.0) * _SCALE) << np.uint64(33)
    )


@kernel
def _repeated(trail: Words, key: Any, ply: int, past: int, times: int) -> bool:
    """Return whether a position counts as a draw because it has come up before.

    Once on the line that is being looked at is enough: who can repeat once can do so again.
    """
    count = 1
    for n in range(past):
        if trail[n] == key:
            count += 1
    if count >= times:
        return True
    for n in range(past, past + ply):
        if trail[n] == key:
            return True
    return False


@kernel
def order(
    game: Any, board: Any, found: Ints, scores: Ints, heuristics: Ints, count: int, best: int,
    ply: int, depth: int,
) -> None:  # fmt: skip
    """Score moves: the one that was best before, loud ones, killers, then what often cut."""
    loud = game[7]
    for n in range(count):
        move = found[n]
        score = heuristics[KILLERS + ((move ^ (move >> 14)) & (HISTORY - 1))]
        if move & _MOVE_BITS == best:
            score = 4 * _FAR
        else:
            noise = loud(board, move) if depth > 1 else 0
            if noise:
                score += _FAR + noise * (_FAR >> 10)
            elif move == heuristics[2 * ply]:
                score = _FAR - 1
            elif move == heuristics[2 * ply + 1]:
                score = _FAR - 2
        scores[n] = score


@kernel
def _pick(found: Ints, scores: Ints, first: int, count: int) -> None:
    """Bring the best of the moves that are left to the front."""
    best = first
    for n in range(first + 1, count):
        if scores[n] > scores[best]:
            best = n
    if best != first:
        found[first], found[best] = found[best], found[first]
        scores[first], scores[best] = scores[best], scores[first]


@kernel
def _praise(heuristics: Ints, move: int, ply: int, depth: int) -> None:
    """Remember a quiet move that was too good."""
    if heuristics[2 * ply] != move:
        heuristics[2 * ply + 1] = heuristics[2 * ply]
        heuristics[2 * ply] = move
    heuristics[KILLERS + ((move ^ (move >> 14)) & (HISTORY - 1))] += depth * depth


@kernel
def look(
    game: Any,
    boards: Boards,
    moves_of: Ints,
    scores_of: Ints,
    heuristics: Ints,
    values: Floats,
    weights: Weights,
    table: Words,
    trail: Words,
    control: Ints,
    told: Floats,
    ply: int,
    depth: int,
    alpha: float,
    beta: float,
) -> float:
    """Return the hero's value of the board at a ply, or a bound outside the window.

    Args:
        game: the functions of the game.
        boards: a row for each ply; that of this ply is filled.
        moves_of: a row of moves for each ply.
        scores_of: a row of scores for the order of the moves for each ply.
        heuristics: killers of each ply, then the history of all moves.
        values: room for what the evaluation says of each seat.
        weights: of the evaluation.
        table: what is known of positions: keys and facts by turns.
        trail: the keys of the past, then of this line; a sketch of all of them at the end.
        control: counts and settings, see the constants.
        told: receives the mover's value of each move in the root.
        ply: how far from the root.
        depth: how far to look.
        alpha: a lower value need not be told exactly.
        beta: nor a higher one.

    """
    actor, moves, play, throw, result, evaluate, hashed, _ = game
    control[NODES] += 1
    if control[NODES] >= control[LIMIT] or control[STOP]:
        control[BROKEN] = 1
        return 0.0
    board = boards[ply]
    who = actor(board)
    if who == OVER:
        result(board, values)
        return 2.0 * values[control[HERO]] - 1.0
    times = control[TIMES]
    key: Any = np.uint64(0)
    mark: Any = 0
    if times:
        key = hashed(board)
        mark = len(trail) - SKETCH + np.int64(key & np.uint64(SKETCH - 1))
        if trail[mark] and _repeated(trail, key, ply, control[PAST], times):
            return 0.0
    if ply >= PLIES - 3 or (depth <= 0 and (who == CHANCE or not control[THROWS])):
        evaluate(board, weights, values)
        return 2.0 * values[control[HERO]] - 1.0
    # What is known already
    if not times:
        key = hashed(board)
    root = ply == 0 and control[COUNT] > 0
    best_move: Any = -1
    slot = 2 * (key & np.uint64(len(table) // 2 - 1))
    if table[slot] == key and not root:
        known = table[slot + 1]
        best_move = np.int64(known & np.uint64(_MOVE_BITS))
        if np.int64((known >> np.uint64(24)) & np.uint64(127)) - 1 >= depth:
            value: Any = np.float64(known >> np.uint64(33)) / _SCALE - 1.0
            bound = (known >> np.uint64(31)) & np.uint64(3)
            if (
                bound == EXACT
                or (bound == LEAST and value >= beta)
                or (bound == MOST and value <= alpha)
            ):
                return value
    if times:
        trail[mark] += np.uint64(1)
        trail[control[PAST] + ply] = key
    # Chance: the mean over all throws, left as soon as it is sure to lie outside the window
    if who == CHANCE:
        odds, ways, fall = CHANCES, FACES, ply + 1
        if control[PASSING]:
            odds = np.empty(2 * FACES, np.float64)
            if awaited(game, board, boards[ply + 1], boards[ply + 2], odds):
                ways, fall = 2 * FACES, ply + 2
        total, rest = 0.0, 1.0
        for n in range(ways):
            plain = LIKELIEST[n % FACES]
            chance = odds[n - n % FACES + plain]
            if chance == 0.0:
                continue
            rest -= chance
            low = max(-1.0, (alpha - total - rest) / chance)
            high = min(1.0, (beta - total + rest) / chance)
            throw(board if n < FACES else boards[ply + 1], plain, boards[fall])
            value = look(
                game, boards, moves_of, scores_of, heuristics, values, weights, table, trail,
                control, told, fall, depth - 1, low, high,
            )  # fmt: skip
            if control[BROKEN]:
                return 0.0
            total += chance * value
            if value <= low and low > -1.0:
                total += rest
                _store(table, key, 0, depth, MOST, total)
                return total
            if value >= high and high < 1.0:
                total -= rest
                _store(table, key, 0, depth, LEAST, total)
                return total
        _store(table, key, 0, depth, EXACT, total)
        return total
    # A decision: from here on values are those of whom it serves, the hero or all others
    side = 1.0 if who == control[HERO] else -1.0
    low, high = (alpha, beta) if side > 0 else (-beta, -alpha)
    found, scores = moves_of[ply], scores_of[ply]
    if root:
        count = control[COUNT]
    else:
        count = moves(board, found)
        order(game, board, found, scores, heuristics, count, best_move, ply, depth)
    # Values fade on the way up, so the window widens on the way down
    floor = low
    best, chosen = -2.0, found[0]
    deeper = depth if control[THROWS] else depth - 1
    for n in range(count):
        if not root:
            _pick(found, scores, n, count)
        move = found[n]
        play(board, move, boards[ply + 1])
        goal = floor if root and control[WHOLE] else max(floor, best)
        under, over = max(-1.0, goal * _UNFADE), min(1.0, high * _UNFADE)
        less = 0
        if n >= 3 and depth >= 3 and not control[THROWS] and not root and scores[n] < _FAR - 2:
            less = 1 + (n >= 12) + (depth >= 6 and n >= 24)
        value = 0.0
        again: Any = True
        if n and over - under > WINDOW and not (root and control[WHOLE]):
            narrow = under + WINDOW
            one, two = (under, narrow) if side > 0 else (-narrow, -under)
            value = side * look(
                game, boards, moves_of, scores_of, heuristics, values, weights, table, trail,
                control, told, ply + 1, deeper - less, one, two,
            )  # fmt: skip
            again = value > under
        elif less:
            one, two = (under, over) if side > 0 else (-over, -under)
            value = side * look(
                game, boards, moves_of, scores_of, heuristics, values, weights, table, trail,
                control, told, ply + 1, deeper - less, one, two,
            )  # fmt: skip
            again = value > under
        if again and not control[BROKEN]:
            one, two = (under, over) if side > 0 else (-over, -under)
            value = side * look(
                game, boards, moves_of, scores_of, heuristics, values, weights, table, trail,
                control, told, ply + 1, deeper, one, two,
            )  # fmt: skip
        if control[BROKEN]:
            break
        value *= FADE
        if root:
            told[n] = value
        if value > best:
            best, chosen = value, move
            if best >= high:
                if scores[n] < _FAR:
                    _praise(heuristics, move, ply, depth)
                break
    if times:
        trail[mark] -= np.uint64(1)
    if control[BROKEN]:
        return 0.0
    bound = EXACT
    if best >= high:
        bound = LEAST if side > 0 else MOST
    elif best <= low:
        bound = MOST if side > 0 else LEAST
    _store(table, key, chosen, depth, bound, side * best)
    return side * best
