"""The picture of a position: the table, the pieces on it, and what has just happened."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.games.thaayam import notation
from engine.games.thaayam.board import KEEP, OPPOSITE, PATHS
from engine.games.thaayam.crowd import crowds, placed
from engine.games.thaayam.marks import Trail, crossed, framed, lit, path, priced, under
from engine.games.thaayam.men import dice, man
from engine.games.thaayam.series import plays
from engine.games.thaayam.state import (
    CALLED,
    HAND,
    OFF,
    OUT,
    TO_THROW,
    WHITE_SIDES,
    Act,
    Advance,
    Phase,
    State,
)
from engine.games.thaayam.table import BAR, BAR_MIDDLE, PANELS, SLOT_RADIUS, board
from engine.games.thaayam.telling import landing
from engine.games.thaayam.words import alt_text, board_text
from engine.phrase import say, word
from engine.scene import Ink, Rect, Scene, Shape, Text, Token

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from engine.games.thaayam.series import Play
    from engine.games.thaayam.state import Move

_THROWS_X: Final = 6.0
"""Where the throws begin on the bar."""
_ROOM: Final = 5
"""How many throws the bar shows one by one; more are counted."""
_FEW: Final = 3
"""How many throws are written at the corner of a square; of more only the sum."""


def scene(
    state: State,
    last: Sequence[tuple[State, Move]] = (),
    chosen: tuple[str, ...] = (),
    *,
    over: bool = False,
) -> Scene:
    """Return the picture of a position as data.

    Args:
        state: the position.
        last: what was played since the last picture, each move with the position before it.
        chosen: the steps of the next move that are chosen already.
        over: whether nothing more is played.

    """
    halted = over and state.phase is not Phase.OVER
    trails = (Trail.of(before, move) for before, move in last)
    played = [trail for trail in trails if trail is not None]
    origins, targets = ((), {}) if halted else _choices(state, chosen)
    return Scene(
        board=board(len(state.sides)),
        tokens=(
            *(() if halted else _path(state)),
            *under(played, Ink.LAST),
            *(lit(origins) if chosen else framed(origins)),
            *framed(targets),
            *(token for square, crowd in crowds(state).items() for token in placed(square, crowd)),
            *crossed(played),
            *priced(targets),
            *_beside(state),
            *(() if halted else _thrown(state)),
        ),
        below=() if halted else tuple(_turn(state)),
        above=() if halted else tuple(_figures(state)),
        alt=alt_text(state, last, over=over),
        text=board_text(state, over=over),
    )


def _path(state: State) -> Iterator[Token]:
    """Yield the way of the seat whose turn it is."""
    if state.phase in {Phase.THROW, Phase.MOVE}:
        yield from path(state.seat)


def _choices(state: State, chosen: tuple[str, ...]) -> tuple[tuple[str, ...], dict[str, str]]:
    """Return the squares of the pieces that may be moved next, and where a chosen one may go.

    The squares to go to come with the throws that lead there.
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
    """Return the throws that a move takes, as far as there is room to write them."""
    few = len(move.throws) <= _FEW
    return "+".join(map(str, move.throws)) if few else f"= {sum(move.throws)}"


def _origin(state: State, move: Play) -> str:
    """Return the square on which a move begins."""
    places = {Act.ENTER: 0, Act.OFF: KEEP, Act.TWINS: OPPOSITE}
    return move.square if isinstance(move, Advance) else PATHS[state.seat][places[move]]


# ------------------------------------------------------------------ beside the board


def _beside(state: State) -> Iterator[Token]:
    """Yield on each seat's panel its pieces in hand and those borne off."""
    for seat, side in zip(state.seats, state.sides, strict=True):
        panel = PANELS[seat]
        for spots, code in ((panel.hand, HAND), (panel.off, OFF)):
            for x, y in spots[: side.count(code)]:
                yield Token(man(seat, SLOT_RADIUS), x, y)


def _turn(state: State) -> Iterator[Shape]:
    """Yield a frame round the panel of the seat whose turn it is."""
    panel = PANELS[state.seat]
    yield Rect(panel.x, panel.y, panel.width, panel.height, None, Ink.CHOICE, 0.06, radius=0.22)


def _groups(state: State) -> list[tuple[int, int]]:
    """Return the throws in hand as they are shown: scores and how many of each."""
    if len(state.throws) <= _ROOM:
        return [(score, 1) for score in state.throws]
    scores = sorted(set(state.throws), reverse=True)
    return [(score, state.throws.count(score)) for score in scores]


def _thrown(state: State) -> Iterator[Token]:
    """Yield who acts and the throws on the bar, or each seat's sign while they throw for the start."""
    yield Token(man(state.seat, 0.36), BAR.x + 0.65, BAR_MIDDLE)
    if state.opening:
        for index, seat in enumerate(state.seats):
            yield Token(man(seat, 0.3), _THROWS_X + 0.3 + index * 2.0, BAR_MIDDLE)
        return
    for index, (score, _) in enumerate(_groups(state)):
        yield Token(dice(WHITE_SIDES[score]), _THROWS_X + 0.4 + index * _step(state), BAR_MIDDLE)


def _step(state: State) -> float:
    return 1.55 if len(state.throws) <= _ROOM else 2.05


def _figures(state: State) -> Iterator[Shape]:
    told, below = _doing(state), ""
    if state.opening:
        # Translators: on a picture, below "South to throw": the throw decides who begins.
        below = word("on a picture", "for the start")
    elif state.again:
        # Translators: on a picture, below "South to move": South has another turn after that.
        below = word("on a picture", "then a further turn")
    x, up = BAR.x + 1.25, 0.29 if below else 0.0
    room = _THROWS_X - 0.1 - x
    yield Text(x, BAR_MIDDLE - up, told, 0.5, Ink.PAGE_TEXT, "lm", bold=True, room=room)
    if below:
        yield Text(x, BAR_MIDDLE + up, below, 0.44, Ink.PAGE_QUIET, "lm", room=room)
    if state.opening:
        signs = {TO_THROW: "-", OUT: "x"}
        for index, score in enumerate(state.opening):
            at = _THROWS_X + 0.75 + index * 2.0
            yield Text(at, BAR_MIDDLE, signs.get(score, str(score)), 0.6, Ink.PAGE_TEXT, "lm")
        return
    for index, (score, number) in enumerate(_groups(state)):
        at = _THROWS_X + 0.87 + index * _step(state)
        figure = str(score) if number == 1 else f"{score}x{number}"
        yield Text(at, BAR_MIDDLE, figure, 0.56, Ink.PAGE_TEXT, "lm", bold=True)


def _doing(state: State) -> str:
    """Return on the bar who does what."""
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
