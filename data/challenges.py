"""Challenges and their invited players."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from enum import Enum
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import insert, select, update

from data.errors import StoreError
from data.schema import named
from data.tables import challenges, invited

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from sqlalchemy import ColumnElement

    from data.transaction import Record, Transaction


class State(Enum):
    """The state of a challenge; all but ``OPEN`` are final."""

    OPEN = "open"
    STARTED = "started"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"
    EXPIRED = "expired"

    @property
    def in_words(self) -> str:
        """The state as a clause starting with "it"."""
        return _TOLD[self]


_TOLD = {
    State.OPEN: "it still waits for an answer",
    State.STARTED: "its match has begun",
    State.DECLINED: "it was declined",
    State.WITHDRAWN: "it was withdrawn",
    State.EXPIRED: "it has expired",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Invitation:
    """What a challenger asks for."""

    game: str
    options: Mapping[str, str] = field(default_factory=dict)
    """As chosen; the game fills in the rest."""
    guild_id: int | None
    channel_id: int
    challenger_id: int
    opponents: tuple[int, ...] = ()
    """The named opponents; empty lets anyone accept."""
    seat: int | None = None
    """The seat the challenger asks for; ``None`` draws all seats."""
    word: str = ""
    """What the challenger adds to the throws; empty for nothing."""
    places: int | None = None
    """Number of players; places not taken by named players go to the first to accept."""
    days: int | None = None
    """Days per move; ``None`` for a match without a clock."""
    bank: int | None = None
    """Days in the time bank at the start, if there is one; each move adds ``days``."""
    rematch_of: int | None = None
    """The match to play again, with each player in the next seat."""
    casual: bool = False
    """Whether the match is unrated."""
    in_order: bool = False
    """Whether challenger and opponents get the seats in this order; otherwise seats are drawn."""


@dataclass(frozen=True, slots=True)
class Invited:
    """A player of a challenge, the challenger included."""

    user_id: int
    joined: int | None
    """The order of joining, 0 for the challenger; ``None`` if not joined."""
    word: str | None
    """What the player adds to the throws, once joined; empty for nothing."""
    named: bool = True
    """Whether the challenge names the player; otherwise they took an open place."""
    declined: bool = False
    """Whether the player declined, which closed the challenge."""


@dataclass(frozen=True, slots=True)
class Challenge:
    """An invitation to play. Its ``repr`` does not show the seed."""

    id: int
    game: str
    options: dict[str, str]
    guild_id: int | None
    channel_id: int
    message_id: int | None = field(compare=False)
    challenger_id: int
    seed: bytes = field(repr=False)
    seat: int | None
    """The challenger's preferred seat; ``None`` if seats are drawn."""
    state: State
    match_id: int | None
    created_at: datetime
    closed_at: datetime | None
    expires_at: datetime | None = None
    """When it closes by itself, if ever."""
    places: int | None = None
    """The number of players if some places are open to anyone; ``None`` if all are named."""
    days: int | None = None
    """Days per move of the match."""
    bank: int | None = None
    """Days in the time bank at the start of the match, if it has one."""
    rematch_of: int | None = None
    """The match that this is a rematch of; each player moves on one seat."""
    casual: bool = False
    """Whether the match is unrated."""
    in_order: bool = False
    """Whether its players get the seats in their order; otherwise seats are drawn."""
    redraw_at: datetime | None = field(default=None, compare=False)
    """When its message is redrawn, unless whoever changed it does so first."""
    invited: tuple[Invited, ...] = ()
    """The challenger, the named players in order, then those who took open places."""

    def expired(self, now: datetime) -> bool:
        """Return whether it has passed its expiry, closed or not."""
        return self.expires_at is not None and self.expires_at <= now

    @property
    def complete(self) -> bool:
        """Whether all players have joined and no place is free."""
        return not self.free and all(one.joined is not None for one in self.invited)

    @property
    def free(self) -> int:
        """The number of places open to anyone."""
        return 0 if self.places is None else max(0, self.places - len(self.invited))

    def of(self, user_id: int) -> Invited | None:
        """Return a user's place in this challenge, ``None`` if they have none."""
        return next((one for one in self.invited if one.user_id == user_id), None)


CHANGED: Final = "challenges"
"""The topic that announces a challenge, by number, when it is made or closed."""


_ASKED: Final = (
    *("game", "guild_id", "channel_id", "challenger_id", "seat"),
    *("places", "days", "bank", "rematch_of", "casual", "in_order"),
)
"""The columns that are fields of an invitation."""


class ChallengeError(StoreError):
    """The challenge, kept in ``challenge``, does not allow this response."""

    reason = ""

    def __init__(self, challenge: Challenge) -> None:
        super().__init__(self.reason.format(state=challenge.state.in_words))
        self.challenge = challenge


class NotOpen(ChallengeError):
    """The challenge was answered or withdrawn, or has expired."""

    reason = "This challenge is no longer open: {state}."


class NotInvited(ChallengeError):
    """The challenge is for other players."""

    reason = "This challenge is for someone else."


class AlreadyAnswered(ChallengeError):
    """This player has already accepted the challenge."""

    reason = "You have already accepted this challenge."


GRACE: Final = timedelta(minutes=1)
"""How long whoever changes a challenge may take to redraw its message."""

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
    values = {name: getattr(invitation, name) for name in _ASKED} | {
        "options": dict(invitation.options),
        "seed": seed,
        "state": State.OPEN.value,
        "created_at": at,
        "expires_at": expires_at,
    }
    number: int = await tx.scalar(insert(challenges).values(values).returning(challenges.c.id))
    first: dict[str, Any] = {
        "challenge_id": number,
        "user_id": invitation.challenger_id,
        "place": 0,
    }
    others = [
        first | {"user_id": user_id, "place": place, "joined": None, "word": None}
        for place, user_id in enumerate(invitation.opponents, start=1)
    ]
    await tx.run(insert(invited), [first | {"joined": 0, "word": invitation.word}, *others])
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


async def close(tx: Transaction, challenge_id: int, state: State, at: datetime) -> Challenge:
    """Close a challenge without a match; return the updated challenge.

    Raises:
        NotOpen: it is already closed or its match has begun.
        LookupError: no challenge with that number.

    """
    await _end(tx, challenge_id, state=state.value, closed_at=at, redraw_at=at + GRACE)
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
