"""What a move gains and gives up: plots, and the space left to both sides."""

from __future__ import annotations

from engine.game import Seat
from engine.games.tablaaza.board import CALLED, OF, named
from engine.games.tablaaza.building import after, moves
from engine.games.tablaaza.state import Move, State
from engine.phrase import listed, plural


def reason(before: State, move: Move) -> str:
    """Return a sentence on what a legal move gains."""
    later = after(before, move)
    seat, enemy = before.seat, Seat(1 - before.seat)
    own, theirs = ((later.vacant & OF[side]).bit_count() for side in (seat, enemy))
    if before.opening or not theirs:
        return ""
    saved = _threatened(before._replace(seat=enemy)) & ~_threatened(later)
    if saved:
        return plural(
            "It keeps {squares} from becoming a pavilion.",
            "It keeps {squares} from becoming pavilions.",
            saved.bit_count(),
            squares=listed(named(saved)),
        )
    return plural(
        "Then {side} has {n} free plot, {enemy} {theirs}.",
        "Then {side} has {n} free plots, {enemy} {theirs}.",
        own,
        side=CALLED[seat],
        enemy=CALLED[enemy],
        theirs=theirs,
    )


def price(before: State, move: Move) -> str:
    """Return a sentence on what a legal move gives up; empty if not obvious."""
    later = after(before, move)
    if later.seat == before.seat or before.opening:
        return ""
    lost = _threatened(later)
    if not lost:
        return ""
    return plural(
        "Then {squares} can become a pavilion.",
        "Then {squares} can become pavilions.",
        lost.bit_count(),
        squares=listed(named(lost)),
    )


def _threatened(state: State) -> int:
    """Return the other side's vacant plots that the side to move can turn into pavilions."""
    others = state.vacant & OF[1 - state.seat]
    lost = 0
    if not state.opening:
        for move in moves(state):
            lost |= others & ~after(state, move).vacant
    return lost
