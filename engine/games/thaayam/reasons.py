"""What a move gains (pieces in play, home or safe), and whose reach it enters."""

from __future__ import annotations

from typing import Final

from engine.games.thaayam.board import ACROSS, KEEP, MARKED
from engine.games.thaayam.capture import sent_back
from engine.games.thaayam.sentences import captured, landing
from engine.games.thaayam.state import HAND, OFF, PIECES, SCORES, Act, Advance, Phase, State, pieces
from engine.phrase import plural, say

_CLOSE: Final = max(SCORES.values())
"""An enemy this far behind is close: one throw may capture the piece."""


def reason(before: State, move: Act | Advance, after: State) -> str:
    """Return a sentence on what a legal move gains; empty if not obvious."""
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
        return say("A 1 brings it home once all pieces are in the keep.")
    return say("Nobody can capture it on a palace.") if place in MARKED else ""


def price(before: State, move: Act | Advance, after: State) -> str:
    """Return a sentence on what a legal move gives up; empty if not obvious."""
    if after.phase is Phase.OVER or not isinstance(move, Advance):
        return ""
    place = landing(before, move)
    if place in MARKED:
        return ""
    across, close = ACROSS[before.seat], 0
    for index, side in enumerate(after.sides):
        there = across[after.seats[index]][place]
        for one in pieces(side):
            if index != before.turn and 0 < there - one.place <= _CLOSE:
                sent = sent_back(after.sides, index, there, twins=one.twins)
                close += sent is not None and sent[before.turn] != after.sides[before.turn]
    if not close:
        return ""
    if move.twins:
        return plural(
            "Then {n} pair of twins close behind could capture them.",
            "Then {n} pairs of twins close behind could capture them.",
            close,
        )
    return plural(
        "Then {n} enemy piece close behind could capture it.",
        "Then {n} enemy pieces close behind could capture it.",
        close,
    )
