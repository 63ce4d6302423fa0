"""Boards by their plots: ``o`` is a stone, ``^`` a pavilion."""

from __future__ import annotations

from engine.games.tablaaza import GAME
from engine.games.tablaaza.state import Move, State
from tests.engine.acts import Acts, placed

ACTS: Acts[State, Move] = Acts(GAME)
moves, play, played = ACTS.moves, ACTS.play, ACTS.played
refused, forbidden, ended = ACTS.refused, ACTS.forbidden, ACTS.ended

EMPTY = "......../......../..~..~../..~..~../..~..~../......../........"
BEFORE_B6 = "o a4 a5 b2 b4 h1 h3"
"""Red holds a5, b2 and b4, three of the plots b5 needs."""
LAST_TURN = "^o.ooooo/oo.ooooo/oo~oo~oo/o^~o^~^o/^o~oo~o^/oooooo^o/oooooooo"


def board(stones: str, seat: str) -> State:
    """Return a position: ``board("o a4 b2, ^ b3", "red")``."""
    return picture(placed(stones, EMPTY), seat)


def picture(rows: str, seat: str) -> State:
    """Return the position of a line's seven rows, and a seat to move."""
    return GAME.read_position(f"{rows} {seat}")


def rows_of(state: State) -> list[str]:
    """Return the rows of a position, top row first."""
    return GAME.write_position(state).split()[0].split("/")


def seat(state: State) -> str:
    """Return the name of the seat to move."""
    return GAME.write_position(state).split()[1]


def pavilions(state: State) -> set[str]:
    """Return the plots that have pavilions."""
    return {
        file + rank
        for rank, row in zip("7654321", rows_of(state), strict=True)
        for file, letter in zip("abcdefgh", row, strict=True)
        if letter == "^"
    }
