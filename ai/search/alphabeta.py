"""Alpha-beta search with chance nodes: one seat, the hero, against all others.

Values are the hero's expected result from -1 to 1. Each ply discounts them slightly, so the
search takes wins early and delays losses. Without throws, depth counts moves. With throws, it
counts throws, so a turn of several decisions is always searched whole and positions are evaluated
where the next throw is due; throws that merely pass the sticks on do not count.

With more than two seats, all others are assumed to play against the hero (paranoid search).
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
from ai.search.passing_throws import BY_LIKELIHOOD, CHANCES, FACES, next_effective_throw

PLIES: Final = 96
"""Maximum length of a line, decisions and throws together."""

# Indices into ``control``.
NODES: Final = 0
"""Positions searched."""
LIMIT: Final = 1
"""Maximum number of positions."""
STOP: Final = 2
"""Set from outside once time is up."""
ABORTED: Final = 3
"""Set when the search was cut short and its value is meaningless."""
HERO: Final = 4
"""The seat whose values are returned."""
THROWS: Final = 5
"""Whether the game has throws."""
REPETITIONS: Final = 6
"""Occurrences of a position that draw the game; 0 if there is no such rule."""
PAST_COUNT: Final = 7
"""Number of earlier positions at the beginning of ``trail``."""
ROOT_COUNT: Final = 8
"""Number of moves to search at the root, given in ``moves_of[0]``, best first."""
EXACT_ALL: Final = 9
"""Whether all root values must be exact, or only the best."""
PASSING_THROWS: Final = 10
"""Whether throws may merely pass the sticks on, see `ai.search.passing_throws`."""
CONTROL: Final = 11

CHANCE: Final = -1
OVER: Final = -2
WINDOW: Final = 1e-6
"""The null window: values closer than this count as equal."""
DISCOUNT: Final = 1.0 - 1e-5
"""Discount factor per ply."""
_UNDISCOUNT: Final = 1.0 / DISCOUNT
FILTER: Final = 1 << 12
"""Size of the counting filter over the keys of the trail."""
HISTORY: Final = 1 << 14
KILLERS: Final = 2 * PLIES

EXACT: Final = 0
LOWER_BOUND: Final = 1
"""The value is at least the stored one."""
UPPER_BOUND: Final = 2
_SCALE: Final = float(1 << 28)
_MOVE_BITS: Final = (1 << 24) - 1
_ABOVE_HISTORY: Final = 1 << 40
"""Above any score from the history table."""

SIGNATURE: Final = float64(
    GAME, BOARDS, INTS_2, INTS_2, INTS, FLOATS, WEIGHTS, WORDS, WORDS, INTS, FLOATS, int64, int64,
    float64, float64,
)  # fmt: skip


@kernel
def _store(table: Words, key: Any, move: int, depth: int, bound: int, value: float) -> None:
    """Write a transposition table entry, always replacing the old one."""
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
    """Return whether a position is a draw by repetition.

    One repetition within the line searched is enough: a player able to repeat once can repeat
    again.
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
def score_moves(
    game: Any, board: Any, found: Ints, scores: Ints, heuristics: Ints, count: int, best: int,
    ply: int, depth: int,
) -> None:  # fmt: skip
    """Score moves for ordering: hash move, loud moves, killers, then history."""
    loud = game[7]
    for n in range(count):
        move = found[n]
        score = heuristics[KILLERS + ((move ^ (move >> 14)) & (HISTORY - 1))]
        if move & _MOVE_BITS == best:
            score = 4 * _ABOVE_HISTORY
        else:
            noise = loud(board, move) if depth > 1 else 0
            if noise:
                score += _ABOVE_HISTORY + noise * (_ABOVE_HISTORY >> 10)
            elif move == heuristics[2 * ply]:
                score = _ABOVE_HISTORY - 1
            elif move == heuristics[2 * ply + 1]:
                score = _ABOVE_HISTORY - 2
        scores[n] = score


@kernel
def _select(found: Ints, scores: Ints, first: int, count: int) -> None:
    """Move the best-scored of the remaining moves to the front."""
    best = first
    for n in range(first + 1, count):
        if scores[n] > scores[best]:
            best = n
    if best != first:
        found[first], found[best] = found[best], found[first]
        scores[first], scores[best] = scores[best], scores[first]


@kernel
def _record_cutoff(heuristics: Ints, move: int, ply: int, depth: int) -> None:
    """Update killers and history with a quiet move that caused a cutoff."""
    if heuristics[2 * ply] != move:
        heuristics[2 * ply + 1] = heuristics[2 * ply]
        heuristics[2 * ply] = move
    heuristics[KILLERS + ((move ^ (move >> 14)) & (HISTORY - 1))] += depth * depth


@kernel
def search(
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
    root_values: Floats,
    ply: int,
    depth: int,
    alpha: float,
    beta: float,
) -> float:
    """Return the hero's value of the board at a ply, or a bound outside the window.

    Args:
        game: the game's kernels.
        boards: a row for each ply; the row of this ply is filled.
        moves_of: a row of moves for each ply.
        scores_of: a row of ordering scores for each ply.
        heuristics: killers of each ply, then the history table.
        values: scratch space for each seat's evaluation.
        weights: evaluation weights.
        table: the transposition table, keys and entries alternating.
        trail: keys of earlier positions, then of this line, then a counting filter.
        control: counts and settings, see the constants.
        root_values: receives the mover's value of each move at the root.
        ply: distance from the root.
        depth: remaining depth.
        alpha: lower bound of the window.
        beta: upper bound of the window.

    """
    actor, moves, play, throw, result, evaluate, hashed, _ = game
    control[NODES] += 1
    if control[NODES] >= control[LIMIT] or control[STOP]:
        control[ABORTED] = 1
        return 0.0
    board = boards[ply]
    who = actor(board)
    if who == OVER:
        result(board, values)
        return 2.0 * values[control[HERO]] - 1.0
    times = control[REPETITIONS]
    key: Any = np.uint64(0)
    mark: Any = 0
    if times:
        key = hashed(board)
        mark = len(trail) - FILTER + np.int64(key & np.uint64(FILTER - 1))
        if trail[mark] and _repeated(trail, key, ply, control[PAST_COUNT], times):
            return 0.0
    if ply >= PLIES - 3 or (depth <= 0 and (who == CHANCE or not control[THROWS])):
        evaluate(board, weights, values)
        return 2.0 * values[control[HERO]] - 1.0
    # Probe the transposition table
    if not times:
        key = hashed(board)
    root = ply == 0 and control[ROOT_COUNT] > 0
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
                or (bound == LOWER_BOUND and value >= beta)
                or (bound == UPPER_BOUND and value <= alpha)
            ):
                return value
    if times:
        trail[mark] += np.uint64(1)
        trail[control[PAST_COUNT] + ply] = key
    # Chance node: the mean over all throws, cut off once it must lie outside the window
    if who == CHANCE:
        odds, ways, fall = CHANCES, FACES, ply + 1
        if control[PASSING_THROWS]:
            odds = np.empty(2 * FACES, np.float64)
            if next_effective_throw(game, board, boards[ply + 1], boards[ply + 2], odds):
                ways, fall = 2 * FACES, ply + 2
        total, rest = 0.0, 1.0
        for n in range(ways):
            plain = BY_LIKELIHOOD[n % FACES]
            chance = odds[n - n % FACES + plain]
            if chance == 0.0:
                continue
            rest -= chance
            low = max(-1.0, (alpha - total - rest) / chance)
            high = min(1.0, (beta - total + rest) / chance)
            throw(board if n < FACES else boards[ply + 1], plain, boards[fall])
            value = search(
                game, boards, moves_of, scores_of, heuristics, values, weights, table, trail,
                control, root_values, fall, depth - 1, low, high,
            )  # fmt: skip
            if control[ABORTED]:
                return 0.0
            total += chance * value
            if value <= low and low > -1.0:
                total += rest
                _store(table, key, 0, depth, UPPER_BOUND, total)
                return total
            if value >= high and high < 1.0:
                total -= rest
                _store(table, key, 0, depth, LOWER_BOUND, total)
                return total
        _store(table, key, 0, depth, EXACT, total)
        return total
    # Decision node: from here on values are for the side to act, the hero or all others
    side = 1.0 if who == control[HERO] else -1.0
    low, high = (alpha, beta) if side > 0 else (-beta, -alpha)
    found, scores = moves_of[ply], scores_of[ply]
    if root:
        count = control[ROOT_COUNT]
    else:
        count = moves(board, found)
        score_moves(game, board, found, scores, heuristics, count, best_move, ply, depth)
    # Values are discounted on the way up, so the window widens on the way down
    floor = low
    best, chosen = -2.0, found[0]
    deeper = depth if control[THROWS] else depth - 1
    for n in range(count):
        if not root:
            _select(found, scores, n, count)
        move = found[n]
        play(board, move, boards[ply + 1])
        goal = floor if root and control[EXACT_ALL] else max(floor, best)
        under, over = max(-1.0, goal * _UNDISCOUNT), min(1.0, high * _UNDISCOUNT)
        less = 0
        if (
            n >= 3
            and depth >= 3
            and not control[THROWS]
            and not root
            and scores[n] < _ABOVE_HISTORY - 2
        ):
            less = 1 + (n >= 12) + (depth >= 6 and n >= 24)
        value = 0.0
        again: Any = True
        if n and over - under > WINDOW and not (root and control[EXACT_ALL]):
            narrow = under + WINDOW
            one, two = (under, narrow) if side > 0 else (-narrow, -under)
            value = side * search(
                game, boards, moves_of, scores_of, heuristics, values, weights, table, trail,
                control, root_values, ply + 1, deeper - less, one, two,
            )  # fmt: skip
            again = value > under
        elif less:
            one, two = (under, over) if side > 0 else (-over, -under)
            value = side * search(
                game, boards, moves_of, scores_of, heuristics, values, weights, table, trail,
                control, root_values, ply + 1, deeper - less, one, two,
            )  # fmt: skip
            again = value > under
        if again and not control[ABORTED]:
            one, two = (under, over) if side > 0 else (-over, -under)
            value = side * search(
                game, boards, moves_of, scores_of, heuristics, values, weights, table, trail,
                control, root_values, ply + 1, deeper, one, two,
            )  # fmt: skip
        if control[ABORTED]:
            break
        value *= DISCOUNT
        if root:
            root_values[n] = value
        if value > best:
            best, chosen = value, move
            if best >= high:
                if scores[n] < _ABOVE_HISTORY:
                    _record_cutoff(heuristics, move, ply, depth)
                break
    if times:
        trail[mark] -= np.uint64(1)
    if control[ABORTED]:
        return 0.0
    bound = EXACT
    if best >= high:
        bound = LOWER_BOUND if side > 0 else UPPER_BOUND
    elif best <= low:
        bound = UPPER_BOUND if side > 0 else LOWER_BOUND
    _store(table, key, chosen, depth, bound, side * best)
    return side * best
