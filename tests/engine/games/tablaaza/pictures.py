"""Positions as pictures: rows from the top down, then the seat to move."""

from __future__ import annotations

import pytest

from engine.errors import IllegalMove
from engine.games.tablaaza import GAME
from engine.games.tablaaza.state import State


def picture(rows: str, seat: str) -> State:
    """Return the position drawn in seven lines of eight characters."""
    return GAME.read_position(f"{'/'.join(rows.split())} {seat}")


def rows_of(state: State) -> list[str]:
    """Return the rows of a position, top row first."""
    return GAME.write_position(state).split()[0].split("/")


def seat(state: State) -> str:
    """Return the name of the seat to move."""
    return GAME.write_position(state).split()[1]


def moves(state: State) -> set[str]:
    """Return all legal moves in notation."""
    return {GAME.write(move) for move in GAME.legal_moves(state)}


def play(state: State, *texts: str) -> State:
    """Return the position after some moves."""
    for text in texts:
        state = GAME.apply(state, GAME.read(state, text))
    return state


def pavilions(state: State) -> set[str]:
    """Return the plots that have pavilions."""
    return {
        file + rank
        for rank, row in zip("7654321", rows_of(state), strict=True)
        for file, letter in zip("abcdefgh", row, strict=True)
        if letter == "^"
    }


def refused(state: State, text: str) -> IllegalMove:
    """Return the error raised for an illegal move."""
    with pytest.raises(IllegalMove) as caught:
        GAME.read(state, text)
    return caught.value


def forbidden(state: State, text: str) -> tuple[str, tuple[str, ...]]:
    """Return the rule that forbids a move, and the squares it names."""
    refusal = refused(state, text)
    return refusal.rule.name, refusal.squares
