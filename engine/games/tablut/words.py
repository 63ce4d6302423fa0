"""A position in words and as lines of characters: everything a picture shows."""

from __future__ import annotations

from collections.abc import Sequence

from engine.description import described
from engine.game import Outcome
from engine.games.tablut.board import (
    CALLED,
    CASTLE,
    FILES,
    MUSCOVITE,
    SIZE,
    SQUARES,
    SWEDE,
)
from engine.games.tablut.captures import paths
from engine.games.tablut.playing import outcome
from engine.games.tablut.position import EMPTY, sign
from engine.games.tablut.sentences import RAICHI, TUICHU, call, sentence
from engine.games.tablut.state import Move, State
from engine.phrase import lines, listed, say


def alt_text(
    state: State,
    last: Sequence[tuple[State, Move]] = (),
    *,
    over: bool = False,
    result: Outcome | None = None,
) -> str:
    """Return the position in words; see `described`."""
    facts = [
        *turn(state, over=over, result=result),
        *_ways_out(state),
        _king(state),
        _swedes(state),
        _muscovites(state),
    ]
    return described(facts, [_signed(before, move) for before, move in last])


def board_text(state: State, *, over: bool = False, result: Outcome | None = None) -> str:
    """Return the position as lines of equal length, with a legend."""
    head = "   " + " ".join(FILES)
    rows = [
        f"{rank + 1}  {' '.join(_letter(state, rank * SIZE + f) for f in range(SIZE))}  {rank + 1}"
        for rank in reversed(range(SIZE))
    ]
    # Translators: what k, s, m and + stand for on a board of characters; keep those signs.
    legend = say("k: the king; s: a Swede; m: a Muscovite; +: the empty castle")
    return lines(
        [head, *rows, head, "", *turn(state, over=over, result=result), *_ways_out(state), legend]
    )


def turn(state: State, *, over: bool = False, result: Outcome | None = None) -> list[str]:
    """Return a sentence on whose turn it is, or how the game ended.

    Empty when play has stopped without a result although the rules would let it continue.
    """
    ended = result or outcome(state)
    if ended is not None:
        if ended.void:
            return []
        if ended.drawn:
            return [say("The game is drawn: {reason}.", reason=ended.reason)]
        winners = CALLED[ended.ranks.index(1)]
        # Translators: side is "Swedes" or "Muscovites", a plural.
        return [say("{side} have won: {reason}.", side=winners, reason=ended.reason)]
    # Translators: side is "Swedes" or "Muscovites", a plural.
    return [] if over else [say("{side} to move.", side=CALLED[state.seat])]


def _ways_out(state: State) -> list[str]:
    """Return the king's ways to the edge, if he has any that still matter."""
    ends = paths(state.board, state.king)
    if not ends:
        return []
    squares = listed(SQUARES[end] for end in ends)
    called = call(state)
    if called == TUICHU:
        return [say("The edge is open to the king: {squares} (“tuichu”).", squares=squares)]
    if called == RAICHI:
        return [say("The edge is open to the king: {squares} (“raichi”).", squares=squares)]
    if outcome(state) is not None:
        return []
    return [say("The edge is open to the king: {squares}.", squares=squares)]


def _king(state: State) -> str:
    castle = SQUARES[CASTLE]
    if state.king < 0:
        return say("The king is off the board; the castle {castle} is empty.", castle=castle)
    if state.king == CASTLE:
        return say("The king is on his castle, {castle}.", castle=castle)
    return say(
        "The king is on {square}; the castle {castle} is empty.",
        square=SQUARES[state.king],
        castle=castle,
    )


def _swedes(state: State) -> str:
    numbers = state.men(SWEDE)
    if not numbers:
        return say("Swedes: none.")
    # Translators: how many men the Swedes have, and where.
    return say("Swedes ({n}): {squares}.", n=len(numbers), squares=_squares(numbers))


def _muscovites(state: State) -> str:
    numbers = state.men(MUSCOVITE)
    if not numbers:
        return say("Muscovites: none.")
    # Translators: how many men the Muscovites have, and where.
    return say("Muscovites ({n}): {squares}.", n=len(numbers), squares=_squares(numbers))


def _squares(numbers: tuple[int, ...]) -> str:
    return " ".join(sorted(SQUARES[number] for number in numbers))


def _signed(before: State, move: Move) -> str:
    # Translators: who moved and what, such as "Swedes: e3 to b3".
    return say("{side}: {move}", side=CALLED[before.seat], move=sentence(before, move))


def _letter(state: State, number: int) -> str:
    letter = sign(state, number)
    return "+" if number == CASTLE and letter == EMPTY else letter
