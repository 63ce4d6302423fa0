"""Why a move is not legal: the rule that forbids it, and the squares."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.errors import IllegalMove
from engine.games.tablut.board import (
    CASTLE,
    KING,
    MUSCOVITE,
    MUSCOVITES,
    NAMES,
    SQUARES,
    SWEDE,
    between,
)
from engine.games.tablut.documents import CASTLE_RULE, MOVING, TURNS

if TYPE_CHECKING:
    from engine.games.tablut.state import Move, State

MEN: Final = {MUSCOVITE: "a Muscovite", SWEDE: "a Swede", KING: "the king"}
"""What a man of each kind is called."""


def reason(state: State, move: Move) -> IllegalMove | None:
    """Return why a move is not legal, or ``None`` where it is. The game has not ended."""
    return _not_yours(state, move) or _not_a_line(state, move) or _no_place(state, move)


def _not_yours(state: State, move: Move) -> IllegalMove | None:
    source = SQUARES[move.source]
    kind = state.kind(move.source)
    if kind is None:
        return IllegalMove(
            MOVING, f"Nobody stands on {source}, so nobody moves from it.", (source,)
        )
    if (kind == MUSCOVITE) != (state.seat == MUSCOVITES):
        side = NAMES[state.seat].capitalize()
        return IllegalMove(
            TURNS, f"It is the {side}' turn, and on {source} stands {MEN[kind]}.", (source,)
        )
    return None


def _not_a_line(state: State, move: Move) -> IllegalMove | None:
    source, target = SQUARES[move.source], SQUARES[move.target]
    if source == target:
        return IllegalMove(MOVING, f"A move has to leave its square, {source}.", (source,))
    way = between(move.source, move.target)
    if way is None:
        return IllegalMove(
            MOVING,
            f"{source} and {target} lie neither in one row nor in one column.",
            (source, target),
        )
    for number in way:
        kind = state.kind(number)
        if kind is not None:
            blocked = SQUARES[number]
            return IllegalMove(
                MOVING,
                f"{MEN[kind][0].upper()}{MEN[kind][1:]} on {blocked} is in the way from {source} to {target}.",
                (blocked, source, target),
            )
    return None


def _no_place(state: State, move: Move) -> IllegalMove | None:
    target = SQUARES[move.target]
    kind = state.kind(move.target)
    if kind is not None:
        return IllegalMove(MOVING, f"{target} is not empty: {MEN[kind]} stands there.", (target,))
    if move.target == CASTLE and state.kind(move.source) != KING:
        return IllegalMove(
            CASTLE_RULE, f"Only the king may stop on the castle, {target}.", (target,)
        )
    return None
