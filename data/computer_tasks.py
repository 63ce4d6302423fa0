"""The task queue of the computing processes: computers' moves, hints, analyses, ratings.

A task is added in the transaction that makes it necessary, and removed in that of its result. Any
process may take it, for a few seconds at a time; if the process dies, the lease runs out. Each
taking gives it a new lease number, so an earlier holder can neither extend nor finish it.

Servers take turns, and so do the users within a server: each new task gets the next turn of its
server and the next place of its user there.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from enum import StrEnum
from functools import cache
from typing import Any, Final, NamedTuple

import sqlalchemy as sa
from sqlalchemy import (
    ColumnElement,
    and_,
    bindparam,
    case,
    delete,
    exists,
    func,
    literal,
    select,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite

from data.sql.columns import Document, Flag, Id, Moment, Real, table
from data.sql.transaction import Transaction


class Kind(StrEnum):
    """A kind of task."""

    MOVE = "move"
    """A computer's move in a match."""
    HINT = "hint"
    """A hint for a player, at one turn of a match."""
    ANALYSIS = "analysis"
    """The analysis of a finished match."""
    RECORD_ANALYSIS = "record analysis"
    """The analysis of an imported record."""
    RECORD = "record"
    """The check of a record before import."""
    RATINGS = "ratings"
    """The recomputation of a game's ratings."""

    @property
    def topic(self) -> str:
        """Announced with the match, if any, of each task of this kind that can be taken."""
        return f"computer tasks: {self.value}"


class Task(NamedTuple):
    """A claimed task."""

    id: int
    kind: Kind
    name: str
    """Its subject; unique among tasks of the same kind."""
    match_id: int | None
    guild_id: int
    user_id: int
    since: datetime | None
    """When it became necessary."""
    attempts: int = 0
    """Number of failed attempts."""
    lease: int = 0
    """Grows each time the task is taken."""
    asked: dict[str, Any] | None = None


computer_tasks = table(
    "computer_tasks",
    sa.Column("match_id", Id, sa.ForeignKey("matches.id", ondelete="CASCADE")),
    sa.Column("urgent", Flag, nullable=False),
    sa.Column("turn", Id, nullable=False),
    sa.Column("place", Id, nullable=False),
    sa.Column("free_at", Real, nullable=False, server_default="0"),
    sa.Column("share", Real),
    sa.Column("answer", Document),
    sa.UniqueConstraint("kind", "name"),
    sa.Index("ix_computer_tasks_match_id", "match_id"),
    sa.Index("ix_computer_tasks_turn", "urgent", "turn"),
    sa.Index("ix_computer_tasks_guild_id", "guild_id", "urgent", "user_id"),
    rows=Task,
)
"""Queued work for computers, such as a move to make or a match to analyse.

A task can be taken from ``free_at`` on, in seconds since 1970 by the database's clock. ``lease``
grows each time it is taken. ``turn`` orders servers, ``place`` a server's users. ``share`` is its
progress. A task with an ``answer`` is finished, ready for its requester.
"""

LINES: Final = (
    (Kind.MOVE, Kind.HINT),
    (Kind.ANALYSIS, Kind.RECORD_ANALYSIS),
    (Kind.RECORD,),
    (Kind.RATINGS,),
)
"""The kinds that queue in one line, as the same processes run them."""
CHANGED: Final = "computer tasks: changed"
"""Announced with the number of a task that is started, progresses or is finished."""
_UNASKED: Final = (Kind.MOVE, Kind.RATINGS)
"""Tasks that no user asks for or follows by number."""

_c = computer_tasks.c
_NOW: Final = Moment()
_OPEN: Final = _c.answer.is_(None)
_FREE: Final = and_(_OPEN, _c.free_at <= _NOW)
_HELD: Final = and_(_OPEN, _c.lease > 0, _c.free_at > _NOW)
_GIVEN: Final = ("kind", "name", "match_id", "since", "asked", "urgent", "guild_id", "user_id")
_LINE: Final = ("urgent", "guild_id", "user_id", "turn", "place")


def _of_kinds(kinds: Collection[Kind], *, urgent: bool = False) -> ColumnElement[bool]:
    """Return the condition that a task is of some kinds, and optionally urgent."""
    named = _c.kind.in_(kinds)
    return and_(named, _c.urgent) if urgent else named


def _next(number: ColumnElement[int], all_: Any, own: Any) -> ColumnElement[int]:
    """Return the number after one's own last, otherwise the lowest of all."""
    last = select(func.max(number) + 1).where(own).scalar_subquery()
    first = select(func.min(number)).where(all_).scalar_subquery()
    return func.coalesce(last, first, literal(0))


@cache
def _put(dialect: str, line: Collection[Kind], *, restart: bool) -> Any:
    """Return the statement that adds a task to a line, or updates the one of the same name."""
    given = {name: bindparam(name, type_=_c[name].type) for name in _GIVEN}
    alike = and_(_OPEN, _c.urgent == given["urgent"], _of_kinds(line))
    of_guild = and_(alike, _c.guild_id == given["guild_id"])
    of_user = and_(of_guild, _c.user_id == given["user_id"])
    statement = {"sqlite": sqlite, "postgresql": postgresql}[dialect].insert(computer_tasks)
    new = statement.excluded
    if restart:
        values = {name: new[name] for name in (*_LINE, "since", "match_id", "asked")}
        values |= {"lease": _c.lease + 1, "free_at": 0.0, "attempts": 0, "share": None}
    else:
        hurried = and_(new.urgent, ~_c.urgent)
        values = {name: case((hurried, new[name]), else_=_c[name]) for name in _LINE}
    turns = {"turn": _next(_c.turn, alike, of_guild), "place": _next(_c.place, of_guild, of_user)}
    return (
        statement.values(given | turns)
        .on_conflict_do_update(index_elements=[_c.kind, _c.name], set_=values)
        .returning(_c.id)
    )


def _named(kind: Kind, name: str) -> ColumnElement[bool]:
    return and_(_c.kind == kind, _c.name == name)


def _holding(task: Task) -> ColumnElement[bool]:
    return and_(_c.id == task.id, _c.lease == task.lease)


class State(NamedTuple):
    """The progress of a task, as shown to the waiting user."""

    taken: bool
    """Whether any process has ever taken it."""
    share: float | None
    """Its progress, from 0 to 1; ``None`` before it begins."""
    answer: dict[str, Any] | None
    """Its result; ``None`` until it is finished."""


class Length(NamedTuple):
    """The length of the queue for a kind of task."""

    kind: Kind
    urgent: bool
    waiting: int
    in_progress: int
    since: datetime | None
    """When the longest-waiting one became necessary."""


class LeaseLost(Exception):
    """A task taken earlier now belongs to another process, or is no longer needed."""


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
    restart: bool = False,
) -> int:
    """Add a task, unless there is one of its kind and name; return its number.

    It became necessary ``at`` some time, for a ``requester``, a server and a user, 0 for none. It is
    deleted with its match. Urgent tasks, which a user waits for, come first. With ``restart``, an
    existing task starts over, and its holder loses it.
    """
    guild_id, user_id = requester
    values = {"kind": kind, "name": name, "match_id": match_id, "since": at, "asked": asked}
    values |= {"urgent": urgent, "guild_id": guild_id, "user_id": user_id}
    (line,) = (one for one in LINES if kind in one)
    number = await tx.number(_put(tx.dialect, line, restart=restart), values)
    tx.announce(kind.topic, match_id or 0)
    return number


async def remove(tx: Transaction, kind: Kind, name: str) -> None:
    """Remove a task that is no longer needed."""
    await tx.run(delete(computer_tasks).where(_named(kind, name)))


async def due_in(tx: Transaction, kinds: Collection[Kind], *, urgent: bool = False) -> float | None:
    """Return the seconds until a task can be taken, 0 or less for now; ``None`` without any."""
    these = _of_kinds(kinds, urgent=urgent)
    return await tx.scalar(select(func.min(_c.free_at) - _NOW).where(_OPEN, these))


async def claim(
    tx: Transaction, kinds: Collection[Kind], seconds: float, *, urgent: bool = False
) -> Task | None:
    """Take the next task of some kinds, urgent ones or all; ``None`` if there is none to take.

    Others may take it after some seconds, unless `renew_lease` extends them. Tasks that others are
    just taking are skipped.
    """
    free = select(_c.id, _c.guild_id, _c.urgent, _c.turn).where(
        _FREE, _of_kinds(kinds, urgent=urgent)
    )
    by_turn = free.order_by(_c.urgent.desc(), _c.turn, _c.id).limit(1)
    head = await tx.row(by_turn)
    if head is None:
        return None
    of_server = free.where(_c.guild_id == head.guild_id, _c.urgent == head.urgent)
    in_turn = of_server.order_by(_c.place, _c.id).limit(1)
    chosen = await tx.row(in_turn.with_for_update(skip_locked=True)) or await tx.row(
        by_turn.with_for_update(skip_locked=True)
    )
    if chosen is None:
        return None
    if chosen.guild_id == head.guild_id and chosen.turn > head.turn:
        # It runs in the turn of another task of its server, which gets its turn in exchange.
        other = select(_c.id).where(_c.id == head.id, _FREE).with_for_update(skip_locked=True)
        swap = update(computer_tasks).where(_c.id.in_(other.scalar_subquery()))
        await tx.run(swap.values(turn=chosen.turn))
    taken = update(computer_tasks).where(_c.id == chosen.id)
    taken = taken.values(free_at=_NOW + seconds, lease=_c.lease + 1, share=None)
    fields = (_c[name] for name in Task._fields)
    task = await tx.record(Task, taken.returning(*fields))
    if task is not None:
        _announce(tx, task)
    return task


async def renew_lease(tx: Transaction, task: Task, seconds: float, progress: float | None) -> bool:
    """Extend the hold on a task and record its progress; return whether it is still held."""
    held = update(computer_tasks).where(_holding(task))
    if not await tx.run(held.values(free_at=_NOW + seconds, share=progress)):
        return False
    _announce(tx, task)
    return True


async def finish(tx: Transaction, task: Task, answer: dict[str, Any] | None = None) -> None:
    """Finish a task, in the transaction of its result, or with an answer that is stored nowhere else.

    Raises:
        LeaseLost: this process no longer holds the task; the transaction must not be committed.
    """
    if answer is None:
        met = await tx.run(delete(computer_tasks).where(_holding(task)))
    else:
        met = await tx.run(update(computer_tasks).where(_holding(task)).values(answer=answer))
    if not met:
        raise LeaseLost
    _announce(tx, task)


async def release(tx: Transaction, task: Task, pause: float = 0.0, *, failed: bool = False) -> None:
    """Give a task back; others may take it after some seconds."""
    held = update(computer_tasks).where(_holding(task))
    if await tx.run(held.values(free_at=_NOW + pause, attempts=_c.attempts + int(failed))):
        tx.announce(task.kind.topic, task.match_id or 0)


async def release_all(tx: Transaction) -> None:
    """Give back all tasks, if no other process can be working on one."""
    await tx.run(update(computer_tasks).where(_OPEN).values(free_at=0.0))


async def state_of(tx: Transaction, number: int) -> State | None:
    """Return the state of a task; ``None`` once it is gone."""
    row = await tx.row(select(_c.lease, _c.share, _c.answer).where(_c.id == number))
    return None if row is None else State(bool(row.lease), row.share, row.answer)


async def withdraw(tx: Transaction, number: int) -> None:
    """Remove a task that no one waits for any longer, unless it is in progress."""
    await tx.run(delete(computer_tasks).where(_c.id == number, ~_HELD))


async def forget(tx: Transaction, user_id: int) -> None:
    """Remove a user's own tasks, such as imported records; those of matches concern others, too."""
    await tx.run(delete(computer_tasks).where(_c.user_id == user_id, _c.match_id.is_(None)))


async def drop_answers(tx: Transaction, before: datetime) -> None:
    """Remove old results that were never collected."""
    await tx.run(delete(computer_tasks).where(_c.answer.is_not(None), _c.since < before))


async def in_progress(tx: Transaction, kinds: Collection[Kind]) -> bool:
    """Return whether any process is working on a task of some kinds."""
    return bool(await tx.scalar(select(exists().where(_HELD, _of_kinds(kinds)))))


async def count_of_user(tx: Transaction, user_id: int, kinds: Collection[Kind]) -> int:
    """Return the number of tasks of some kinds that a user waits for."""
    return await tx.count(_OPEN, _c.urgent, _c.user_id == user_id, _of_kinds(kinds))


async def task_exists(tx: Transaction, kind: Kind, name: str) -> bool:
    """Return whether a task exists."""
    return await tx.scalar(select(_c.id).where(_named(kind, name))) is not None


async def waiting(tx: Transaction, kind: Kind) -> tuple[int, ...]:
    """Return the matches that have an unfinished task of a kind."""
    tasks = select(_c.match_id).where(_c.kind == kind, _OPEN, _c.match_id.is_not(None))
    return await tx.scalars(tasks.order_by(_c.match_id))


async def queue_lengths(tx: Transaction) -> tuple[Length, ...]:
    """Return the length of the queue for each kind that has tasks."""
    waiting, held = func.count().filter(~_HELD), func.count().filter(_HELD)
    oldest = func.min(_c.since).filter(~_HELD)
    lengths = select(_c.kind, _c.urgent, waiting, held, oldest).where(_OPEN)
    lengths = lengths.group_by(_c.kind, _c.urgent).order_by(_c.kind, _c.urgent)
    return await tx.records(Length, lengths)


def _announce(tx: Transaction, task: Task) -> None:
    if task.kind not in _UNASKED:
        tx.announce(CHANGED, task.id)
