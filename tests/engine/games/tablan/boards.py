"""Boards by the squares of the men: ``w`` and ``b`` have not moved yet, ``W`` and ``B`` have."""

from __future__ import annotations

from engine.games.tablan import GAME
from engine.games.tablan.state import Move, State
from tests.engine.acts import Acts, placed

ACTS: Acts[State, Move] = Acts(GAME)
moves, play, played, description = ACTS.moves, ACTS.play, ACTS.played, ACTS.description
refused, forbidden, ended, reason = ACTS.refused, ACTS.forbidden, ACTS.ended, ACTS.reason
result = ACTS.result

START = "bbbbbbbbbbbb/............/............/wwwwwwwwwwww"


def board(men: str, turn: str, **options: str) -> State:
    """Return a position: ``board("W e2, b a4", "white 2")``, and options if not the defaults."""
    return picture(placed(men, "/".join(["." * 12] * 4)), turn, **options)


def picture(rows: str, turn: str, **options: str) -> State:
    """Return the position of a line's four rows, its turn, and options if not the defaults."""
    return GAME.read_position(f"{rows} {turn}", options)


def rows_of(state: State) -> list[str]:
    """Return the rows of a position, top row first."""
    return GAME.write_position(state).split()[0].split("/")


def turn(state: State) -> str:
    """Return the rest of the position line: the seat to act and its throws."""
    return GAME.write_position(state).split(maxsplit=1)[1]
