"""The menu of moves, or of their next steps."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from bot.play.matches.positions import MatchView
from engine.menu import MAX_OPTIONS, Choice, choices, offered
from engine.move_label import Worth
from engine.registry import AnyGame

STEP_MARK = "|"
"""Separates the steps of a move in a custom id; no notation uses it."""


class Option(NamedTuple):
    """One entry in a board's menu."""

    label: str
    value: str
    """All steps chosen so far and by this entry, joined by `STEP_MARK`."""
    description: str
    """A few more words on it, or empty."""
    opens: bool = False
    """Whether choosing it leads to a further choice."""
    worth: Worth = Worth.PLAIN


def options(
    game: AnyGame, state: Any, chosen: tuple[str, ...], *, advised: bool = True
) -> tuple[Option, ...]:
    """Return the moves in a position, or the next steps of those that begin as chosen.

    ``advised`` adds which ones win and which are risky.
    """
    return tuple(map(_option, choices(game, state, chosen, advised=advised)))


def candidates(view: MatchView, notations: Iterable[str]) -> tuple[Option, ...]:
    """Return the moves that typed text may mean, as many as fit a menu."""
    moves = [view.game.read(view.state, notation) for notation in notations]
    return tuple(map(_option, offered(view.game, view.state, moves)[:MAX_OPTIONS]))


def _option(choice: Choice[Any]) -> Option:
    value = STEP_MARK.join(choice.steps)
    opens = choice.move is None
    return Option(choice.label, value, choice.note, opens, choice.worth)
