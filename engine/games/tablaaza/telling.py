"""What happened, in plain sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.deed import Deed, Worth
from engine.games.tablaaza.board import CALLED
from engine.games.tablaaza.building import risen
from engine.phrase import listed, plural, say

if TYPE_CHECKING:
    from engine.games.tablaaza.state import Move, State


def sentence(before: State, move: Move) -> str:
    """Return a sentence without its subject and full stop."""
    raised = risen(before, move)
    if not raised:
        # Translators: what a side does; its name stands before it, as in "Red builds on d4".
        return say("builds on {square}", square=move.square)
    # Translators: squares is a list of so many squares as there are pavilions.
    return plural(
        "builds on {square} and raises a pavilion on {squares}",
        "builds on {square} and raises pavilions on {squares}",
        len(raised),
        square=move.square,
        squares=listed(raised),
    )


def deed(before: State, move: Move) -> Deed:
    """Return what a move does, in a menu's few words."""
    raised = risen(before, move)
    if not raised:
        # Translators: an entry of a menu, a command.
        told: str = say("build on {square}", square=move.square)
        return Deed(told, told)
    # Translators: an entry of a menu; squares is a list of so many squares as there are pavilions.
    told = plural(
        "pavilion on {squares}: build on {square}",
        "pavilions on {squares}: build on {square}",
        len(raised),
        square=move.square,
        squares=listed(raised),
    )
    return Deed(told, told, Worth.GAINS)


def signed(before: State, move: Move) -> str:
    """Return a sentence without a full stop, its player first."""
    return say("{seat} {move}", seat=CALLED[before.seat], move=sentence(before, move))
