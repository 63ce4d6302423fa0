"""What a move is good for: what it brings into play, home or to safety."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.games.thaayam.board import KEEP, MARKED
from engine.games.thaayam.state import HAND, OFF, PIECES, Act, Advance, Phase
from engine.games.thaayam.telling import captured, landing
from engine.phrase import plural, say

if TYPE_CHECKING:
    from engine.games.thaayam.state import State


def reason(before: State, move: Act | Advance, after: State) -> str:
    """Return what a legal move is good for, a sentence; nothing where that is not seen at once."""
    if after.phase is Phase.OVER:
        return ""
    own = after.sides[before.turn]
    match move:
        case Act.ENTER:
            waiting = own.count(HAND)
            return (
                plural(
                    "Then {n} piece still waits to enter.",
                    "Then {n} pieces still wait to enter.",
                    waiting,
                )
                if waiting
                else say("Then all pieces are in play.")
            )
        case Act.OFF:
            left = PIECES - own.count(OFF)
            return plural("Then {n} piece is left.", "Then {n} pieces are left.", left)
        case Act.TWINS:
            return say("Only other twins can capture them.")
        case Advance():
            return _advanced(before, move, after)


def _advanced(before: State, move: Advance, after: State) -> str:
    sent = sum(number for _, number in captured(before, after))
    if sent:
        return plural(
            "It sends {n} piece back to enter again and earns another turn.",
            "It sends {n} pieces back to enter again and earns another turn.",
            sent,
        )
    place = landing(before, move)
    if place == KEEP:
        return say("A 1 bears it off once all pieces are in the keep.")
    return say("Nobody can capture it on a palace.") if place in MARKED else ""
