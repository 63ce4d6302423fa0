"""Queries for challenges: limits, rematches, expiry and outdated messages.

Rate limits count rows, so a restart forgets nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import and_, func, select, update

from data import due
from data.challenge import State
from data.challenges import NO, OPEN, get, matching
from data.prepared import by_scope
from data.scope import within
from data.tables import challenges, invited

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

    from sqlalchemy import ColumnElement, Select

    from data.challenge import Challenge
    from data.scope import Scope
    from data.transaction import Transaction

_c = challenges.c


async def serialize(tx: Transaction, key: int) -> None:
    """Serialise the challenges of a user until the end of the transaction."""
    if tx.dialect == "postgresql":  # SQLite has one writer at a time
        await tx.row(select(func.pg_advisory_xact_lock(key)))


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


async def request_redraw(tx: Transaction, challenge_id: int, at: datetime) -> None:
    """Request that a challenge's message be redrawn at a given time."""
    await tx.run(update(challenges).where(_c.id == challenge_id).values(redraw_at=at))
    due.announce(tx, at)


async def redraw_rated(
    tx: Transaction, guild_id: int, at: datetime, *, user_id: int | None = None
) -> None:
    """Request that a server's open rated challenges, of one player or all, be redrawn now."""
    mine = _c.id.in_(select(invited.c.challenge_id).where(invited.c.user_id == user_id))
    wanted = [
        OPEN,
        _c.guild_id == guild_id,
        _c.casual.is_(False),
        *([] if user_id is None else [mine]),
    ]
    await _request_redraws(tx, at, *wanted)


async def redraw_now(tx: Transaction, at: datetime, *, scope: Scope | None = None) -> None:
    """Request that the messages that wait for whoever changed their challenge be redrawn now."""
    await _request_redraws(tx, at, _c.redraw_at > at, *within(_c.guild_id, scope))


async def _request_redraws(tx: Transaction, at: datetime, *wanted: ColumnElement[bool]) -> None:
    locked = await tx.scalars(select(_c.id).where(*wanted).order_by(_c.id).with_for_update())
    if locked:
        await tx.run(update(challenges).where(_c.id.in_(locked)).values(redraw_at=at))
        due.announce(tx, at)


async def mark_redrawn(tx: Transaction, challenge: Challenge, at: datetime) -> Challenge | None:
    """Record that a message was redrawn.

    If the challenge has changed meanwhile, or another redraw has come due, return it.
    """
    this = _c.id == challenge.id
    await tx.row(select(_c.id).where(this).with_for_update())
    now = await get(tx, challenge.id)
    if now is not None:
        asked = now.redraw_at is not None and now.redraw_at <= at
        if now != challenge or (asked and now.redraw_at != challenge.redraw_at):
            return now
    await tx.run(update(challenges).where(this).values(redraw_at=None))
    return None


async def to_redraw(
    tx: Transaction, now: datetime, *, scope: Scope | None = None
) -> tuple[Challenge, ...]:
    """Return the challenges whose message needs redrawing now."""
    return await matching(tx, _TO_REDRAW, _c.redraw_at <= now, *within(_c.guild_id, scope))


async def next_redraw(tx: Transaction, *, scope: Scope | None = None) -> datetime | None:
    """Return when the next message needs redrawing, if any."""
    moment: datetime | None = await tx.scalar(_next_redraw(scope))
    return moment


_TO_REDRAW: Final = and_(_c.redraw_at.is_not(None), _c.message_id.is_not(None))


@by_scope
def _next_end(scope: Scope | None) -> Select[Any]:
    return select(func.min(_c.expires_at)).where(OPEN, *within(_c.guild_id, scope))


@by_scope
def _next_redraw(scope: Scope | None) -> Select[Any]:
    return select(func.min(_c.redraw_at)).where(_TO_REDRAW, *within(_c.guild_id, scope))
