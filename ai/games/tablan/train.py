"""Learns the weights of Tablan's evaluation from nothing but games against itself.

For each course and order of the last row there is a set of weights. It is learnt in two parts:
first from how whole games went (TD(lambda)), then from what positions are worth when one throw
more is looked at. Three of four games are played by the options that are usual with the course,
the others by any. The sets know nothing of each other, so they learn side by side.

``python -m ai train tablan`` does it, with the seed that made ``weights.npy``; what it printed
then stands in ``weights.txt``.
"""

from __future__ import annotations

import os
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numba
import numpy as np

from ai.games.tablan.board import BOTH_DONE, FIRST_FINISHER, FREE, OPPOSED, ORDER, UNLOCK
from ai.games.tablan.evaluation import SETS
from ai.games.tablan.features import FEATURES
from ai.games.tablan.lookahead import ponder
from ai.games.tablan.selfplay import practise

if TYPE_CHECKING:
    from ai.kernels import Ints, Weights

WEIGHTS: Final = Path(__file__).with_name("weights.npy")
RECORD: Final = WEIGHTS.with_suffix(".txt")
COMMAND: Final = "python -m ai train tablan"
SEED: Final = 20261121
UNITS: Final = 32
"""How many hidden units the net has."""
SIZE: Final = SETS * ((FEATURES + 1) * UNITS + 1)
"""How many weights there are."""
_SPREAD: Final = 0.1
"""The standard deviation of the weights to begin with."""
_GAMES: Final = (100_000, 48_000)
"""In the first part and in the second, where the order is free; a quarter of them elsewhere."""
_TRUST: Final = 0.7
_FIRST_RATES: Final = np.array((0.05, 0.003))
_SECOND_RATES: Final = np.array((0.02, 0.001))
_ONE_OF: Final = 8
"""In the second part one of so many positions is looked at."""


def train(
    seed: int = SEED,
    games: tuple[int, int] = _GAMES,
    weights: Path = WEIGHTS,
    record: Path = RECORD,
) -> None:
    """Learn all weights; write them, and beside them how they were made."""
    lines = [
        f"command: {COMMAND}",
        f"seed: {seed}",
        f"numba {numba.__version__}, numpy {np.__version__}",
    ]
    print(*lines, sep="\n", flush=True)  # noqa: T201 - a command
    learnt = untaught(seed)

    def teach(number: int, order: int, *, opposed: bool) -> str:
        many = games if order == FREE else (games[0] // 4, games[1] // 4)
        dice = np.array([seed * SETS + number])
        told = _taught(learnt, mixture(order, opposed=opposed), dice, many)
        line = f"order {order}, {'opposed' if opposed else 'alongside'}: {told}"
        print(line, flush=True)  # noqa: T201 - a command
        return line

    # Kernels let go of Python's lock, and each set is a part of the weights of its own.
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        tasks = [
            pool.submit(teach, number, order, opposed=opposed)
            for number, (order, opposed) in enumerate(product(range(3), (False, True)))
        ]
        lines += [task.result() for task in tasks]
    np.save(weights, learnt)
    record.write_text("".join(f"{line}\n" for line in lines))


def untaught(seed: int) -> Weights:
    """Return weights that know nothing: small and random."""
    start = np.random.default_rng(seed).normal(0, _SPREAD, SIZE)
    return start.astype(np.float32)


def mixture(order: int, *, opposed: bool) -> Ints:
    """Return the options to play by, as bits: the usual ones three times as often as all others."""
    lone = [
        (OPPOSED * opposed) | order << ORDER | unlock | both | finisher
        for unlock, both, finisher in product((0, UNLOCK), (0, BOTH_DONE), (0, FIRST_FINISHER))
    ]
    usual = (OPPOSED | UNLOCK | BOTH_DONE if opposed else 0) | order << ORDER
    return np.array([*lone, *[usual] * (3 * len(lone) - 4)])


def _taught(learnt: Weights, options: Ints, dice: Ints, games: tuple[int, int]) -> str:
    """Learn one set of weights; return how much was played and how long it took."""
    begun = time.thread_time()
    first = practise(learnt, options, games[0], dice, _FIRST_RATES, _TRUST)
    second = ponder(learnt, options, games[1], dice, _SECOND_RATES, _ONE_OF)
    taken = time.thread_time() - begun
    return (
        f"{games[0]} games with {first} positions, then {games[1]} with {second} looked at "
        f"deeper; {taken:.0f} s"
    )
