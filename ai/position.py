"""Fast boards: what they are and how they are found.

A fast board is a second implementation of a game's rules on rows of 32-bit integers, proved equal
to the engine by tests. It lives in ``ai/games/<slug>`` and is found there, not listed: the folder's
``__init__`` has ``FAST: Final = Fast(...)``. Importing it must not compile anything; all functions
in `Kernels` are made with ``@ai.kernels.kernel`` and have the types in `ai.kernels.SIGNATURES`.

Seats of a fast board are places in turn order, 0 to players - 1, as in ``Outcome.ranks``: with two
players always 0 and 1, whatever chairs `Game.seats` gives them. Of an `engine.pair.Paired` game
the game inside counts, so place 0 is its first side, whoever plays it.
Chance throws sticks that fall with 0 to 4 plain sides up, weights 1, 4, 6, 4, 1 of 16.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import numpy as np

import ai.games
from ai.kernels import SIGNATURES, Board, Floats, Ints, Weights, kernel, settle
from ai.levels import SEARCHING, Level
from engine.game import Outcome
from engine.pair import Standing

CHANCE: Final = -1
"""Returned by `Kernels.actor` when the sticks are thrown."""
OVER: Final = -2
"""Returned by `Kernels.actor` when the game has ended."""
CHANCES: Final = (1 / 16, 4 / 16, 6 / 16, 4 / 16, 1 / 16)
"""The odds of 0 to 4 plain sides."""


@kernel
def no_throw(state: Board, plain: int, into: Board) -> None:  # noqa: ARG001 - there is no luck
    """Stands in for `Kernels.throw` in a game without throws."""
    into[:] = state


@kernel
def quiet(state: Board, move: int) -> int:  # noqa: ARG001 - knows nothing
    """Stands in for `Kernels.loud` in a game without hints for move ordering."""
    return 0


class Kernels(NamedTuple):
    """The functions of a fast board. They write only to boards called ``into``."""

    actor: Callable[..., int]
    """``(state)``: the seat to act, `CHANCE` or `OVER`. A seat without a legal move never acts.

    Repetition is not part of a board: the search handles it, see `Fast.times`.
    """
    moves: Callable[..., int]
    """``(state, out)``: writes the moves of the seat to act and returns their number."""
    play: Callable[..., None]
    """``(state, move, into)``: writes the board after a legal move, skipping lost turns."""
    throw: Callable[..., None]
    """``(state, plain, into)``: writes the board after a throw, skipping lost throws."""
    result: Callable[..., None]
    """``(state, out)``: writes each seat's result at the end: 1 won, 0 lost, 1/n of a shared win."""
    evaluate: Callable[..., None]
    """``(state, weights, out)``: writes each seat's expected result before the end, summing to 1.

    Called where a seat acts and, in games with throws, mostly where `CHANCE` acts.
    """
    key: Callable[..., int]
    """``(state)``: a well-mixed 64-bit hash of everything that matters for the future."""
    loud: Callable[..., int] = quiet
    """``(state, move)``: priority in move ordering, 0 for a quiet move.
    """


def _no_past(state: Any) -> list[Board]:  # noqa: ARG001 - nothing comes again
    return []


def _nothing() -> None:
    """Compile nothing."""


@dataclass(frozen=True, slots=True)
class Fast:
    """A fast board and its translation of the engine's positions and notation."""

    slug: str
    size: int
    """Length of a board."""
    most_moves: int
    """More than the legal moves of any position."""
    seats: int
    """Maximum number of players: the length of what `result` and `evaluate` fill (0 if absent)."""
    kernels: Kernels
    weights: Callable[[], Weights]
    """Returns the weights of the evaluation, loaded on first use."""
    encode: Callable[[Any], Board]
    """Converts an engine position (of a paired game: of the game inside) to a board."""
    notation: Callable[[Board, int], str]
    """Returns a move in the engine's notation."""
    read: Callable[[Board, str], int]
    """Returns a legal move given in the engine's notation."""
    throws: bool = False
    """Whether the game has throws."""
    passing: bool = False
    """Whether throws may merely pass the sticks on; a two-player search then skips them."""
    paranoid: bool = False
    """Whether a search with more than two players assumes that all others play against one."""
    levels: tuple[Level, ...] = SEARCHING
    """The five levels of play."""
    times: int = 0
    """Occurrences of a position that draw the game; 0 if there is no such rule."""
    past: Callable[[Any], list[Board]] = _no_past
    """Returns the earlier positions that may recur, as boards, oldest first."""
    exact: Callable[[Board, Ints, Floats, Ints], int] | None = None
    """Solves a position: ``(board, moves, values, control)``.

    Writes 1 or 0 for the first moves and returns the number solved; it may stop at a winning one,
    and counts positions in ``control`` as `ai.search.alphabeta` does.
    """
    prepare: Callable[[], None] = _nothing
    """Compiles or loads the kernels of `exact`."""

    def compile(self) -> None:
        """Compile all functions, or load them if already compiled."""
        for function, signature in zip(self.kernels, SIGNATURES.values(), strict=True):
            settle(function, signature)
        self.prepare()

    def board(self) -> Board:
        """Return an empty board."""
        return np.zeros(self.size, np.int32)


def fast(slug: str) -> Fast | None:
    """Return the fast board of a game, or ``None`` if there is none."""
    return _found(tuple(ai.games.__path__)).get(slug)


def inner(state: Any) -> Any:
    """Return the position of the game in progress, also in a match of two games."""
    return state.board if isinstance(state, Standing) else state


def shares(outcome: Outcome) -> tuple[float, ...]:
    """Return each seat's result: 1 for a win, a fraction for a shared win, 0 for a loss."""
    part = 1 / outcome.ranks.count(1)
    return tuple(part if rank == 1 else 0.0 for rank in outcome.ranks)


@cache
def _found(path: tuple[str, ...]) -> Mapping[str, Fast]:
    found = {}
    for module in pkgutil.iter_modules(path):
        candidate = getattr(importlib.import_module(f"ai.games.{module.name}"), "FAST", None)
        if not isinstance(candidate, Fast):
            raise TypeError(f"ai/games/{module.name} has no FAST")
        found[candidate.slug] = candidate
    return MappingProxyType(found)
