"""Challenges and their invited players: made, found, answered and closed.

Callers lock a challenge before they answer it, and decide who may. Rate limits count rows, so a
restart forgets nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import Enum
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import ColumnElement, delete, func, select, update

from data import posts, time_per_move
from data.sql.columns import Id, row_values, table
from data.sql.statements import Prepared, values_of
from data.sql.transaction import Record, Transaction


class State(Enum):
    """The state of a challenge; all but ``OPEN`` are final."""

    OPEN = "open"
    STARTED = "started"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"
    EXPIRED = "expired"


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What a challenger asks for."""

    game: str
    options: Mapping[str, str] = field(default_factory=dict)
    """As chosen; the game fills in the rest."""
    guild_id: int | None
    channel_id: int
    challenger_id: int
    seat: int | None = None
    """The seat the challenger asks for; ``None`` draws all seats."""
    places: int | None = None
    """Number of players, ``None`` if all are named; places not taken by named players go to the first to accept."""
    days: int | None = None
    """See `data.time_per_move`, as for ``hours``; ``None`` for a match without a clock."""
    hours: int | None = None
    bank: int | None = None
    """Days in the time bank at the start, if there is one; each move adds ``per_move``."""
    rematch_of: int | None = None
    """The match to play again, with each player in the next seat."""
    unrated: bool = False
    """Whether the match is unrated."""

    @property
    def per_move(self) -> timedelta | None:
        """The time per move; ``None`` for a match without a clock."""
        return None if self.days is None else time_per_move.of(self.days, self.hours)


@dataclass(frozen=True, slots=True, kw_only=True)
class Invitation(Terms):
    """An invitation before it is a challenge."""

    opponents: tuple[int, ...] = ()
    """The named opponents; empty lets anyone accept."""
    word: str = ""
    """What the challenger adds to the throws; empty for nothing."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Challenge(Terms):
    """A challenge. Its ``repr`` does not show the seed."""

    id: int
    message_id: int | None = field(compare=False)
    seed: bytes = field(repr=False)
    state: State
    match_id: int | None
    created_at: datetime
    closed_at: datetime | None
    expires_at: datetime | None = None
    """When it closes by itself, if ever."""
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
    def size(self) -> int:
        """The number of players of its match."""
        return self.places or len(self.invited)

    @property
    def free(self) -> int:
        """The number of places open to anyone."""
        return 0 if self.places is None else max(0, self.places - len(self.invited))

    def of(self, user_id: int) -> Invited | None:
        """Return a user's place in this challenge, ``None`` if they have none."""
        return next((one for one in self.invited if one.user_id == user_id), None)


challenges = table(
    "challenges",
    sa.Column("match_id", Id, sa.ForeignKey("matches.id")),
    sa.Column("rematch_of", Id),
    sa.CheckConstraint(
        "state IN ('open', 'started', 'declined', 'withdrawn', 'expired')", name="state"
    ),
    sa.Index("ix_challenges_state_channel_id", "state", "channel_id"),
    sa.Index("ix_challenges_challenger_id", "challenger_id"),
    sa.Index("ix_challenges_match_id", "match_id"),
    sa.Index("ix_challenges_state_guild_id", "state", "guild_id"),
    sa.Index("ix_challenges_state_expires_at", "state", "expires_at"),
    sa.Column("hours", sa.Integer),  # added later, so the last one
    rows=Challenge,
    without=("invited", "hours"),
)

invited = table(
    "invited",
    sa.UniqueConstraint("challenge_id", "place"),
    sa.UniqueConstraint("challenge_id", "joined"),
    rows={
        "challenge_id": "challenges.id",
        "user_id": int,
        "place": int,
        "joined": int | None,
        "word": str | None,
    },
    key=("challenge_id", "user_id"),
)
"""The players of a challenge, the challenger first; ``place`` is their order."""


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


async def lock(tx: Transaction, challenge_id: int) -> Challenge | None:
    """Return an open challenge, locked until the end of the transaction; ``None`` if it is over."""
    return next(iter(await lock_open(tx, challenges.c.id == challenge_id)), None)


async def lock_open(tx: Transaction, *wanted: ColumnElement[bool]) -> tuple[Challenge, ...]:
    """Lock the open challenges that match all conditions, and return them, oldest first."""
    number = challenges.c.id
    these = select(number).where(OPEN, *wanted).order_by(number).with_for_update()
    return await matching(tx, number.in_(await tx.scalars(these)))


async def of_match(tx: Transaction, match_id: int) -> Challenge | None:
    """Return the challenge that led to a match, if any."""
    return next(iter(await matching(tx, challenges.c.match_id == match_id)), None)


async def set_message(tx: Transaction, challenge_id: int, message_id: int) -> None:
    """Set the Discord message of a challenge."""
    await _change(tx, challenge_id, message_id=message_id)


async def show(
    tx: Transaction, challenge: Challenge, at: datetime, *, not_before: datetime | None = None
) -> None:
    """Have a challenge's message brought up to date, now or later."""
    if challenge.guild_id is not None:  # the bot cannot edit old replies outside servers
        await posts.want(
            tx, POST, challenge.id, at=at, guild_id=challenge.guild_id, not_before=not_before
        )


async def close(tx: Transaction, challenge_id: int, state: State, at: datetime) -> Challenge:
    """Close an open challenge, which the transaction has locked, without a match."""
    tx.announce(CHANGED, challenge_id)
    return await _change(tx, challenge_id, state=state.value, closed_at=at)


async def mark_started(tx: Transaction, challenge_id: int, match_id: int) -> Challenge:
    """Record the match that an open challenge, which the transaction has locked, has led to."""
    return await _change(tx, challenge_id, state=State.STARTED.value, match_id=match_id)


async def _change(tx: Transaction, challenge_id: int, **values: Any) -> Challenge:
    this = update(challenges).where(challenges.c.id == challenge_id)
    await tx.run(this.values(values))
    return await get_existing(tx, challenge_id)


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
        Challenge(
            **row_values(row, challenges) | {"state": State(row.state)}, invited=tuple(players)
        )
        for row, players in found.values()
    )


async def get_existing(tx: Transaction, challenge_id: int) -> Challenge:
    """Return a challenge that is known to exist: none is ever removed."""
    challenge = await get(tx, challenge_id)
    assert challenge is not None, "a challenge is never removed"
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


async def join(tx: Transaction, challenge: Challenge, user_id: int, word: str = "") -> Challenge:
    """Let a player who is named, or takes a free place, join with a word for the throws."""
    of_challenge = invited.c.challenge_id == challenge.id
    if challenge.of(user_id) is None:  # after all named players
        last = await tx.number(select(func.max(invited.c.place)).where(of_challenge))
        place = max(last + 1, challenge.places or 0)
        await tx.add(invited, {"challenge_id": challenge.id, "user_id": user_id, "place": place})
    joined = select(func.max(invited.c.joined)).where(of_challenge).scalar_subquery()
    return await answer(tx, challenge.id, user_id, joined=joined + 1, word=word)


async def leave(tx: Transaction, challenge: Challenge, user_id: int) -> Challenge:
    """Take back that a player joined: a named one stays invited, an open place becomes free."""
    mine = challenge.of(user_id)
    if mine is None or mine.named:
        return await answer(tx, challenge.id, user_id, joined=None, word=None)
    await tx.run(delete(invited).where(*_this(challenge.id, user_id)))
    return await get_existing(tx, challenge.id)


async def decline(tx: Transaction, challenge_id: int, user_id: int, at: datetime) -> Challenge:
    """Close a challenge that an invited player declines."""
    await close(tx, challenge_id, State.DECLINED, at)
    return await answer(tx, challenge_id, user_id, joined=NO, word=None)


async def answer(tx: Transaction, challenge_id: int, user_id: int, **values: Any) -> Challenge:
    """Change the answer of an invited player: their ``word``, and whether they have ``joined``."""
    await tx.run(update(invited).where(*_this(challenge_id, user_id)).values(values))
    return await get_existing(tx, challenge_id)


def _this(challenge_id: int, user_id: int) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return invited.c.challenge_id == challenge_id, invited.c.user_id == user_id


async def made_by(tx: Transaction, challenger_id: int) -> tuple[Challenge, ...]:
    """Return a user's own open challenges, oldest first."""
    return await matching(tx, OPEN, challenges.c.challenger_id == challenger_id)


async def lock_with(tx: Transaction, *users: int) -> tuple[Challenge, ...]:
    """Lock the open challenges that all these users are in, invited or joined, and return them.

    They may have left one while this waited for the lock.
    """
    return await lock_open(tx, *(_with(user) for user in users))


async def rematches(tx: Transaction, match_id: int) -> tuple[Challenge, ...]:
    """Return the rematch challenges of a match that are open or accepted, oldest first."""
    wanted = challenges.c.state.in_((State.OPEN.value, State.STARTED.value))
    return await matching(tx, wanted, challenges.c.rematch_of == match_id)


def asks_again(match_id: Any, channel_id: Any) -> ColumnElement[bool]:
    """Return whether a challenge is an open one to a rematch, in the channel of its match.

    Channel and state are what an index finds it by.
    """
    again = challenges.c.rematch_of == match_id
    return sa.and_(OPEN, challenges.c.channel_id == channel_id, again)


async def open_rematch(tx: Transaction, match_id: int, channel_id: int) -> Challenge | None:
    """Return the open challenge to a rematch of a match in its channel, if any."""
    return next(iter(await matching(tx, asks_again(match_id, channel_id))), None)


async def recent(tx: Transaction, user_id: int, since: datetime) -> tuple[Challenge, ...]:
    """Return a user's challenges made or closed since a given time, oldest first."""
    lately = (challenges.c.created_at > since) | (challenges.c.closed_at > since)
    return await matching(tx, challenges.c.challenger_id == user_id, lately)


_NEXT_END = Prepared(select(func.min(challenges.c.expires_at)).where(OPEN), challenges.c.guild_id)


async def next_end(tx: Transaction) -> datetime | None:
    """Return when the next open challenge expires, if any."""
    return await tx.scalar(_NEXT_END)


async def lock_expired(tx: Transaction, now: datetime) -> tuple[Challenge, ...]:
    """Lock the open challenges that have passed their expiry, and return them."""
    return await lock_open(tx, challenges.c.expires_at <= now, tx.covers(challenges.c.guild_id))


async def redraw_rated(
    tx: Transaction, guild_id: int, at: datetime, *, user_id: int | None = None
) -> None:
    """Have the messages of a server's open rated challenges redrawn, of one player or all."""
    wanted = [OPEN, challenges.c.guild_id == guild_id, challenges.c.unrated.is_(False)]
    if user_id is not None:
        wanted.append(_with(user_id))
    for one in await matching(tx, *wanted):
        await show(tx, one, at)


def _with(user_id: int) -> ColumnElement[bool]:
    return challenges.c.id.in_(select(invited.c.challenge_id).where(invited.c.user_id == user_id))
