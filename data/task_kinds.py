"""What processes compute (`data.computer_tasks`)."""

from __future__ import annotations

from enum import Enum
from typing import Final


class Kind(Enum):
    """A kind of task."""

    MOVE = "move"
    """A computer is to move in a match."""
    HINT = "hint"
    """A player wants a hint, at a turn of a match."""
    ANALYSIS = "analysis"
    """A finished match is to be analysed."""
    RECORD_ANALYSIS = "record analysis"
    """An imported record is to be analysed."""
    RECORD = "record"
    """A record is to be checked before it is imported."""
    RATINGS = "ratings"
    """The ratings of a game are to be computed again."""

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
"""The kinds that wait in one line, as the same processes do them."""
