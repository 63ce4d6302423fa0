"""The picture of a position: the table, the men, and what has just happened."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Final

from engine.game import Outcome, Seat
from engine.games.tablan import walking
from engine.games.tablan.marks import Trail, above, framed, under, walks
from engine.games.tablan.men import STICK_STEP, Inlay, man, sticks
from engine.games.tablan.state import (
    BLACK,
    PLAIN_SIDES,
    SCORES,
    WHITE,
    Move,
    Phase,
    State,
    Throw,
    Walk,
)
from engine.games.tablan.table import (
    HOME_ROOM,
    HOME_X,
    NAME_ROOM,
    NAME_X,
    PANEL_HEIGHT,
    SCORE_X,
    SIDE,
    STATUS_ROOM,
    STATUS_X,
    STICKS_X,
    TAKEN_STEP,
    TAKEN_X,
    WIDTH,
    board,
    centre,
    panel_middle,
)
from engine.games.tablan.verdict import CALLED, judged
from engine.games.tablan.words import alt_text, board_text
from engine.phrase import word
from engine.scene import Ink, Rect, Scene, Shape, Text, Token
from engine.seat_label import first, label

_SQUARE: Final = re.compile(r"[a-l][1-4]")
_SEATS: Final = (WHITE, BLACK)
_DRAWN: Final = 4
"""Moves of a run at most of which the ways are drawn: more would hide the men, and each other."""


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
    ended = result or (judged(state) if state.phase is Phase.OVER else None)
    over = over or ended is not None
    moves = [(before, move) for before, move in last if not isinstance(move, Throw)][-_DRAWN:]
    played = [Trail.of(before, walk) for before, move in moves for walk in walks(move)]
    planned = [Trail.of(state, walk) for walk in _walks(chosen)]
    throws = _throws(state, last)
    return Scene(
        board=board(state.settings.course.name),
        tokens=(
            *under(played, Ink.LAST),
            *under(planned, Ink.CHOICE),
            *_men(state, {walk.origin: walk.target for walk in _walks(chosen)}),
            *framed(() if over else _next(state, chosen)),
            *above(played, Ink.LAST),
            *above(planned, Ink.CHOICE),
            *_beside(state, throws),
        ),
        below=() if over else tuple(_turn(state)),
        above=tuple(_figures(state, throws, ended, over=over)),
        alt=alt_text(state, last, over=over, result=result),
        text=board_text(state, over=over, result=result),
    )


def _walks(chosen: tuple[str, ...]) -> Iterator[Walk]:
    squares = _SQUARE.findall("".join(chosen))
    for origin, target in zip(squares[::2], squares[1::2], strict=False):
        yield Walk(origin, target)


def _next(state: State, chosen: tuple[str, ...]) -> tuple[str, ...]:
    """Return the squares of the men that may move next, each once."""
    if state.phase is not Phase.MOVE:
        return ()
    moves = map(walks, walking.moves(state))
    if not chosen:
        return tuple(dict.fromkeys([parts[0].origin for parts in moves]))
    begun = tuple(_walks(chosen))
    depth = len(begun)
    left = (parts for parts in moves if parts[:depth] == begun and len(parts) > depth)
    return tuple(dict.fromkeys(parts[depth].origin for parts in left))


def _throws(state: State, last: Sequence[tuple[State, Move]]) -> Mapping[Seat, int]:
    """Return the number of plain sides in each seat's latest throw, where known."""
    throws: dict[Seat, int] = {}
    for before, move in last:
        throws[before.seat] = move.plain if isinstance(move, Throw) else PLAIN_SIDES[before.score]
    if state.phase is Phase.MOVE:
        throws[state.seat] = PLAIN_SIDES[state.score]
    return throws


def _men(state: State, ahead: Mapping[str, str]) -> Iterator[Token]:
    """Yield the men where they stand, or will once the chosen steps are played."""
    for seat in _SEATS:
        arrived = state.arrived(seat)
        locked = state.unmoved(seat) if state.settings.unlock else ()
        for square in state.squares(seat):
            inlay = Inlay.OWN
            if square in arrived:
                inlay = Inlay.STAR
            elif square in locked and square not in ahead:
                inlay = Inlay.LOCK
            if seat == state.seat:
                yield _man(seat, inlay, ahead.get(square, square))
            elif square not in ahead.values():
                yield _man(seat, inlay, square)


@cache
def _man(seat: Seat, inlay: Inlay, square: str) -> Token:
    return Token(man(seat, inlay), *centre(square))


# ------------------------------------------------------------------ beside the board


def _beside(state: State, throws: Mapping[Seat, int]) -> Iterator[Token]:
    """Yield each seat's captured men and sticks on its panel."""
    for seat in _SEATS:
        yield from _panel(seat, state.captured(Seat(1 - seat)), throws.get(seat))


@cache
def _panel(seat: Seat, captured: int, thrown: int | None) -> tuple[Token, ...]:
    """Return the captured men and the sticks on a seat's panel."""
    y, captive = panel_middle(seat), man(Seat(1 - seat), Inlay.NONE, 0.145)
    men = [Token(captive, TAKEN_X + index * TAKEN_STEP, y) for index in range(captured)]
    fallen = () if thrown is None else sticks(thrown)
    places = [STICKS_X + index * STICK_STEP for index in range(len(fallen))]
    return (*men, *(Token(one, x, y) for one, x in zip(fallen, places, strict=True)))


def _turn(state: State) -> Iterator[Shape]:
    """Yield a frame round the panel of the seat to play."""
    top = panel_middle(state.seat) - PANEL_HEIGHT / 2
    yield Rect(SIDE, top, WIDTH - 2 * SIDE, PANEL_HEIGHT, None, Ink.CHOICE, 0.05, radius=0.2)


def _figures(
    state: State, throws: Mapping[Seat, int], ended: Outcome | None, *, over: bool
) -> Iterator[Shape]:
    for seat in _SEATS:
        y = panel_middle(seat)
        won = first(ended, seat)
        yield from label(seat, CALLED[seat], NAME_X, y, 0.5, room=NAME_ROOM, won=won)
        if status := _status(state, seat, ended, over=over):
            yield Text(STATUS_X, y, status, 0.44, Ink.PAGE_TEXT, "lm", room=STATUS_ROOM)
        if arrived := len(state.arrived(seat)):
            # Translators: before the number of men that have reached the last row.
            home = word("on a picture", "home")
            yield Text(HOME_X - 0.15, y, home, 0.44, Ink.PAGE_QUIET, "rm", room=HOME_ROOM)
            yield Text(HOME_X, y, str(arrived), 0.5, Ink.PAGE_TEXT, "lm")
        if taken := state.captured(Seat(1 - seat)):
            x = TAKEN_X + (taken - 1) * TAKEN_STEP + 0.3
            yield Text(x, y, str(taken), 0.5, Ink.PAGE_TEXT, "lm")
        if seat in throws:
            now = state.phase is Phase.MOVE and state.seat == seat and not over
            ink = Ink.PAGE_TEXT if now else Ink.PAGE_QUIET
            yield Text(SCORE_X, y, str(SCORES[throws[seat]]), 0.66, ink, "mm", bold=True)


def _status(state: State, seat: Seat, ended: Outcome | None, *, over: bool) -> str:
    if ended is not None and ended.void:
        return ""
    if ended is not None:
        if ended.drawn:
            return word("status of a side", "drawn")
        return word("status of a side", "wins") if ended.ranks[seat] == 1 else ""
    if over or state.seat != seat:
        return word("status of a side", "finished") if state.finished(seat) else ""
    if state.phase is Phase.MOVE:
        return word("status of a side", "to move")
    return word("status of a side", "to throw")
