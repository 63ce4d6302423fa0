"""What the bot says in the place of a match besides its boards: reminders, results of moderators.

Each kind has a builder, registered where the feature that owns it stands::

    @announces("reminder")
    def reminder(view: MatchView, payload: Mapping[str, Any]) -> Announcement: ...

and is put in the transaction of what it tells, with `jobs.notify`. It is posted in its turn among the boards of the match, once, whatever happens between.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import structlog

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bot.interactions.layout import Layout
    from bot.matches.positions import MatchView
    from data.outbox import Job


log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Notice:
    """One message, and who is called by it."""

    message: Layout
    pings: tuple[int, ...] = ()
    """Users who are notified, if they like to be; others who are mentioned are not."""
    private: Layout | None = None
    """The same for who is called alone, in a direct message."""
    by: int | None = None
    """The player who caused it; nobody between whom and them is a block is notified."""


Builder: TypeAlias = "Callable[[MatchView, Mapping[str, Any]], Notice]"
"""Makes an announcement of the match as it stands and of what its job was put with."""

_BUILDERS: Final[dict[str, Builder]] = {}


def announces(kind: str) -> Callable[[Builder], Builder]:
    """Register the builder of a kind of announcement."""

    def register(builder: Builder) -> Builder:
        assert _BUILDERS.get(kind) in {None, builder}, kind
        _BUILDERS[kind] = builder
        return builder

    return register


def announcement(view: MatchView, job: Job) -> Notice | None:
    """Return what a job announces; ``None`` if its turn has passed or it cannot be said."""
    turn = (job.payload.get("ply"), job.payload.get("takebacks", 0))
    now = (view.ply, view.match.takebacks)
    if turn[0] is not None and (turn != now or view.to_move is None):
        return None  # what is tied to a turn passes with it
    try:
        return _BUILDERS[job.payload["kind"]](view, job.payload)
    except Exception:  # what can never be said must not hold up the boards
        log.exception("an announcement cannot be made", job=job.id, kind=job.kind)
        return None
