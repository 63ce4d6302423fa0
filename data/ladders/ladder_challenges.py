"""The challenges of ladders."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import ColumnElement, Select, exists, func, insert, select, update

from data.ladders.ladders import ladders
from data.ladders.values import LadderChallenge
from data.matches.match import Match
from data.sql.columns import Flag, Id, partial_index, reference, table
from data.sql.statements import Scope, by_scope, within
from data.sql.transaction import Transaction

ladder_challenges: Final = table(
    "ladder_challenges",
    reference("ladder_id", "ladders.id"),
    sa.Column("challenger_word", sa.Text, nullable=False, server_default=""),
    sa.Column("challenged_word", sa.Text, nullable=False, server_default=""),
    sa.Column("reminded", Flag, nullable=False, server_default=sa.false()),
    sa.Column("match_id", Id, sa.ForeignKey("matches.id")),
    sa.Column("counted", Flag, nullable=False, server_default=sa.false()),
    sa.CheckConstraint(
        "outcome IN ('won', 'lost', 'drawn', 'void', 'unanswered', 'declined', 'passed', "
        "'withdrawn', 'left', 'quit', 'closed', 'lapsed')",
        name="outcome",
    ),
    sa.Index("ix_ladder_challenges_ladder_id", "ladder_id", "ended_at"),
    sa.Index("ix_ladder_challenges_due_at", "due_at"),
    sa.Index("ix_ladder_challenges_match_id", "match_id"),
    sa.Index("ix_ladder_challenges_challenger_id", "challenger_id"),
    sa.Index("ix_ladder_challenges_challenged_id", "challenged_id"),
    rows=LadderChallenge,
)

_OPEN: Final = ladder_challenges.c.ended_at.is_(None)
partial_index(
    "ux_ladder_challenges_out",
    ladder_challenges.c.ladder_id,
    ladder_challenges.c.challenger_id,
    where=_OPEN,
    unique=True,
)
partial_index(
    "ux_ladder_challenges_in",
    ladder_challenges.c.ladder_id,
    ladder_challenges.c.challenged_id,
    where=_OPEN & ladder_challenges.c.called_at.is_not(None),
    unique=True,
)

_c = ladder_challenges.c


async def add(
    tx: Transaction,
    ladder_id: int,
    challenger: int,
    challenged: int,
    *,
    seed: bytes,
    place: int,
    at: datetime,
    answer_by: datetime,
    due_at: datetime | None,
) -> LadderChallenge:
    """Add a challenge awaiting an answer; without ``due_at``, it is queued."""
    values = {
        "ladder_id": ladder_id,
        "challenger_id": challenger,
        "challenged_id": challenged,
        "seed": seed,
        "place": place,
        "created_at": at,
        "called_at": None if due_at is None else at,
        "answer_by": answer_by,
        "due_at": due_at,
    }
    row = await tx.row(insert(ladder_challenges).values(values).returning(ladder_challenges))
    assert row is not None
    tx.announce_due(due_at)
    return LadderChallenge(*row)


async def get(tx: Transaction, challenge_id: int) -> LadderChallenge | None:
    """Return a challenge, ``None`` if it does not exist."""
    return await tx.record(LadderChallenge, select(ladder_challenges).where(_c.id == challenge_id))


async def get_existing(tx: Transaction, challenge_id: int) -> LadderChallenge:
    """Return a challenge that is known to exist: none is ever removed."""
    challenge = await get(tx, challenge_id)
    assert challenge is not None, "a challenge is never removed"
    return challenge


async def change(tx: Transaction, challenge_id: int, **values: Any) -> LadderChallenge:
    """Change a challenge whose ladder the transaction has locked."""
    this = update(ladder_challenges).where(_c.id == challenge_id)
    row = await tx.row(this.values(values).returning(ladder_challenges))
    assert row is not None, "a challenge is never removed"
    changed = LadderChallenge(*row)
    tx.announce_due(changed.due_at)
    return changed


async def change_open(
    tx: Transaction, ladder_id: int, *, waiting: bool = False, **values: Any
) -> tuple[int, ...]:
    """Change all open challenges of a ladder, or those awaiting an answer; return their numbers."""
    these = [_OPEN, _c.ladder_id == ladder_id]
    if waiting:
        these += [_c.match_id.is_(None), _c.called_at.is_not(None)]
    tx.announce_due(values.get("due_at"))
    this = update(ladder_challenges).where(*these).values(values)
    return await tx.scalars(this.returning(_c.id))


async def open_in(tx: Transaction, ladder_id: int) -> tuple[LadderChallenge, ...]:
    """Return the open challenges of a ladder, oldest first."""
    these = select(ladder_challenges).where(_OPEN, _c.ladder_id == ladder_id).order_by(_c.id)
    return tuple(LadderChallenge(*r) for r in await tx.rows(these))


async def between(
    tx: Transaction, ladder_id: int, one: int, other: int, *, played: bool = False
) -> LadderChallenge | None:
    """Return the last challenge between two players of a ladder, optionally the last played."""
    wanted = [_c.ladder_id == ladder_id, _between(one, other)]
    if played:
        wanted.append(_c.match_id.is_not(None))
    return await tx.record(
        LadderChallenge, select(ladder_challenges).where(*wanted).order_by(_c.id.desc()).limit(1)
    )


async def counted_since(
    tx: Transaction, ladder_id: int, one: int, other: int, after: datetime
) -> bool:
    """Return whether a game between two players has counted after a given time."""
    counted = (_c.counted, _c.ended_at > after, _c.ladder_id == ladder_id, _between(one, other))
    return bool(await tx.scalar(select(exists().where(*counted))))


async def has_passed(tx: Transaction, ladder_id: int, challenger: int, challenged: int) -> bool:
    """Return whether a player passed on another's challenge, without a game of the two since."""
    statement = (
        select(_c.outcome)
        .where(
            _c.ladder_id == ladder_id,
            _between(challenger, challenged),
            _c.match_id.is_not(None)
            | ((_c.outcome == "passed") & (_c.challenged_id == challenged)),
        )
        .order_by(_c.id.desc())
        .limit(1)
    )
    return bool(await tx.scalar(statement) == "passed")


async def hand_on(
    tx: Transaction, ladder_id: int, challenged: int, successor: int
) -> tuple[int, ...]:
    """Let the challenges queued for a player go to the one who took their place; return them."""
    queued = (_OPEN, _c.called_at.is_(None), _c.ladder_id == ladder_id)
    this = update(ladder_challenges).where(*queued, _c.challenged_id == challenged)
    return await tx.scalars(this.values(challenged_id=successor).returning(_c.id))


async def swaps_seats(tx: Transaction, match_id: int) -> bool:
    """Return whether a match is a ladder's second or later game of the same two."""
    before = ladder_challenges.alias().c
    played_before = (
        (before.ladder_id == _c.ladder_id)
        & (before.match_id < _c.match_id)
        & before.challenger_id.in_((_c.challenger_id, _c.challenged_id))
        & before.challenged_id.in_((_c.challenger_id, _c.challenged_id))
    )
    this = select(exists(select(before.id).where(played_before))).where(_c.match_id == match_id)
    return bool(await tx.scalar(this))


async def is_match(tx: Transaction, match_id: int) -> bool:
    """Return whether a match belongs to an open challenge of a ladder."""
    return bool(await tx.scalar(select(exists().where(_c.match_id == match_id, _OPEN))))


async def of_match(tx: Transaction, match_id: int) -> int | None:
    """Return the ladder that a match is a game of, if any."""
    return await tx.scalar(select(_c.ladder_id).where(_c.match_id == match_id))


async def ended(tx: Transaction, match: Match, at: datetime) -> None:
    """Make a match's ladder challenge, if any, due, as the match ends."""
    this = update(ladder_challenges).where(_c.match_id == match.id, _OPEN)
    if await tx.run(this.values(due_at=at)):
        tx.announce_due(at)


async def next_due(tx: Transaction, *, scope: Scope | None = None) -> datetime | None:
    """Return when a challenge next needs attention."""
    return await tx.scalar(_next_due(scope))


async def due(
    tx: Transaction, now: datetime, *, limit: int, scope: Scope | None = None
) -> tuple[LadderChallenge, ...]:
    """Return the challenges that need attention now."""
    statement = select(ladder_challenges).where(_OPEN, _c.due_at <= now)
    if scope is not None:
        statement = statement.join(ladders, ladders.c.id == _c.ladder_id).where(
            *within(ladders.c.guild_id, scope)
        )
    return await tx.records(LadderChallenge, statement.order_by(_c.due_at, _c.id).limit(limit))


def _between(one: int, other: int) -> ColumnElement[bool]:
    return ((_c.challenger_id == one) & (_c.challenged_id == other)) | (
        (_c.challenger_id == other) & (_c.challenged_id == one)
    )


@by_scope
def _next_due(scope: Scope | None) -> Select[Any]:
    statement = select(func.min(_c.due_at)).where(_OPEN)
    if scope is None:
        return statement
    return statement.join(ladders, ladders.c.id == _c.ladder_id).where(
        *within(ladders.c.guild_id, scope)
    )
