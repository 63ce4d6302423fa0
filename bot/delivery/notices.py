"""Messages about a match other than its boards: reminders, moderators' decisions.

Each kind has a builder, registered by the feature that owns it::

    @announces("reminder")
    def reminder(view: MatchView, payload: Mapping[str, Any]) -> Notice: ...

A notice is queued with `jobs.notify`, in the transaction of the event it reports. It is posted
exactly once, in order with the match's boards.
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
    """One message, and the users it notifies."""

    message: Layout
    pings: tuple[int, ...] = ()
    """Users to notify, if they want pings; other mentions notify no one."""
    private: Layout | None = None
    """The version sent to a single player, in a direct message."""
    by: int | None = None
    """The player who caused it; users with a block between them are not notified."""


Builder: TypeAlias = "Callable[[MatchView, Mapping[str, Any]], Notice]"
"""Makes a notice from the current match and the payload of its job."""

_BUILDERS: Final[dict[str, Builder]] = {}


def announces(kind: str) -> Callable[[Builder], Builder]:
    """Register the builder of one kind of notice."""

    def register(builder: Builder) -> Builder:
        assert _BUILDERS.get(kind) in {None, builder}, kind
        _BUILDERS[kind] = builder
        return builder

    return register


def announcement(view: MatchView, job: Job) -> Notice | None:
    """Return the notice of a job; ``None`` if its turn has passed or it cannot be built."""
    turn = (job.payload.get("ply"), job.payload.get("takebacks", 0))
    now = (view.ply, view.match.takebacks)
    if turn[0] is not None and (turn != now or view.to_move is None):
        return None  # a notice tied to a turn expires with it
    try:
        return _BUILDERS[job.payload["kind"]](view, job.payload)
    except Exception:  # a notice that can never be built must not hold up the boards
        log.exception("an announcement failed", job=job.id, kind=job.kind)
        return None
