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
    """Return the move that a text writes, legal or not; case and spaces are ignored.

    Raises:
        BadNotation: the text is not a move of this game.

    """
    name = "".join(text.split()).lower()
    if name == PASS.square:
        return PASS
    if _SQUARE.fullmatch(name) is None:
        raise not_a_move(text, HELP)
    if name not in SQUARES:
        raise no_square(name, SQUARES[0], SQUARES[-1], HELP)
    return Move(name)
