"""Why a move is illegal: the rule that forbids it, and the squares."""

from __future__ import annotations

from engine.errors import IllegalMove
from engine.game import Seat
from engine.games.tablaaza.board import BITS, RED, WATER, colour, named
from engine.games.tablaaza.building import neighbourly
from engine.games.tablaaza.documents import EQUIPMENT, NEIGHBOURLY, PAVILION, PLAY
from engine.games.tablaaza.state import PASS, Move, State
from engine.phrase import listed, say


def reason(state: State, move: Move) -> IllegalMove | None:
    """Return why a move is illegal, or ``None`` if it is legal. The game must not have ended."""
    square = move.square
    if move == PASS:
        return IllegalMove(PLAY, _no_pass(state.seat))
    if square in WATER:
        message = say("{square} is a lake, and nobody builds on water.", square=square)
        return IllegalMove(EQUIPMENT, message, (square,))
    if colour(square) != state.seat:
        return IllegalMove(PLAY, _others_plot(state.seat, square), (square,))
    return _taken(state, square) or _too_far(state, square)


def _no_pass(seat: Seat) -> str:
    if seat == RED:
        return say("Nobody may pass: Red has to play a stone on a red plot.")
    return say("Nobody may pass: Green has to play a stone on a green plot.")


def _others_plot(seat: Seat, square: str) -> str:
    if seat == RED:
        return say("{square} is a green plot; Red plays on red ones.", square=square)
    return say("{square} is a red plot; Green plays on green ones.", square=square)


def _taken(state: State, square: str) -> IllegalMove | None:
    if state.pavilions & BITS[square]:
        message = say(
            "A pavilion stands on {square}, so nobody plays there any more.", square=square
        )
        return IllegalMove(PAVILION, message, (square,))
    if state.stones & BITS[square]:
        message = say("A stone lies on {square} already.", square=square)
        return IllegalMove(PLAY, message, (square,))
    return None


def _too_far(state: State, square: str) -> IllegalMove | None:
    if state.opening and not neighbourly(state) & BITS[square]:
        (stone,) = named(state.stones)
        message = say(
            "Green's first stone goes to a neighbour of {stone}, and {square} is none: choose "
            "{squares}.",
            stone=stone,
            square=square,
            squares=listed(named(neighbourly(state)), either=True),
        )
        return IllegalMove(NEIGHBOURLY, message, (square, stone))
    return None
