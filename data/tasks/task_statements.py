"""The statements of the task queue (`data.tasks.computer_tasks`), and its order.

Each task has the next turn of its server in its line, and the next place of its user in the server.
A server without tasks joins at the lowest existing turn, so it neither waits for servers with many
tasks nor catches up on missed turns. When a server's turn comes, the task with its lowest place is
taken, and swaps turns with the task whose turn it was.
"""

from __future__ import annotations

from collections.abc import Collection
from enum import Enum
from functools import lru_cache
from typing import Any, Final, NamedTuple

from sqlalchemy import (
    ColumnElement,
    and_,
    bindparam,
    case,
    delete,
    func,
    literal,
    select,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite

from data.puzzles.analysis_tables import computer_tasks
from data.sql.columns import Moment


class Kind(Enum):
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


LINES: Final = (
    (Kind.MOVE, Kind.HINT),
    (Kind.ANALYSIS, Kind.RECORD_ANALYSIS),
    (Kind.RECORD,),
    (Kind.RATINGS,),
)
"""The kinds that queue in one line, as the same processes run them."""


_c = computer_tasks.c
NOW: Final = Moment()
OPEN: Final = _c.answer.is_(None)
FREE: Final = and_(OPEN, _c.free_at <= NOW)
HELD: Final = and_(OPEN, _c.lease > 0, _c.free_at > NOW)
_URGENT = bindparam("urgent", type_=_c.urgent.type)
_GUILD = bindparam("guild_id", type_=_c.guild_id.type)
_USER = bindparam("user_id", type_=_c.user_id.type)


def of_kinds(kinds: Collection[Kind], *, urgent: bool = False) -> ColumnElement[bool]:
    """Return the condition that a task is of some kinds, and optionally urgent."""
    named = _c.kind.in_([kind.value for kind in kinds])
    return and_(named, _c.urgent) if urgent else named


def _next(number: ColumnElement[int], all_: Any, own: Any) -> ColumnElement[int]:
    """Return the number after one's own last, otherwise the lowest of all."""
    last = select(func.max(number) + 1).where(own).scalar_subquery()
    first = select(func.min(number)).where(all_).scalar_subquery()
    return func.coalesce(last, first, literal(0))


_GIVEN: Final = ("kind", "name", "match_id", "since", "asked")
_LINE: Final = ("urgent", "guild_id", "user_id", "turn", "place")


def _put(dialect: Any, line: Collection[Kind], *, restart: bool) -> Any:
    """Return the statement that adds a task to a line, or updates the one of the same name."""
    alike = and_(OPEN, _c.urgent == _URGENT, of_kinds(line))
    of_guild = and_(alike, _c.guild_id == _GUILD)
    statement = dialect.insert(computer_tasks).values(
        {
            **{c.name: bindparam(c.name, type_=c.type) for c in _c if c.name in _GIVEN},
            "urgent": _URGENT,
            "guild_id": _GUILD,
            "user_id": _USER,
            "turn": _next(_c.turn, alike, of_guild),
            "place": _next(_c.place, of_guild, and_(of_guild, _c.user_id == _USER)),
        }
    )
    new = statement.excluded
    if restart:
        values = {name: new[name] for name in (*_LINE, "since", "match_id", "asked")}
        values |= {"lease": _c.lease + 1, "free_at": 0.0, "attempts": 0, "share": None}
    else:
        hurried = and_(new.urgent, ~_c.urgent)
        values = {name: case((hurried, new[name]), else_=_c[name]) for name in _LINE}
    return statement.on_conflict_do_update(
        index_elements=[_c.kind, _c.name], set_=values
    ).returning(_c.id)


PUT: Final = {
    (name, kind, restart): _put(dialect, line, restart=restart)
    for name, dialect in (("sqlite", sqlite), ("postgresql", postgresql))
    for line in LINES
    for kind in line
    for restart in (False, True)
}
"""By dialect, kind and whether an existing task starts over."""
NAMED = and_(_c.kind == bindparam("what"), _c.name == bindparam("named"))
HOLDING = and_(_c.id == bindparam("task"), _c.lease == bindparam("held"))
REMOVE = delete(computer_tasks).where(NAMED)
FINISH = delete(computer_tasks).where(HOLDING)
ANSWER = update(computer_tasks).where(HOLDING).values(answer=bindparam("found"))
RENEW_LEASE = (
    update(computer_tasks)
    .where(HOLDING)
    .values(free_at=NOW + bindparam("seconds"), share=bindparam("part"))
)
RELEASE = (
    update(computer_tasks)
    .where(HOLDING)
    .values(free_at=NOW + bindparam("pause"), attempts=_c.attempts + bindparam("failed"))
)
CLAIM = (
    update(computer_tasks)
    .where(_c.id == bindparam("task"))
    .values(
        free_at=NOW + bindparam("seconds"),
        lease=_c.lease + 1,
        share=None,
    )
    .returning(computer_tasks)
)


SWAP = (
    update(computer_tasks)
    .where(
        _c.id.in_(
            select(_c.id)
            .where(_c.id == bindparam("other"), FREE)
            .with_for_update(skip_locked=True)
            .scalar_subquery()
        )
    )
    .values(turn=bindparam("later"))
)


class Finding(NamedTuple):
    """The statements that find the next task of some kinds, skipping locked ones."""

    due: Any
    head: Any
    """A task of the server whose turn it is."""
    in_turn: Any
    """The task of that server whose turn it is."""
    any_free: Any


@lru_cache(64)
def finding(kinds: frozenset[Kind], *, urgent: bool) -> Finding:
    """Return the statements that find tasks of some kinds, optionally only urgent ones."""
    these = of_kinds(kinds, urgent=urgent)
    free = select(_c.id, _c.guild_id, _c.urgent, _c.turn).where(FREE, these)
    by_turn = free.order_by(_c.urgent.desc(), _c.turn, _c.id).limit(1)
    of_server = free.where(_c.guild_id == bindparam("guild"), _c.urgent == bindparam("hurried"))
    in_turn = of_server.order_by(_c.place, _c.id).limit(1)
    return Finding(
        select(func.min(_c.free_at) - NOW).where(OPEN, these),
        by_turn,
        in_turn.with_for_update(skip_locked=True),
        by_turn.with_for_update(skip_locked=True),
    )
