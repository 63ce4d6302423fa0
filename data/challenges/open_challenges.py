"""Queries for challenges: limits, rematches and expiry.

Rate limits count rows, so a restart forgets nothing.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Any

from sqlalchemy import Select, func, select

from data.challenges.challenge import Challenge, State, challenges, invited
from data.challenges.challenges import NO, OPEN, matching, show
from data.sql.scope import Scope, within
from data.sql.statements import by_scope
from data.sql.transaction import Transaction

_c = challenges.c


async def made_by(tx: Transaction, challenger_id: int) -> tuple[Challenge, ...]:
    """Return a user's own open challenges, oldest first."""
    return await matching(tx, OPEN, _c.challenger_id == challenger_id)


async def between(tx: Transaction, one: int, other: int) -> tuple[Challenge, ...]:
    """Return the open challenges that two users are in, as challengers, invited or joined."""
    both = [
        _c.id.in_(select(invited.c.challenge_id).where(invited.c.user_id == user))
        for user in (one, other)
    ]
    return await matching(tx, OPEN, *both)


async def rematches(tx: Transaction, match_id: int) -> tuple[Challenge, ...]:
    """Return the rematch challenges of a match that are open or accepted, oldest first."""
    wanted = _c.state.in_((State.OPEN.value, State.STARTED.value))
    return await matching(tx, wanted, _c.rematch_of == match_id)


async def made_since(tx: Transaction, user_id: int, since: datetime) -> tuple[datetime, ...]:
    """Return when a user made challenges since a given time, open or not, oldest first.

    Without those that began at once and never expire: against computers, in tournaments, on ladders.
    """
    statement = select(_c.created_at).where(_c.challenger_id == user_id, _c.created_at > since)
    statement = statement.where(_c.expires_at.is_not(None))
    return await tx.scalars(statement.order_by(_c.created_at))


async def made_to(
    tx: Transaction, user_id: int, opponent_ids: Collection[int], since: datetime
) -> tuple[datetime, ...]:
    """Return when a user challenged any of the given users since a given time, oldest first."""
    asked = select(invited.c.challenge_id).where(invited.c.user_id.in_(opponent_ids))
    statement = select(_c.created_at).where(_c.challenger_id == user_id, _c.created_at > since)
    return await tx.scalars(statement.where(_c.id.in_(asked)).order_by(_c.created_at))


async def unsuccessful(
    tx: Transaction, user_id: int, opponent_id: int, since: datetime
) -> tuple[datetime, ...]:
    """Return when a user challenged another since a given time without a match, oldest first."""
    asked = select(invited.c.challenge_id).where(invited.c.user_id == opponent_id)
    statement = select(_c.created_at).where(_c.challenger_id == user_id, _c.created_at > since)
    vain = statement.where(_c.id.in_(asked), _c.state != State.STARTED.value)
    return await tx.scalars(vain.order_by(_c.created_at))


async def declined_at(
    tx: Transaction, game: str, challenger_id: int, opponent_id: int
) -> datetime | None:
    """Return when a user last declined another's challenge to a game, ``None`` for never."""
    statement = (
        select(func.max(_c.closed_at))
        .join(invited, invited.c.challenge_id == _c.id)
        .where(
            _c.state == State.DECLINED.value,
            _c.challenger_id == challenger_id,
            _c.game == game,
            invited.c.user_id == opponent_id,
            invited.c.joined == NO,
        )
    )
    moment: datetime | None = await tx.scalar(statement)
    return moment


async def all_unsuccessful(
    tx: Transaction, user_id: int, since: datetime
) -> tuple[tuple[int, int, datetime], ...]:
    """Return the opponents a user challenged without a match, each with number and latest time."""
    statement = (
        select(invited.c.user_id, func.count(), func.max(_c.created_at))
        .join(invited, invited.c.challenge_id == _c.id)
        .where(_c.challenger_id == user_id, invited.c.user_id != user_id)
        .where(_c.created_at > since, _c.state != State.STARTED.value)
        .group_by(invited.c.user_id)
    )
    return tuple((one, number, last) for one, number, last in await tx.rows(statement))


async def all_declined(
    tx: Transaction, challenger_id: int, since: datetime
) -> tuple[tuple[str, int, datetime], ...]:
    """Return the declined challenges of a user by game and opponent, each with the latest time."""
    statement = (
        select(_c.game, invited.c.user_id, func.max(_c.closed_at))
        .join(invited, invited.c.challenge_id == _c.id)
        .where(_c.challenger_id == challenger_id, _c.closed_at > since)
        .where(_c.state == State.DECLINED.value, invited.c.joined == NO)
        .group_by(_c.game, invited.c.user_id)
    )
    return tuple((game, one, last) for game, one, last in await tx.rows(statement))


async def next_end(tx: Transaction, *, scope: Scope | None = None) -> datetime | None:
    """Return when the next open challenge expires, if any."""
    moment: datetime | None = await tx.scalar(_next_end(scope))
    return moment


async def expired(
    tx: Transaction, now: datetime, *, scope: Scope | None = None
) -> tuple[Challenge, ...]:
    """Return the open challenges that have passed their expiry."""
    return await matching(tx, OPEN, _c.expires_at <= now, *within(_c.guild_id, scope))


async def redraw_rated(
    tx: Transaction, guild_id: int, at: datetime, *, user_id: int | None = None
) -> None:
    """Have the messages of a server's open rated challenges redrawn, of one player or all."""
    mine = _c.id.in_(select(invited.c.challenge_id).where(invited.c.user_id == user_id))
    wanted = [
        OPEN,
        _c.guild_id == guild_id,
        _c.casual.is_(False),
        *([] if user_id is None else [mine]),
    ]
    for one in await matching(tx, *wanted):
        await show(tx, one, at)


@by_scope
def _next_end(scope: Scope | None) -> Select[Any]:
    return select(func.min(_c.expires_at)).where(OPEN, *within(_c.guild_id, scope))
