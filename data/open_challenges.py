"""Queries for open challenges: limits, rematches, expiry and outdated messages.

Rate limits count rows, so a restart forgets nothing.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import and_, bindparam, func, or_, select, text

from data.challenges import NO, State, where
from data.tables import challenges, invited

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

    from sqlalchemy import ColumnElement

    from data.challenges import Challenge
    from data.transaction import Transaction

_OPEN = challenges.c.state == State.OPEN.value
_CLOSED = (State.DECLINED.value, State.WITHDRAWN.value, State.EXPIRED.value)
_REMEMBERED = timedelta(days=60)
"""How long after its expiry a challenge's message is still updated."""
_LOCK = text("SELECT pg_advisory_xact_lock(:key)")
_NEXT = select(func.min(challenges.c.expires_at)).where(_OPEN)
_MADE = (
    select(challenges.c.created_at)
    .where(
        challenges.c.challenger_id == bindparam("user"),
        challenges.c.created_at > bindparam("since", type_=challenges.c.created_at.type),
    )
    .order_by(challenges.c.created_at)
)
_MADE_TO = (
    select(challenges.c.created_at)
    .join(invited, invited.c.challenge_id == challenges.c.id)
    .where(
        challenges.c.challenger_id == bindparam("user"),
        challenges.c.created_at > bindparam("since", type_=challenges.c.created_at.type),
        invited.c.user_id.in_(bindparam("whom", expanding=True)),
    )
    .distinct()
    .order_by(challenges.c.created_at)
)
_DECLINED = (
    select(func.max(challenges.c.closed_at))
    .join(invited, invited.c.challenge_id == challenges.c.id)
    .where(
        challenges.c.state == State.DECLINED.value,
        challenges.c.challenger_id == bindparam("user"),
        challenges.c.game == bindparam("of_game"),
        invited.c.user_id == bindparam("opponent"),
        invited.c.joined == NO,
    )
)


async def serialize(tx: Transaction, key: int) -> None:
    """Serialize the challenges of a user until the end of the transaction."""
    if tx.dialect == "postgresql":  # SQLite has one writer at a time
        await tx.row(_LOCK, {"key": key})


async def made_by(tx: Transaction, challenger_id: int) -> tuple[Challenge, ...]:
    """Return the open challenges that a user has made, oldest first."""
    return await where(tx, _OPEN, challenges.c.challenger_id == challenger_id)


async def between(tx: Transaction, one: int, other: int) -> tuple[Challenge, ...]:
    """Return the open challenges of two users that involve the other one."""
    return await where(tx, _OPEN, or_(_by_concerning(one, other), _by_concerning(other, one)))


async def rematches(tx: Transaction, match_id: int) -> tuple[Challenge, ...]:
    """Return the rematch challenges of a match that are open or accepted, oldest first."""
    wanted = challenges.c.state.in_((State.OPEN.value, State.STARTED.value))
    return await where(tx, wanted, challenges.c.rematch_of == match_id)


async def made_since(tx: Transaction, user_id: int, since: datetime) -> tuple[datetime, ...]:
    """Return when a user made challenges since a moment, open or not, oldest first."""
    return await tx.scalars(_MADE, {"user": user_id, "since": since})


async def made_to(
    tx: Transaction, user_id: int, whom: Collection[int], since: datetime
) -> tuple[datetime, ...]:
    """Return when a user challenged any of the given users since a moment, oldest first."""
    values = {"user": user_id, "since": since, "whom": sorted(whom)}
    return await tx.scalars(_MADE_TO, values)


async def declined_at(
    tx: Transaction, game: str, challenger_id: int, opponent_id: int
) -> datetime | None:
    """Return when a user last declined another's challenge to a game, ``None`` for never."""
    values = {"user": challenger_id, "opponent": opponent_id, "of_game": game}
    moment: datetime | None = await tx.scalar(_DECLINED, values)
    return moment


async def next_end(tx: Transaction) -> datetime | None:
    """Return when the next open challenge expires, if any."""
    moment: datetime | None = await tx.scalar(_NEXT)
    return moment


async def expired(tx: Transaction, now: datetime) -> tuple[Challenge, ...]:
    """Return the challenges that are past their expiry but still open."""
    return await where(tx, _OPEN, challenges.c.expires_at <= now)


async def outdated(tx: Transaction, now: datetime) -> tuple[Challenge, ...]:
    """Return the closed challenges whose message may still look open.

    Once its message is updated it is forgotten, see ``challenges.set_message``.
    """
    return await where(tx, _outdated(now))


async def first_outdated(tx: Transaction, now: datetime) -> datetime | None:
    """Return when the first challenge with an outdated message was closed, if any."""
    first = select(func.min(challenges.c.closed_at)).where(_outdated(now))
    moment: datetime | None = await tx.scalar(first)
    return moment


def _outdated(now: datetime) -> ColumnElement[bool]:
    return and_(
        challenges.c.state.in_(_CLOSED),
        challenges.c.message_id.is_not(None),
        challenges.c.expires_at > now - _REMEMBERED,
    )


def _by_concerning(challenger_id: int, other_id: int) -> ColumnElement[bool]:
    concerned = select(invited.c.challenge_id).where(invited.c.user_id == other_id)
    return and_(challenges.c.challenger_id == challenger_id, challenges.c.id.in_(concerned))
