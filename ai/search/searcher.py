"""Looks ever deeper until a budget is used up, and then tells what it found."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from ai.kernels import settle
from ai.levels import chosen, seen
from ai.position import CHANCE
from ai.search import alphabeta
from ai.search.alphabeta import (
    BROKEN,
    CONTROL,
    COUNT,
    HERO,
    HISTORY,
    KILLERS,
    LIMIT,
    NODES,
    PASSING,
    PAST,
    PLIES,
    SKETCH,
    STOP,
    THROWS,
    TIMES,
    WHOLE,
)

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator, Sequence

    from ai.kernels import Board, Floats
    from ai.levels import Level
    from ai.position import Fast

TABLE: Final = 1 << 18
"""How many positions are remembered, as a power of two; 16 bytes each."""
LONGEST_PAST: Final = 1024
"""More positions than ever stand between two captures."""
_DEEPEST: Final = 60
_LOST: Final = 1e-3
"""What is left of the value of a move that is known to lose."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a search says of a position in which a seat acts."""

    moves: tuple[int, ...]
    """Every legal move."""
    values: tuple[float, ...]
    """For each the expected result of the seat to act, 0 to 1; rough for those not best."""
    best: int
    """Which move is chosen."""
    equity: tuple[float, ...]
    """The expected result of each seat when that move is played, summing to 1."""
    depth: int
    """How deep the search has wholly looked."""
    nodes: int


class Searcher:
    """Searches positions of one game for two sides, with room that is used again and again.

    Not to be shared between threads. Every search begins with empty tables, so that the same
    position under the same seed always gives the same answer.
    """

    def __init__(self, board: Fast, players: int = 2, table: int = TABLE) -> None:
        """Make room for searches of a game that remember so many positions, a power of two."""
        self.fast = board
        self.players = players
        self.control = np.zeros(CONTROL, np.int64)
        self._boards = np.zeros((PLIES, board.size), np.int32)
        self._moves = np.zeros((PLIES, board.most_moves), np.int64)
        self._scores = np.zeros((PLIES, board.most_moves), np.int64)
        self._heuristics = np.zeros(KILLERS + HISTORY, np.int64)
        self._values = np.zeros(board.seats)
        self._table = np.zeros(2 * table, np.uint64)
        self._trail = np.zeros(LONGEST_PAST + PLIES + SKETCH, np.uint64)
        self._weights = board.weights()

    def stop(self) -> None:
        """Let a search that runs in another thread come to its end at once."""
        self.control[STOP] = 1

    def search(
        self,
        board: Board,
        past: Sequence[Board],
        level: Level,
        dice: random.Random,
        seconds: float = float("inf"),
    ) -> Found:
        """Choose a move for the seat to act.

        Args:
            board: where a seat acts.
            past: the earlier positions that can come again, oldest first.
            level: how far to look, and what to do wrong.
            dice: for what a level does wrong.
            seconds: after which what is known so far is answered.

        """
        self._begin(board, past, level.nodes)
        moves = self._legal(board)
        looked = seen(moves, level, dice)
        glance = self._glance(board, looked)
        if seconds <= 0:
            self.stop()
        with self._alarm(seconds):
            values, depth = self._told(board, looked, glance, level)
        best = looked[chosen(values, level, dice)]
        told = dict(zip(looked, values, strict=True))
        low = min(values)
        return Found(
            tuple(moves),
            tuple(told.get(move, low) for move in moves),
            moves.index(best),
            self._equity(best, told[best]),
            depth,
            int(self.control[NODES]),
        )

    def _told(
        self, board: Board, moves: Sequence[int], glance: list[float], level: Level
    ) -> tuple[list[float], int]:
        """Return what `_deepen` does, with what is known for certain in a game that can tell.

        Half of the budget may go into that. Where all moves lose, those that look best still come
        first.
        """
        exact = self.fast.exact
        if exact is None or level.doubt:
            return self._deepen(moves, glance, level)
        order = sorted(range(len(moves)), key=lambda index: -glance[index])
        results = np.zeros(len(moves))
        self.control[LIMIT] = level.nodes // 2
        ordered = np.array([moves[index] for index in order], np.int64)
        number = exact(board, ordered, results, self.control)
        self.control[LIMIT] = level.nodes
        told = {order[index]: float(results[index]) for index in range(number)}
        if 1.0 in told.values():
            return [
                told.get(index, min(glance[index], 0.99)) for index in range(len(moves))
            ], number
        left = [index for index in range(len(moves)) if index not in told] or list(told)
        values, depth = self._deepen(
            [moves[index] for index in left], [glance[index] for index in left], level
        )
        found = dict(zip(left, values, strict=True))
        return [
            _LOST * found.get(index, glance[index]) if index in told else found[index]
            for index in range(len(moves))
        ], depth

    def worth(self, board: Board, past: Sequence[Board], depth: int) -> tuple[float, ...]:
        """Return everybody's expected result of any position, looked at to a depth."""
        found = self.weigh(board, past, depth, 1 << 62)
        assert found is not None
        return found

    def weigh(
        self, board: Board, past: Sequence[Board], depth: int, nodes: int
    ) -> tuple[float, ...] | None:
        """Return the same, or ``None`` where so many positions do not suffice for that depth.

        Only for two players; `ai.search.everyone` has it for more.
        """
        self._begin(board, past, nodes)
        self.control[HERO] = 0
        value = 0.5 + 0.5 * self._look(np.zeros(0), depth)
        return None if self.control[BROKEN] else (value, 1 - value)

    def compile(self) -> None:
        """Compile what a search needs, or load it where it was compiled before."""
        self.fast.compile()
        settle(alphabeta.look, alphabeta.SIGNATURE)

    def _begin(self, board: Board, past: Sequence[Board], nodes: int) -> None:
        kernels = self.fast.kernels
        self._table[:] = 0
        self._heuristics[:] = 0
        self._trail[:] = 0
        self._boards[0] = board
        keys = [int(kernels.key(one)) for one in past[-LONGEST_PAST:]] if self.fast.times else []
        for number, key in enumerate(keys):
            self._trail[number] = key
            self._trail[len(self._trail) - SKETCH + key % SKETCH] += 1
        self.control[:] = 0
        self.control[LIMIT] = nodes
        self.control[THROWS] = self.fast.throws
        self.control[TIMES] = self.fast.times
        self.control[PASSING] = self.fast.passing
        self.control[PAST] = len(keys)
        self.control[HERO] = max(int(kernels.actor(board)), 0)

    def _legal(self, board: Board) -> list[int]:
        out = np.zeros(self.fast.most_moves, np.int64)
        return [int(move) for move in out[: self.fast.kernels.moves(board, out)]]

    def _look(self, told: Floats, depth: int) -> float:
        return alphabeta.look(
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

    def _glance(self, board: Board, moves: Sequence[int]) -> list[float]:
        """Return the mover's expected result after each move as it looks at once."""
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
        self, moves: Sequence[int], glance: list[float], level: Level
    ) -> tuple[list[float], int]:
        """Return the mover's expected result after each move, and how deep it was looked."""
        value = dict(zip(moves, glance, strict=True))
        deepest = 0
        for depth in range(1, min(level.depth, _DEEPEST) + 1):
            whole = bool(level.doubt) or depth <= level.broad
            order = sorted(moves, key=lambda move: -value[move])
            out = self._iterate(order, depth, whole=whole)
            done = sum(1 for one in out if one >= 0)
            if done:
                learn(value, order[:done], out[:done], whole=whole)
            if self.control[BROKEN]:
                break
            deepest = depth
            if abs(2 * max(out) - 1) > 1 - 2e-5 * _DEEPEST or len(moves) == 1:
                break  # won or lost for certain, or no choice
        return [value[move] for move in moves], deepest

    def _iterate(self, order: Sequence[int], depth: int, *, whole: bool) -> Floats:
        """Return the mover's expected result after each move in turn, below 0 where it broke off.

        Unless ``whole``, only the best value is exact and the others are bounds.
        """
        count = len(order)
        self._moves[0, :count] = order
        self.control[COUNT], self.control[WHOLE] = count, whole
        told = np.full(count, -2.0)
        self._look(told, depth)
        return 0.5 + 0.5 * told

    def _equity(self, move: int, value: float) -> tuple[float, ...]:  # noqa: ARG002 - see below
        """Return everybody's expected result after a move; who plays against the hero share it."""
        hero = int(self.control[HERO])
        rest = (1 - value) / (self.players - 1)
        return tuple(value if seat == hero else rest for seat in range(self.players))

    @contextmanager
    def _alarm(self, seconds: float) -> Iterator[None]:
        if not 0 < seconds < threading.TIMEOUT_MAX:
            yield
            return
        timer = threading.Timer(seconds, self.stop)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            timer.join()


def learn(value: dict[int, float], order: Sequence[int], found: Floats, *, whole: bool) -> None:
    """Take over what an iteration found, for as many moves as it came to."""
    if whole:
        value.update(zip(order, map(float, found), strict=True))
        return
    best = int(np.argmax(found))
    top = float(found[best])
    for number, move in enumerate(order):
        value[move] = top if number == best else min(value[move], float(found[number]), top)
    # Whatever was not looked at this time cannot be told to be better than the best
    for move in value.keys() - set(order):
        value[move] = min(value[move], top)
