"""What is to be done so that Discord shows a match as it stands. Decides only.

A match that is under way has exactly one live board, which shows the present turn: a message with
controls. All older boards lose theirs, and messages that called a player go away once the turn
has passed. A server chooses between a new board for each turn, which calls the player, and one
board that changes, beside which a short message calls.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from data.boards import Shown
    from data.outbox import Job
    from data.turn_calls import TurnCall


@dataclass(frozen=True)
class Situation:
    """A match, the messages about it, and what Discord is still to be told."""

    version: int
    channel_id: int
    mover: int | None
    """The user who is to move; ``None`` when the match is over."""
    jobs: Sequence[Job]
    """The board jobs that are due, in order."""
    live: Sequence[Shown]
    """The messages that have controls."""
    calls: Sequence[TurnCall]
    """The messages that call a player."""
    pressed: Collection[int] = ()
    """Messages whose press is still to be answered."""
    uncertain: Collection[int] = ()
    """Messages that may show something else than is recorded."""
    old: Sequence[Shown] = ()
    """Those of them that are recorded without controls."""
    in_place: bool = False
    """Whether one board changes from turn to turn."""
    editable: bool = True
    """Whether messages can be edited that nobody has pressed."""
    reached: Collection[int] = ()
    """Messages that can be edited all the same, by an interaction that is still open."""
    single: bool = False
    """Whether one message shows the match to its end, as long as it can be edited."""
    arrived: Mapping[int, int] = field(default_factory=dict)
    """The messages that have been posted for jobs already, by their marks."""

    @cached_property
    def job(self) -> Job | None:
        """The job that says who moved last: not one that only draws the board again."""
        moves = [job for job in self.jobs if not job.payload.get("redraw")] or self.jobs
        return moves[-1] if moves else None

    @cached_property
    def newest(self) -> Shown | None:
        """The live board that is nearest to the present turn, one that was pressed first."""
        here = [shown for shown in self.live if shown.channel_id == self.channel_id]
        return max(
            here,
            key=lambda s: (s.ply, s.message_id in self.pressed, s.message_id),
            default=None,
        )

    @cached_property
    def passed(self) -> bool:
        """Whether the turn has passed to another player since the newest board, or is over."""
        if self.mover is None:
            return True
        if self.job is not None:
            # Several jobs are due after a failure: the turn may have passed with any of them.
            shown = -1 if self.newest is None else self.newest.ply
            moves = [job for job in self.jobs if not job.payload.get("redraw")]
            unseen = [job for job in moves if job.payload["ply"] > shown] or [self.job]
            return any(job.payload.get("after") != self.mover for job in unseen)
        return self.newest is not None and self.newest.ply != self.version


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be done."""

    keep: Shown | None
    """The live board that shall show the present turn; ``None`` to post one, if a job asks."""
    rewrite: bool
    """Whether it has to be edited for that."""
    strip: tuple[Shown, ...]
    """Boards whose controls are to go; without one that the kept one takes the place of."""
    call: bool
    """Whether a short message calls the player to the board that was kept."""
    answered: tuple[TurnCall, ...]
    """Messages that call somebody in vain."""


def plan(now: Situation, *, in_sight: bool = True) -> Plan:
    """Return what is to be done.

    Args:
        now: the situation.
        in_sight: whether the newest board is where players look, where one board changes.

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
    # Until its turn has passed the newest of several calls counts.
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
