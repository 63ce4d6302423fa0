"""Looks back at single entries of a log: what was expected before one, and what after it.

One look says both, so that what it says of two moves or of five throws can be compared.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

Results: TypeAlias = tuple[float, ...]
"""The expected result of each seat in turn order, 0 to 1, summing to 1."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What one look says of an entry."""

    before: Results
    """Before a decision: with the best move. Before a throw: the mean over all throws."""
    after: Results
    """With what was played or thrown. Never better than before for who decided."""
    best: str = ""
    """The best move; the one that was played where none is better. Empty for a throw."""
    margin: float = 0.0
    """At most so much more than with the second best move may the mover expect with the best."""
    choices: int = 1
    """How many legal moves there are."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What a look says of a position in which a seat acts."""

    best: str
    expected: float
    """What the mover may expect with the best move."""
    margin: float
    """How much less with the best of all other moves; 0 where there is no other."""
    choices: int
    """How many legal moves there are."""


class Looks(Protocol):
    """Looks at the positions of one match. The same questions always get the same answers."""

    def decided(self, state: Any, move: Any, *, closely: bool = False) -> Seen:
        """Look at a decision.

        Args:
            state: the position it was made in.
            move: what was decided, as the engine has it.
            closely: whether to look deeper than usual.

        """
        ...

    def thrown(self, state: Any, throw: Any) -> Seen:
        """Look at a throw."""
        ...

    def worth(self, state: Any) -> Results:
        """Return what is expected in a position in which somebody acts."""
        ...

    def choice(self, state: Any, *, closely: bool = False) -> Choice:
        """Look at the best move and the second best."""
        ...
