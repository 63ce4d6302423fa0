"""The picture of a position: the city, and what has just been built."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.game import Outcome, Seat
from engine.games.tablaaza.board import CALLED, GREEN, OF, RED, named
from engine.games.tablaaza.building import moves, risen
from engine.games.tablaaza.marks import builders, dotted, framed, lit, ringed, threads
from engine.games.tablaaza.pieces import pavilion, stone
from engine.games.tablaaza.state import Move, State
from engine.games.tablaaza.table import (
    FREE_X,
    NAME_ROOM,
    NAME_Y,
    PANEL_HEIGHT,
    PANEL_WIDTH,
    RAISED_X,
    SIDE,
    STATUS_ROOM,
    STATUS_Y,
    TEXT_X,
    board,
    centre,
    panel_left,
)
from engine.games.tablaaza.words import alt_text, board_text, ended
from engine.phrase import word
from engine.scene import Ink, Rect, Scene, Shape, Text, Token
from engine.seat_label import first, label


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
        chosen: the square of the next move, if already chosen.
        over: whether play has stopped.
        result: how the match ended, if not as the board says.
    """
    over = over or ended(state) or result is not None
    played = tuple(move.square for _, move in last)
    raised = tuple(plot for before, move in last for plot in risen(before, move))
    ours = tuple(move.square for move in moves(state))
    planned = tuple(plot for plot in chosen if plot in ours)
    open_plots = () if planned or over else ours
    return Scene(
        board=board(),
        tokens=(
            *lit(played, Ink.LAST),
            *lit(planned, Ink.CHOICE),
            *ringed(builders(raised), Ink.LAST),
            *dotted(open_plots),
            *(framed(open_plots, Ink.CHOICE) if state.opening else ()),
            *framed(raised, Ink.LAST),
            *(Token(stone(), *centre(plot)) for plot in (*named(state.stones), *planned)),
            *(
                Token(pavilion(seat), *centre(plot))
                for seat in (RED, GREEN)
                for plot in state.raised(seat)
            ),
        ),
        below=(*threads(raised, Ink.LAST), *(() if over else _turn(state))),
        above=tuple(_figures(state, result, over=over)),
        alt=alt_text(state, last, over=over, result=result),
        text=board_text(state, over=over, result=result),
    )


def _turn(state: State) -> Iterator[Shape]:
    """Yield a frame round the panel of the seat to play."""
    x = panel_left(state.seat)
    yield Rect(x, SIDE, PANEL_WIDTH, PANEL_HEIGHT, None, Ink.CHOICE, 0.06, radius=0.18)


def _figures(state: State, result: Outcome | None, *, over: bool) -> Iterator[Shape]:
    for seat in (RED, GREEN):
        x = panel_left(seat)
        won = _won(state, seat, result)
        yield from label(seat, CALLED[seat], x + TEXT_X, NAME_Y, 0.44, room=NAME_ROOM, won=won)
        if status := _status(state, seat, result, over=over):
            at = x + TEXT_X
            yield Text(at, STATUS_Y, status, 0.36, Ink.PAGE_TEXT, "lm", room=STATUS_ROOM)
        spaces = str((state.vacant & OF[seat]).bit_count())
        yield Text(x + FREE_X, STATUS_Y, spaces, 0.38, Ink.PAGE_TEXT, "rm", bold=True)
        raised = str(len(state.raised(seat)))
        yield Text(x + RAISED_X, NAME_Y, raised, 0.38, Ink.PAGE_TEXT, "rm")


def _won(state: State, seat: Seat, result: Outcome | None) -> bool:
    """Return whether a seat has won, by a given result or else by the board."""
    if result is not None:
        return first(result, seat)
    return ended(state) and seat != state.seat


def _status(state: State, seat: Seat, result: Outcome | None, *, over: bool) -> str:
    if result is not None and result.drawn and not result.void:
        return word("status of a side", "drawn")
    if _won(state, seat, result):
        return word("status of a side", "wins")
    to_play = seat == state.seat and not over
    return word("status of a side", "to play") if to_play else ""
