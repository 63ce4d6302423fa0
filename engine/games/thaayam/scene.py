"""The picture of a position: the table, the pieces, and what has just happened."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from engine.game import Outcome
from engine.games.thaayam import notation
from engine.games.thaayam.board import KEEP, OPPOSITE, PATHS
from engine.games.thaayam.crowd import crowds, placed
from engine.games.thaayam.marks import above, framed, last_turn, lit, path, priced, under
from engine.games.thaayam.men import chip, emblem
from engine.games.thaayam.sentences import landing
from engine.games.thaayam.series import Play, plays
from engine.games.thaayam.state import (
    CALLED,
    HAND,
    OFF,
    OUT,
    PIECES,
    TO_THROW,
    Act,
    Advance,
    Move,
    Phase,
    State,
    pieces,
)
from engine.games.thaayam.table import (
    NAME_ROOM,
    NAME_X,
    OPENING_ROOM,
    PANEL_WIDTH,
    PANEL_X,
    TEXT_X,
    WIDTH,
    bar_top,
    board,
    centre,
    panels,
)
from engine.games.thaayam.words import alt_text, board_text
from engine.phrase import listed, say, word
from engine.scene import Ink, Rect, Scene, Shape, Text, Token
from engine.seat_label import first, label

_IN_A_ROW: Final = 5
"""How many throws are shown one by one; more are counted."""
_COUNTED: Final = 3
"""How many counted throws lie side by side."""
_SIGN: Final = 0.62
"""The width of a seat's sign before the words about it."""
_CORNER: Final = 0.66
"""How far from a palace's centre its seat's sign is."""
_FEW: Final = 3
"""How many throws are written at the corner of a square; beyond that, only their sum."""


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
    halted = result is not None or (over and state.phase is not Phase.OVER)
    played = last_turn(last)
    origins, targets = ((), {}) if halted else _choices(state, chosen)
    return Scene(
        board=board(len(state.sides)),
        tokens=(
            *(() if halted else _path(state)),
            *under(played, Ink.LAST),
            *(lit(origins) if chosen else framed(origins)),
            *framed(targets),
            *(token for square, crowd in crowds(state).items() for token in placed(square, crowd)),
            *above(played, Ink.LAST),
            *priced(targets),
            *_emblems(state),
            *(() if halted else (*_actor(state), *_thrown(state))),
        ),
        below=() if halted else tuple(_turn(state)),
        above=(*_labels(state, result), *_counts(state), *_told(state, result, halted=halted)),
        alt=alt_text(state, last, over=over, result=result),
        text=board_text(state, over=over, result=result),
    )


def _path(state: State) -> Iterator[Token]:
    """Yield the path of the seat whose turn it is."""
    if state.phase in {Phase.THROW, Phase.MOVE}:
        yield from path(state.seat)


def _choices(state: State, chosen: tuple[str, ...]) -> tuple[tuple[str, ...], dict[str, str]]:
    """Return the squares of the pieces that may move next, and a chosen piece's targets.

    The targets come with the throws that lead there.
    """
    if state.phase is not Phase.MOVE:
        return (), {}
    moves = [
        move
        for move in plays(state.seat, state.side, state.throws)
        if notation.steps(move)[: len(chosen)] == chosen
    ]
    origins = tuple(dict.fromkeys(_origin(state, move) for move in moves))
    targets: dict[str, str] = {}
    if chosen:
        for move in moves:
            if isinstance(move, Advance):
                square = PATHS[state.seat][landing(state, move)]
                targets.setdefault(square, _price(move))
    return origins, targets


def _price(move: Advance) -> str:
    """Return a move's throws, as far as they fit."""
    few = len(move.throws) <= _FEW
    return "+".join(map(str, move.throws)) if few else f"= {sum(move.throws)}"


def _origin(state: State, move: Play) -> str:
    """Return the square a move begins on."""
    places = {Act.ENTER: 0, Act.OFF: KEEP, Act.TWINS: OPPOSITE}
    return move.square if isinstance(move, Advance) else PATHS[state.seat][places[move]]


# ------------------------------------------------------------------ beside the board


def _emblems(state: State) -> Iterator[Token]:
    """Yield the sign of each seat in the corner of its palace."""
    for seat in state.seats:
        x, y = centre(PATHS[seat][0])
        yield Token(emblem(seat, 0.2), x - _CORNER, y + _CORNER)


def _actor(state: State) -> Iterator[Token]:
    """Yield the sign of the seat that the bar names: its panel may name its player instead."""
    yield Token(emblem(state.seat, 0.24), PANEL_X + TEXT_X + 0.24, bar_top(len(state.seats)) + 0.45)


def _labels(state: State, result: Outcome | None) -> Iterator[Shape]:
    """Yield the name of each seat on its panel."""
    for index, seat in enumerate(state.seats):
        won = first(result, index)
        if result is None and state.phase is Phase.OVER:
            won = seat == state.seat
        y = panels(len(state.seats))[seat].name
        room = OPENING_ROOM if state.opening else NAME_ROOM
        yield from label(seat, CALLED[seat], NAME_X, y, 0.54, room=room, won=won)


def _counts(state: State) -> Iterator[Shape]:
    """Yield, on each seat's panel, how many of its pieces are in each place."""
    for seat, side in zip(state.seats, state.sides, strict=True):
        waiting, home = side.count(HAND), side.count(OFF)
        kept = sum(1 + one.twins for one in pieces(side) if one.place == KEEP)
        panel = panels(len(state.seats))[seat]
        numbers = (waiting, PIECES - waiting - home - kept, kept, home)
        for (x, y), number in zip(panel.figures, numbers, strict=True):
            ink = Ink.PAGE_TEXT if number else Ink.PAGE_QUIET
            yield Text(x, y, str(number), 0.58, ink, "rm", bold=bool(number))


def _turn(state: State) -> Iterator[Shape]:
    """Yield a frame round the panel of the seat to play."""
    panel = panels(len(state.seats))[state.seat]
    yield Rect(PANEL_X, panel.y, PANEL_WIDTH, panel.height, None, Ink.CHOICE, 0.07, radius=0.22)


def _groups(state: State) -> list[tuple[int, int]]:
    """Return the throws in hand as displayed: scores and how many of each."""
    if len(state.throws) <= _IN_A_ROW:
        return [(score, 1) for score in state.throws]
    scores = sorted(set(state.throws), reverse=True)
    return [(score, state.throws.count(score)) for score in scores]


def _thrown(state: State) -> Iterator[Token]:
    """Yield the throws in hand, each on a chip."""
    for score, _, x, y in _chips(state):
        yield Token(chip(score), x, y)


def _chips(state: State) -> Iterator[tuple[int, int, float, float]]:
    """Yield scores, how many there are of each, and where each lies: counted ones in two rows."""
    groups = _groups(state)
    counted = any(number > 1 for _, number in groups)
    columns, step = (_COUNTED, 1.34) if counted else (_IN_A_ROW, 0.79)
    y = bar_top(len(state.seats)) + 1.58
    for index, (score, number) in enumerate(groups):
        row, column = divmod(index, columns)
        yield score, number, PANEL_X + TEXT_X + 0.34 + column * step, y + 0.74 * row


def _told(state: State, result: Outcome | None, *, halted: bool) -> Iterator[Shape]:
    """Yield whose turn it is and what to do, and the other words on the panels."""
    x, y = PANEL_X + TEXT_X, bar_top(len(state.seats)) + 0.45
    room = PANEL_WIDTH - 2 * TEXT_X
    if halted:
        for row, line in enumerate(_ended(state, result)):
            yield Text(x, y + 0.6 * row, line, 0.5, Ink.PAGE_TEXT, "lm", bold=True, room=room)
        return
    doing = _doing(state)
    yield Text(x + _SIGN, y, doing, 0.5, Ink.PAGE_TEXT, "lm", bold=True, room=room - _SIGN)
    below = ""
    if state.opening:
        # Translators: on a picture, below "South to throw": the throw decides who begins.
        below = word("on a picture", "for the start")
    elif state.again:
        # Translators: on a picture, below "South to move": South has another turn after that.
        below = word("on a picture", "then another turn")
    if below:
        yield Text(x, y + 0.52, below, 0.45, Ink.PAGE_QUIET, "lm", room=room)
    for _, number, at, up in _chips(state):
        if number > 1:
            yield Text(at + 0.4, up, f"x{number}", 0.45, Ink.PAGE_TEXT, "lm")
    for seat, score in zip(state.seats, state.opening, strict=False):  # none once it is decided
        if score != TO_THROW:
            figure = "x" if score == OUT else str(score)
            at = panels(len(state.seats))[seat].name
            yield Text(WIDTH - 0.5, at, figure, 0.6, Ink.PAGE_TEXT, "rm", bold=True)


def _ended(state: State, result: Outcome | None) -> tuple[str, ...]:
    """Return the bar's words on how a match ended that did not end as the board says."""
    if result is None or result.void:
        # Translators: on a picture, in few words: nothing more is played.
        return (say("Game over"),)
    if result.drawn:
        # Translators: on a picture, in few words: all players share the first place.
        return (say("Draw"),)
    first = [CALLED[s] for s, rank in zip(state.seats, result.ranks, strict=True) if rank == 1]
    if len(first) == 1:
        return (say("{seat} has won", seat=first[0]),)
    # Translators: on a picture, below a list of seats such as "South and East".
    return (listed(first), word("on a picture", "share first place"))


def _doing(state: State) -> str:
    """Return the bar's words on who does what."""
    name = CALLED[state.seat]
    if state.phase is Phase.OVER:
        return say("{seat} has won", seat=name)
    if state.phase is Phase.MOVE:
        # Translators: on a picture, in few words: it is the turn of this seat to move.
        return say("{seat} to move", seat=name)
    if state.throws:
        # Translators: on a picture, in few words: this seat throws the dice again.
        return say("{seat} throws on", seat=name)
    # Translators: on a picture, in few words: it is the turn of this seat to throw the dice.
    return say("{seat} to throw", seat=name)
