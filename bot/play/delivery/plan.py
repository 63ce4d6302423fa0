"""Decides what to do so that Discord shows the current state of a match.

A match in progress has exactly one live board, a message with controls that shows the current
turn. Older boards lose their controls, and messages that call a player are deleted once the turn
has passed. A server chooses between a new board each turn, which notifies the player, and one
board edited in place, with a short message beside it to notify.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from data.matches.boards import PostedMessage, TurnCall
from data.matches.outbox import Job


@dataclass(frozen=True)
class Situation:
    """A match, its messages, and the jobs still to deliver."""

    version: int
    channel_id: int
    mover: int | None
    """The user to move; ``None`` when the match is over."""
    jobs: Sequence[Job]
    """The board jobs that are due, in order."""
    live: Sequence[PostedMessage]
    """The messages with controls."""
    calls: Sequence[TurnCall]
    """The messages that call a player."""
    pressed: Collection[int] = ()
    """Messages with a press still to answer."""
    uncertain: Collection[int] = ()
    """Messages that may not show what is recorded."""
    old: Sequence[PostedMessage] = ()
    """Uncertain messages that are recorded without controls."""
    in_place: bool = False
    """Whether one board is edited from turn to turn."""
    editable: bool = True
    """Whether messages can be edited without a press."""
    reached: Collection[int] = ()
    """Messages that can be edited regardless, by an interaction that is still open."""
    single: bool = False
    """Whether one message shows the match to its end, as long as it can be edited."""
    arrived: Mapping[int, int] = field(default_factory=dict)
    """Messages already posted for jobs, by mark."""

    @cached_property
    def moves(self) -> Sequence[Job]:
        """The jobs that are no mere redraws."""
        return [job for job in self.jobs if not job.payload.get("redraw")]

    @cached_property
    def job(self) -> Job | None:
        """The job that tells who moved last, or else the last redraw."""
        return next(reversed(self.moves or self.jobs), None)

    @cached_property
    def newest(self) -> PostedMessage | None:
        """The live board closest to the current turn, a pressed one first."""
        here = [shown for shown in self.live if shown.channel_id == self.channel_id]
        return max(
            here,
            key=lambda s: (s.ply, s.message_id in self.pressed, s.message_id),
            default=None,
        )

    @cached_property
    def passed(self) -> bool:
        """Whether the turn has passed to another player since the newest board, or play is over."""
        if self.mover is None:
            return True
        if self.job is not None:
            # After a failure several jobs may be due, and the turn may have passed with any of them.
            shown = -1 if self.newest is None else self.newest.ply
            unseen = [job for job in self.moves if job.payload["ply"] > shown] or [self.job]
            return any(job.payload.get("after") != self.mover for job in unseen)
        return self.newest is not None and self.newest.ply != self.version


@dataclass(frozen=True, slots=True)
class Plan:
    """What to edit, post, strip and delete."""

    keep: PostedMessage | None
    """The live board to show the current turn; ``None`` to post one, if a job asks for it."""
    rewrite: bool
    """Whether it needs an edit for that."""
    strip: tuple[PostedMessage, ...]
    """Boards that lose their controls, other than the one kept or just posted."""
    call: bool
    """Whether a short message calls the player to the kept board."""
    answered: tuple[TurnCall, ...]
    """Calls to delete, as they are no longer needed."""


def plan(now: Situation, *, in_sight: bool = True) -> Plan:
    """Return what to do.

    Args:
        now: the situation.
        in_sight: whether players can see the newest board; matters if it is edited in place.

    """
    job, newest, passed = now.job, now.newest, now.passed
    posted = None if job is None else now.arrived.get(job.mark)
    called = None if job is None else now.arrived.get(job.call_mark)
    keep = newest
    at_hand = newest is not None and newest.message_id in {*now.pressed, *now.reached}
    if newest is not None and now.single and at_hand and posted is None:
        keep = newest
    elif (
        newest is None
        or now.mover is None
        or posted is not None
        or (newest.message_id not in now.pressed and (passed or job) and not now.editable)
        or (passed and not (now.in_place and (newest.message_id in now.pressed or in_sight)))
    ):
        keep = None
    rewrite = keep is not None and (
        job is not None
        or keep.message_id in now.pressed
        or keep.message_id in now.uncertain
        or keep.ply != now.version
    )
    # Until its turn has passed, only the newest of several calls counts.
    calls = sorted(now.calls, key=lambda call: call.ply)
    answered = calls if passed else calls[:-1]
    stays = {posted, None if keep is None else keep.message_id}
    boards = {shown.message_id: shown for shown in (*now.old, *now.live)}
    return Plan(
        keep,
        rewrite,
        tuple(shown for number, shown in boards.items() if number not in stays),
        call=now.in_place and passed and keep is not None and job is not None,
        answered=tuple(call for call in answered if call.message_id != called),
    )
