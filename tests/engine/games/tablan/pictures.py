"""Positions as pictures: rows from the top down as White sees the board, then the seat to act."""

from __future__ import annotations

import pytest

from engine.errors import IllegalMove
from engine.games.tablan import GAME
from engine.games.tablan.state import State


def picture(rows: str, turn: str, **options: str) -> State:
    """Return the position drawn in a picture.

    Args:
        rows: four lines of twelve characters, as in a position line.
        turn: the rest of the line, ``white 2``.
        options: options that differ from the defaults.

    """
    return GAME.read_position(f"{'/'.join(rows.split())} {turn}", options)


def rows_of(state: State) -> list[str]:
    """Return the rows of a position, top row first."""
    return GAME.write_position(state).split()[0].split("/")


def turn(state: State) -> str:
    """Return the rest of the position line: the seat to act and its throws."""
    return GAME.write_position(state).split(maxsplit=1)[1]


def moves(state: State) -> set[str]:
    """Return all legal moves in notation."""
    return {GAME.write(move) for move in GAME.legal_moves(state)}


def play(state: State, *texts: str) -> State:
    """Return the position after some moves and throws."""
    for text in texts:
        state = GAME.apply(state, GAME.read(state, text))
    return state


def refused(state: State, text: str) -> IllegalMove:
    """Return the error raised for an illegal move."""
    with pytest.raises(IllegalMove) as caught:
        GAME.read(state, text)
    return caught.value


def forbidden(state: State, text: str) -> tuple[str, tuple[str, ...]]:
    """Return the rule that forbids a move, and the squares it names."""
    refusal = refused(state, text)
    return refusal.rule.name, refusal.squares


def description(state: State, text: str) -> str:
    """Return the log's description of a move."""
    return GAME.tell(state, GAME.read(state, text))
