"""What happened, in plain sentences."""

from __future__ import annotations

from engine.games.tablaaza.board import CALLED, RED
from engine.games.tablaaza.building import risen
from engine.games.tablaaza.state import Move, State
from engine.move_label import MoveLabel, Worth
from engine.phrase import listed, plural, say


def sentence(before: State, move: Move) -> str:
    """Return a sentence without its subject and full stop."""
    raised = risen(before, move)
    if not raised:
        # Translators: what a side does; its name stands before it, as in "Red builds on d4".
        return say("builds on {square}", square=move.square)
    squares = listed(raised)
    if before.seat == RED:
        # Translators: squares is a list of so many squares as there are pavilions. The rest says
        # why: it is the rule Pavilion.
        return plural(
            "builds on {square} and closes {squares} with a pavilion: "
            "no red plot is free in its row and column",
            "builds on {square} and closes {squares} with pavilions: "
            "no red plot is free in their rows and columns",
            len(raised),
            square=move.square,
            squares=squares,
        )
    # Translators: squares is a list of so many squares as there are pavilions. The rest says why:
    # it is the rule Pavilion.
    return plural(
        "builds on {square} and closes {squares} with a pavilion: "
        "no green plot is free in its row and column",
        "builds on {square} and closes {squares} with pavilions: "
        "no green plot is free in their rows and columns",
        len(raised),
        square=move.square,
        squares=squares,
    )


def move_label(before: State, move: Move) -> MoveLabel:
    """Return what a move does, in a menu's few words."""
    raised = risen(before, move)
    if not raised:
        # Translators: an entry of a menu, a command.
        text: str = say("build on {square}", square=move.square)
        return MoveLabel(text, text)
    # Translators: an entry of a menu; squares is a list of so many squares as there are pavilions.
    text = plural(
        "pavilion on {squares}: build on {square}",
        "pavilions on {squares}: build on {square}",
        len(raised),
        square=move.square,
        squares=listed(raised),
    )
    # Translators: the name of a menu: moves that make pavilions of stones.
    return MoveLabel(text, text, Worth.GAINS, kind=say("Raise a pavilion"))


def signed(before: State, move: Move) -> str:
    """Return a sentence without a full stop, its player first."""
    return say("{seat} {move}", seat=CALLED[before.seat], move=sentence(before, move))
