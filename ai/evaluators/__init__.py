"""Evaluates the entries of a log: the expected results before and after each.

One search yields both, so that the values of two moves or of five throws can be compared.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

Results: TypeAlias = tuple[float, ...]
"""The expected result of each seat in turn order, 0 to 1, summing to 1."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The evaluation of one entry."""

    before: Results
    """Before a decision: with the best move. Before a throw: the mean over all throws."""
    after: Results
    """With the move or throw played. Never better than before for the player who decided."""
    best: str = ""
    """The best move, or the one played if none is better; empty for a throw."""
    margin: float = 0.0
    """The most that the best move gains the mover over the second best."""
    choices: int = 1
    """Number of legal moves."""


@dataclass(frozen=True, slots=True)
class BestMove:
    """The best move of a position."""

    move: str
    expected: float
    """The mover's expected result."""
    margin: float
    """What it gains over the second best; 0 for the only move."""
    choices: int
    """Number of legal moves."""


class Evaluator(Protocol):
    """Evaluates positions of one match, deterministically."""

    def decision(self, state: Any, move: Any, *, deep: bool = False) -> Evaluation:
        """Evaluate a decision.

        Args:
            state: the position it was made in.
            move: the move played.
            deep: search deeper than usual.

        """
        ...

    def throw(self, state: Any, throw: Any) -> Evaluation:
        """Evaluate a throw."""
        ...

    def value(self, state: Any) -> Results:
        """Return the expected results of a position in which a seat or chance acts."""
        ...

    def best_move(self, state: Any, *, deep: bool = False) -> BestMove:
        """Return the best move of a position."""
        ...
