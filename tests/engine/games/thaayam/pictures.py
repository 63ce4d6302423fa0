"""Positions as pictures: five rows from the top down as South sees the board, then the seat to act.

A square is ``.`` or the pieces on it: ``S`` is a piece of South's, ``S&`` twins, ``S!`` a piece
that has already moved in this series. ``SSN&`` is two of South's beside twins of North's.
"""

from __future__ import annotations

import re

import pytest

from engine.errors import IllegalMove
from engine.games.thaayam import GAME
from engine.games.thaayam.state import State
from tests.engine.games.thaayam.slow import PATHS, SEATED

EMPTY = """
    . . . . .
    . . . . .
    . . . . .
    . . . . .
    . . . . .
"""
_PIECE = re.compile(r"([SWNE])(&?)(!?)")


def picture(rows: str, turn: str, *, players: int = 2, off: str = "") -> State:
    """Return the position drawn in a picture.

    Args:
        rows: five lines of five squares.
        turn: the rest of the line, ``south 4,2``.
        players: number of players.
        off: one seat letter for each piece borne off.

    All other pieces are in hand.
    """
    seats = SEATED[players]
    fields: dict[str, list[str]] = {seat: [] for seat in seats}
    for rank, row in zip("54321", rows.split("\n")[1:6], strict=True):
        for file, square in zip("abcde", row.split(), strict=True):
            for letter, twins, moved in _PIECE.findall(square):
                seat = next(seat for seat in seats if seat[0].upper() == letter)
                place = PATHS[seat].index(file + rank)
                fields[seat].append(f"{place}&{place}{moved}" if twins else f"{place}{moved}")
    for seat, pieces in fields.items():
        pieces.extend(["*"] * off.count(seat[0].upper()))
        there = len(pieces) + sum("&" in piece for piece in pieces)
        pieces.extend(["-"] * (4 - there))
    line = " ".join(f"{seat}:{','.join(tokens)}" for seat, tokens in fields.items())
    return GAME.read_position(f"{line} {turn}")


def drawn_board(state: State) -> str:
    """Return the board of a position as a picture."""
    squares: dict[str, str] = {}
    for token in GAME.write_position(state).split():
        seat, colon, side = token.partition(":")
        if not colon or seat == "start":
            continue
        for piece in side.split(","):
            if piece not in {"-", "*"}:
                place = int(re.split("[&!]", piece)[0])
                sign = seat[0].upper() + "&" * ("&" in piece) + "!" * ("!" in piece)
                square = PATHS[seat][place]
                squares[square] = squares.get(square, "") + sign
    return rows("\n".join(" ".join(squares.get(f + r, ".") for f in "abcde") for r in "54321"))


def rows(text: str) -> str:
    """Return a picture with its spaces normalised as in `shown`."""
    return "\n".join(" ".join(line.split()) for line in text.strip().split("\n"))


def turn(state: State) -> str:
    """Return the rest of the position line: the seat to act and its throws."""
    words = GAME.write_position(state).split()
    return " ".join(word for word in words if ":" not in word or word.startswith("start"))


def beside(state: State, seat: str) -> str:
    """Return a seat's pieces in hand and borne off, ``--**``."""
    field = next(w for w in GAME.write_position(state).split() if w.startswith(f"{seat}:"))
    return "".join(token for token in field.partition(":")[2].split(",") if token in "-*")


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
