"""How long players take to move."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from data.match import Entry


def move_times(log: Iterable[Entry], begun: datetime) -> dict[int, tuple[int, int]]:
    """Return for each seat of a log the number of its turns, and the seconds they took.

    A turn lasts from the entry before it to its first decision; several decisions of a seat in a
    row, with luck in between, are one turn.
    """
    times: dict[int, tuple[int, float]] = {}
    mover, since = None, begun
    for entry in log:
        if entry.actor is not None and entry.actor != mover:
            mover = entry.actor
            turns, seconds = times.get(mover, (0, 0.0))
            took = (entry.made_at - since).total_seconds()
            times[mover] = (turns + 1, seconds + max(0.0, took))
        since = entry.made_at
    return {seat: (turns, round(seconds)) for seat, (turns, seconds) in times.items()}
