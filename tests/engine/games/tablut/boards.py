"""Boards by the squares of the men: ``k`` is the king, ``s`` a Swede, ``m`` a Muscovite."""

from __future__ import annotations

from engine.games.tablut import GAME
from engine.games.tablut.state import Move, State
from engine.pair import Standing
from tests.engine.acts import Acts, placed

Position = Standing[State]
ACTS: Acts[Position, Move] = Acts(GAME)
moves, play, played, description = ACTS.moves, ACTS.play, ACTS.played, ACTS.description
refused, forbidden, result, reason = ACTS.refused, ACTS.forbidden, ACTS.result, ACTS.reason

THREE = "k c6, s e2, m b6 c3 c7 d6"
PROPPED = "k c6, s a1 d6, m b6 c5 c7 e1"
OPEN = "k e5, s h5, m c6 e1 e9 i2"


def rows(men: str) -> str:
    """Return the board of a position line."""
    return placed(men, "/".join(["." * 9] * 9))


def board(men: str, side: str) -> Position:
    """Return a position: ``board("k e5, m a1 b2", "swedes")``."""
    return GAME.read_position(f"{rows(men)} {side}")


def at(state: Position, name: str) -> str:
    """Return the contents of a square."""
    lines = GAME.write_position(state).split()[0].split("/")
    return lines[9 - int(name[1])]["abcdefghi".index(name[0])]


def side(state: Position) -> str:
    """Return the name of the side to move."""
    return GAME.write_position(state).split()[1]
