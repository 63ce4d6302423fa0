"""Why a move is not legal: the rule that forbids it, and the squares."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.errors import IllegalMove
from engine.games.tablaaza.board import BITS, NAMES, WATER, colour, named
from engine.games.tablaaza.building import neighbourly
from engine.games.tablaaza.documents import EQUIPMENT, NEIGHBOURLY, PAVILION, PLAY
from engine.games.tablaaza.state import PASS

if TYPE_CHECKING:
    from engine.games.tablaaza.state import Move, State


def reason(state: State, move: Move) -> IllegalMove | None:
    """Return why a move is not legal, or ``None`` where it is. The game has not ended."""
    name = NAMES[state.seat]
    square = move.square
    if move == PASS:
        return IllegalMove(
            PLAY, f"Nobody may pass: {name.capitalize()} has to play a stone on a {name} plot."
        )
    if square in WATER:
        return IllegalMove(EQUIPMENT, f"{square} is a lake, and nobody builds on water.", (square,))
    if colour(square) != state.seat:
        other = NAMES[colour(square)]
        return IllegalMove(
            PLAY,
            f"{square} is a {other} plot; {name.capitalize()} plays on {name} ones.",
            (square,),
        )
    return _taken(state, square) or _too_far(state, square)


def listed(names: tuple[str, ...], last: str = "and") -> str:
    """Return names as they are listed in a sentence: “a2, b3 and c4”."""
    return f" {last} ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _taken(state: State, square: str) -> IllegalMove | None:
    if state.pavilions & BITS[square]:
        return IllegalMove(
            PAVILION, f"A pavilion stands on {square}, so nobody plays there any more.", (square,)
        )
    if state.stones & BITS[square]:
        return IllegalMove(PLAY, f"A stone lies on {square} already.", (square,))
    return None


def _too_far(state: State, square: str) -> IllegalMove | None:
    if state.opening and not neighbourly(state) & BITS[square]:
        (stone,) = named(state.stones)
        return IllegalMove(
            NEIGHBOURLY,
            f"Green's first stone goes to a neighbour of {stone}, and {square} is none: "
            f"choose {listed(named(neighbourly(state)), 'or')}.",
            (square, stone),
        )
    return None
