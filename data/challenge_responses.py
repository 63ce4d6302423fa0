"""Accepting, leaving and declining a challenge. Simultaneous responses see each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import bindparam, delete, func, insert, select, update

from data.challenges import NO, AlreadyAnswered, NotInvited, NotOpen, State, close, known
from data.tables import challenges, invited

if TYPE_CHECKING:
    from datetime import datetime

    from data.challenges import Challenge
    from data.transaction import Transaction

_OF_CHALLENGE = invited.c.challenge_id == bindparam("challenge")
_THIS = _OF_CHALLENGE & (invited.c.user_id == bindparam("user"))
_LOCK = select(challenges.c.id).where(challenges.c.id == bindparam("challenge")).with_for_update()
_LAST_PLACE = select(func.max(invited.c.place)).where(_OF_CHALLENGE)
_COME = insert(invited)
_NEXT = select(func.max(invited.c.joined) + 1).where(_OF_CHALLENGE).scalar_subquery()
_JOIN = update(invited).where(_THIS).values(joined=_NEXT, salt=bindparam("with_salt"))
_UNJOIN = update(invited).where(_THIS).values(joined=bindparam("answer"), salt=None)
_REMOVE = delete(invited).where(_THIS)


async def accept(tx: Transaction, challenge_id: int, user_id: int, salt: str) -> Challenge:
    """Add a player to a challenge; return the updated challenge.

    Raises:
        NotInvited: the player is not invited, and no place is free.
        NotOpen: it has been closed or its match has begun.
        AlreadyAnswered: this player has joined before.
        LookupError: no challenge of that number.

    """
    challenge = await locked(tx, challenge_id)
    mine = challenge.of(user_id)
    if mine is None and challenge.places is None:
        raise NotInvited(challenge)
    if challenge.state is not State.OPEN:
        raise NotOpen(challenge)
    if mine is None:
        await _come(tx, challenge, user_id)
    elif mine.joined is not None:
        raise AlreadyAnswered(challenge)
    await tx.run(_JOIN, {"challenge": challenge_id, "user": user_id, "with_salt": salt})
    return await known(tx, challenge_id)


async def leave(tx: Transaction, challenge_id: int, user_id: int) -> Challenge:
    """Remove a player from a challenge; return the updated challenge.

    A player who was named stays invited; an open place becomes free again.

    Raises:
        NotInvited: the player has not joined, or is the challenger.
        NotOpen: it has been closed or its match has begun.
        LookupError: no challenge of that number.

    """
    challenge = await locked(tx, challenge_id)
    mine = challenge.of(user_id)
    if mine is None or not mine.joined:
        raise NotInvited(challenge)
    if challenge.state is not State.OPEN:
        raise NotOpen(challenge)
    values = {"challenge": challenge_id, "user": user_id}
    if mine.named:
        await tx.run(_UNJOIN, {**values, "answer": None})
    else:
        await tx.run(_REMOVE, values)
    return await known(tx, challenge_id)


async def decline(tx: Transaction, challenge_id: int, user_id: int, at: datetime) -> Challenge:
    """Close a challenge that an invited player declines.

    Raises:
        NotOpen: it has been closed before or its match has begun.
        LookupError: no challenge of that number.

    """
    await close(tx, challenge_id, State.DECLINED, at)
    await tx.run(_UNJOIN, {"challenge": challenge_id, "user": user_id, "answer": NO})
    return await known(tx, challenge_id)


async def locked(tx: Transaction, challenge_id: int) -> Challenge:
    """Return a challenge and lock it until the end of the transaction.

    Raises:
        LookupError: no challenge of that number.

    """
    await tx.row(_LOCK, {"challenge": challenge_id})
    return await known(tx, challenge_id)


async def _come(tx: Transaction, challenge: Challenge, user_id: int) -> None:
    """Give an open place to a player, after those of all named players."""
    if challenge.places is None or not challenge.free:
        raise NotInvited(challenge)
    last: int = await tx.scalar(_LAST_PLACE, {"challenge": challenge.id})
    place = max(last + 1, challenge.places)
    values = {"challenge_id": challenge.id, "user_id": user_id, "place": place}
    await tx.run(_COME, values)
