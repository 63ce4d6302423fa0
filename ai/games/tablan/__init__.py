"""Tablan: its fast board and an evaluation trained by self-play."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

import numpy as np

from ai.games.tablan import fast
from ai.games.tablan.board import SIZE
from ai.games.tablan.evaluation import evaluate
from ai.games.tablan.move_generation import MOST_MOVES, moves
from ai.games.tablan.translation import encode, notation, read
from ai.kernels import Weights
from ai.levels import THROWING
from ai.position import Fast, Kernels

WEIGHTS: Final = Path(__file__).with_name("weights.npy")
"""Written by `ai.games.tablan.train`; weights.txt has the command."""


@cache
def weights() -> Weights:
    """Return the trained weights, loaded once."""
    learnt: Weights = np.load(WEIGHTS).astype(np.float32)
    return learnt


FAST: Final = Fast(
    slug="tablan",
    size=SIZE,
    most_moves=MOST_MOVES,
    seats=2,
    kernels=Kernels(
        actor=fast.actor,
        moves=moves,
        play=fast.play,
        throw=fast.throw,
        result=fast.result,
        evaluate=evaluate,
        key=fast.key,
        loud=fast.loud,
    ),
    weights=weights,
    encode=encode,
    notation=notation,
    read=read,
    throws=True,
    passing=True,
    levels=THROWING,
)
