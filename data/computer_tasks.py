"""The task queue of the processes that compute: moves of computers, hints, analyses, ratings.

A task is added in the transaction that makes it necessary, and removed in that of its result. Any
process may take it, for a few seconds at a time; one that dies lets it go by that. Each time it is
taken it gets a new lease number, so whoever held it before can neither keep nor finish it.

Servers take turns, and within a server its users do: each new task gets the next turn of its server
and the next place of its user there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from sqlalchemy import and_, case, delete, exists, func, select, update

from data.tables import computer_tasks
from data.task_kinds import Kind
from data.task_statements import (
    ANSWER,
    BEAT,
    CLAIM,
    FINISH,
    HELD,
    NAMED,
    OPEN,
    PUT,
    RELEASE,
    REMOVE,
    SWAP,
    among,
    finding,
)

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

    from data.transaction import Record, Transaction

__all__ = ["Kind", "Length", "Lost", "State", "Task"]

CHANGED: Final = "computer tasks: changed"
"""Announced with the number of a task that is begun, goes on or is finished."""
_UNASKED: Final = (Kind.MOVE, Kind.RATINGS)
"""Tasks that nobody asks for, or waits for with a number."""


class Task(NamedTuple):
    """A task that was taken."""

    id: int
    kind: Kind
    name: str
    """What it is about; no two tasks of a kind have the same."""
    match_id: int | None
    guild_id: int
    user_id: int
    since: datetime | None
    """When it became necessary."""
    attempts: int
    """How often it has failed."""
    lease: int
    """Grows each time it is taken."""
    asked: dict[str, Any] | None


class State(NamedTuple):
    """What can be said of a task to whoever waits for it."""

    taken: bool
    """Whether some process has taken it at least once."""
    share: float | None
    """How far it is, from 0 to 1; ``None`` before it begins."""
    answer: dict[str, Any] | None
    """Its result; ``None`` until it is finished."""


class Length(NamedTuple):
    """The length of the queue for a kind of task."""

    kind: Kind
    urgent: bool
    waiting: int
    at_work: int
    since: datetime | None
    """When the one waiting longest became necessary."""


class Lost(Exception):
    """A task that was held has been given to somebody else, or is not necessary any more."""


_c = computer_tasks.c


async def put(
    tx: Transaction,
    kind: Kind,
    name: str,
    at: datetime | None = None,
    *,
    requester: tuple[int, int] = (0, 0),
    match_id: int | None = None,
    asked: dict[str, Any] | None = None,
    urgent: bool = True,
    anew: bool = False,
) -> int:
    """Add a task, unless there is one of its kind and name; return its number.

    Args:
        tx: a transaction.
        kind: of the task.
        name: what it is about.
        at: when it became necessary.
        requester: the server and the user it is done for; 0 for none.
        match_id: the match it belongs to, and goes with.
        asked: what is needed to do it.
        urgent: whether somebody waits for it; these come first.
        anew: whether one that is there begins anew, so that who holds it has lost it.

    """
    number: int = await tx.scalar(
        PUT[tx.dialect, kind, anew],
        {
            "kind": kind.value,
            "name": name,
            "match_id": match_id,
            "since": at,
            "asked": asked,
            "urgent": urgent,
            "guild_id": requester[0],
            "user_id": requester[1],
        },
    )
    tx.announce(kind.topic, match_id or 0)
    return number


async def remove(tx: Transaction, kind: Kind, name: str) -> None:
    """Remove a task that is not necessary any more."""
    await tx.run(REMOVE, {"what": kind.value, "named": name})


async def due_in(tx: Transaction, kinds: Collection[Kind], *, urgent: bool = False) -> float | None:
    """Return in how many seconds a task can be taken, 0 or less for now; ``None`` without any."""
    seconds: float | None = await tx.scalar(finding(frozenset(kinds), urgent=urgent).due)
    return seconds


async def claim(
    tx: Transaction, kinds: Collection[Kind], seconds: float, *, urgent: bool = False
) -> Task | None:
    """Take the task whose turn it is for some seconds; ``None`` if there is none to take.

    Args:
        tx: a transaction.
        kinds: of which to take one.
        seconds: until others may take it, unless `beat` says otherwise.
        urgent: whether to take only what somebody waits for.

    """
    find = finding(frozenset(kinds), urgent=urgent)
    head = await tx.row(find.head)
    if head is None:
        return None
    of_server = {"guild": head.guild_id, "hurried": head.urgent}
    chosen = await tx.row(find.in_turn, of_server) or await tx.row(find.any_free)
    if chosen is None:
        return None
    if chosen.guild_id == head.guild_id and chosen.turn > head.turn:
        # It goes in the turn of another one of its server, which gets its turn in exchange.
        await tx.run(SWAP, {"other": head.id, "later": chosen.turn})
    row = await tx.row(CLAIM, {"task": chosen.id, "seconds": seconds})
    if row is None:
        return None
    task = _task(row)
    _tell(tx, task)
    return task


async def beat(tx: Transaction, task: Task, seconds: float, share: float | None) -> bool:
    """Hold a task for some more seconds, and note how far it is; return whether it is still held."""
    values = {"task": task.id, "held": task.lease, "seconds": seconds, "part": share}
    if not await tx.run(BEAT, values):
        return False
    _tell(tx, task)
    return True


async def finish(tx: Transaction, task: Task, answer: dict[str, Any] | None = None) -> None:
    """Finish a task, in the transaction of its result.

    Args:
        tx: a transaction.
        task: which this process has taken.
        answer: a result that is kept nowhere else; whoever asked takes it from here.

    Raises:
        Lost: it is not this process's any more; the transaction must not be committed.

    """
    values = {"task": task.id, "held": task.lease}
    if answer is None:
        met = await tx.run(FINISH, values)
    else:
        met = await tx.run(ANSWER, {**values, "found": answer})
    if not met:
        raise Lost
    _tell(tx, task)


async def release(tx: Transaction, task: Task, pause: float = 0.0, *, failed: bool = False) -> None:
    """Give a task back, which others may take after some seconds."""
    values = {"task": task.id, "held": task.lease, "pause": pause, "failed": int(failed)}
    if await tx.run(RELEASE, values):
        tx.announce(task.kind.topic, task.match_id or 0)


async def release_all(tx: Transaction) -> None:
    """Give back all tasks, where no other process can be at work on one."""
    await tx.run(update(computer_tasks).where(OPEN).values(free_at=0.0))


async def look(tx: Transaction, number: int) -> State | None:
    """Return what can be said of a task; ``None`` once it is gone."""
    row = await tx.row(select(_c.lease, _c.share, _c.answer).where(_c.id == number))
    return None if row is None else State(bool(row.lease), row.share, row.answer)


async def withdraw(tx: Transaction, number: int) -> None:
    """Remove a task that nobody waits for any more, unless it is at work."""
    await tx.run(delete(computer_tasks).where(_c.id == number, ~HELD))


async def forget(tx: Transaction, user_id: int) -> None:
    """Remove what a user has given to be computed, such as records; matches concern others, too."""
    await tx.run(delete(computer_tasks).where(_c.user_id == user_id, _c.match_id.is_(None)))


async def drop_answers(tx: Transaction, before: datetime) -> None:
    """Remove results of tasks that nobody has taken."""
    await tx.run(delete(computer_tasks).where(_c.answer.is_not(None), _c.since < before))


async def at_work(tx: Transaction, kinds: Collection[Kind]) -> bool:
    """Return whether any process is at work on a task of some kinds."""
    return bool(await tx.scalar(select(exists().where(HELD, among(kinds)))))


async def held_by(tx: Transaction, user_id: int, kinds: Collection[Kind]) -> int:
    """Return how many tasks of some kinds a user waits for."""
    mine = and_(OPEN, _c.urgent, _c.user_id == user_id, among(kinds))
    return int(await tx.scalar(select(func.count()).select_from(computer_tasks).where(mine)))


async def known(tx: Transaction, kind: Kind, name: str) -> bool:
    """Return whether there is a task."""
    row = await tx.row(select(_c.id).where(NAMED), {"what": kind.value, "named": name})
    return row is not None


async def waiting(tx: Transaction, kind: Kind) -> tuple[int, ...]:
    """Return the matches with a task of a kind."""
    tasks = select(_c.match_id).where(_c.kind == kind.value, OPEN, _c.match_id.is_not(None))
    return await tx.scalars(tasks.order_by(_c.match_id))


async def lengths(tx: Transaction) -> tuple[Length, ...]:
    """Return the lengths of the queue, of each kind that has tasks."""
    held = func.count(case((HELD, 1)))
    oldest = func.min(case((~HELD, _c.since)))
    statement = select(
        _c.kind, _c.urgent, func.count().label("all"), held.label("held"), oldest.label("oldest")
    ).where(OPEN)
    rows = await tx.rows(statement.group_by(_c.kind, _c.urgent).order_by(_c.kind, _c.urgent))
    return tuple(
        Length(Kind(row.kind), row.urgent, row.all - row.held, row.held, row.oldest) for row in rows
    )


def _tell(tx: Transaction, task: Task) -> None:
    if task.kind not in _UNASKED:
        tx.announce(CHANGED, task.id)


def _task(row: Record) -> Task:
    return Task(
        row.id,
        Kind(row.kind),
        row.name,
        row.match_id,
        row.guild_id,
        row.user_id,
        row.since,
        row.attempts,
        row.lease,
        row.asked,
    )
