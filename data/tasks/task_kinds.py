"""The kinds of computing tasks (`data.tasks.computer_tasks`)."""

from __future__ import annotations

from enum import Enum
from typing import Final


class Kind(Enum):
    """A kind of task."""

    MOVE = "move"
    """A computer's move in a match."""
    HINT = "hint"
    """A hint for a player, at one turn of a match."""
    ANALYSIS = "analysis"
    """The analysis of a finished match."""
    RECORD_ANALYSIS = "record analysis"
    """The analysis of an imported record."""
    RECORD = "record"
    """The check of a record before import."""
    RATINGS = "ratings"
    """The recomputation of a game's ratings."""

    @property
    def topic(self) -> str:
        """Announced with the match, if any, of each task of this kind that can be taken."""
        return f"computer tasks: {self.value}"


LINES: Final = (
    (Kind.MOVE, Kind.HINT),
    (Kind.ANALYSIS, Kind.RECORD_ANALYSIS),
    (Kind.RECORD,),
    (Kind.RATINGS,),
)
"""The kinds that queue in one line, as the same processes run them."""
