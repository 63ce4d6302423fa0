"""The five levels, by their handicaps.

A weaker level does not wait longer or watch a clock: it misses moves, searches less deeply and
cannot tell close values apart. The strongest searches as long as it has time.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

LEVELS: Final = range(1, 6)
UNLIMITED: Final = 1 << 60
"""Positions of a level limited only by time."""
PATIENCE: Final = 10.0
"""Maximum seconds to wait for a fast board to load, which takes one second on an idle machine."""


@dataclass(frozen=True, slots=True)
class Level:
    """The limits and handicaps of a level."""

    depth: int
    """Maximum depth in turns; 0 to evaluate only the positions right after each move."""
    nodes: int
    """Maximum number of positions."""
    oversight: float = 0.0
    """The probability, for each legal move, of missing it."""
    doubt: float = 0.0
    """Softmax temperature, in parts of a win, of the choice; 0 always chooses the best move."""
    broad: int = 1
    """Depth up to which the value of every move is exact, not only that of the best."""


GENERIC: Final = (
    Level(1, 400, 0.5, 0.15),
    Level(1, 1_500, 0.25, 0.07),
    Level(1, 4_000, 0.1, 0.03),
    Level(2, 12_000, 0.0, 0.01),
    Level(2, 60_000),
)
"""For games without a fast board, by level; nodes are moves of playouts."""


SEARCHING: Final = (
    Level(0, 10_000, 0.5, 0.15),
    Level(0, 10_000, 0.1, 0.03),
    Level(2, 10_000, 0.12, 0.03),
    Level(2, 10_000, 0.05),
    Level(60, UNLIMITED, broad=2),
)
"""For games with a fast board, by level, unless its `ai.position.Fast` has others."""

COUNTING: Final = (
    Level(0, 10_000, 0.5, 0.15),
    Level(2, 10_000, 0.2, 0.05),
    Level(3, 10_000, 0.1, 0.015),
    Level(3, 6_000, 0.2),
    Level(60, UNLIMITED, broad=2),
)
"""For games decided by counting ahead to the end, where static evaluation tells little.

Levels without doubt solve the endgame as soon as that is possible.
"""

THROWING: Final = (
    Level(0, 10_000, 0.6, 0.1),
    Level(0, 10_000, 0.35, 0.03),
    Level(0, 10_000, 0.18, 0.014),
    Level(0, 10_000, 0.03, 0.006),
    Level(60, UNLIMITED, broad=2),
)
"""For games with throws, where moves differ little and searching one throw ahead gains little.

Levels 1 to 4 evaluate the positions right after each move and differ in how well they do.
"""

PLANNING: Final = (
    Level(0, 10_000, 0.6, 0.15),
    Level(0, 10_000, 0.3, 0.03),
    Level(0, 10_000, 0.18, 0.015),
    Level(0, 10_000, 0.06, 0.005),
    Level(60, UNLIMITED, broad=2),
)
"""The same for games whose turns have several decisions and whose evaluation plans them all."""


def seen(moves: Sequence[int], level: Level, dice: random.Random) -> list[int]:
    """Return the moves that a player of this level does not miss: at least one, in order."""
    if not level.oversight:
        return list(moves)
    chosen = [move for move in moves if dice.random() >= level.oversight]
    return chosen or [dice.choice(moves)]


def chosen(values: Sequence[float], level: Level, dice: random.Random) -> int:
    """Return the index of the value that a player of this level considers best."""
    best = max(values)
    if not level.doubt:
        return dice.choice([index for index, value in enumerate(values) if value == best])
    weights = [math.exp((value - best) / level.doubt) for value in values]
    return dice.choices(range(len(values)), weights)[0]
