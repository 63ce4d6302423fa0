"""Iterative deepening until a budget is used up."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ai.kernels import Board, Floats, settle
from ai.levels import Level, chosen, seen
from ai.position import CHANCE, Fast
from ai.search import alphabeta
from ai.search.alphabeta import (
    ABORTED,
    CONTROL,
    EXACT_ALL,
    FILTER,
    HERO,
    HISTORY,
    KILLERS,
    LIMIT,
    NODES,
    PASSING_THROWS,
    PAST_COUNT,
    PLIES,
    REPETITIONS,
    ROOT_COUNT,
    STOP,
    THROWS,
    WINDOW,
)
from ai.search.time_limit import TimeLimit

TABLE: Final = 1 << 18
"""Entries of the transposition table, a power of two; 16 bytes each."""
MAX_PAST: Final = 1024
"""Maximum number of earlier positions: more than ever lie between two captures."""
_MAX_DEPTH: Final = 60
_LOST: Final = 1e-3
"""Factor on the value of a move proved to lose."""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The result of a search."""

    moves: tuple[int, ...]
    """All legal moves."""
    values: tuple[float, ...]
    """For each move, the mover's expected result, 0 to 1; rough for all but the best."""
    best: int
    """Index of the chosen move."""
    equity: tuple[float, ...]
    """Expected results of all seats with that move, summing to 1."""
    depth: int
    """The last depth searched completely."""
    nodes: int


class Searcher:
    """Searches positions of one game for two sides; reuses its tables.

    Not thread-safe. Tables are cleared before each search, so the same position and seed always
    give the same result.
    """

    def __init__(self, board: Fast, players: int = 2, table: int = TABLE) -> None:
        """Allocate the tables; ``table`` is the number of transpositions, a power of two."""
        self.fast = board
        self.players = players
        self.control = np.zeros(CONTROL, np.int64)
        self._boards = np.zeros((PLIES, board.size), np.int32)
        self._moves = np.zeros((PLIES, board.most_moves), np.int64)
        self._scores = np.zeros((PLIES, board.most_moves), np.int64)
        self._heuristics = np.zeros(KILLERS + HISTORY, np.int64)
        self._values = np.zeros(board.seats)
        self._table = np.zeros(2 * table, np.uint64)
        self._trail = np.zeros(MAX_PAST + PLIES + FILTER, np.uint64)
        self._weights = board.weights()

    def stop(self) -> None:
        """End a search running in another thread."""
        self.control[STOP] = 1

    def search(
        self,
        board: Board,
        past: Sequence[Board],
        level: Level,
        dice: random.Random,
        seconds: float = float("inf"),
        wait: float = float("inf"),
    ) -> SearchResult:
        """Choose a move for the seat to act.

        Args:
            board: a position in which a seat acts.
            past: earlier positions that may recur, oldest first.
            level: limits and handicaps.
            dice: source of randomness, for the handicaps and to break ties.
            seconds: processor time after which the best result so far is returned.
            wait: the same in elapsed time.

        """
        limit = TimeLimit(seconds, wait)
        self._begin(board, past, level.nodes)
        moves = self._legal(board)
        looked = seen(moves, level, dice)
        dice.shuffle(looked)
        static = self._evaluate_moves(board, looked)
        values, depth = self._values_of(board, looked, static, level, limit)
        best = looked[chosen(values, level, dice)]
        told = dict(zip(looked, values, strict=True))
        low = min(values)
        return SearchResult(
            tuple(moves),
            tuple(told.get(move, low) for move in moves),
            moves.index(best),
            self._equity(best, told[best]),
            depth,
            int(self.control[NODES]),
        )

    def _values_of(
        self,
        board: Board,
        moves: Sequence[int],
        static: list[float],
        level: Level,
        limit: TimeLimit,
    ) -> tuple[list[float], int]:
        """Return the same as `_deepen`, with exact values if the position can be solved.

        Solving may take half of the positions and of the time. If all moves lose, they keep the
        order of the search.
        """
        exact = self.fast.exact
        if exact is None or level.doubt:
            with limit.part(1, self.stop):
                return self._deepen(moves, static, level)
        order = sorted(range(len(moves)), key=lambda index: -static[index])
        results = np.zeros(len(moves))
        self.control[LIMIT] = level.nodes // 2
        ordered = np.array([moves[index] for index in order], np.int64)
        with limit.part(0.5, self.stop):
            number = exact(board, ordered, results, self.control)
        self.control[LIMIT], self.control[STOP] = level.nodes, 0
        told = {order[index]: float(results[index]) for index in range(number)}
        if 1.0 in told.values():
            return [
                told.get(index, min(static[index], 0.99)) for index in range(len(moves))
            ], number
        left = [index for index in range(len(moves)) if index not in told] or list(told)
        with limit.part(1, self.stop):
            values, depth = self._deepen(
                [moves[index] for index in left], [static[index] for index in left], level
            )
        found = dict(zip(left, values, strict=True))
        return [
            _LOST * found.get(index, static[index]) if index in told else found[index]
            for index in range(len(moves))
        ], depth

    def evaluate(
        self, board: Board, past: Sequence[Board], depth: int, nodes: int = 1 << 62
    ) -> tuple[float, ...] | None:
        """Return the expected results, ``None`` if the limit is too low for the depth.

        For two players; `ai.search.maxn` handles more.
        """
        self._begin(board, past, nodes)
        self.control[HERO] = 0
        value = 0.5 + 0.5 * self._run(np.zeros(0), depth)
        return None if self.control[ABORTED] else (value, 1 - value)

    def compile(self) -> None:
        """Compile the search, or load it if compiled before."""
        self.fast.compile()
        settle(alphabeta.search, alphabeta.SIGNATURE)

    def _begin(self, board: Board, past: Sequence[Board], nodes: int) -> None:
        kernels = self.fast.kernels
        self._table[:] = 0
        self._heuristics[:] = 0
        self._trail[:] = 0
        self._boards[0] = board
        keys = [int(kernels.key(one)) for one in past[-MAX_PAST:]] if self.fast.times else []
        for number, key in enumerate(keys):
            self._trail[number] = key
            self._trail[len(self._trail) - FILTER + key % FILTER] += 1
        self.control[:] = 0
        self.control[LIMIT] = nodes
        self.control[THROWS] = self.fast.throws
        self.control[REPETITIONS] = self.fast.times
        self.control[PASSING_THROWS] = self.fast.passing
        self.control[PAST_COUNT] = len(keys)
        self.control[HERO] = max(int(kernels.actor(board)), 0)

    def _legal(self, board: Board) -> list[int]:
        out = np.zeros(self.fast.most_moves, np.int64)
        return [int(move) for move in out[: self.fast.kernels.moves(board, out)]]

    def _run(self, told: Floats, depth: int) -> float:
        return alphabeta.search(
            tuple(self.fast.kernels),
            self._boards,
            self._moves,
            self._scores,
            self._heuristics,
            self._values,
            self._weights,
            self._table,
            self._trail,
            self.control,
            told,
            0,
            depth,
            -1.0,
            1.0,
        )

    def _evaluate_moves(self, board: Board, moves: Sequence[int]) -> list[float]:
        """Return the mover's static evaluation after each move."""
        kernels, into, out = self.fast.kernels, self.fast.board(), np.zeros(self.fast.seats)
        hero = kernels.actor(board)
        found = []
        for move in moves:
            kernels.play(board, move, into)
            if kernels.actor(into) < CHANCE:
                kernels.result(into, out)
            else:
                kernels.evaluate(into, self._weights, out)
            found.append(float(out[hero]))
        return found

    def _deepen(
        self, moves: Sequence[int], static: list[float], level: Level
    ) -> tuple[list[float], int]:
        """Return the mover's expected result after each move, and the depth reached."""
        value = dict(zip(moves, static, strict=True))
        deepest = 0
        for depth in range(1, min(level.depth, _MAX_DEPTH) + 1):
            whole = bool(level.doubt) or depth <= level.broad
            order = sorted(moves, key=lambda move: -value[move])
            out = self._iterate(order, depth, whole=whole)
            done = sum(1 for one in out if one >= 0)
            if done:
                complete = whole and done == len(order)
                update_values(value, order[:done], out[:done], whole=complete)
            if self.control[ABORTED]:
                break
            deepest = depth
            if abs(2 * max(out) - 1) > 1 - 2e-5 * _MAX_DEPTH or len(moves) == 1:
                break  # won, lost or no choice
        return [value[move] for move in moves], deepest

    def _iterate(self, order: Sequence[int], depth: int, *, whole: bool) -> Floats:
        """Return the mover's expected result after each move, negative for moves not searched.

        Unless ``whole``, only the best value is exact and the others are bounds.
        """
        count = len(order)
        self._moves[0, :count] = order
        self.control[ROOT_COUNT], self.control[EXACT_ALL] = count, whole
        told = np.full(count, -2.0)
        self._run(told, depth)
        return 0.5 + 0.5 * told

    def _equity(self, move: int, value: float) -> tuple[float, ...]:  # noqa: ARG002 - for MaxN
        """Return the expected results after a move; the hero's opponents share the rest."""
        hero = int(self.control[HERO])
        rest = (1 - value) / (self.players - 1)
        return tuple(value if seat == hero else rest for seat in range(self.players))


def update_values(
    value: dict[int, float], order: Sequence[int], found: Floats, *, whole: bool
) -> None:
    """Update the values of the moves that an iteration completed."""
    if whole:
        value.update(zip(order, map(float, found), strict=True))
        return
    best = int(np.argmax(found))
    top = float(found[best])
    below = max(0.0, top - WINDOW)
    for number, move in enumerate(order):
        value[move] = top if number == best else min(value[move], float(found[number]), below)
    # A move not searched this time must rank below the best
    for move in value.keys() - set(order):
        value[move] = min(value[move], below)
