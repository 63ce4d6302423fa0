"""Messages about ladders and their challenges, to post or edit."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from sqlalchemy import bindparam, delete, exists, func, insert, not_, select, update

from data import due as due_topic
from data.prepared import by_scope
from data.schema import named
from data.scope import within
from data.tables import ladder_challenges, ladder_posts, ladders

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime
    from typing import Any

    from sqlalchemy import Select

    from data.scope import Scope
    from data.transaction import Transaction


@dataclass(frozen=True, slots=True)
class LadderPost:
    """A message about a ladder, or about one of its challenges."""

    id: int
    ladder_id: int
    challenge_id: int | None
    kind: str
    """``ladder``, ``challenge``, ``reminder``, ``outcome`` or ``moved``.

    ``moved`` was one of the first two, in a channel that the ladder has left; it says where the
    ladder continues.
    """
    channel_id: int
    """Where it is, or will be, posted."""
    message_id: int | None
    """``None`` until it is posted."""
    lost: int
    """How often it was deleted and reposted; for ``moved``, how often Discord refused it."""
    wanted: int
    """Counts the changes that it must show."""
    try_at: datetime | None


_c, _o = ladder_challenges.c, ladder_posts.c
_ANSWERED: Final = {"ladder", "challenge"}
"""The kinds of messages with buttons."""
_POST: Final = select(
    *(column for column in _o if column.name != "channel_id"),
    func.coalesce(_o.channel_id, ladders.c.channel_id).label("channel_id"),
).join(ladders, ladders.c.id == _o.ladder_id)


async def request_update(
    tx: Transaction, ladder_id: int, kind: str, at: datetime, *, challenge_id: int | None = None
) -> None:
    """Queue a message for posting, or for an update if it was posted before."""
    about = _o.challenge_id.is_(None) if challenge_id is None else _o.challenge_id == challenge_id
    this = update(ladder_posts).where(_o.ladder_id == ladder_id, _o.kind == kind, about)
    if not await tx.run(this.values(try_at=at, wanted=_o.wanted + 1)):
        values = {
            "ladder_id": ladder_id,
            "challenge_id": challenge_id,
            "kind": kind,
            "try_at": at,
        }
        await tx.run(insert(ladder_posts), values)
    due_topic.announce(tx, at)


async def request_challenge_updates(
    tx: Transaction, challenges: Iterable[int], at: datetime
) -> None:
    """Queue the posts of some challenges for an update, as far as they have one."""
    these = (_o.kind == "challenge", _o.challenge_id.in_(list(challenges)))
    await tx.run(update(ladder_posts).where(*these).values(try_at=at, wanted=_o.wanted + 1))
    due_topic.announce(tx, at)


async def find(
    tx: Transaction, ladder_id: int, kind: str, challenge_id: int | None = None
) -> LadderPost | None:
    """Return a ladder's or challenge's message of a kind, ``None`` if there is none."""
    about = _o.challenge_id.is_(None) if challenge_id is None else _o.challenge_id == challenge_id
    row = await tx.row(_POST.where(_o.ladder_id == ladder_id, _o.kind == kind, about))
    return None if row is None else LadderPost(**named(row, ladder_posts))


async def is_current(tx: Transaction, ladder_id: int, message_id: int) -> bool:
    """Return whether a message is one of a ladder's current messages."""
    this = (_o.ladder_id == ladder_id, _o.message_id == message_id, _o.kind != "moved")
    return bool(await tx.scalar(select(exists().where(*this))))


async def next_post(
    tx: Transaction, after: datetime, *, scope: Scope | None = None
) -> datetime | None:
    """Return when to post or edit the next message after a given time."""
    moment: datetime | None = await tx.scalar(_next_post(scope), {"now": after})
    return moment


async def to_post(
    tx: Transaction, ladder_id: int, now: datetime, *, limit: int, scope: Scope | None = None
) -> tuple[LadderPost, ...]:
    """Return a ladder's messages to post or edit now, if it is in scope, in the order requested."""
    statement = _POST.where(
        _o.ladder_id == ladder_id, _o.try_at <= now, *within(ladders.c.guild_id, scope)
    )
    rows = await tx.rows(statement.order_by(_o.try_at, _o.id).limit(limit))
    return tuple(LadderPost(**named(row, ladder_posts)) for row in rows)


async def due_ladders(
    tx: Transaction, now: datetime, *, scope: Scope | None = None
) -> tuple[int, ...]:
    """Return the ladders with a message to post or edit now, the one waiting longest first."""
    return tuple(number for (number,) in await tx.rows(_due_ladders(scope), {"now": now}))


_NOW: Final = bindparam("now", type_=_o.try_at.type)


@by_scope
def _next_post(scope: Scope | None) -> Select[Any]:
    return _of_servers(select(func.min(_o.try_at)).where(_o.try_at > _NOW), scope)


@by_scope
def _due_ladders(scope: Scope | None) -> Select[Any]:
    statement = select(_o.ladder_id).where(_o.try_at <= _NOW)
    return _of_servers(statement.group_by(_o.ladder_id).order_by(func.min(_o.try_at)), scope)


def _of_servers(posts: Select[Any], scope: Scope | None) -> Select[Any]:
    if scope is None:
        return posts
    return posts.join(ladders, ladders.c.id == _o.ladder_id).where(
        *within(ladders.c.guild_id, scope)
    )


async def mark_posted(
    tx: Transaction, post: LadderPost, message_id: int | None, at: datetime
) -> None:
    """Record that a message is up to date, unless another change has been requested since.

    The transaction has locked the ladder. If the ladder has moved meanwhile, the message becomes
    ``moved``.
    """
    this = update(ladder_posts).where(_o.id == post.id)
    there = await tx.scalar(select(ladders.c.channel_id).where(ladders.c.id == post.ladder_id))
    if there == post.channel_id:
        await tx.run(this.values(message_id=message_id))
        await tx.run(this.where(_o.wanted == post.wanted).values(try_at=None))
    elif post.kind not in _ANSWERED:
        await tx.run(this.where(_o.wanted == post.wanted).values(try_at=None))
    elif message_id is not None:
        await _add_moved(tx, post.ladder_id, post.channel_id, [message_id], at)


async def mark_lost(tx: Transaction, post: LadderPost) -> LadderPost:
    """Record that a message was deleted and needs reposting."""
    this = update(ladder_posts).where(_o.id == post.id)
    await tx.run(this.values(message_id=None, lost=_o.lost + 1))
    return replace(post, message_id=None, lost=post.lost + 1)


async def postpone(tx: Transaction, post: LadderPost, at: datetime) -> None:
    """Schedule another attempt to post a message."""
    this = update(ladder_posts).where(_o.id == post.id, _o.try_at.is_not(None))
    if await tx.run(this.values(try_at=at)):
        due_topic.announce(tx, at)


async def postpone_moved(tx: Transaction, post: LadderPost, at: datetime, *, limit: int) -> None:
    """Retry a ``moved`` message that its channel refuses, up to a maximum number of times."""
    if post.lost + 1 >= limit:
        await forget_post(tx, post)
        return
    await tx.run(update(ladder_posts).where(_o.id == post.id).values(lost=_o.lost + 1))
    await postpone(tx, post, at)


async def forget_post(tx: Transaction, post: LadderPost) -> None:
    """Delete a ``moved`` message that needs no more attention."""
    await tx.run(delete(ladder_posts).where(_o.id == post.id))


async def give_up_posts(tx: Transaction, ladder_id: int) -> None:
    """Post nothing more in a deleted channel, and forget what was posted there."""
    this = update(ladder_posts).where(_o.ladder_id == ladder_id, _o.kind != "moved")
    await tx.run(this.values(message_id=None, try_at=None, lost=_o.lost + 1))


async def move_posts(tx: Transaction, ladder_id: int, channel_id: int, at: datetime) -> None:
    """Leave a channel: messages with buttons there will say where the ladder continues.

    Unannounced outcomes are announced in the next channel.

    Args:
        tx: the transaction, which has locked the ladder.
        ladder_id: the ladder.
        channel_id: the channel it leaves.
        at: the current time.
    """
    waits = exists().where(_c.id == _o.challenge_id, _c.ended_at.is_(None), _c.match_id.is_(None))
    pressed = (_o.kind == "ladder") | ((_o.kind == "challenge") & (waits | _o.try_at.is_not(None)))
    here = select(_o.message_id).where(
        _o.ladder_id == ladder_id, _o.message_id.is_not(None), pressed
    )
    await _add_moved(tx, ladder_id, channel_id, await tx.scalars(here.order_by(_o.id)), at)
    unposted = (_o.kind == "outcome") & _o.message_id.is_(None)
    left = update(ladder_posts).where(_o.ladder_id == ladder_id, _o.kind != "moved", not_(unposted))
    await tx.run(left.values(message_id=None, try_at=None, lost=_o.lost + 1))
    results = update(ladder_posts).where(
        _o.ladder_id == ladder_id, unposted, _o.try_at.is_not(None)
    )
    await tx.run(results.values(try_at=at))


async def _add_moved(
    tx: Transaction, ladder_id: int, channel_id: int, messages: Iterable[int], at: datetime
) -> None:
    rows = [
        {
            "ladder_id": ladder_id,
            "kind": "moved",
            "channel_id": channel_id,
            "message_id": message,
            "try_at": at,
        }
        for message in messages
    ]
    if rows:
        await tx.run(insert(ladder_posts), rows)
    due_topic.announce(tx, at)
