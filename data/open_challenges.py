"""Which challenges are open: those to be listed, those that stand in the way, those to be closed.

How many there are is what keeps anyone from flooding others; rows are counted, so a restart
forgets nothing.
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
"""So long after a challenge would have expired its message is still put right."""
_ALONE = text("SELECT pg_advisory_xact_lock(:user)")
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


async def alone(tx: Transaction, user_id: int) -> None:
    """Make those challenges of one person that come at once come one after the other."""
    if tx.dialect == "postgresql":  # SQLite has one writer at a time
        await tx.row(_ALONE, {"user": user_id})


async def by(tx: Transaction, challenger_id: int) -> tuple[Challenge, ...]:
    """Return the open challenges that somebody has made, oldest first."""
    return await where(tx, _OPEN, challenges.c.challenger_id == challenger_id)


async def between(tx: Transaction, one: int, other: int) -> tuple[Challenge, ...]:
    """Return the open challenges of each of two people that concern the other."""
    return await where(tx, _OPEN, or_(_by_concerning(one, other), _by_concerning(other, one)))


async def rematches(tx: Transaction, match_id: int) -> tuple[Challenge, ...]:
    """Return the challenges to play a match again that are open or were accepted, oldest first."""
    wanted = challenges.c.state.in_((State.OPEN.value, State.STARTED.value))
    return await where(tx, wanted, challenges.c.rematch_of == match_id)


async def made_since(tx: Transaction, user_id: int, since: datetime) -> tuple[datetime, ...]:
    """Return when somebody made challenges since a moment, open or not, oldest first."""
    return await tx.scalars(_MADE, {"user": user_id, "since": since})


async def made_to(
    tx: Transaction, user_id: int, whom: Collection[int], since: datetime
) -> tuple[datetime, ...]:
    """Return when somebody made challenges to any of some others since a moment, oldest first."""
    values = {"user": user_id, "since": since, "whom": sorted(whom)}
    return await tx.scalars(_MADE_TO, values)


async def declined_at(
    tx: Transaction, game: str, challenger_id: int, opponent_id: int
) -> datetime | None:
    """Return when one last declined the other's challenge to a game, ``None`` for never."""
    values = {"user": challenger_id, "opponent": opponent_id, "of_game": game}
    moment: datetime | None = await tx.scalar(_DECLINED, values)
    return moment


async def next_end(tx: Transaction) -> datetime | None:
    """Return when the next open challenge expires, ``None`` where none does."""
    moment: datetime | None = await tx.scalar(_NEXT)
    return moment


async def expired(tx: Transaction, now: datetime) -> tuple[Challenge, ...]:
    """Return the challenges whose time is over but that are open still."""
    return await where(tx, _OPEN, challenges.c.expires_at <= now)


async def untold(tx: Transaction, now: datetime) -> tuple[Challenge, ...]:
    """Return the closed challenges whose message may still look open.

    A message that has been put right is forgotten: see ``challenges.forget_message``.
    """
    return await where(tx, _untold(now))


async def first_untold(tx: Transaction, now: datetime) -> datetime | None:
    """Return when the first of those that `untold` finds was closed, ``None`` without any."""
    first = select(func.min(challenges.c.closed_at)).where(_untold(now))
    moment: datetime | None = await tx.scalar(first)
    return moment


def _untold(now: datetime) -> ColumnElement[bool]:
    return and_(
        challenges.c.state.in_(_CLOSED),
        challenges.c.message_id.is_not(None),
        challenges.c.expires_at > now - _REMEMBERED,
    )


def _by_concerning(challenger_id: int, other_id: int) -> ColumnElement[bool]:
    concerned = select(invited.c.challenge_id).where(invited.c.user_id == other_id)
    return and_(challenges.c.challenger_id == challenger_id, challenges.c.id.in_(concerned))
