"""The fast board of Tablut and its evaluation."""

from __future__ import annotations

from typing import Final

from ai.games.tablut import encoding, evaluation, fast
from ai.position import Fast, Kernels, no_throw

FAST: Final = Fast(
    slug="tablut",
    size=fast.SIZE,
    most_moves=fast.MOST_MOVES,
    seats=2,
    kernels=Kernels(
        actor=fast.actor,
        moves=fast.moves,
        play=fast.play,
        throw=no_throw,
        result=fast.result,
        evaluate=evaluation.evaluate,
        key=fast.key,
        loud=evaluation.loud,
    ),
    weights=evaluation.weights,
    encode=encoding.encode,
    notation=encoding.notation,
    read=encoding.read,
    times=3,
    past=encoding.past,
)
