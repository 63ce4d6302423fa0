"""Where a side may put a stone, and which pavilions rise: only bits and tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.game import Seat
from engine.games.tablaaza.board import GREEN, NEEDS, NEIGHBOURS, OF, PLOTS, RED, SHARED, named
from engine.games.tablaaza.state import MOVES, Move, State

_REDS: Final = OF[RED].bit_count()
_SHIFT: Final = (0, _REDS)
"""The first bit of each colour."""
_HALF: Final = 13
"""Plots in the lower table of each colour: two small tables instead of one huge one."""
_LOWER: Final = (1 << _HALF) - 1


def _subsets(plots: tuple[str, ...]) -> tuple[tuple[Move, ...], ...]:
    """Return, for every number whose bits select plots, the moves on those plots."""
    chosen: list[tuple[Move, ...]] = [()]
    for plot in plots:
        chosen += [(*fewer, MOVES[plot]) for fewer in chosen]
    return tuple(chosen)


_TABLES: Final = tuple(
    (_subsets(own[:_HALF]), _subsets(own[_HALF:])) for own in (PLOTS[:_REDS], PLOTS[_REDS:])
)


def moves(state: State) -> Sequence[Move]:
    """Return the legal moves in the order of their squares; none once the game is over."""
    seat = state.seat
    own = state.vacant & OF[seat]
    if seat == GREEN and own == OF[GREEN]:
        own = neighbourly(state)
    own >>= _SHIFT[seat]
    lower, upper = _TABLES[seat]
    return lower[own & _LOWER] + upper[own >> _HALF]


def neighbourly(state: State) -> int:
    """Return the plots for Green's first stone: the neighbours of Red's only stone."""
    (stone,) = named(state.stones)
    return NEIGHBOURS[stone]


def after(state: State, move: Move) -> State:
    """Return the position after a legal move, with the pavilions it raises."""
    vacant, pavilions, seat = state
    bit, shared = SHARED[move.square]
    vacant ^= bit
    rising = 0
    for own, others in shared:
        # Only plots in the new stone's corridors can have become complete, and only where the
        # corridor itself has: most stones leave nothing more to check.
        if not vacant & own:
            rising |= _complete(vacant, others & vacant)
    return State(vacant ^ rising, pavilions | rising, Seat(1 - seat))


def risen(state: State, move: Move) -> tuple[str, ...]:
    """Return the plots where a legal move raises pavilions."""
    return named(after(state, move).pavilions & ~state.pavilions)


def _complete(vacant: int, plots: int) -> int:
    """Return those of the plots whose needs are all met."""
    found = 0
    while plots:
        bit = plots & -plots
        plots ^= bit
        if not vacant & NEEDS[bit]:
            found |= bit
    return found
