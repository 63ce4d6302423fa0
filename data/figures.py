"""Figures for operators: how much is waiting in the store, and since when."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import func, select

from data import computer_tasks
from data.computer_tasks import Kind
from data.tables import matches, outbox

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from data.transaction import Transaction


@dataclass(frozen=True, slots=True)
class Waiting:
    """How many items wait, and since when the first has."""

    number: int
    since: datetime | None


@dataclass(frozen=True, slots=True)
class Figures:
    """The store's figures at one point in time."""

    at: datetime
    pending: Waiting
    """Outbox jobs that are due and deliverable."""
    blocked: int
    """Jobs that Discord refuses until a permission changes."""
    later: int
    """Jobs that are not due yet."""
    tasks: Mapping[str, Waiting]
    """Computer tasks that no process has taken, by kind."""
    in_progress: Mapping[str, int]
    """Computer tasks in progress, by kind."""
    open_matches: int

    def age(self, waiting: Waiting) -> float:
        """Return how many seconds the first item has waited; 0 if there is none."""
        return 0.0 if waiting.since is None else (self.at - waiting.since).total_seconds()


async def read(tx: Transaction, now: datetime) -> Figures:
    """Return the current figures, in time proportional to what waits rather than to what is done.

    Only open matches are counted through an index of all matches.
    """
    open_ = outbox.c.done_at.is_(None)
    blocked = outbox.c.blocked.is_not(None)
    due = outbox.c.not_before.is_(None) | (outbox.c.not_before <= now)
    since = func.coalesce(outbox.c.not_before, outbox.c.created_at)
    jobs = await tx.rows(
        # By the names, PostgreSQL can see that both mean the same.
        select(blocked.label("blocked"), due.label("due"), func.count(), func.min(since))
        .where(open_)
        .group_by("blocked", "due")
    )
    pending, refused, later = Waiting(0, None), 0, 0
    for is_blocked, is_due, number, first in jobs:
        if is_blocked:
            refused += number
        elif is_due:
            pending = Waiting(number, first)
        else:
            later += number
    tasks = {kind.value: Waiting(0, None) for kind in Kind}
    in_progress = dict.fromkeys(tasks, 0)
    for length in await computer_tasks.queue_lengths(tx):
        before, kind = tasks[length.kind.value], length.kind.value
        first = min(filter(None, (before.since, length.since)), default=None)
        tasks[kind] = Waiting(before.number + length.waiting, first)
        in_progress[kind] += length.in_progress
    going_on = select(func.count()).select_from(matches).where(matches.c.finished_at.is_(None))
    return Figures(
        at=now,
        pending=pending,
        blocked=refused,
        later=later,
        tasks=tasks,
        in_progress=in_progress,
        open_matches=await tx.scalar(going_on),
    )
