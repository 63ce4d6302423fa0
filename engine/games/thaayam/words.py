"""A position in words and as lines of characters: everything a picture shows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.description import described
from engine.game import Outcome, Seat
from engine.games.thaayam.board import FILES, INNER, KEEP, PATHS, RANKS
from engine.games.thaayam.sentences import signed
from engine.games.thaayam.state import (
    CALLED,
    HAND,
    IN_KEEP,
    NAMES,
    OFF,
    OUT,
    PIECES,
    TO_THROW,
    Move,
    Phase,
    Series,
    Side,
    State,
    Throws,
    piece,
    pieces,
)
from engine.phrase import lines, listed, plural, say

FEW: Final = 8
"""Throws up to this many are told one by one."""


def alt_text(
    state: State,
    last: Sequence[tuple[State, Move]] = (),
    *,
    over: bool = False,
    result: Outcome | None = None,
) -> str:
    """Return the position in words; see `described`."""
    sides = zip(state.seats, state.sides, strict=True)
    afters = [*(before for before, _ in last[1:]), state][: len(last)]
    return described(
        [
            *turn(state, over=over, result=result),
            *(_side(seat, side) for seat, side in sides),
            _paths(state),
        ],
        [signed(before, move, after) for (before, move), after in zip(last, afters, strict=True)],
    )


def turn(state: State, *, over: bool = False, result: Outcome | None = None) -> list[str]:
    """Return a sentence on whose turn it is and what to do, or how the game ended.

    Empty when play has stopped without a result although the rules would let it continue.
    """
    if result is not None:
        return [] if result.void else [_verdict(state, result)]
    if state.phase is Phase.OVER:
        winner = CALLED[state.seat]
        return [say("{seat} has won: all four pieces are home.", seat=winner)]
    return [] if over else [due(state)]


def _verdict(state: State, result: Outcome) -> str:
    """Return who came first in a match that did not end as the board says, and why."""
    if result.drawn:
        return say("The game is drawn: {reason}.", reason=result.reason)
    first = [CALLED[s] for s, rank in zip(state.seats, result.ranks, strict=True) if rank == 1]
    if len(first) == 1:
        return say("{seat} has won: {reason}.", seat=first[0], reason=result.reason)
    # Translators: seats is a list such as "South and East".
    return say("{seats} share first place: {reason}.", seats=listed(first), reason=result.reason)


def due(state: State) -> str:
    """Return who must act, and how."""
    if state.phase is Phase.START:
        return _starting(state)
    name, throws = CALLED[state.seat], counted(state.throws)
    if state.phase is Phase.THROW:
        if not state.throws:
            return say("{seat} is to throw.", seat=name)
        return say("{seat} has thrown {throws} and throws on.", seat=name, throws=throws)
    if state.again:
        return say(
            "{seat} has {throws} to use, with another turn to come.", seat=name, throws=throws
        )
    return say("{seat} has {throws} to use.", seat=name, throws=throws)


def counted(throws: Series | Throws) -> str:
    """Return throws in words, with counts if there are many."""
    if len(throws) <= FEW:
        return listed(str(score) for score in throws)
    scores = dict.fromkeys(sorted(throws, reverse=True))
    # Translators: the score 2 was thrown 3 times: "3 times 2".
    return listed(say("{n} times {score}", n=throws.count(score), score=score) for score in scores)


def _starting(state: State) -> str:
    """Return the throws for the start so far, and who throws next."""
    name = CALLED[state.seat]
    thrown = [
        say("{seat} threw {score}", seat=CALLED[seat], score=score)
        for seat, score in zip(state.seats, state.opening, strict=True)
        if score not in {TO_THROW, OUT}
    ]
    if not thrown:
        return say("{seat} is to throw for the start.", seat=name)
    # Translators: throws is what others have thrown, such as "South threw 3; West threw 8".
    return say("{throws}; {seat} is to throw for the start.", throws=lines(thrown, "; "), seat=name)


def _side(seat: Seat, side: Side) -> str:
    """Return where a seat's pieces stand, in the order of its path."""
    parts = [_standing(seat, side, code) for code in dict.fromkeys(side) if piece(code) is not None]
    if in_hand := side.count(HAND):
        # Translators: so many pieces have not entered the board yet.
        parts.append(plural("{n} in hand", "{n} in hand", in_hand))
    if off := side.count(OFF):
        # Translators: so many pieces have gone all the way and left the board.
        parts.append(plural("{n} home", "{n} home", off))
    # Translators: places is a list such as "e2, twins on c5, in the keep twice, 1 in hand".
    return say("{seat}: {places}.", seat=CALLED[seat], places=lines(parts, ", "))


def _standing(seat: Seat, side: Side, code: int) -> str:
    """Return where identical pieces stand."""
    (found,) = pieces((code,))
    square = PATHS[seat][found.place]
    text: str = square
    if found.place == KEEP:
        # Translators: where a piece stands: on the square in the middle.
        text = say("in the keep")
    elif found.twins:
        text = say("twins on {square}", square=square)
    text = _times(text, side.count(code))
    # Translators: a piece that has moved already in this turn.
    return say("{place} (moved)", place=text) if found.moved else text


def _times(place: str, number: int) -> str:
    """Return a place with its number of pieces, one to four."""
    if number == 2:
        # Translators: two pieces stand at a place, such as "e2 twice".
        return say("{place} twice", place=place)
    if number == 3:
        # Translators: three pieces stand at a place, such as "e2 three times".
        return say("{place} three times", place=place)
    if number == 4:
        # Translators: four pieces stand at a place, such as "e2 four times".
        return say("{place} four times", place=place)
    return place


def _paths(state: State) -> str:
    """Return how all walk: the same way, a quarter turn apart."""
    own = [
        lines(
            (CALLED[seat], f"{PATHS[seat][0]}, {PATHS[seat][INNER - 1]}-{PATHS[seat][INNER]}"), " "
        )
        for seat in state.seats
    ]
    path = PATHS[state.seats[0]]
    # Translators: squares is "c1 d1 e1 e2"; seats is a list such as "South c1, b1-b2".
    return say(
        "Paths: anticlockwise round the edge ({squares}...), inward, clockwise round the inner "
        "ring, keep {keep}. Start and turn inward: {seats}.",
        squares=" ".join(path[:4]),
        keep=path[KEEP],
        seats=lines(own, "; "),
    )


# ------------------------------------------------------------------ lines of characters


def board_text(state: State, *, over: bool = False, result: Outcome | None = None) -> str:
    """Return the position as lines of equal width, with a legend."""
    cells: dict[str, str] = {}
    for seat, side in zip(state.seats, state.sides, strict=True):
        for code in dict.fromkeys(side):
            if code in {HAND, OFF}:
                continue
            (found,) = pieces((code,))
            square = PATHS[seat][found.place]
            number = side.count(code)
            letter = _letter(seat)
            count = str(number) if number > 1 else ""
            marks = ("&" if found.twins else "") + ("!" if found.moved else "")
            cells[square] = cells.get(square, "") + letter + count + marks
    marked = {PATHS[0][place] for place in (0, 4, 8, 12, KEEP)}
    width = max([3, *(len(cell) + (square in marked) for square, cell in cells.items())])
    rows = [_row(cells, marked, rank, width) for rank in reversed(RANKS)]
    head = "  " + " ".join(file.center(width) for file in FILES) + "  "
    counts = [_count(seat, side) for seat, side in zip(state.seats, state.sides, strict=True)]
    signs = "".join(cells.values())
    # Translators: what the sign x stands for on a board of characters; keep the sign.
    legend = [say("x palace or keep")]
    if "&" in signs:
        # Translators: what the sign & stands for on a board of characters; keep the sign.
        legend.append(say("& twins"))
    if "!" in signs:
        # Translators: the sign ! stands for a piece that has moved; keep the sign.
        legend.append(say("! moved"))
    return lines(
        [
            head,
            *rows,
            head,
            "",
            *turn(state, over=over, result=result),
            *counts,
            lines(legend, ", "),
        ]
    )


def _count(seat: Seat, side: Side) -> str:
    # Translators: letter stands for the pieces of a seat on a board of characters.
    return say(
        "{letter} {seat}: {hand} in hand, {keep} in the keep, {off} of {pieces} home",
        letter=_letter(seat),
        seat=CALLED[seat],
        hand=side.count(HAND),
        keep=side.count(IN_KEEP) + side.count(IN_KEEP + 1),
        off=side.count(OFF),
        pieces=PIECES,
    )


def _letter(seat: Seat) -> str:
    return NAMES[seat][0].upper()


def _row(cells: dict[str, str], marked: set[str], rank: str, width: int) -> str:
    words = []
    for file in FILES:
        square = file + rank
        sign = "x" if square in marked else ""
        words.append((cells.get(square, "" if sign else ".") + sign).center(width))
    return f"{rank} {' '.join(words)} {rank}"
