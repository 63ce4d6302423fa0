"""A position in words and as lines of characters: all that a picture shows, without seeing it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.games.tablut.board import (
    CASTLE,
    FILES,
    MUSCOVITE,
    NAMES,
    SIZE,
    SQUARES,
    SWEDE,
)
from engine.games.tablut.captures import paths
from engine.games.tablut.playing import outcome
from engine.games.tablut.position import EMPTY, sign
from engine.games.tablut.telling import call, listed, sentence

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.games.tablut.state import Move, State

ALT_LIMIT: Final = 1024
"""The longest description that Discord takes for a picture."""


def alt_text(state: State, last: Sequence[tuple[State, Move]] = ()) -> str:
    """Return the position in words, at most `ALT_LIMIT` characters.

    The position is always complete. Where room is short, the oldest of the last moves are left
    out.
    """
    muscovites, swedes = (state.men(kind) for kind in (MUSCOVITE, SWEDE))
    facts = [turn(state), *_ways_out(state), _king(state)]
    facts += [_men("Swedes", swedes), _men("Muscovites", muscovites)]
    told = [f"{_name(before)}: {sentence(before, move)}" for before, move in last]
    while told and len(" ".join([*facts, _last(told)])) > ALT_LIMIT:
        del told[0]
    return " ".join([*facts, _last(told)] if told else facts)


def board_text(state: State) -> str:
    """Return the position as lines of equal characters, with what the letters mean."""
    head = "   " + " ".join(FILES)
    rows = [
        f"{rank + 1}  {' '.join(_letter(state, rank * SIZE + f) for f in range(SIZE))}  {rank + 1}"
        for rank in reversed(range(SIZE))
    ]
    legend = "k: the king; s: a Swede; m: a Muscovite; +: the empty castle"
    return "\n".join([head, *rows, head, "", turn(state), *_ways_out(state), legend])


def turn(state: State) -> str:
    """Return a sentence that says who has to move, or how the game ended."""
    ended = outcome(state)
    if ended is None:
        return f"{_name(state)} to move."
    if ended.drawn:
        return f"The game is drawn: {ended.reason}."
    return f"{NAMES[ended.ranks.index(1)].capitalize()} have won: {ended.reason}."


def _ways_out(state: State) -> list[str]:
    """Return where the king can go to the edge, if he can and it still matters."""
    ends = paths(state.board, state.king)
    if not ends:
        return []
    open_to = f"open to the king: {listed(tuple(SQUARES[end] for end in ends))}."
    if called := call(state):
        return [f"{called.capitalize()}! The edge is {open_to}"]
    return [f"The edge is {open_to}"] if outcome(state) is None else []


def _king(state: State) -> str:
    if state.king < 0:
        return "The king is off the board; the castle e5 is empty."
    if state.king == CASTLE:
        return "The king is on his castle, e5."
    return f"The king is on {SQUARES[state.king]}; the castle e5 is empty."


def _men(name: str, numbers: tuple[int, ...]) -> str:
    if not numbers:
        return f"{name}: none."
    squares = " ".join(sorted(SQUARES[number] for number in numbers))
    return f"{name} ({len(numbers)}): {squares}."


def _last(told: list[str]) -> str:
    return f"Last: {'; '.join(told)}."


def _letter(state: State, number: int) -> str:
    letter = sign(state, number)
    return "+" if number == CASTLE and letter == EMPTY else letter


def _name(state: State) -> str:
    return NAMES[state.seat].capitalize()
