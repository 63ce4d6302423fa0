"""Move notation: the name of the square, ``d4``."""

from __future__ import annotations

import re
from typing import Final

from engine.errors import no_square, not_a_move
from engine.games.tablaaza.board import SQUARES
from engine.games.tablaaza.state import PASS, Move
from engine.phrase import say

HELP: Final = say("A move is typed as the square that the stone goes to, d4.")

_SQUARE: Final = re.compile(r"[a-z][0-9]{1,2}")


def read(text: str) -> Move:
    """Return the move that a lower-case text writes, legal or not.

    Raises:
        BadNotation: the text is not a move of this game.

    """
    if text == PASS.square:
        return PASS
    if _SQUARE.fullmatch(text) is None:
        raise not_a_move(text, HELP)
    if text not in SQUARES:
        raise no_square(text, SQUARES[0], SQUARES[-1], HELP)
    return Move(text)
