"""Queries for challenges: limits, rematches and expiry.

Rate limits count rows, so a restart forgets nothing.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Select, func, select

from data.challenges.challenge import Challenge, State, challenges, invited
from data.challenges.challenges import OPEN, matching, show
from data.sql.statements import Scope, by_scope, within
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


async def recent(tx: Transaction, user_id: int, since: datetime) -> tuple[Challenge, ...]:
    """Return a user's challenges made or closed since a given time, oldest first."""
    lately = (_c.created_at > since) | (_c.closed_at > since)
    return await matching(tx, _c.challenger_id == user_id, lately)


async def next_end(tx: Transaction, *, scope: Scope | None = None) -> datetime | None:
    """Return when the next open challenge expires, if any."""
    return await tx.scalar(_next_end(scope))


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
