"""Challenges and their invited players: made, read and closed."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

from sqlalchemy import ColumnElement, delete, func, select, update

from data import posts
from data.challenges.challenge import (
    AlreadyAnswered,
    Challenge,
    Invitation,
    Invited,
    NotInvited,
    NotOpen,
    State,
    challenges,
    invited,
)
from data.sql.columns import named
from data.sql.statements import values_of
from data.sql.transaction import Record, Transaction

CHANGED: Final = "challenges"
"""The topic that announces a challenge, by number, when it is made or closed."""
POST: Final = "challenge"
"""The kind of post that shows a challenge."""
FIRST_MESSAGE: Final = 1
"""The part of the post that is a new message; other posts edit it."""

NO = -1
"""The value of the column ``joined`` for a player who declined."""

_GET = (
    select(
        challenges,
        invited.c.user_id,
        invited.c.joined,
        invited.c.word,
        invited.c.place.label("at_place"),
    )
    .join(invited, invited.c.challenge_id == challenges.c.id)
    .order_by(challenges.c.id, invited.c.place)
)
OPEN = challenges.c.state == State.OPEN.value


async def add(
    tx: Transaction,
    invitation: Invitation,
    *,
    seed: bytes,
    at: datetime,
    expires_at: datetime | None = None,
) -> Challenge:
    """Add a challenge, joined by its challenger."""
    values = values_of(invitation) | {
        "options": dict(invitation.options),
        "seed": seed,
        "state": State.OPEN.value,
        "created_at": at,
        "expires_at": expires_at,
    }
    number = await tx.insert(challenges, values)
    first: dict[str, Any] = {
        "challenge_id": number,
        "user_id": invitation.challenger_id,
        "place": 0,
    }
    others = [
        first | {"user_id": user_id, "place": place, "joined": None, "word": None}
        for place, user_id in enumerate(invitation.opponents, start=1)
    ]
    await tx.add(invited, first | {"joined": 0, "word": invitation.word}, *others)
    tx.announce(CHANGED, number)
    return await get_existing(tx, number)


async def get(tx: Transaction, challenge_id: int) -> Challenge | None:
    """Return a challenge, ``None`` if it does not exist."""
    return next(iter(await matching(tx, challenges.c.id == challenge_id)), None)


async def of_match(tx: Transaction, match_id: int) -> Challenge | None:
    """Return the challenge that led to a match, if any."""
    return next(iter(await matching(tx, challenges.c.match_id == match_id)), None)


async def set_message(tx: Transaction, challenge_id: int, message_id: int) -> None:
    """Set the Discord message of a challenge."""
    this = challenges.c.id == challenge_id
    await tx.run(update(challenges).where(this).values(message_id=message_id))


async def show(
    tx: Transaction, challenge: Challenge, at: datetime, *, not_before: datetime | None = None
) -> None:
    """Have a challenge's message brought up to date, now or later."""
    if challenge.guild_id is not None:  # the bot cannot edit old replies outside servers
        await posts.want(
            tx, POST, challenge.id, at=at, guild_id=challenge.guild_id, not_before=not_before
        )


async def close(tx: Transaction, challenge_id: int, state: State, at: datetime) -> Challenge:
    """Close a challenge without a match; return the updated challenge.

    Raises:
        NotOpen: it is already closed or its match has begun.
        LookupError: no challenge with that number.
    """
    await _end(tx, challenge_id, state=state.value, closed_at=at)
    tx.announce(CHANGED, challenge_id)
    return await get_existing(tx, challenge_id)


async def mark_started(tx: Transaction, challenge_id: int, match_id: int) -> None:
    """Record the match that a challenge led to.

    Raises:
        NotOpen: it is closed or its match has already begun.
        LookupError: no challenge with that number.
    """
    await _end(tx, challenge_id, state=State.STARTED.value, match_id=match_id)


async def _end(tx: Transaction, challenge_id: int, **values: Any) -> None:
    if not await tx.run(
        update(challenges).where(challenges.c.id == challenge_id, OPEN).values(values)
    ):
        raise NotOpen(await get_existing(tx, challenge_id))


async def open_in(tx: Transaction, guild_id: int) -> tuple[Challenge, ...]:
    """Return the open challenges of a server."""
    return await matching(tx, OPEN, challenges.c.guild_id == guild_id)


async def matching(tx: Transaction, *wanted: ColumnElement[bool]) -> tuple[Challenge, ...]:
    """Return the challenges that match all conditions, oldest first. Internal to this package."""
    found: dict[int, tuple[Record, list[Invited]]] = {}
    for row in await tx.rows(_GET.where(*wanted)):
        _, players = found.setdefault(row.id, (row, []))
        players.append(_invited(row))
    return tuple(
        Challenge(**named(row, challenges) | {"state": State(row.state)}, invited=tuple(players))
        for row, players in found.values()
    )


async def get_existing(tx: Transaction, challenge_id: int) -> Challenge:
    """Return a challenge.

    Raises:
        LookupError: no challenge with that number.
    """
    challenge = await get(tx, challenge_id)
    if challenge is None:
        raise LookupError(f"no challenge {challenge_id}")
    return challenge


def _invited(row: Record) -> Invited:
    declined = row.joined == NO
    return Invited(
        user_id=row.user_id,
        joined=None if declined else row.joined,
        word=row.word,
        named=row.places is None or row.at_place < row.places,
        declined=declined,
    )


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
    last = await tx.number(select(func.max(invited.c.place)).where(of_challenge))
    place = max(last + 1, challenge.places)
    values = {"challenge_id": challenge.id, "user_id": user_id, "place": place}
    await tx.add(invited, values)


async def _answer(tx: Transaction, challenge_id: int, user_id: int, **values: Any) -> Challenge:
    await tx.run(update(invited).where(_this(challenge_id, user_id)).values(values))
    return await get_existing(tx, challenge_id)


def _this(challenge_id: int, user_id: int) -> ColumnElement[bool]:
    return (invited.c.challenge_id == challenge_id) & (invited.c.user_id == user_id)
