"""Messages that features want in Discord, from the commit that wants them until they are there."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import ColumnElement, Insert, bindparam, case, delete, func, select, update
from sqlalchemy.dialects import postgresql, sqlite

from data.sql.columns import Id, partial_index, table
from data.sql.statements import Prepared, values_of
from data.sql.transaction import Transaction


@dataclass(frozen=True, slots=True)
class Post:
    """A message that a feature wants in Discord."""

    id: int
    kind: str
    subject: int
    """The number of what it is about."""
    part: int
    """Tells several posts of a kind about the same thing apart."""
    user_id: int
    """The recipient of a direct message; 0 for a message in a channel."""
    guild_id: int | None
    """The server whose shard posts it."""
    payload: dict[str, Any]
    channel_id: int | None
    message_id: int | None
    """Its message, once posted."""
    copies: int
    """How many earlier messages of it were deleted or given up."""
    wanted: int
    """How often it was asked for."""
    done: int
    """How many of these requests its message shows."""
    created_at: datetime
    """When it was asked for, first after its message was up to date."""
    try_at: datetime | None
    """When it is due; ``None`` if nothing is left to do."""
    failures: int
    """Failed attempts since the last success."""


posts = table(
    "posts",
    sa.Column("subject", Id, nullable=False),
    sa.UniqueConstraint("kind", "subject", "part", "user_id"),
    sa.Index("ix_posts_user_id", "user_id"),
    rows=Post,
)
"""At most one per kind, subject, part and recipient."""

partial_index("ix_posts_try_at", posts.c.try_at, where=posts.c.try_at.is_not(None))

_p = posts.c
_KEY: Final = ["kind", "subject", "part", "user_id"]

_POST: Final = select(posts)
_NEXT_DUE: Final = Prepared(
    select(func.min(_p.try_at)).where(_p.try_at > bindparam("now", type_=_p.try_at.type)),
    _p.guild_id,
)


def _wants(insert: sqlite.Insert | postgresql.Insert) -> Insert:
    new = insert.excluded
    return insert.on_conflict_do_update(
        index_elements=_KEY,
        set_={
            "wanted": _p.wanted + 1,
            "created_at": case((_p.done == _p.wanted, new.created_at), else_=_p.created_at),
            # After a failure the clock decides: else each request would cost a refusal.
            "try_at": case(
                (_p.failures > 0, func.coalesce(_p.try_at, new.try_at)), else_=new.try_at
            ),
            "payload": new.payload,
            "guild_id": new.guild_id,
        },
    ).returning(_p.id)


_WANT: Final = {
    "sqlite": Prepared(_wants(sqlite.insert(posts))),
    "postgresql": Prepared(_wants(postgresql.insert(posts))),
}


async def want(
    tx: Transaction,
    kind: str,
    subject: int,
    *,
    at: datetime,
    guild_id: int | None,
    user_id: int = 0,
    part: int = 0,
    payload: Mapping[str, Any] | None = None,
    not_before: datetime | None = None,
    message: tuple[int, int] | None = None,
) -> int:
    """Ask for a message, or for an update of the one that is there; return the post's id.

    The payload, as JSON, replaces an earlier one. ``message`` is the channel and the message to
    edit, if it is there already. For the other arguments, see `Post`.
    """
    moment = not_before or at
    said, (channel_id, message_id) = dict(payload or {}), message or (None, None)
    subjects = (kind, subject, part, user_id, guild_id)
    post = Post(0, *subjects, said, channel_id, message_id, 0, 1, 0, at, moment, 0)
    values = values_of(post)
    del values["id"]
    number = await tx.number(_WANT[tx.dialect], values)
    tx.announce_due(moment)
    return number


async def want_again(
    tx: Transaction, kind: str, subject: int, *, at: datetime, parts: Collection[int] | None = None
) -> None:
    """Ask anew, without a pause after failures, for a kind of posts that there are, or some parts."""
    these = update(posts).where(_p.kind == kind, _p.subject == subject)
    if parts is not None:
        these = these.where(_p.part.in_(sorted(parts)))
    if await tx.run(these.values(wanted=_p.wanted + 1, try_at=at)):
        tx.announce_due(at)


async def get(tx: Transaction, post_id: int) -> Post | None:
    """Return a post; ``None`` if it does not exist."""
    return await tx.record(Post, _POST.where(_p.id == post_id))


async def find(
    tx: Transaction, kind: str, subject: int, user_id: int = 0, *, part: int = 0
) -> Post | None:
    """Return the post of a kind about something; ``None`` if it was never wanted."""
    this = (_p.kind == kind) & (_p.subject == subject) & (_p.part == part)
    this &= _p.user_id == user_id
    return await tx.record(Post, _POST.where(this))


async def due(
    tx: Transaction,
    now: datetime,
    *,
    limit: int,
    without: Collection[int] = (),
) -> tuple[Post, ...]:
    """Return the posts that are due, longest due first, except ``without`` these ids."""
    wanted = _POST.where(_p.try_at <= now, tx.covers(_p.guild_id))
    if without:
        wanted = wanted.where(_p.id.not_in(sorted(without)))
    return await tx.records(Post, wanted.order_by(_p.try_at, _p.id).limit(limit))


async def next_due(tx: Transaction, after: datetime) -> datetime | None:
    """Return when the next post after a given time falls due."""
    return await tx.scalar(_NEXT_DUE, {"now": after})


async def waits(
    tx: Transaction, post: Post, kinds: Collection[str], until: datetime, *, lock: bool = False
) -> bool:
    """Return whether an older post about the same, not posted yet, is due by a given time.

    With ``lock``, it stays so until the transaction ends.
    """
    older = _beside(post, kinds) & (_p.id < post.id)
    unposted = (_p.done == 0) & (_p.try_at <= until)
    found = select(_p.id).where(older, unposted).limit(1)
    return await tx.scalar(found.with_for_update() if lock else found) is not None


async def waiting_in(tx: Transaction, guild_id: int, now: datetime) -> bool:
    """Return whether posts of a server are due that have not failed."""
    due = (_p.try_at <= now) & (_p.failures == 0) & (_p.guild_id == guild_id)
    return await tx.row(select(_p.id).where(due).limit(1)) is not None


async def hasten(
    tx: Transaction, post: Post, kinds: Collection[str], at: datetime, until: datetime
) -> None:
    """Make newer posts about the same due at once that are due by a given time."""
    await _make_due(tx, at, _beside(post, kinds), _p.id > post.id, _p.try_at <= until)


def _beside(post: Post, kinds: Collection[str]) -> ColumnElement[bool]:
    """Return the condition for posts of some kinds about the same, for the same recipient."""
    same = (_p.subject == post.subject) & (_p.user_id == post.user_id)
    return same & _p.kind.in_(sorted(kinds))


async def newest(tx: Transaction) -> int:
    """Return the id of the newest post; 0 if there is none."""
    return await tx.number(select(func.max(_p.id)))


async def record(
    tx: Transaction,
    post: Post,
    *,
    channel_id: int | None,
    message_id: int | None,
    try_at: datetime | None,
    again: datetime | None = None,
) -> None:
    """Record that a message shows what was wanted when the post was read, before the attempt.

    It is due at ``try_at`` if it lacks something, else ``again``, if it will say more by then.
    """
    shown = {"channel_id": channel_id, "message_id": message_id}
    this = (_p.id == post.id) & (_p.copies == post.copies)
    if try_at is not None:
        values = {**shown, "failures": _p.failures + 1, "try_at": try_at}
        await tx.run(update(posts).where(this).values(values))
        tx.announce_due(try_at)
        return
    values = {**shown, "done": post.wanted, "failures": 0}
    await tx.run(update(posts).where(this).values(values))
    # If it was wanted once more meanwhile, it stays due.
    complete = this & (_p.wanted == post.wanted)
    await tx.run(update(posts).where(complete).values(try_at=again))
    tx.announce_due(again)


async def postpone(tx: Transaction, post: Post, at: datetime, *, copies: int = 0) -> None:
    """Count a failed attempt, and schedule the next; with ``copies`` 1, give up its message."""
    await tx.run(update(posts).where(_p.id == post.id).values(failures=_p.failures + 1))
    await schedule(tx, post, at, copies=copies)


async def schedule(tx: Transaction, post: Post, at: datetime, *, copies: int = 0) -> None:
    """Schedule the next attempt as `postpone` does, without counting a failure."""
    values: dict[str, Any] = {"try_at": at}
    if copies:
        values |= {"copies": _p.copies + 1, "channel_id": None, "message_id": None}
    await tx.run(update(posts).where(_p.id == post.id).values(values))
    tx.announce_due(at)


async def put_off(tx: Transaction, post: Post, at: datetime) -> None:
    """Put a post off that need not be tried before, unless asked for again since it was read."""
    this = (_p.id == post.id) & (_p.wanted == post.wanted)
    if await tx.run(update(posts).where(this).values(try_at=at)):
        tx.announce_due(at)


async def retry_about(tx: Transaction, kind: str, subject: int, at: datetime) -> None:
    """Make posts of a kind about something due at once that wait after a failure."""
    await _make_due(tx, at, _p.kind == kind, _p.subject == subject, _p.failures > 0)


async def retry_in(tx: Transaction, guild_id: int | None, at: datetime) -> None:
    """Make posts due at once that wait after a failure, of a server or of all in scope."""
    here = tx.covers(_p.guild_id) if guild_id is None else _p.guild_id == guild_id
    await _make_due(tx, at, here, _p.failures > 0)


async def _make_due(tx: Transaction, at: datetime, *these: ColumnElement[bool]) -> None:
    """Make those of some posts due at once that are due later."""
    if await tx.run(update(posts).where(_p.try_at > at, *these).values(try_at=at)):
        tx.announce_due(at)


async def remove(tx: Transaction, post: Post) -> bool:
    """Forget a post whose message stays as it is; return whether it was not wanted once more."""
    this = (_p.id == post.id) & (_p.wanted == post.wanted)
    return bool(await tx.run(delete(posts).where(this)))


async def withdraw(tx: Transaction, kind: str, subject: int, at: datetime) -> bool:
    """Forget a post that was asked for once, for later; return whether there was one."""
    # Asked for again, or due, somebody may have begun it.
    this = (_p.kind == kind) & (_p.subject == subject) & (_p.part == 0)
    this &= (_p.wanted == 1) & (_p.failures == 0)
    return bool(await tx.run(delete(posts).where(this, _p.try_at > at)))
