"""What a fast board is and how it is found.

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
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

import ai.games
from ai.kernels import SIGNATURES, Board, Floats, Ints, Weights, kernel, settle
from ai.levels import SEARCHING
from engine.pair import Standing

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ai.levels import Level
    from engine.game import Outcome

CHANCE: Final = -1
"""What `Kernels.actor` answers where the sticks are thrown."""
OVER: Final = -2
"""What `Kernels.actor` answers when the game has ended."""
CHANCES: Final = (1 / 16, 4 / 16, 6 / 16, 4 / 16, 1 / 16)
"""The odds of 0 to 4 plain sides."""


@kernel
def no_throw(state: Board, plain: int, into: Board) -> None:  # noqa: ARG001 - there is no luck
    """Stand in for `Kernels.throw` in a game without throws."""
    into[:] = state


@kernel
def quiet(state: Board, move: int) -> int:  # noqa: ARG001 - knows nothing
    """Stand in for `Kernels.loud` where a game has no hints for the search."""
    return 0


class Kernels(NamedTuple):
    """The functions of a fast board. Boards are never changed, only those called ``into``."""

    actor: Callable[..., int]
    """``(state)``: the seat to act, `CHANCE` or `OVER`. A seat without a legal move never acts.

    Repetition is no part of a board: the search and the log look after it, see `Fast.times`.
    """
    moves: Callable[..., int]
    """``(state, out)``: writes the moves of the seat to act and returns how many they are."""
    play: Callable[..., None]
    """``(state, move, into)``: writes the board after a legal move, with lost turns passed over."""
    throw: Callable[..., None]
    """``(state, plain, into)``: writes the board after a throw, with lost throws settled."""
    result: Callable[..., None]
    """``(state, out)``: writes each seat's result at the end: 1 won, 0 lost, 1/n of a shared win."""
    evaluate: Callable[..., None]
    """``(state, weights, out)``: writes each seat's expected result while it goes on, summing to 1.

    Asked where a seat acts and, in games with throws, above all where `CHANCE` acts.
    """
    key: Callable[..., int]
    """``(state)``: a 64-bit hash of all that matters to what may follow, well mixed."""
    loud: Callable[..., int] = quiet
    """``(state, move)``: 0 for a quiet move; more, the sooner a search should look at it.

    Where it is above 0 for captures and threats, the search follows them beyond its depth.
    """


def _no_past(state: Any) -> list[Board]:  # noqa: ARG001 - nothing comes again
    return []


def _nothing() -> None:
    """Compile nothing."""


@dataclass(frozen=True, slots=True)
class Fast:
    """A fast board with what turns the engine's positions and notation into its numbers."""

    slug: str
    size: int
    """How many numbers a board has."""
    most_moves: int
    """More than the legal moves of any position."""
    seats: int
    """The most players, the length of what `result` and `evaluate` fill (0 for absent ones)."""
    kernels: Kernels
    weights: Callable[[], Weights]
    """Returns the weights of the evaluation; read from disk when first asked."""
    encode: Callable[[Any], Board]
    """Returns the engine's position (of a paired game: of the game inside) as a board."""
    notation: Callable[[Board, int], str]
    """Returns a move as the engine writes it."""
    read: Callable[[Board, str], int]
    """Returns the legal move that the engine's notation writes."""
    throws: bool = False
    """Whether sticks are thrown in this game."""
    passing: bool = False
    """Whether throws may do nothing but pass the sticks on, so that a search for two looks past
    them to the next throw that does more."""
    paranoid: bool = False
    """Whether, with more than two players, all others are taken to play against one."""
    levels: tuple[Level, ...] = SEARCHING
    """The five levels of play."""
    times: int = 0
    """How often a position may come up before the game is drawn; 0 where that is no rule."""
    past: Callable[[Any], list[Board]] = _no_past
    """Returns the earlier positions that can still come again, as boards, oldest first."""
    exact: Callable[[Board, Ints, Floats, Ints], int] | None = None
    """Tells who wins for certain: ``(board, moves, values, control)`` writes 1 or 0 for the first so
    many of the moves and returns how many; it may stop at one that wins, and counts its positions
    in ``control`` as `ai.search.alphabeta` does."""
    prepare: Callable[[], None] = _nothing
    """Compiles or loads what `exact` needs."""

    def compile(self) -> None:
        """Compile all functions, or load them where they were compiled before."""
        for function, signature in zip(self.kernels, SIGNATURES.values(), strict=True):
            settle(function, signature)
        self.prepare()

    def board(self) -> Board:
        """Return an empty row to write a board into."""
        return np.zeros(self.size, np.int32)


def fast(slug: str) -> Fast | None:
    """Return the fast board of a game, or ``None`` where there is none."""
    return _found(tuple(ai.games.__path__)).get(slug)


def inner(state: Any) -> Any:
    """Return the position of the game that is being played, of a match of two games too."""
    return state.board if isinstance(state, Standing) else state


def swapped(state: Any) -> bool:
    """Return whether the seats of a match have changed sides."""
    return isinstance(state, Standing) and state.swapped


def shares(outcome: Outcome) -> tuple[float, ...]:
    """Return each seat's result: 1 for a win, its part of a shared one, 0 for a loss."""
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
