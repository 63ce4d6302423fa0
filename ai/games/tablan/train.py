"""Trains the weights of Tablan's evaluation by self-play alone.

Each course and order of the last row has a set of weights, trained in two stages: on whole games
(TD(lambda)), then on one-throw lookahead values. Three in four games use the usual options of the
course, the others any. The sets are independent and train in parallel.

``python -m ai train tablan`` runs it with the seed that made ``weights.npy``; ``weights.txt`` has
the output of that run.
"""

from __future__ import annotations

import os
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path
from typing import Final

import numba
import numpy as np

from ai.games.tablan.board import BOTH_DONE, FIRST_FINISHER, FREE, OPPOSED, ORDER, UNLOCK
from ai.games.tablan.evaluation import SETS
from ai.games.tablan.features import FEATURES
from ai.games.tablan.lookahead import train_by_lookahead
from ai.games.tablan.selfplay import train_by_self_play
from ai.kernels import Ints, Weights
from ai.terminal import Progress

WEIGHTS: Final = Path(__file__).with_name("weights.npy")
RECORD: Final = WEIGHTS.with_suffix(".txt")
COMMAND: Final = "python -m ai train tablan"
SEED: Final = 20261121
UNITS: Final = 32
"""Hidden units."""
SIZE: Final = SETS * ((FEATURES + 1) * UNITS + 1)
"""Number of weights."""
_SPREAD: Final = 0.1
"""Standard deviation of the initial weights."""
_GAMES: Final = (100_000, 48_000)
"""Games in the first and second stage if the order is free; otherwise a quarter as many."""
_LAMBDA: Final = 0.7
_FIRST_RATES: Final = np.array((0.05, 0.003))
_SECOND_RATES: Final = np.array((0.02, 0.001))
_SAMPLE: Final = 8
"""The second stage uses one in this many positions."""


def train(
    seed: int = SEED,
    games: tuple[int, int] = _GAMES,
    weights: Path = WEIGHTS,
    record: Path = RECORD,
) -> None:
    """Train all weights; write them and a record of the training."""
    lines = [
        f"command: {COMMAND}",
        f"seed: {seed}",
        f"numba {numba.__version__}, numpy {np.__version__}",
    ]
    print(*lines, sep="\n", flush=True)  # noqa: T201 - a command
    trained = initial_weights(seed)

    def teach(progress: Progress, number: int, order: int, *, opposed: bool) -> str:
        many = games if order == FREE else (games[0] // 4, games[1] // 4)
        dice = np.array([seed * SETS + number])
        told = _train_set(trained, mixture(order, opposed=opposed), dice, many)
        line = f"order {order}, {'opposed' if opposed else 'alongside'}: {told}"
        progress.advance()
        progress.print(line)
        return line

    # Kernels release the GIL, and each set is a separate part of the weights.
    with Progress("Training sets", SETS) as progress, ThreadPoolExecutor(os.cpu_count()) as pool:
        tasks = [
            pool.submit(teach, progress, number, order, opposed=opposed)
            for number, (order, opposed) in enumerate(product(range(3), (False, True)))
        ]
        lines += [task.result() for task in tasks]
    np.save(weights, trained)
    record.write_text("".join(f"{line}\n" for line in lines))


def initial_weights(seed: int) -> Weights:
    """Return small random weights."""
    start = np.random.default_rng(seed).normal(0, _SPREAD, SIZE)
    return start.astype(np.float32)


def mixture(order: int, *, opposed: bool) -> Ints:
    """Return the options to draw, as bits, the usual ones three times as often as all others."""
    lone = [
        (OPPOSED * opposed) | order << ORDER | unlock | both | finisher
        for unlock, both, finisher in product((0, UNLOCK), (0, BOTH_DONE), (0, FIRST_FINISHER))
    ]
    usual = (OPPOSED | UNLOCK | BOTH_DONE if opposed else 0) | order << ORDER
    return np.array([*lone, *[usual] * (3 * len(lone) - 4)])


def _train_set(trained: Weights, options: Ints, dice: Ints, games: tuple[int, int]) -> str:
    """Train one set of weights; return a report."""
    begun = time.thread_time()
    first = train_by_self_play(trained, options, games[0], dice, _FIRST_RATES, _LAMBDA)
    second = train_by_lookahead(trained, options, games[1], dice, _SECOND_RATES, _SAMPLE)
    taken = time.thread_time() - begun
    return (
        f"{games[0]} games with {first} positions, then {games[1]} with {second} looked at "
        f"deeper; {taken:.0f} s"
    )
