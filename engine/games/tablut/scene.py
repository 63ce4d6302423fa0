"""The picture of a position: the men where they stand, and what has just happened."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from engine.games.tablut.board import KING, MUSCOVITE, MUSCOVITES, NUMBERS, SWEDE, SWEDES
from engine.games.tablut.captures import paths
from engine.games.tablut.marks import dotted, fallen, framed, left, lit, threads, ways_out
from engine.games.tablut.men import man
from engine.games.tablut.playing import legal, outcome
from engine.games.tablut.table import (
    COUNT_X,
    NAME_Y,
    PANEL_HEIGHT,
    PANEL_WIDTH,
    SIDE,
    STATUS_Y,
    TEXT_X,
    board,
    centre,
    panel_left,
)
from engine.games.tablut.telling import call, taken
from engine.games.tablut.words import alt_text, board_text
from engine.scene import Ink, Rect, Scene, Shape, Text, Token

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from engine.game import Seat
    from engine.games.tablut.state import Move, State

_SQUARE: Final = re.compile(r"[a-i][1-9]")
_START: Final = {MUSCOVITES: 16, SWEDES: 8}


def scene(
    state: State, last: Sequence[tuple[State, Move]] = (), chosen: tuple[str, ...] = ()
) -> Scene:
    """Return the picture of a position as data.

    Args:
        state: the position.
        last: what was played since the last picture, each move with the position before it.
        chosen: the steps of the next move that are chosen already.

    """
    squares = tuple(NUMBERS[name] for name in _SQUARE.findall("".join(chosen)))
    planned = tuple(move for move in legal(state) if squares == (move.source, move.target))
    played = tuple(move for _, move in last)
    ends = () if planned else _ends(state)
    return Scene(
        board=board(),
        tokens=(
            *lit((move.target for move in played), Ink.LAST),
            *lit((move.target for move in planned), Ink.CHOICE),
            *_left(state, last, planned),
            *_fallen(last),
            *_choices(state, squares),
            *_men(state, planned),
        ),
        below=(
            *threads(played, Ink.LAST),
            *threads(planned, Ink.CHOICE),
            *ways_out(state.king, ends),
            *_turn(state),
        ),
        above=tuple(_words(state)),
        alt=alt_text(state, last),
        text=board_text(state),
    )


def _ends(state: State) -> tuple[int, ...]:
    """Return the king's ways out while they matter: in the game and when they have won it."""
    ended = outcome(state)
    return paths(state.board, state.king) if ended is None or call(state) else ()


def _left(
    state: State, last: Sequence[tuple[State, Move]], planned: tuple[Move, ...]
) -> Iterator[Token]:
    for before, move, ink in (
        *((before, move, Ink.LAST) for before, move in last),
        *((state, move, Ink.CHOICE) for move in planned),
    ):
        kind = before.kind(move.source)
        if kind is not None and (ink is Ink.CHOICE or state.kind(move.source) is None):
            yield from left(move.source, kind, ink)


def _fallen(last: Sequence[tuple[State, Move]]) -> Iterator[Token]:
    for before, move in last:
        for name in taken(before, move):
            kind = before.kind(NUMBERS[name])
            if kind is not None:
                yield from fallen(NUMBERS[name], kind)


def _choices(state: State, squares: tuple[int, ...]) -> Iterator[Token]:
    """Yield marks on the men that may be moved, or on one of them and where he may go."""
    moves = legal(state)
    match squares:
        case ():
            yield from framed(dict.fromkeys(move.source for move in moves))
        case (source,):
            targets = [move.target for move in moves if move.source == source]
            yield from lit((source,) if targets else (), Ink.CHOICE)
            yield from dotted(targets)


def _men(state: State, planned: tuple[Move, ...]) -> Iterator[Token]:
    """Yield the men where they stand, or will once what is chosen already is played."""
    ahead = {move.source: move.target for move in planned}
    for kind in (MUSCOVITE, SWEDE, KING):
        for number in state.men(kind):
            yield Token(man(kind), *centre(ahead.get(number, number)))


def _turn(state: State) -> Iterator[Shape]:
    """Yield a frame round the panel of the side whose turn it is."""
    if outcome(state) is None:
        x = panel_left(state.seat)
        yield Rect(x, SIDE, PANEL_WIDTH, PANEL_HEIGHT, None, Ink.CHOICE, 0.06, radius=0.22)


def _words(state: State) -> Iterator[Shape]:
    for seat, kind in ((SWEDES, SWEDE), (MUSCOVITES, MUSCOVITE)):
        x = panel_left(seat)
        left_over = len(state.men(kind))
        figure = f"{left_over}+1" if seat == SWEDES and state.king >= 0 else str(left_over)
        yield Text(x + COUNT_X, NAME_Y, figure, 0.5, Ink.PAGE_TEXT, "rm", bold=True)
        yield Text(x + TEXT_X, STATUS_Y, _status(state, seat), 0.42, Ink.PAGE_TEXT, "lm")
        lost = _START[seat] - left_over
        if lost:
            yield Text(x + COUNT_X, STATUS_Y, f"{lost} lost", 0.4, Ink.PAGE_QUIET, "rm")


def _status(state: State, seat: Seat) -> str:
    ended = outcome(state)
    if ended is not None:
        if ended.drawn:
            return "drawn"
        if ended.ranks[seat] != 1:
            return "lose"
        return f"{call(state)}!" if call(state) else "win"
    if seat == state.seat:
        return "to move"
    return f"{call(state)}!" if call(state) and seat == SWEDES else ""
