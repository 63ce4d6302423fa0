"""A position in words and as lines of characters: everything a picture shows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from engine.description import described
from engine.game import Outcome, Seat
from engine.games.tablaaza.board import (
    CALLED,
    FILES,
    GREEN,
    LAKES,
    OF,
    RANKS,
    RED,
    WATER,
    colour,
    named,
)
from engine.games.tablaaza.building import neighbourly
from engine.games.tablaaza.position import VACANT, sign
from engine.games.tablaaza.sentences import signed
from engine.games.tablaaza.state import Move, State
from engine.phrase import lines, listed, plural, say

NO_SPACE: Final = (
    say("Red has no vacant plot left to build on"),
    say("Green has no vacant plot left to build on"),
)
"""Why the game ended when a seat cannot play, in seat order."""

_LETTERS: Final = ("r", "g")
"""The letters for vacant plots on the text board, in seat order."""


def ended(state: State) -> bool:
    """Return whether the seat to play cannot."""
    return not state.vacant & OF[state.seat]


def alt_text(
    state: State,
    last: Sequence[tuple[State, Move]] = (),
    *,
    over: bool = False,
    result: Outcome | None = None,
) -> str:
    """Return the position in words; see `described`."""
    return described(
        _facts(state, over=over, result=result), [signed(before, move) for before, move in last]
    )


def _facts(state: State, *, over: bool, result: Outcome | None) -> Iterator[str]:
    yield from turn(state, over=over, result=result)
    if state.opening and not (over or ended(state)):
        squares = listed(named(neighbourly(state)), either=True)
        yield say("Green may build on {squares}.", squares=squares)
    if not ended(state):
        yield _spaces(state, RED)
        yield _spaces(state, GREEN)
    stones = named(state.stones)
    if stones:
        yield say("Stones: {squares}.", squares=" ".join(stones))
    else:
        yield say("There is no stone yet.")
    for seat in (RED, GREEN):
        if raised := state.raised(seat):
            yield say(
                "Pavilions raised by {seat}: {squares}.",
                seat=CALLED[seat],
                squares=" ".join(raised),
            )
    # Translators: the first and the last square of a lake.
    lakes = [say("{first} to {last}", first=lake[0], last=lake[-1]) for lake in LAKES]
    yield say("Lakes: {lakes}.", lakes=listed(lakes))


def board_text(state: State, *, over: bool = False, result: Outcome | None = None) -> str:
    """Return the position as lines of equal length, with a legend."""
    head = "   " + " ".join(FILES)
    rows = [
        f"{rank}  {' '.join(_letter(state, file + rank) for file in FILES)}  {rank}"
        for rank in reversed(RANKS)
    ]
    counts = [
        say(
            "{seat}: plots left {spaces}, pavilions raised {raised}",
            seat=CALLED[seat],
            spaces=len(state.spaces(seat)),
            raised=len(state.raised(seat)),
        )
        for seat in (RED, GREEN)
    ]
    # Translators: what the signs stand for on a board of characters; keep r, g, o, ^ and ~.
    legend = say("r, g: vacant red and green plots; o: stone; ^: pavilion; ~: lake")
    return lines([head, *rows, head, "", *turn(state, over=over, result=result), *counts, legend])


def turn(state: State, *, over: bool = False, result: Outcome | None = None) -> list[str]:
    """Return a sentence on whose turn it is, or how the game ended.

    Empty when play has stopped without a result although the rules would let it continue.
    """
    if result is not None:
        if result.void:
            return []
        if result.drawn:
            return [say("The game is drawn: {reason}.", reason=result.reason)]
        winner = CALLED[result.ranks.index(1)]
        return [say("{seat} has won: {reason}.", seat=winner, reason=result.reason)]
    if ended(state):
        winner = CALLED[1 - state.seat]
        return [say("{seat} has won: {reason}.", seat=winner, reason=NO_SPACE[state.seat])]
    return [] if over else [say("{seat} is to play.", seat=CALLED[state.seat])]


def _spaces(state: State, seat: Seat) -> str:
    spaces = state.spaces(seat)
    # Translators: on so many vacant plots a side may still build: those squares.
    return plural(
        "{seat} has {n} plot: {squares}.",
        "{seat} has {n} plots: {squares}.",
        len(spaces),
        seat=CALLED[seat],
        squares=" ".join(spaces),
    )


def _letter(state: State, square: str) -> str:
    letter = sign(state, square)
    return _LETTERS[colour(square)] if square not in WATER and letter == VACANT else letter
