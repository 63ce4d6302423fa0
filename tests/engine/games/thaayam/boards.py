"""Boards by the squares of the pieces: ``S`` is a piece of South's, ``S&`` twins, ``S!`` one that has moved.

``SSN& e2`` is two pieces of South's beside twins of North's.
"""

from __future__ import annotations

import re

from engine.games.thaayam import GAME
from engine.games.thaayam.state import Move, State
from tests.engine.acts import Acts
from tests.engine.games.thaayam.slow import PATHS, SEATED

ACTS: Acts[State, Move] = Acts(GAME)
moves, play, played, description = ACTS.moves, ACTS.play, ACTS.played, ACTS.description
refused, forbidden, ended = ACTS.refused, ACTS.forbidden, ACTS.ended

_PIECE = re.compile(r"([SWNE])(&?)(!?)")


def board(men: str, turn: str, *, players: int = 2) -> State:
    """Return a position, with all other pieces in hand: ``board("S e2, N c5", "south 4,2")``."""
    fields: dict[str, list[str]] = {seat: [] for seat in SEATED[players]}
    for group in filter(None, men.split(", ")):
        pieces, square = group.split()
        for letter, twins, moved in _PIECE.findall(pieces):
            seat = next(seat for seat in fields if seat[0].upper() == letter)
            place = PATHS[seat].index(square)
            fields[seat].append(f"{place}&{place}{moved}" if twins else f"{place}{moved}")
    for there in fields.values():
        there.extend(["-"] * (4 - len(there) - sum("&" in piece for piece in there)))
    line = " ".join(f"{seat}:{','.join(there)}" for seat, there in fields.items())
    return GAME.read_position(f"{line} {turn}")


def on_board(state: State) -> dict[str, str]:
    """Return the pieces by square: ``{"e2": "SSN&"}``."""
    squares: dict[str, str] = {}
    for token in GAME.write_position(state).split():
        seat, colon, side = token.partition(":")
        if not colon or seat == "start":
            continue
        for piece in side.split(","):
            if piece not in {"-", "*"}:
                square = PATHS[seat][int(re.split("[&!]", piece)[0])]
                sign = seat[0].upper() + "&" * ("&" in piece) + "!" * ("!" in piece)
                squares[square] = squares.get(square, "") + sign
    return squares


def turn(state: State) -> str:
    """Return the rest of the position line: the seat to act and its throws."""
    words = GAME.write_position(state).split()
    return " ".join(word for word in words if ":" not in word or word.startswith("start"))


def beside(state: State, seat: str) -> str:
    """Return a seat's pieces in hand and borne off, ``--**``."""
    field = next(w for w in GAME.write_position(state).split() if w.startswith(f"{seat}:"))
    return "".join(token for token in field.partition(":")[2].split(",") if token in "-*")
