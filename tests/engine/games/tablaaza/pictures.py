"""Positions as pictures: rows from the top down, then the seat to play."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from engine.errors import IllegalMove
from engine.games.tablaaza import GAME

if TYPE_CHECKING:
    from engine.games.tablaaza.state import State


def picture(rows: str, seat: str) -> State:
    """Return the position that seven lines of eight characters show."""
    return GAME.read_position(f"{'/'.join(rows.split())} {seat}")


def shown(state: State) -> list[str]:
    """Return the rows of a position from the top down."""
    return GAME.write_position(state).split()[0].split("/")


def seat(state: State) -> str:
    """Return who plays next."""
    return GAME.write_position(state).split()[1]


def moves(state: State) -> set[str]:
    """Return all legal moves as they are written."""
    return {GAME.write(move) for move in GAME.legal_moves(state)}


def play(state: State, *texts: str) -> State:
    """Return the position after some moves."""
    for text in texts:
        state = GAME.apply(state, GAME.read(state, text))
    return state


def pavilions(state: State) -> set[str]:
    """Return the plots with pavilions."""
    return {
        file + rank
        for rank, row in zip("7654321", shown(state), strict=True)
        for file, letter in zip("abcdefgh", row, strict=True)
        if letter == "^"
    }


def refused(state: State, text: str) -> IllegalMove:
    """Return the refusal that a move meets."""
    with pytest.raises(IllegalMove) as caught:
        GAME.read(state, text)
    return caught.value


def forbidden(state: State, text: str) -> tuple[str, tuple[str, ...]]:
    """Return the rule that forbids a move and the squares concerned."""
    refusal = refused(state, text)
    return refusal.rule.name, refusal.squares
