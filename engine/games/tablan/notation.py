"""Move notation: ``*1`` a throw, ``k1-l2`` a move, ``l1-l2,k1-l1`` a split."""

from __future__ import annotations

import re
from typing import Final

from engine.errors import BadNotation, no_square, not_a_move
from engine.games.tablan.board import SQUARES
from engine.games.tablan.state import SCORES, Move, Split, Throw, Walk
from engine.phrase import say

HELP: Final = say(
    "A move is typed as two squares, k1-l2; a throw split between two men as two such moves "
    "in the order they are made, l1-l2,k1-l1."
)

_THROW: Final = re.compile(r"\*([0-9]{1,3})")
_WALK: Final = r"([a-z][0-9]{1,2})[-–—]?([a-z][0-9]{1,2})"
_MOVE: Final = re.compile(rf"{_WALK}(?:[,;+]?{_WALK})?")


def steps(move: Move) -> tuple[str, ...]:
    """Return the choices that make up a move; joined they are its notation."""
    match move:
        case Throw(plain):
            return (f"*{plain}",)
        case Walk(origin, target):
            return (f"{origin}-{target}",)
        case Split(first, second):
            return (
                f"{first.origin}-{first.target}",
                f",{second.origin}-{second.target}",
            )


def read(text: str) -> Move:
    """Return the move that a text writes, legal or not; case and spaces are ignored.

    Raises:
        BadNotation: the text is not a move of this game.

    """
    clean = "".join(text.split()).lower()
    if thrown := _THROW.fullmatch(clean):
        plain = int(thrown[1])
        if plain not in SCORES:
            raise BadNotation(say("Four sticks show 0 to 4 plain sides, not {n}.", n=plain))
        return Throw(plain)
    moved = _MOVE.fullmatch(clean)
    if moved is None:
        raise not_a_move(text, HELP)
    origin, target, *half = moved.groups()
    for square in filter(None, moved.groups()):
        if square not in SQUARES:
            raise no_square(square, "a1", "l4", HELP)
    walk = Walk(origin, target)
    return walk if half[0] is None else Split(walk, Walk(half[0], half[1]))
