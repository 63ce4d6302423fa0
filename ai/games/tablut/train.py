"""Trains the weights of Tablut's evaluation by self-play.

Each round plays games with the previous round's weights, searching a few plies, then fits the
weights to the targets of all games so far. A position's target mixes the search's values there and
later with the result of the game, as in TD(λ); a random move cuts off the later part. The first
weights say only what a man is worth and that the king wants room.

``python -m ai train tablut`` runs it with the seed that made ``weights.npy``.
"""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import Final

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
    extract_features,
)
from ai.games.tablut.fast import KING_AT, MUSCOVITES_LEFT, SIDE, SWEDES_LEFT, TURN
from ai.kernels import Board, Floats, Weights
from ai.levels import Level
from ai.position import OVER
from ai.search.searcher import Searcher
from ai.terminal import Progress
from engine.games.tablut.playing import START

WEIGHTS: Final = Path(__file__).with_name("weights.npy")
SEED: Final = 20261121
ROUNDS: Final = ((3, 200), (4, 150))
"""Search depth and number of games per round."""
OPENING: Final = 6
"""Each game begins with a random number of random moves, less than this."""
_BLUNDERS: Final = 0.05
"""Probability that a later move is random."""
_LONGEST: Final = 160
_PATIENCE: Final = 0.9
"""Weight of the next position's target in a position's own: the λ of TD(λ)."""
_CAUTION: Final = 10.0
"""Strength of the pull towards the previous weights, in positions."""


def train(seed: int = SEED) -> None:
    """Train the weights and write them beside this module."""
    dice = random.Random(seed)  # noqa: S311 - games
    compact = first()
    with Progress("Training rounds", len(ROUNDS)) as progress:
        _train(compact, dice, progress)


def _train(compact: Weights, dice: random.Random, progress: Progress) -> None:
    rows, goals = np.zeros((0, COMPACT), np.float32), np.zeros(0, np.float32)
    for number, (depth, games) in enumerate(ROUNDS, start=1):
        progress.begin(f"{games} games")
        new, ends = gather(compact, depth, games, dice)
        rows = np.concatenate([rows, np.array([row for row, _ in new])])
        goals = np.concatenate([goals, np.array([goal for _, goal in new], np.float32)])
        compact = fitted(rows, goals, compact)
        error = float(np.mean((1 / (1 + np.exp(-(rows @ compact))) - goals) ** 2) ** 0.5)
        progress.advance()
        progress.print(
            f"round {number}: {games} games, {len(goals)} positions, Swedes' result "
            f"{np.mean(ends):.3f}, error {error:.3f}"
        )
        np.save(WEIGHTS, compact)


def first() -> Weights:
    """Return the initial weights: what a man is worth, and that the king wants room."""
    compact = np.zeros(COMPACT, np.float32)
    for turn in range(2):
        at = turn * WIDTH
        compact[at + STARTS[0] : at + STARTS[1]] = 0.2 * np.arange(5)
        compact[at + STARTS[1] : at + STARTS[2]] = 0.05 * np.arange(12)
        compact[at + STARTS[2] : at + STARTS[3]] = 0.2 * np.arange(8)
        compact[at + STARTS[7] : at + STARTS[8]] = -0.2 * (np.arange(17) - 16)
        compact[at + STARTS[8] : at + STARTS[9]] = 0.4 * (np.arange(9) - 8)
    return compact


def observed(board: Board) -> Floats:
    """Return a position's feature row, to multiply with compact weights."""
    row = np.zeros(COMPACT, np.float32)
    turn, king = int(board[TURN]), int(board[KING_AT])
    *seven, takeable = extract_features(board)
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
) -> tuple[list[tuple[Floats, float]], list[float]]:
    """Play games; return pairs of feature row and target, and each game's result."""
    searcher = Searcher(replace(FAST, weights=lambda: expanded(compact)), table=1 << 16)
    searcher.compile()
    found: list[tuple[Floats, float]] = []
    ends: list[float] = []
    for _ in range(games):
        line, goal = _game(searcher, Level(depth, 200_000), dice)
        ends.append(goal)
        for board, ahead, blunder in reversed(line):
            goal = ahead if blunder else _PATIENCE * goal + (1 - _PATIENCE) * ahead
            if 0.01 < ahead < 0.99:
                found.append((observed(board), goal))
    return found, ends


def _game(
    searcher: Searcher, level: Level, dice: random.Random
) -> tuple[list[tuple[Board, float, bool]], float]:
    """Play a game; return its positions and the Swedes' result.

    With each position come the Swedes' expected result and whether the next move was random.
    """
    kernels = FAST.kernels
    board, result = FAST.encode(START), np.zeros(2)
    line: list[tuple[Board, float, bool]] = []
    past: list[Board] = []
    opening = dice.randrange(OPENING)
    out = np.zeros(FAST.most_moves, np.int64)
    keys: list[int] = []
    while kernels.actor(board) != OVER:
        keys.append(int(kernels.key(board)))
        if len(past) >= _LONGEST or keys.count(keys[-1]) >= FAST.times:
            return line, 0.5
        move = int(out[dice.randrange(kernels.moves(board, out))])
        if len(past) >= opening:
            found = searcher.search(board, past, level, dice)
            blunder = dice.random() < _BLUNDERS
            line.append((board, found.equity[0], blunder))
            move = move if blunder else found.moves[found.best]
        past.append(board)
        board, before = FAST.board(), board
        kernels.play(before, move, board)
    kernels.result(board, result)
    return line, float(result[0])


def fitted(rows: Floats, goals: Floats, start: Weights) -> Weights:
    """Return weights fitted to the goals: logistic regression by Newton's method.

    They stay near ``start`` where the positions say little.
    """
    weights = start.astype(np.float64)
    for _ in range(12):
        guess = 1 / (1 + np.exp(-np.clip(rows @ weights, -15, 15)))
        slope = rows.T @ (goals - guess) - _CAUTION * (weights - start)
        bend = (rows * (guess * (1 - guess))[:, None]).T @ rows
        weights += np.linalg.solve(bend + _CAUTION * np.eye(len(weights)), slope)
    return weights.astype(np.float32)
