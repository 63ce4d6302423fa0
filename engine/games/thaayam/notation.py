"""Move notation: ``*1`` a throw, ``in``, ``e2+4+2``, ``e2&+8+3`` for twins, ``twins``, ``off``."""

from __future__ import annotations

import re
from typing import Final

from engine.errors import BadNotation, no_square, not_a_move
from engine.games.thaayam.board import SQUARES
from engine.games.thaayam.state import SCORES, WHITE_SIDES, Act, Advance, Move, Throw
from engine.phrase import say

# Translators: “in”, “twins” and “off” are typed so in every language.
HELP: Final = say(
    "A move is typed as a piece's square and the throws it uses, like e2+4+2 (e2&+8+3 for twins). "
    "“in” enters a piece with a 1, “off” brings one home with a 1, “twins” joins two on the "
    "opposite palace."
)

_THROW: Final = re.compile(r"\*(\d{1,3})")
_ADVANCE: Final = re.compile(r"([a-z]\d{1,2})(&?)((?:\+\d{1,3})+)")
_ACTS: Final = {act.value: act for act in Act} | {"enter": Act.ENTER}


def steps(move: Move) -> tuple[str, ...]:
    """Return the choices that make up a move; joined they are its notation.

    Of a piece's throws, each but the last ends in a ``+`` that announces more: so no move is the
    beginning of another, and a menu never holds more than the five scores twice.
    """
    match move:
        case Throw(white):
            return (f"*{white}",)
        case Act():
            return (move.value,)
        case Advance(square, throws, twins):
            sums = [f"{score}+" for score in throws[:-1]] + [str(throws[-1])]
            sums[0] = f"+{sums[0]}"
            return (f"{square}&" if twins else square, *sums)


def read(text: str) -> Move:
    """Return the move that a text writes, legal or not; case and spaces are ignored.

    Raises:
        BadNotation: the text is not a move of this game.

    """
    clean = "".join(text.split()).lower()
    if clean in _ACTS:
        return _ACTS[clean]
    if thrown := _THROW.fullmatch(clean):
        white = int(thrown[1])
        if white not in SCORES:
            raise BadNotation(say("Four dice show 0 to 4 white sides, not {n}.", n=white))
        return Throw(white)
    moved = _ADVANCE.fullmatch(clean)
    if moved is None:
        raise not_a_move(text, HELP)
    square, twins, sums = moved.groups()
    if square not in SQUARES:
        raise no_square(square, "a1", "e5", HELP)
    throws = sorted((int(score) for score in sums[1:].split("+")), reverse=True)
    for score in throws:
        if score not in WHITE_SIDES:
            message = say(
                "No throw scores {score}: throws score 1, 2, 3, 4 or 8. {help}",
                score=score,
                help=HELP,
            )
            raise BadNotation(message)
    return Advance(square, tuple(throws), bool(twins))
