"""The five levels: what each of them does wrong.

A weaker level does not wait longer or look at a clock: it overlooks moves, looks less far ahead
and does not tell close values apart.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

LEVELS: Final = range(1, 6)


@dataclass(frozen=True, slots=True)
class Level:
    """How somebody plays."""

    depth: int
    """How many turns ahead at most; 0 to look only at what comes right after each move."""
    nodes: int
    """How many positions at most."""
    oversight: float = 0.0
    """The chance, for each legal move, that it is not seen."""
    doubt: float = 0.0
    """By how much of a win two moves must differ to be told apart well; 0 for always the best."""
    broad: int = 1
    """Up to which depth the value of every move is wanted, not only that of the best."""


GENERIC: Final = (
    Level(1, 400, 0.5, 0.15),
    Level(1, 1_500, 0.25, 0.07),
    Level(1, 4_000, 0.1, 0.03),
    Level(2, 12_000, 0.0, 0.01),
    Level(2, 60_000),
)
"""For games without a fast board, by level; nodes are moves made in random games."""


SEARCHING: Final = (
    Level(0, 10_000, 0.5, 0.15),
    Level(0, 10_000, 0.1, 0.03),
    Level(2, 10_000, 0.12, 0.03),
    Level(2, 10_000, 0.05),
    Level(60, 600_000, broad=2),
)
"""For games with a fast board, by level, unless its `ai.position.Fast` has others."""

COUNTING: Final = (
    Level(0, 10_000, 0.5, 0.15),
    Level(2, 10_000, 0.2, 0.05),
    Level(3, 10_000, 0.1, 0.015),
    Level(3, 6_000, 0.2),
    Level(60, 600_000, broad=2),
)
"""For games that are decided by counting ahead to the end, where a glance tells little.

Who does not doubt sees the end of a game as soon as it can be counted out.
"""

THROWING: Final = (
    Level(0, 10_000, 0.6, 0.1),
    Level(0, 10_000, 0.35, 0.03),
    Level(0, 10_000, 0.18, 0.014),
    Level(0, 10_000, 0.03, 0.006),
    Level(60, 600_000, broad=2),
)
"""For games with throws, where moves differ by little and one throw ahead is worth little.

Levels 1 to 4 look at what comes right after each move, and differ in how well they see it.
"""

PLANNING: Final = (
    Level(0, 10_000, 0.6, 0.15),
    Level(0, 10_000, 0.3, 0.03),
    Level(0, 10_000, 0.18, 0.015),
    Level(0, 10_000, 0.06, 0.005),
    Level(60, 600_000, broad=2),
)
"""The same where a turn is several decisions and the evaluation plans it to its end."""


def seen(moves: Sequence[int], level: Level, dice: random.Random) -> list[int]:
    """Return the moves that a player of this level sees: at least one, in the same order."""
    if not level.oversight:
        return list(moves)
    chosen = [move for move in moves if dice.random() >= level.oversight]
    return chosen or [dice.choice(moves)]


def chosen(values: Sequence[float], level: Level, dice: random.Random) -> int:
    """Return which of some values a player of this level takes for the best."""
    best = max(values)
    if not level.doubt:
        return values.index(best)
    weights = [math.exp((value - best) / level.doubt) for value in values]
    return dice.choices(range(len(values)), weights)[0]
