"""Challenges: who asked whom to play what, and who has answered."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Final

from sqlalchemy import bindparam, insert, select, update

from data.errors import StoreError
from data.schema import named
from data.tables import challenges, invited

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from sqlalchemy import ColumnElement

    from data.transaction import Record, Transaction


class State(Enum):
    """How far a challenge has come; all but ``OPEN`` are final."""

    OPEN = "open"
    STARTED = "started"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"
    EXPIRED = "expired"

    @property
    def told(self) -> str:
        """What became of it, for a sentence that begins with "it"."""
        return _TOLD[self]


_TOLD = {
    State.OPEN: "it still waits for an answer",
    State.STARTED: "its match has begun",
    State.DECLINED: "it was declined",
    State.WITHDRAWN: "it was withdrawn",
    State.EXPIRED: "it has expired",
}


@dataclass(frozen=True, slots=True)
class Invited:
    """One of those whom a challenge concerns."""

    user_id: int
    joined: int | None
    """The order of joining, the challenger 0; ``None`` for who has not joined."""
    salt: str | None
    named: bool = True
    """Whether the challenge names them; else they took an open place by themselves."""
    declined: bool = False
    """Whether they have said no, which closed the challenge."""


@dataclass(frozen=True, slots=True)
class Challenge:
    """An invitation to play. Its ``repr`` does not show the seed."""

    id: int
    game: str
    options: dict[str, str]
    guild_id: int | None
    channel_id: int
    message_id: int | None
    challenger_id: int
    seed: bytes = field(repr=False)
    seat: int | None
    """The seat that the challenger asked for; ``None`` leaves it to the draw."""
    state: State
    match_id: int | None
    created_at: datetime
    closed_at: datetime | None
    expires_at: datetime | None = None
    """When it closes by itself; ``None`` keeps it open."""
    places: int | None = None
    """How many play in all where some places are open to anyone; ``None`` where all are named."""
    days: int | None = None
    """Days for each move of the match."""
    rematch_of: int | None = None
    """The match whose players play again, each in the next seat."""
    casual: bool = False
    """Whether its match is not to be rated."""
    invited: tuple[Invited, ...] = ()
    """Everybody concerned: the challenger, the others as they were named, then who came along."""

    def expired(self, now: datetime) -> bool:
        """Return whether its time is over, closed or not."""
        return self.expires_at is not None and self.expires_at <= now

    @property
    def complete(self) -> bool:
        """Whether everybody has joined and no place is free."""
        return not self.free and all(one.joined is not None for one in self.invited)

    @property
    def free(self) -> int:
        """How many places are free for anyone."""
        return 0 if self.places is None else max(0, self.places - len(self.invited))

    def of(self, user_id: int) -> Invited | None:
        """Return this person as one whom the challenge concerns, ``None`` for anybody else."""
        return next((one for one in self.invited if one.user_id == user_id), None)


CHANGED: Final = "challenges"
"""The topic that announces a challenge that was made or closed, by its number."""


class ChallengeError(StoreError):
    """A challenge cannot be answered like this; it is kept as it stands."""

    reason = ""

    def __init__(self, challenge: Challenge) -> None:
        super().__init__(self.reason.format(state=challenge.state.told))
        self.challenge = challenge


class NotOpen(ChallengeError):
    """The challenge has been answered or withdrawn, or has expired."""

    reason = "This challenge is no longer open: {state}."


class NotInvited(ChallengeError):
    """The challenge is for others."""

    reason = "This challenge is for somebody else."


class AlreadyAnswered(ChallengeError):
    """This player has accepted the challenge before."""

    reason = "You have accepted this challenge already."


NO = -1
"""What stands in the column ``joined`` for who has declined."""

_BY_ID = challenges.c.id == bindparam("challenge")
_GET = (
    select(
        challenges,
        invited.c.user_id,
        invited.c.joined,
        invited.c.salt,
        invited.c.place.label("at_place"),
    )
    .join(invited, invited.c.challenge_id == challenges.c.id)
    .order_by(challenges.c.id, invited.c.place)
)
_GET_ONE = _GET.where(_BY_ID)
_ADD = insert(challenges).returning(challenges.c.id)
_INVITE = insert(invited)
_SET_MESSAGE = update(challenges).where(_BY_ID).values(message_id=bindparam("message"))
_CLOSE = (
    update(challenges)
    .where(_BY_ID, challenges.c.state == State.OPEN.value)
    .values(state=bindparam("new"), closed_at=bindparam("at", type_=challenges.c.closed_at.type))
)
_START = (
    update(challenges)
    .where(_BY_ID, challenges.c.state == State.OPEN.value)
    .values(state=State.STARTED.value, match_id=bindparam("match"))
)


async def add(
    tx: Transaction,
    *,
    game: str,
    options: Mapping[str, str],
    guild_id: int | None,
    channel_id: int,
    challenger_id: int,
    challenger_salt: str,
    opponents: Sequence[int],
    seed: bytes,
    seat: int | None,
    at: datetime,
    expires_at: datetime | None = None,
    places: int | None = None,
    days: int | None = None,
    rematch_of: int | None = None,
    casual: bool = False,
) -> Challenge:
    """Record a challenge; the challenger has joined it already."""
    values = {
        "game": game,
        "options": dict(options),
        "guild_id": guild_id,
        "channel_id": channel_id,
        "challenger_id": challenger_id,
        "seed": seed,
        "seat": seat,
        "state": State.OPEN.value,
        "created_at": at,
        "expires_at": expires_at,
        "places": places,
        "days": days,
        "rematch_of": rematch_of,
        "casual": casual,
    }
    number: int = await tx.scalar(_ADD, values)
    everybody = [Invited(challenger_id, 0, challenger_salt)]
    everybody += [Invited(user_id, None, None) for user_id in opponents]
    rows = [
        {
            "challenge_id": number,
            "user_id": one.user_id,
            "place": place,
            "joined": one.joined,
            "salt": one.salt,
        }
        for place, one in enumerate(everybody)
    ]
    await tx.run(_INVITE, rows)
    tx.announce(CHANGED, number)
    return await known(tx, number)


async def get(tx: Transaction, challenge_id: int) -> Challenge | None:
    """Return a challenge, ``None`` where there is none of that number."""
    found = _read(await tx.rows(_GET_ONE, {"challenge": challenge_id}))
    return found[0] if found else None


async def of_match(tx: Transaction, match_id: int) -> Challenge | None:
    """Return the challenge that became a match, or ``None`` where none did."""
    found = _read(await tx.rows(_GET.where(challenges.c.match_id == match_id)))
    return found[0] if found else None


async def set_message(tx: Transaction, challenge_id: int, message_id: int) -> None:
    """Record which message in Discord shows the challenge."""
    await tx.run(_SET_MESSAGE, {"challenge": challenge_id, "message": message_id})


async def forget_message(tx: Transaction, challenge_id: int) -> None:
    """Record that nothing is left to be changed in the message of a closed challenge."""
    await tx.run(_SET_MESSAGE, {"challenge": challenge_id, "message": None})


async def close(tx: Transaction, challenge_id: int, state: State, at: datetime) -> Challenge:
    """Close a challenge without a match; return it as it stands then.

    Raises:
        NotOpen: it has been closed before or its match has begun.
        LookupError: no challenge of that number.

    """
    closed = await tx.run(_CLOSE, {"challenge": challenge_id, "new": state.value, "at": at})
    challenge = await known(tx, challenge_id)
    if not closed:
        raise NotOpen(challenge)
    tx.announce(CHANGED, challenge_id)
    return challenge


async def started(tx: Transaction, challenge_id: int, match_id: int) -> None:
    """Record the match that a challenge has become.

    Raises:
        NotOpen: it has been closed or its match has begun before.
        LookupError: no challenge of that number.

    """
    if not await tx.run(_START, {"challenge": challenge_id, "match": match_id}):
        raise NotOpen(await known(tx, challenge_id))


async def open_in(
    tx: Transaction, guild_id: int | None, channel_id: int | None
) -> tuple[Challenge, ...]:
    """Return the open challenges of a server, a channel or, where neither is said, of all."""
    wanted = []
    if guild_id is not None:
        wanted.append(challenges.c.guild_id == guild_id)
    if channel_id is not None:
        wanted.append(challenges.c.channel_id == channel_id)
    return await where(tx, challenges.c.state == State.OPEN.value, *wanted)


async def where(tx: Transaction, *wanted: ColumnElement[bool]) -> tuple[Challenge, ...]:
    """Return the challenges of which all this is true, oldest first. For modules of this package."""
    return _read(await tx.rows(_GET.where(*wanted)))


async def known(tx: Transaction, challenge_id: int) -> Challenge:
    """Return a challenge.

    Raises:
        LookupError: no challenge of that number.

    """
    challenge = await get(tx, challenge_id)
    if challenge is None:
        raise LookupError(f"no challenge {challenge_id}")
    return challenge


def _read(rows: Iterable[Record]) -> tuple[Challenge, ...]:
    found: dict[int, tuple[Record, list[Invited]]] = {}
    for row in rows:
        _, everybody = found.setdefault(row.id, (row, []))
        everybody.append(_invited(row))
    return tuple(
        Challenge(**named(row, challenges) | {"state": State(row.state)}, invited=tuple(everybody))
        for row, everybody in found.values()
    )


def _invited(row: Record) -> Invited:
    declined = row.joined == NO
    return Invited(
        user_id=row.user_id,
        joined=None if declined else row.joined,
        salt=row.salt,
        named=row.places is None or row.at_place < row.places,
        declined=declined,
    )
