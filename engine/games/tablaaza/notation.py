"""Move notation: the name of the square, ``d4``."""

from __future__ import annotations

import re
from typing import Final

from engine.errors import BadNotation
from engine.games.tablaaza.board import SQUARES
from engine.games.tablaaza.state import PASS, Move
from engine.phrase import say

HELP: Final = say("A move is typed as the square that the stone goes to, d4.")

_ECHO: Final = 40
"""How much of an unreadable text an answer repeats."""
_SQUARE: Final = re.compile(r"[a-z][0-9]{1,2}")


def read(text: str) -> Move:
    """Return the move that a lower-case text writes, legal or not.

    Raises:
        BadNotation: the text is not a move of this game.

    """
    if text == PASS.square:
        return PASS
    if _SQUARE.fullmatch(text) is None:
        raise BadNotation(say("“{text}” is not a move. {help}", text=text[:_ECHO], help=HELP))
    if text not in SQUARES:
        message = say(
            "There is no square {square}: the board is {first} to {last}. {help}",
            square=text,
            first=SQUARES[0],
            last=SQUARES[-1],
            help=HELP,
        )
        raise BadNotation(message)
    return Move(text)
