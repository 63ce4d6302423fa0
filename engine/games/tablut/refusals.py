"""Why a move is illegal: the rule that forbids it, and the squares."""

from __future__ import annotations

from engine.errors import IllegalMove
from engine.games.tablut.board import (
    CASTLE,
    KING,
    MUSCOVITE,
    MUSCOVITES,
    SQUARES,
    between,
)
from engine.games.tablut.documents import CASTLE_RULE, MOVING, TURNS
from engine.games.tablut.state import Move, State
from engine.phrase import say


def reason(state: State, move: Move) -> IllegalMove | None:
    """Return why a move is illegal, or ``None`` if it is legal. The game must not have ended."""
    return _not_yours(state, move) or _not_a_line(state, move) or _no_place(state, move)


def _not_yours(state: State, move: Move) -> IllegalMove | None:
    source = SQUARES[move.source]
    kind = state.kind(move.source)
    if kind is None:
        message = say("Nobody is on {square}, so there's nothing to move.", square=source)
        return IllegalMove(MOVING, message, (source,))
    if (kind == MUSCOVITE) != (state.seat == MUSCOVITES):
        return IllegalMove(TURNS, _anothers(kind, source), (source,))
    return None


def _anothers(kind: int, square: str) -> str:
    if kind == MUSCOVITE:
        return say("It's the Swedes' turn, and the man on {square} is a Muscovite.", square=square)
    if kind == KING:
        return say("It's the Muscovites' turn, and on {square} is the king.", square=square)
    return say("It's the Muscovites' turn, and the man on {square} is a Swede.", square=square)


def _not_a_line(state: State, move: Move) -> IllegalMove | None:
    source, target = SQUARES[move.source], SQUARES[move.target]
    if source == target:
        message = say("A move has to leave its square, {square}.", square=source)
        return IllegalMove(MOVING, message, (source,))
    way = between(move.source, move.target)
    if way is None:
        message = say(
            "{origin} and {target} aren't in the same row or column.",
            origin=source,
            target=target,
        )
        return IllegalMove(MOVING, message, (source, target))
    for number in way:
        kind = state.kind(number)
        if kind is not None:
            blocked = SQUARES[number]
            return IllegalMove(
                MOVING,
                _in_the_way(kind, blocked, source, target),
                (blocked, source, target),
            )
    return None


def _in_the_way(kind: int, square: str, origin: str, target: str) -> str:
    if kind == MUSCOVITE:
        return say(
            "A Muscovite on {square} is in the way from {origin} to {target}.",
            square=square,
            origin=origin,
            target=target,
        )
    if kind == KING:
        return say(
            "The king on {square} is in the way from {origin} to {target}.",
            square=square,
            origin=origin,
            target=target,
        )
    return say(
        "A Swede on {square} is in the way from {origin} to {target}.",
        square=square,
        origin=origin,
        target=target,
    )


def _no_place(state: State, move: Move) -> IllegalMove | None:
    target = SQUARES[move.target]
    kind = state.kind(move.target)
    if kind is not None:
        return IllegalMove(MOVING, _occupied(kind, target), (target,))
    if move.target == CASTLE and state.kind(move.source) != KING:
        message = say("Only the king may stop on the castle, {square}.", square=target)
        return IllegalMove(CASTLE_RULE, message, (target,))
    return None


def _occupied(kind: int, square: str) -> str:
    if kind == MUSCOVITE:
        return say("{square} is not empty: a Muscovite stands there.", square=square)
    if kind == KING:
        return say("{square} is not empty: the king stands there.", square=square)
    return say("{square} is not empty: a Swede stands there.", square=square)
