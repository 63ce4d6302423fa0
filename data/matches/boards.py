"""The Discord messages that show matches. Ids are stored, interaction tokens never."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import sqlalchemy as sa
from sqlalchemy import bindparam, delete, exists, select

from data.matches.match import matches
from data.sql.columns import reference, table
from data.sql.statements import Prepared
from data.sql.transaction import Transaction


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


boards = table(
    "boards",
    reference("match_id", "matches.id"),
    sa.Index("ix_boards_match_id", "match_id", "ply"),
    rows=PostedMessage,
    key=("message_id",),
)

_OF = select(boards).where(boards.c.match_id == bindparam("match"))
_LIVE = Prepared(_OF.where(boards.c.live).order_by(boards.c.ply, boards.c.message_id))
_LATEST = _OF.order_by(boards.c.ply.desc(), boards.c.message_id.desc()).limit(1)
_THIS = boards.c.message_id == bindparam("message")
_GET = select(boards).where(_THIS)
_FORGET = delete(boards).where(_THIS)
_NEWER = boards.alias()
_IS_SUPERSEDED = exists().where(
    _NEWER.c.match_id == boards.c.match_id,
    sa.tuple_(_NEWER.c.ply, _NEWER.c.message_id) > sa.tuple_(boards.c.ply, boards.c.message_id),
)
_OF_THESE = boards.c.match_id.in_(bindparam("matches", expanding=True))
_LATEST_OF = select(boards).where(_OF_THESE, ~_IS_SUPERSEDED)
_SUPERSEDED = delete(boards).where(
    _OF_THESE, boards.c.message_id < bindparam("before"), ~boards.c.live, _IS_SUPERSEDED
)
_EPOCH: Final = 1_420_070_400_000
"""The millisecond from which Discord counts, and which its ids hold above 22 other bits."""


async def put(tx: Transaction, *shown: PostedMessage) -> None:
    """Record what messages show, replacing what they showed before."""
    await tx.put(boards, *shown)


async def get(tx: Transaction, message_id: int) -> PostedMessage | None:
    """Return what a message shows, ``None`` if it shows no match."""
    return await tx.record(PostedMessage, _GET, {"message": message_id})


async def live(tx: Transaction, match_id: int) -> tuple[PostedMessage, ...]:
    """Return the messages of a match that still have controls, oldest first."""
    return await tx.records(PostedMessage, _LIVE, {"match": match_id})


async def latest(tx: Transaction, match_id: int) -> PostedMessage | None:
    """Return the message that shows the newest position of a match."""
    return await tx.record(PostedMessage, _LATEST, {"match": match_id})


async def latest_of(tx: Transaction, match_ids: Iterable[int]) -> dict[int, PostedMessage]:
    """Return the same of several matches, by match; those without a message are left out."""
    found = await tx.records(PostedMessage, _LATEST_OF, {"matches": sorted(match_ids)})
    return {one.match_id: one for one in found}


async def forget(tx: Transaction, message_id: int) -> None:
    """Record that a message was deleted in Discord."""
    await tx.run(_FORGET, {"message": message_id})


async def forget_superseded(tx: Transaction, match_ids: Iterable[int], before: datetime) -> int:
    """Forget old boards of some matches; return how many.

    These were posted before a given time and have no controls. A match keeps its newest board.
    """
    earliest = (int(before.timestamp() * 1000) - _EPOCH) << 22
    return await tx.run(_SUPERSEDED, {"matches": sorted(match_ids), "before": earliest})


@dataclass(frozen=True, slots=True)
class TurnCall:
    """A message that mentions the player to move."""

    message_id: int
    channel_id: int
    match_id: int
    ply: int
    """The turn it is about."""


turn_calls = table(
    "turn_calls",
    reference("match_id", "matches.id"),
    sa.Index("ix_turn_calls_match_id", "match_id"),
    rows=TurnCall,
    key=("message_id",),
)

_CALLS = Prepared(
    select(turn_calls)
    .where(turn_calls.c.match_id == bindparam("match"))
    .order_by(turn_calls.c.message_id)
)
_FORGET_CALL = delete(turn_calls).where(turn_calls.c.message_id == bindparam("message"))


async def put_call(tx: Transaction, call: TurnCall) -> None:
    """Store a turn call."""
    await tx.put(turn_calls, call)


async def calls_of(tx: Transaction, match_id: int) -> tuple[TurnCall, ...]:
    """Return the turn calls of a match, oldest first."""
    return await tx.records(TurnCall, _CALLS, {"match": match_id})


async def forget_call(tx: Transaction, message_id: int) -> None:
    """Remove a deleted turn call."""
    await tx.run(_FORGET_CALL, {"message": message_id})


async def left_over(tx: Transaction, since: datetime) -> tuple[int, ...]:
    """Return the matches ended since a given time that have controls or calls left, in order."""
    boards_left = exists().where(boards.c.match_id == matches.c.id, boards.c.live)
    calls_left = exists().where(turn_calls.c.match_id == matches.c.id)
    ended = select(matches.c.id).where(matches.c.finished_at >= since, boards_left | calls_left)
    # Sorted here: asked for an order, SQLite would read all matches in it.
    return tuple(sorted(await tx.scalars(tx.scoped(ended, matches.c.guild_id))))
