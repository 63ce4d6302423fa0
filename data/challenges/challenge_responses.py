"""Accepting, leaving and declining a challenge. Simultaneous responses see each other."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, delete, func, insert, select, update

from data.challenges.challenge import AlreadyAnswered, Challenge, NotInvited, NotOpen, State
from data.challenges.challenge_tables import challenges, invited
from data.challenges.challenges import NO, close, get_existing
from data.sql.transaction import Transaction


async def accept(tx: Transaction, challenge_id: int, user_id: int, word: str = "") -> Challenge:
    """Add a player, with a word for the throws, to a challenge; return the updated challenge.

    Raises:
        NotInvited: the player is not invited, and no place is free.
        NotOpen: it has been closed or its match has begun.
        AlreadyAnswered: this player has already joined.
        LookupError: no challenge with that number.

    """
    challenge = await _locked(tx, challenge_id)
    mine = challenge.of(user_id)
    if mine is None and challenge.places is None:
        raise NotInvited(challenge)
    if challenge.state is not State.OPEN:
        raise NotOpen(challenge)
    if mine is None:
        await _take_open_place(tx, challenge, user_id)
    elif mine.joined is not None:
        raise AlreadyAnswered(challenge)
    of_challenge = invited.c.challenge_id == challenge_id
    last = select(func.max(invited.c.joined)).where(of_challenge).scalar_subquery()
    return await _answer(tx, challenge_id, user_id, joined=last + 1, word=word)


async def set_word(tx: Transaction, challenge_id: int, user_id: int, word: str) -> Challenge:
    """Change the word of a player who has joined; return the updated challenge.

    Raises:
        NotInvited: the player has not joined.
        NotOpen: it has been closed or its match has begun.
        LookupError: no challenge with that number.

    """
    challenge = await _locked(tx, challenge_id)
    mine = challenge.of(user_id)
    if mine is None or mine.joined is None:
        raise NotInvited(challenge)
    if challenge.state is not State.OPEN:
        raise NotOpen(challenge)
    return await _answer(tx, challenge_id, user_id, word=word)


async def leave(tx: Transaction, challenge_id: int, user_id: int) -> Challenge:
    """Remove a player from a challenge; return the updated challenge.

    A player who was named stays invited; an open place becomes free again.

    Raises:
        NotInvited: the player has not joined, or is the challenger.
        NotOpen: it has been closed or its match has begun.
        LookupError: no challenge with that number.

    """
    challenge = await _locked(tx, challenge_id)
    mine = challenge.of(user_id)
    if mine is None or not mine.joined:
        raise NotInvited(challenge)
    if challenge.state is not State.OPEN:
        raise NotOpen(challenge)
    if mine.named:
        return await _answer(tx, challenge_id, user_id, joined=None, word=None)
    await tx.run(delete(invited).where(_this(challenge_id, user_id)))
    return await get_existing(tx, challenge_id)


async def decline(tx: Transaction, challenge_id: int, user_id: int, at: datetime) -> Challenge:
    """Close a challenge that an invited player declines.

    Raises:
        NotOpen: it is already closed or its match has begun.
        LookupError: no challenge with that number.

    """
    await close(tx, challenge_id, State.DECLINED, at)
    return await _answer(tx, challenge_id, user_id, joined=NO, word=None)


async def _locked(tx: Transaction, challenge_id: int) -> Challenge:
    """Return a challenge and lock it until the end of the transaction.

    Raises:
        LookupError: no challenge with that number.

    """
    this = challenges.c.id == challenge_id
    await tx.row(select(challenges.c.id).where(this).with_for_update())
    return await get_existing(tx, challenge_id)


async def _take_open_place(tx: Transaction, challenge: Challenge, user_id: int) -> None:
    """Give a player an open place, after those of all named players."""
    if challenge.places is None or not challenge.free:
        raise NotInvited(challenge)
    of_challenge = invited.c.challenge_id == challenge.id
    last: int = await tx.scalar(select(func.max(invited.c.place)).where(of_challenge))
    place = max(last + 1, challenge.places)
    values = {"challenge_id": challenge.id, "user_id": user_id, "place": place}
    await tx.run(insert(invited), values)


async def _answer(tx: Transaction, challenge_id: int, user_id: int, **values: Any) -> Challenge:
    await tx.run(update(invited).where(_this(challenge_id, user_id)).values(values))
    return await get_existing(tx, challenge_id)


def _this(challenge_id: int, user_id: int) -> ColumnElement[bool]:
    return (invited.c.challenge_id == challenge_id) & (invited.c.user_id == user_id)
