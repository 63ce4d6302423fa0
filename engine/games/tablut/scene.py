"""The picture of a position: the men, and what has just happened."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from engine.game import Outcome, Seat
from engine.games.tablut.board import CALLED, KING, MUSCOVITE, MUSCOVITES, NUMBERS, SWEDE, SWEDES
from engine.games.tablut.captures import paths
from engine.games.tablut.marks import dotted, fallen, framed, left, lit, threads, ways_out
from engine.games.tablut.men import man
from engine.games.tablut.playing import legal, outcome
from engine.games.tablut.sentences import RAICHI, TUICHU, call, taken
from engine.games.tablut.state import Move, State
from engine.games.tablut.table import (
    COUNT_X,
    LOST_ROOM,
    NAME_ROOM,
    NAME_Y,
    PANEL_HEIGHT,
    PANEL_WIDTH,
    SIDE,
    STATUS_ROOM,
    STATUS_Y,
    TEXT_X,
    board,
    centre,
    panel_left,
)
from engine.games.tablut.words import alt_text, board_text
from engine.phrase import plural, say, word
from engine.scene import Ink, Rect, Scene, Shape, Text, Token
from engine.seat_label import first, label

_SQUARE: Final = re.compile(r"[a-i][1-9]")
_START: Final = {MUSCOVITES: 16, SWEDES: 8}


def scene(
    state: State,
    last: Sequence[tuple[State, Move]] = (),
    chosen: tuple[str, ...] = (),
    *,
    over: bool = False,
    result: Outcome | None = None,
) -> Scene:
    """Return the picture of a position as data.

    Args:
        state: the position.
        last: the moves since the last picture, each with the position before it.
        chosen: the steps of the next move chosen so far.
        over: whether play has stopped.
        result: how the match ended, if not as the board says.
    """
    ended = result or outcome(state)
    over = over or ended is not None
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
            *(() if over else _choices(state, squares)),
            *_men(state, planned),
        ),
        below=(
            *threads(played, Ink.LAST),
            *threads(planned, Ink.CHOICE),
            *ways_out(state.king, ends),
            *(() if over else _turn(state)),
        ),
        above=tuple(_words(state, ended, over=over)),
        alt=alt_text(state, last, over=over, result=result),
        text=board_text(state, over=over, result=result),
    )


def _ends(state: State) -> tuple[int, ...]:
    """Return the king's ways out while they matter: during the game and when they have won it."""
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
    """Yield marks on the men that may move, or on the chosen one and his targets."""
    moves = legal(state)
    match squares:
        case ():
            yield from framed(dict.fromkeys(move.source for move in moves))
        case (source,):
            targets = [move.target for move in moves if move.source == source]
            yield from lit((source,) if targets else (), Ink.CHOICE)
            yield from dotted(targets)


def _men(state: State, planned: tuple[Move, ...]) -> Iterator[Token]:
    """Yield the men where they stand, or will once the chosen steps are played."""
    ahead = {move.source: move.target for move in planned}
    for kind in (MUSCOVITE, SWEDE, KING):
        for number in state.men(kind):
            yield Token(man(kind), *centre(ahead.get(number, number)))


def _turn(state: State) -> Iterator[Shape]:
    """Yield a frame round the panel of the side to play."""
    x = panel_left(state.seat)
    yield Rect(x, SIDE, PANEL_WIDTH, PANEL_HEIGHT, None, Ink.CHOICE, 0.06, radius=0.22)


def _words(state: State, ended: Outcome | None, *, over: bool) -> Iterator[Shape]:
    for seat, kind in ((SWEDES, SWEDE), (MUSCOVITES, MUSCOVITE)):
        x = panel_left(seat)
        won = first(ended, seat)
        yield from label(seat, CALLED[seat], x + TEXT_X, NAME_Y, 0.5, room=NAME_ROOM, won=won)
        left_over = len(state.men(kind))
        figure = f"{left_over}+1" if seat == SWEDES and state.king >= 0 else str(left_over)
        yield Text(x + COUNT_X, NAME_Y, figure, 0.5, Ink.PAGE_TEXT, "rm", bold=True)
        status = _status(state, seat, ended, over=over)
        lost = _START[seat] - left_over
        room = COUNT_X - TEXT_X if not lost else STATUS_ROOM
        yield Text(x + TEXT_X, STATUS_Y, status, 0.42, Ink.PAGE_TEXT, "lm", room=room)
        if lost:
            # Translators: on the picture, so many men of a side have been taken.
            text = plural("{n} taken", "{n} taken", lost)
            yield Text(x + COUNT_X, STATUS_Y, text, 0.4, Ink.PAGE_QUIET, "rm", room=LOST_ROOM)


def _status(state: State, seat: Seat, ended: Outcome | None, *, over: bool) -> str:
    if ended is None:
        if seat == state.seat:
            return "" if over else word("status of a side", "to move")
        return _called(state) if seat == SWEDES else ""
    if ended.void:
        return ""
    if ended.drawn:
        return word("status of a side", "drawn")
    if ended.ranks[seat] != 1:
        # Translators: a side such as "Swedes", or the player whose name stands there, lost the game.
        return word("status of a side", "lost")
    # Translators: a side such as "Swedes", or the player whose name stands there, won the game.
    return (_called(state) if ended == outcome(state) else "") or word("status of a side", "won")


def _called(state: State) -> str:
    called = call(state)
    if called == TUICHU:
        # Translators: on the picture, below the Swedes' name: their king has two or more ways out.
        return say("two ways out!")
    # Translators: on the picture, below the Swedes' name: their king has a way to the edge.
    return say("a way out!") if called == RAICHI else ""
