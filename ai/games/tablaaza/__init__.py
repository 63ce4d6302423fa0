"""The fast board of Tablaaza and its evaluation."""

from __future__ import annotations

from typing import Final

from ai.games.tablaaza import endgame, evaluation, fast, translation
from ai.levels import COUNTING
from ai.position import Fast, Kernels, no_throw

FAST: Final = Fast(
    slug="tablaaza",
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
        loud=endgame.loud,
    ),
    weights=evaluation.weights,
    encode=translation.encode,
    notation=translation.notation,
    read=translation.read,
    exact=endgame.exact,
    prepare=endgame.settle,
    levels=COUNTING,
)
