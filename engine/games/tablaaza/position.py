"""A position as one line: rows from the top down, then the seat to play.

``......../......../..~..~../..~o.~../..~..~../......../........ green``: ``.`` is a vacant plot,
``o`` a stone, ``^`` a pavilion and ``~`` a lake.
"""

from __future__ import annotations

from typing import Final

from engine.errors import BadPosition
from engine.game import Seat
from engine.games.tablaaza.board import (
    ALL,
    BITS,
    FILES,
    GREEN,
    HEIGHT,
    NAMES,
    NEEDS,
    NEIGHBOURS,
    OF,
    RANKS,
    RED,
    WATER,
    WIDTH,
    named,
)
from engine.games.tablaaza.state import START, State

VACANT: Final = "."
STONE: Final = "o"
PAVILION: Final = "^"
LAKE: Final = "~"


def write(state: State) -> str:
    """Return a position as a line that `read` reads back."""
    rows = ("".join(sign(state, file + rank) for file in FILES) for rank in reversed(RANKS))
    return f"{'/'.join(rows)} {NAMES[state.seat]}"


def equivalence_key(state: State) -> str:
    """Return one line for a position and its mirror image from top to bottom.

    A mirror from left to right would change the colours of the plots, and so the seats.
    """
    line, name = write(state).split()
    rows = line.split("/")
    return f"{'/'.join(min(rows, rows[::-1]))} {name}"


def sign(state: State, square: str) -> str:
    """Return the character for the contents of a square."""
    if square in WATER:
        return LAKE
    if state.vacant & BITS[square]:
        return VACANT
    return PAVILION if state.pavilions & BITS[square] else STONE


def read(text: str) -> State:
    """Return the position that a line describes.

    Any accepted position can be reached by legal play (RULES.md says why these checks suffice).

    Raises:
        BadPosition: not a position that can occur; the sentence says why.
    """
    parts = text.split()
    if len(parts) != 2:
        raise BadPosition(
            f"A position has two parts, the board and the seat to play, as in “{write(START)}”."
        )
    board, name = parts
    if name.lower() not in NAMES:
        raise BadPosition(f"“{name}” is not a seat: write {' or '.join(NAMES)}.")
    stones, pavilions = _plots(board)
    state = State(ALL & ~(stones | pavilions), pavilions, Seat(NAMES.index(name.lower())))
    _check_turn(state)
    _check_pavilions(state)
    _check_opening(state)
    return state


def _plots(board: str) -> tuple[int, int]:
    """Return the plots with stones and those with pavilions."""
    rows = board.split("/")
    if len(rows) != HEIGHT or any(len(row) != WIDTH for row in rows):
        raise BadPosition(
            f"The board has {HEIGHT} rows of {WIDTH} squares, from the top down, joined by /: "
            f"“{board[:80]}” does not."
        )
    found = {STONE: 0, PAVILION: 0, VACANT: 0}
    for rank, row in zip(reversed(RANKS), rows, strict=True):
        for file, letter in zip(FILES, row, strict=True):
            square = file + rank
            if (square in WATER) != (letter == LAKE):
                lakes = " ".join(sorted(WATER))
                raise BadPosition(
                    f"“{letter}” cannot stand on {square}: {LAKE} marks the lakes, {lakes}, "
                    "and nothing else."
                )
            if square in WATER:
                continue
            if letter not in found:
                raise BadPosition(
                    f"“{letter}” on {square} means nothing: {VACANT} is a vacant plot, {STONE} a "
                    f"stone, {PAVILION} a pavilion, {LAKE} a lake."
                )
            found[letter] |= BITS[square]
    return found[STONE], found[PAVILION]


def _check_turn(state: State) -> None:
    red, green = ((state.stones & OF[seat]).bit_count() for seat in (RED, GREEN))
    ahead = 0 if state.seat == RED else 1
    if red - green != ahead:
        how = "as many stones as Green" if state.seat == RED else "one stone more than Green"
        raise BadPosition(
            f"When {NAMES[state.seat]} is to play, Red has played {how}: here it is {red} to "
            f"{green}."
        )


def _check_pavilions(state: State) -> None:
    """Refuse pavilions without their stones, and vacant plots where a pavilion would have risen."""
    for square in named(ALL & ~state.stones):
        bit = BITS[square]
        missing = NEEDS[bit] & ~state.stones
        if state.pavilions & bit and missing:
            raise BadPosition(
                f"A pavilion on {square} needs stones on all plots of the other colour in its "
                f"corridors, also on {' '.join(named(missing))}."
            )
        if state.vacant & bit and not missing:
            raise BadPosition(
                f"{square} cannot be vacant: stones lie on {' '.join(named(NEEDS[bit]))}, so a "
                "pavilion has risen there."
            )
    if state.stones == ALL:
        raise BadPosition("Stones cannot fill the board: the last of them raises a pavilion.")


def _check_opening(state: State) -> None:
    if state.stones & OF[GREEN] and not any(
        NEIGHBOURS[square] & state.stones for square in named(state.stones & OF[RED])
    ):
        raise BadPosition(
            "No green stone is a neighbour of a red one, but Green's first stone has to be."
        )
