"""Learns the weights of Tablut's evaluation from nothing but games against itself.

Every round plays games with the weights of the round before, looking a few moves ahead, and then
fits the weights to what came of them: half to how the game ended, half to what the look ahead
said. The first round begins with a man's worth and nothing else.

``python -m ai train tablut`` does it with the seed that made ``weights.npy``.
"""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from ai.games.tablut import FAST
from ai.games.tablut.evaluation import (
    CLASS,
    CLASSES,
    COMPACT,
    KINGS,
    STARTS,
    WIDTH,
    expanded,
    facts,
)
from ai.games.tablut.fast import KING_AT, MUSCOVITES_LEFT, SIDE, SWEDES_LEFT, TURN
from ai.levels import Level
from ai.position import OVER
from ai.search.searcher import Searcher
from engine.games.tablut.playing import START

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ai.kernels import Board, Floats, Weights

WEIGHTS: Final = Path(__file__).with_name("weights.npy")
SEED: Final = 20261121
ROUNDS: Final = ((2, 250), (2, 250), (3, 300), (3, 300))
"""For each round how deep is looked, and how many games are played."""
OPENING: Final = 6
"""At most so many first moves are made at random."""
_BLUNDERS: Final = 0.08
"""How often a later move is."""
_LONGEST: Final = 160
_HINDSIGHT: Final = 0.5
"""How much the end of a game counts against what the look ahead said."""
_MODESTY: Final = 3.0
"""How strongly weights are drawn to nothing, in positions."""


def train(seed: int = SEED) -> None:
    """Learn the weights and write them beside this module."""
    dice = random.Random(seed)  # noqa: S311 - games
    compact = first()
    for number, (depth, games) in enumerate(ROUNDS, start=1):
        rows, goals, ends = gather(compact, depth, games, dice)
        compact = fitted(rows, goals, compact)
        error = float(np.mean((1 / (1 + np.exp(-(rows @ compact))) - goals) ** 2) ** 0.5)
        print(  # noqa: T201 - a command
            f"round {number}: {games} games, {len(goals)} positions, Swedes' result "
            f"{np.mean(ends):.3f}, error {error:.3f}",
            flush=True,
        )
    np.save(WEIGHTS, compact)


def first() -> Weights:
    """Return the weights to begin with: what a man is worth, and that the king wants room."""
    compact = np.zeros(COMPACT, np.float32)
    for turn in range(2):
        at = turn * WIDTH
        compact[at + STARTS[0] : at + STARTS[1]] = 0.2 * np.arange(5)
        compact[at + STARTS[7] : at + STARTS[8]] = -0.2 * (np.arange(17) - 16)
        compact[at + STARTS[8] : at + STARTS[9]] = 0.4 * (np.arange(9) - 8)
    return compact


def observed(board: Board) -> Floats:
    """Return a position as the row that `compact` weights are multiplied with."""
    row = np.zeros(COMPACT, np.float32)
    turn, king = int(board[TURN]), int(board[KING_AT])
    *seven, takeable = facts(board)
    told = (*seven, board[MUSCOVITES_LEFT], board[SWEDES_LEFT], takeable)
    for start, fact in zip(STARTS, told, strict=False):
        row[turn * WIDTH + start + fact] = 1
    row[KINGS + turn * len(CLASSES) + CLASS[king]] = 1
    for kind in range(2):
        men = KINGS + (2 + kind) * len(CLASSES)
        for square in range(SIDE * SIDE):
            if board[square // SIDE] >> (SIDE * kind + square % SIDE) & 1:
                row[men + CLASS[square]] += 1
    return row


def gather(
    compact: Weights, depth: int, games: int, dice: random.Random
) -> tuple[Floats, Floats, list[float]]:
    """Return what was observed in games with some weights, what it came to, and their ends."""
    searcher = Searcher(replace(FAST, weights=lambda: expanded(compact)), table=1 << 13)
    searcher.compile()
    rows: list[Floats] = []
    goals: list[float] = []
    ends: list[float] = []
    for _ in range(games):
        seen = list(_game(searcher, Level(depth, 200_000), dice))
        end = seen.pop()[1]
        ends.append(end)
        for board, ahead in seen:
            if 0.01 < ahead < 0.99:
                rows.append(observed(board))
                goals.append(_HINDSIGHT * end + (1 - _HINDSIGHT) * ahead)
    return np.array(rows), np.array(goals, np.float32), ends


def _game(searcher: Searcher, level: Level, dice: random.Random) -> Iterator[tuple[Board, float]]:
    """Yield the positions of a game with what the Swedes could expect, and its end at last."""
    kernels = FAST.kernels
    board, result = FAST.encode(START), np.zeros(2)
    past: list[Board] = []
    opening = dice.randrange(OPENING)
    out = np.zeros(FAST.most_moves, np.int64)
    keys: list[int] = []
    while kernels.actor(board) != OVER:
        keys.append(int(kernels.key(board)))
        if len(past) >= _LONGEST or keys.count(keys[-1]) >= FAST.times:
            yield board, 0.5
            return
        count = kernels.moves(board, out)
        move = int(out[dice.randrange(count)])
        if len(past) >= opening:
            found = searcher.search(board, past, level, dice)
            yield board, found.equity[0]
            if dice.random() >= _BLUNDERS:
                move = found.moves[found.best]
        past.append(board)
        board, before = FAST.board(), board
        kernels.play(before, move, board)
    kernels.result(board, result)
    yield board, float(result[0])


def fitted(rows: Floats, goals: Floats, start: Weights) -> Weights:
    """Return the weights whose logistic sum comes nearest to the goals (Newton's method)."""
    weights = start.astype(np.float64)
    for _ in range(12):
        guess = 1 / (1 + np.exp(-np.clip(rows @ weights, -15, 15)))
        slope = rows.T @ (goals - guess) - _MODESTY * weights
        bend = (rows * (guess * (1 - guess))[:, None]).T @ rows
        weights += np.linalg.solve(bend + _MODESTY * np.eye(len(weights)), slope)
    return weights.astype(np.float32)
