"""Textbook UCT: a tree grown by UCB1, with random playouts from its leaves.

* Each round descends the tree, adds a leaf, plays one random playout from it and adds the results
  to every position on the way: 1 for a win, 1/n for a win shared by n.
* A seat first tries unvisited moves in random order, then the one with the highest
  ``mean + c * sqrt(ln(visits of the position) / visits of the move)``. The mean is of its own
  results, also with more than two seats.
* Chance draws throws by their odds; a position before a throw is never a leaf.
* The most visited move is played, with ties broken at random. The tree is not kept.
* Games longer than `LONGEST` moves and throws are shared by all. Repetition is not checked.
"""

from __future__ import annotations

import math
import random
import time
from typing import Any, Final

import numpy as np
from numba import float64, int64, void

from ai.kernels import (
    BOARDS,
    FLOATS,
    FLOATS_2,
    GAME,
    INTS,
    INTS_2,
    WORDS,
    Board,
    Boards,
    Floats,
    Ints,
    Words,
    kernel,
    settle,
)
from ai.position import Fast

C: Final = math.sqrt(2)
"""The usual exploration constant for results from 0 to 1."""
LONGEST: Final = 2000
POSITIONS: Final = 1 << 19
"""Maximum positions in a tree; a full tree stops growing, but playouts from its leaves go on."""
_DEEPEST: Final = 1024
_ROUNDS: Final = 8
"""Rounds between checks of the clock."""
_CHANCE: Final = -1
_OVER: Final = -2
_PLAIN: Final = np.array([0, *(1,) * 4, *(2,) * 6, *(3,) * 4, 4], np.int64)

# Columns of the tree
VISITS: Final = 0
FIRST: Final = 1
"""Row of the first child, by move or throw; 0 while there are none in the tree."""
COUNT: Final = 2
"""Number of children."""
MOVE: Final = 3
"""The move that led here, or the number of plain sides thrown."""
WHO: Final = 4
COLUMNS: Final = 5

SIGNATURE: Final = void(
    GAME, BOARDS, INTS_2, FLOATS_2, INTS, BOARDS, FLOATS, WORDS, int64, float64, int64
)


@kernel
def lot(dice: Words, below: int) -> int:
    """Draw a random number from 0 to ``below - 1``."""
    word = dice[0]
    word ^= word << np.uint64(13)
    word ^= word >> np.uint64(7)
    word ^= word << np.uint64(17)
    dice[0] = word
    return int(np.int64(((word >> np.uint64(32)) * np.uint64(below)) >> np.uint64(32)))


@kernel
def play_out(
    game: Any, start: Board, found: Ints, rows: Boards, results: Floats, dice: Words, players: int
) -> None:
    """Play a random game; write each seat's result."""
    actor, moves, play, throw, result, _, _, _ = game
    rows[0, :] = start
    now = 0
    for _ in range(LONGEST):
        who = actor(rows[now])
        if who == _OVER:
            result(rows[now], results)
            return
        if who == _CHANCE:
            throw(rows[now], _PLAIN[lot(dice, 16)], rows[1 - now])
        else:
            count = moves(rows[now], found)
            play(rows[now], found[lot(dice, count)], rows[1 - now])
        now = 1 - now
    results[:] = 0.0
    results[:players] = 1.0 / players


@kernel
def expand(
    game: Any, boards: Boards, tree: Boards, at: int, used: int, found: Ints, dice: Words
) -> int:
    """Add a position's children, moves in random order or throws; return the positions used."""
    moves = game[1]
    count = 5
    if tree[at, WHO] == _CHANCE:
        for n in range(count):
            found[n] = n
    else:
        count = moves(boards[at], found)
    if used + count > len(tree):
        return used
    for n in range(count):
        if tree[at, WHO] != _CHANCE:
            other = n + lot(dice, count - n)
            found[n], found[other] = found[other], found[n]
        tree[used + n, VISITS] = 0
        tree[used + n, FIRST] = 0
        tree[used + n, COUNT] = 0
        tree[used + n, MOVE] = found[n]
    tree[at, FIRST] = used
    tree[at, COUNT] = count
    return used + count


@kernel
def chosen(tree: Boards, totals: Floats, at: int, c: float, dice: Words) -> int:
    """Return the child to descend to."""
    first, count = tree[at, FIRST], tree[at, COUNT]
    who = tree[at, WHO]
    if who == _CHANCE:
        return int(first + _PLAIN[lot(dice, 16)])
    log, best, most = math.log(tree[at, VISITS]), first, -1.0
    for child in range(first, first + count):
        visits = tree[child, VISITS]
        if visits == 0:  # children are in random order
            return int(child)
        bound = totals[child, who] / visits + c * math.sqrt(log / visits)
        if bound > most:
            best, most = child, bound
    return int(best)


@kernel
def grow(
    game: Any,
    boards: Boards,
    tree: Boards,
    totals: Floats,
    found: Ints,
    rows: Boards,
    results: Floats,
    dice: Words,
    players: int,
    c: float,
    rounds: int,
) -> None:
    """Grow a tree by a number of rounds.

    Args:
        game: the game's kernels.
        boards: the positions of the tree, the root first.
        tree: a row per position, see the columns; the root's `MOVE` is the number of rows used.
        totals: the sum of each seat's results, a row per position.
        found: scratch space for moves.
        rows: scratch space for two positions.
        results: scratch space for results.
        dice: random state, not 0.
        players: number of players.
        c: exploration constant.
        rounds: number of rounds.

    """
    actor, _, play, throw, result, _, _, _ = game
    path = np.empty(_DEEPEST, np.int64)
    used = tree[0, MOVE]
    for _ in range(rounds):
        at, depth = 0, 1
        path[0] = 0
        while depth < _DEEPEST and tree[at, WHO] != _OVER:
            if tree[at, FIRST] == 0:
                if at and tree[at, WHO] != _CHANCE and tree[at, VISITS] == 0:
                    break
                used = expand(game, boards, tree, at, used, found, dice)
                if tree[at, FIRST] == 0:
                    break  # the tree is full
            child = chosen(tree, totals, at, c, dice)
            if tree[child, VISITS] == 0:
                if tree[at, WHO] == _CHANCE:
                    throw(boards[at], tree[child, MOVE], boards[child])
                else:
                    play(boards[at], tree[child, MOVE], boards[child])
                tree[child, WHO] = actor(boards[child])
                totals[child, :] = 0.0
            at = child
            path[depth] = at
            depth += 1
        if tree[at, WHO] == _OVER:
            result(boards[at], results)
        else:
            play_out(game, boards[at], found, rows, results, dice, players)
        for step in range(depth):
            tree[path[step], VISITS] += 1
            for seat in range(players):
                totals[path[step], seat] += results[seat]
    tree[0, MOVE] = used


class Reference:
    """Plays one game for a number of players. Not thread-safe."""

    def __init__(self, board: Fast, players: int, c: float = C) -> None:
        """Allocate the tree; compile or load the kernels."""
        self.fast = board
        self.players = players
        self.c = c
        self._boards = np.zeros((POSITIONS, board.size), np.int32)
        self._tree = np.zeros((POSITIONS, COLUMNS), np.int64)
        self._totals = np.zeros((POSITIONS, board.seats))
        self._found = np.zeros(board.most_moves, np.int64)
        self._rows = np.zeros((2, board.size), np.int32)
        self._results = np.zeros(board.seats)
        self.rounds = 0
        """Playouts for the last move, one per round."""
        board.compile()
        settle(grow, SIGNATURE)

    def choose(
        self, state: Board, dice: random.Random, seconds: float, rounds: int = 1 << 60
    ) -> int:
        """Choose a move for the seat to act.

        Args:
            state: a position in which a seat acts.
            dice: source of all randomness.
            seconds: limit of processor time.
            rounds: maximum number of playouts.

        """
        until = time.process_time() + seconds
        kernels, tree = self.fast.kernels, self._tree
        self._boards[0] = state
        tree[0] = 0
        tree[0, MOVE], tree[0, WHO] = 1, kernels.actor(state)
        self._totals[0] = 0
        luck = np.array([dice.getrandbits(63) | 1], np.uint64)
        self.rounds = 0
        while not self.rounds or (self.rounds < rounds and time.process_time() < until):
            grow(
                tuple(kernels), self._boards, tree, self._totals, self._found, self._rows,
                self._results, luck, self.players, self.c, _ROUNDS,
            )  # fmt: skip
            self.rounds += _ROUNDS
            if tree[0, COUNT] == 1:
                break
        first, count = tree[0, FIRST], tree[0, COUNT]
        visits = tree[first : first + count, VISITS]
        best = [int(n) for n in np.flatnonzero(visits == visits.max())]
        return int(tree[first + dice.choice(best), MOVE])
