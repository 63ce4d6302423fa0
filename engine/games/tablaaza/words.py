"""A position in words and as lines of characters: all that a picture shows, without seeing it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.games.tablaaza.board import (
    FILES,
    GREEN,
    LAKES,
    NAMES,
    OF,
    RANKS,
    RED,
    WATER,
    colour,
    named,
)
from engine.games.tablaaza.building import neighbourly
from engine.games.tablaaza.position import VACANT, sign
from engine.games.tablaaza.refusals import listed
from engine.games.tablaaza.telling import sentence

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.game import Seat
    from engine.games.tablaaza.state import Move, State

ALT_LIMIT: Final = 1024
"""The longest description that Discord takes for a picture."""

_LETTERS: Final = ("r", "g")
"""How the text board writes vacant plots, in seat order."""


def over(state: State) -> bool:
    """Return whether the seat to play has nowhere to play."""
    return not state.vacant & OF[state.seat]


def alt_text(state: State, last: Sequence[tuple[State, Move]] = ()) -> str:
    """Return the position in words, at most `ALT_LIMIT` characters.

    The position is always complete. Where room is short, the oldest of the last moves are left
    out.
    """
    stones = named(state.stones)
    facts = [turn(state)]
    if state.opening and not over(state):
        facts.append(f"Green may build on {listed(named(neighbourly(state)), 'or')}.")
    facts += [_spaces(state, seat) for seat in (RED, GREEN) if not over(state)]
    facts.append(f"Stones: {' '.join(stones)}." if stones else "There is no stone yet.")
    facts += [
        f"Pavilions raised by {_name(seat)}: {' '.join(state.raised(seat))}."
        for seat in (RED, GREEN)
        if state.raised(seat)
    ]
    lakes = listed(tuple(f"{lake[0]} to {lake[-1]}" for lake in LAKES))
    facts.append(f"Lakes: {lakes}.")
    told = [f"{_name(before.seat)} {sentence(before, move)}" for before, move in last]
    while told and len(" ".join([*facts, f"Last: {'; '.join(told)}."])) > ALT_LIMIT:
        del told[0]
    return " ".join([*facts, f"Last: {'; '.join(told)}."] if told else facts)


def board_text(state: State) -> str:
    """Return the position as lines of equal characters, with what the letters mean."""
    head = "   " + " ".join(FILES)
    rows = [
        f"{rank}  {' '.join(_letter(state, file + rank) for file in FILES)}  {rank}"
        for rank in reversed(RANKS)
    ]
    counts = [
        f"{_name(seat)}: spaces left {len(state.spaces(seat))}, "
        f"pavilions raised {len(state.raised(seat))}"
        for seat in (RED, GREEN)
    ]
    legend = "r, g: vacant red and green plots; o: stone; ^: pavilion; ~: lake"
    return "\n".join([head, *rows, head, "", turn(state), *counts, legend])


def turn(state: State) -> str:
    """Return a sentence that says who has to play, or how the game ended."""
    name = _name(state.seat)
    if over(state):
        other = NAMES[1 - state.seat].capitalize()
        return f"{other} has won: {name} has no space left."
    return f"{name} is to play."


def _spaces(state: State, seat: Seat) -> str:
    spaces = state.spaces(seat)
    number = "1 space" if len(spaces) == 1 else f"{len(spaces)} spaces"
    return f"{_name(seat)} has {number}: {' '.join(spaces)}."


def _letter(state: State, square: str) -> str:
    letter = sign(state, square)
    return _LETTERS[colour(square)] if square not in WATER and letter == VACANT else letter


def _name(seat: Seat) -> str:
    return NAMES[seat].capitalize()
