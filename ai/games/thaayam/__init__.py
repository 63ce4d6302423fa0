"""The fast board of Thaayam and its evaluation."""

from __future__ import annotations

from typing import Final

from ai.games.thaayam import evaluation, fast, features, translation, turns
from ai.levels import PLANNING
from ai.position import Fast, Kernels

FAST: Final = Fast(
    slug="thaayam",
    size=fast.SIZE,
    most_moves=fast.MOST_MOVES,
    seats=4,
    kernels=Kernels(
        actor=fast.actor,
        moves=fast.moves,
        play=fast.play,
        throw=fast.throw,
        result=fast.result,
        evaluate=turns.evaluate,
        key=fast.key,
        loud=features.loud,
    ),
    weights=evaluation.weights,
    encode=translation.encode,
    notation=translation.notation,
    read=translation.read,
    throws=True,
    levels=PLANNING,
)
