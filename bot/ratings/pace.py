"""How long players take to move. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from data.match import Entry


def pace(log: Iterable[Entry], begun: datetime) -> dict[int, tuple[int, int]]:
    """Return how often each seat was to move and did, and how many seconds that took.

    A turn lasts from what came before it to its first decision; who decides several times in a
    row, with luck between, has one turn.

    Args:
        log: of a match, in order.
        begun: when the match began.

    """
    spent: dict[int, tuple[int, float]] = {}
    mover, since = None, begun
    for entry in log:
        if entry.actor is not None and entry.actor != mover:
            mover = entry.actor
            moves, seconds = spent.get(mover, (0, 0.0))
            took = (entry.made_at - since).total_seconds()
            spent[mover] = (moves + 1, seconds + max(0.0, took))
        since = entry.made_at
    return {seat: (moves, round(seconds)) for seat, (moves, seconds) in spent.items()}
