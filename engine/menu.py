"""What a player may choose next: whole moves while they fit one menu, else step by step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic

from engine.game import Game, M, S

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST = 25
"""How many entries one Discord menu can hold."""


@dataclass(frozen=True, slots=True)
class Choice(Generic[M]):
    """One entry of a menu."""

    steps: tuple[str, ...]
    """All steps chosen so far, this one included."""
    label: str
    """What to call it: notation, without the punctuation that joins it to the step before."""
    move: M | None
    """The move that it completes; ``None`` where more is to be chosen."""


def choices(
    game: Game[S, M], state: S, chosen: tuple[str, ...] = (), most: int = MOST
) -> tuple[Choice[M], ...]:
    """Return what may follow the steps chosen so far; empty when nothing does.

    Whole moves come while there are at most ``most`` of them. Else one step at a time, where a
    step that leaves a single move is that move already.
    """
    moves = [(game.steps(move), move) for move in game.legal_moves(state)]
    depth = len(chosen)
    left = [
        (steps, move) for steps, move in moves if steps[:depth] == chosen and len(steps) > depth
    ]
    if len(left) <= most:
        return tuple(Choice(steps, _label(steps[depth:]), move) for steps, move in left)
    return tuple(_next(left, depth))


def _next(left: list[tuple[tuple[str, ...], M]], depth: int) -> Iterator[Choice[M]]:
    by_step: dict[str, list[tuple[tuple[str, ...], M]]] = {}
    for steps, move in left:
        by_step.setdefault(steps[depth], []).append((steps, move))
    for group in by_step.values():
        steps, move = group[0]
        if len(group) == 1:
            yield Choice(steps, _label(steps[depth:]), move)
        else:
            yield Choice(steps[: depth + 1], _label(steps[depth : depth + 1]), None)


def _label(steps: tuple[str, ...]) -> str:
    return "".join(steps).lstrip("-,+")
