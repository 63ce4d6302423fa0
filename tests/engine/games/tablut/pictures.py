"""Positions as pictures: rows from the ninth rank down, then the side to move."""

from __future__ import annotations

import pytest

from engine.errors import IllegalMove
from engine.games.tablut import GAME
from engine.games.tablut.state import Move, State
from engine.pair import Standing

Position = Standing[State]


def picture(rows: str, side: str) -> Position:
    """Return the position drawn in nine lines of nine characters."""
    return GAME.read_position(f"{'/'.join(rows.split())} {side}")


def at(state: Position, name: str) -> str:
    """Return the contents of a square."""
    rows = GAME.write_position(state).split()[0].split("/")
    return rows[9 - int(name[1])]["abcdefghi".index(name[0])]


def side(state: Position) -> str:
    """Return the name of the side to move."""
    return GAME.write_position(state).split()[1]


def moves(state: Position) -> set[str]:
    """Return all legal moves in notation."""
    return {GAME.write(move) for move in GAME.legal_moves(state)}


def play(state: Position, *texts: str) -> Position:
    """Return the position after some moves."""
    for text in texts:
        state = GAME.apply(state, GAME.read(state, text))
    return state


def played(state: Position, *texts: str) -> tuple[Position, list[tuple[Position, Move]]]:
    """Return the position after some moves, and the moves in `scene`'s format."""
    last: list[tuple[Position, Move]] = []
    for text in texts:
        last.append((state, GAME.read(state, text)))
        state = play(state, text)
    return state, last


def description(state: Position, text: str) -> str:
    """Return the description of a move."""
    return GAME.tell(state, GAME.read(state, text))


def result(state: Position) -> str | None:
    """Return the winner, ``draw``, or ``None``."""
    ended = GAME.outcome(state)
    if ended is None:
        return None
    return "draw" if ended.drawn else GAME.seat_names[ended.ranks.index(1)]


def reason(state: Position) -> str:
    """Return why the game is over."""
    ended = GAME.outcome(state)
    assert ended is not None
    return ended.reason


def refused(state: Position, text: str) -> IllegalMove:
    """Return the error raised for an illegal move."""
    with pytest.raises(IllegalMove) as caught:
        GAME.read(state, text)
    return caught.value


def forbidden(state: Position, text: str) -> tuple[str, tuple[str, ...]]:
    """Return the rule that forbids a move, and the squares it names."""
    refusal = refused(state, text)
    return refusal.rule.name, refusal.squares
