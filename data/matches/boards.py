"""The Discord messages that show matches. Ids are stored, interaction tokens never."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import (
    Column,
    ForeignKey,
    Index,
    Integer,
    Table,
    bindparam,
    delete,
    select,
)

from data.sql.columns import Flag, Id, metadata
from data.sql.statements import Prepared, upsert, values_of
from data.sql.transaction import Transaction

boards = Table(
    "boards",
    metadata,
    Column("message_id", Id, primary_key=True, autoincrement=False),
    Column("channel_id", Id, nullable=False),
    Column("match_id", Id, ForeignKey("matches.id", ondelete="CASCADE"), nullable=False),
    Column("ply", Integer, nullable=False),
    Column("live", Flag, nullable=False),
    Index("ix_boards_match_id", "match_id", "ply"),
    sqlite_strict=True,
)


@dataclass(frozen=True, slots=True)
class PostedMessage:
    """A message that shows a match."""

    message_id: int
    channel_id: int
    match_id: int
    ply: int
    """The version of the match (`data.matches.matches.Match.version`) that the picture shows."""
    live: bool
    """Whether the message still has controls."""


_PUT = {name: Prepared(one) for name, one in upsert(boards).items()}
_OF = select(boards).where(boards.c.match_id == bindparam("match"))
_LIVE = Prepared(_OF.where(boards.c.live).order_by(boards.c.ply, boards.c.message_id))
_LATEST = _OF.order_by(boards.c.ply.desc(), boards.c.message_id.desc()).limit(1)
_THIS = boards.c.message_id == bindparam("message")
_GET = select(boards).where(_THIS)
_FORGET = delete(boards).where(_THIS)


async def put(tx: Transaction, *shown: PostedMessage) -> None:
    """Record what messages show, replacing what they showed before."""
    await tx.run(_PUT[tx.dialect], [values_of(one) for one in shown])


async def get(tx: Transaction, message_id: int) -> PostedMessage | None:
    """Return what a message shows, ``None`` if it shows no match."""
    row = await tx.row(_GET, {"message": message_id})
    return None if row is None else PostedMessage(*row)


async def live(tx: Transaction, match_id: int) -> tuple[PostedMessage, ...]:
    """Return the messages of a match that still have controls, oldest first."""
    return tuple(PostedMessage(*row) for row in await tx.rows(_LIVE, {"match": match_id}))


async def latest(tx: Transaction, match_id: int) -> PostedMessage | None:
    """Return the message that shows the newest position of a match."""
    row = await tx.row(_LATEST, {"match": match_id})
    return None if row is None else PostedMessage(*row)


async def forget(tx: Transaction, message_id: int) -> None:
    """Record that a message was deleted in Discord."""
    await tx.run(_FORGET, {"message": message_id})


turn_calls = Table(
    "turn_calls",
    metadata,
    Column("message_id", Id, primary_key=True, autoincrement=False),
    Column("channel_id", Id, nullable=False),
    Column("match_id", Id, ForeignKey("matches.id", ondelete="CASCADE"), nullable=False),
    Column("ply", Integer, nullable=False),
    Index("ix_turn_calls_match_id", "match_id"),
    sqlite_strict=True,
)
"""Short messages that mention the player to move, deleted once the turn is played."""


@dataclass(frozen=True, slots=True)
class TurnCall:
    """A message that mentions the player to move."""

    message_id: int
    channel_id: int
    match_id: int
    ply: int
    """The turn it is about."""


_PUT_CALL = upsert(turn_calls)
_CALLS = Prepared(
    select(turn_calls)
    .where(turn_calls.c.match_id == bindparam("match"))
    .order_by(turn_calls.c.message_id)
)
_FORGET_CALL = delete(turn_calls).where(turn_calls.c.message_id == bindparam("message"))


async def put_call(tx: Transaction, call: TurnCall) -> None:
    """Store a turn call."""
    await tx.run(_PUT_CALL[tx.dialect], values_of(call))


async def calls_of(tx: Transaction, match_id: int) -> tuple[TurnCall, ...]:
    """Return the turn calls of a match, oldest first."""
    return tuple(TurnCall(*row) for row in await tx.rows(_CALLS, {"match": match_id}))


async def forget_call(tx: Transaction, message_id: int) -> None:
    """Remove a deleted turn call."""
    await tx.run(_FORGET_CALL, {"message": message_id})
