"""Move notation: the man's square and the one he goes to, ``e7-e9``."""

from __future__ import annotations

import re
from typing import Final

from engine.errors import no_square, not_a_move
from engine.games.tablut.board import NUMBERS
from engine.games.tablut.state import MOVES, Move
from engine.phrase import say

HELP: Final = say("A move is typed as two squares, from and to, e7-e9.")

_MOVE: Final = re.compile(r"([a-z][0-9]{1,2})-([a-z][0-9]{1,2})")


def read(text: str) -> Move:
    """Return the move that a text writes, legal or not; case and spaces are ignored.

    Raises:
        BadNotation: the text is not a move of this game.

    """
    found = _MOVE.fullmatch("".join(text.split()).lower())
    if found is None:
        raise not_a_move(text, HELP)
    for name in found.groups():
        if name not in NUMBERS:
            raise no_square(name, "a1", "i9", HELP)
    source, target = (NUMBERS[name] for name in found.groups())
    return MOVES[source][target]
