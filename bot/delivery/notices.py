"""What the bot says in the place of a match besides its boards: reminders, results of moderators.

Each kind has a builder, registered where the feature that owns it stands::

    @announces("reminder")
    def reminder(view: MatchView, payload: Mapping[str, Any]) -> Announcement: ...

and is put in the transaction of what it tells, with `jobs.notify`. It is posted in its turn among the boards of the match, once, whatever happens between.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bot.interactions.layout import Layout
    from bot.matches.positions import MatchView
    from data.outbox import Job


@dataclass(frozen=True, slots=True)
class Notice:
    """One message, and who is called by it."""

    message: Layout
    pings: tuple[int, ...] = ()
    """Users who are notified, if they like to be; others who are mentioned are not."""


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


def announcement(view: MatchView, job: Job) -> Notice:
    """Return what a job announces.

    Raises:
        KeyError: of a kind that this program does not know.

    """
    return _BUILDERS[job.payload["kind"]](view, job.payload)


def timely(view: MatchView, job: Job) -> bool:
    """Return whether a job still concerns the match: what is tied to a turn passes with it."""
    if "ply" not in job.payload:
        return True
    turn = (job.payload["ply"], job.payload.get("takebacks", 0))
    return turn == (view.ply, view.match.takebacks) and view.to_move is not None
