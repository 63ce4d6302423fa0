"""A challenge and its players as read; `data.challenges.challenges` makes and changes them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum

import sqlalchemy as sa

from data.sql.columns import Id, reference, table
from data.sql.errors import StoreError


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
    """Days per move; ``None`` for a match without a clock."""
    bank: int | None = None
    """Days in the time bank at the start, if there is one; each move adds ``days``."""
    rematch_of: int | None = None
    """The match to play again, with each player in the next seat."""
    casual: bool = False
    """Whether the match is unrated."""


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
    def free(self) -> int:
        """The number of places open to anyone."""
        return 0 if self.places is None else max(0, self.places - len(self.invited))

    def of(self, user_id: int) -> Invited | None:
        """Return a user's place in this challenge, ``None`` if they have none."""
        return next((one for one in self.invited if one.user_id == user_id), None)


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
    rows=Challenge,
    without=("invited",),
)

invited = table(
    "invited",
    reference("challenge_id", "challenges.id"),
    sa.Column("user_id", Id, nullable=False),
    sa.Column("place", sa.Integer, nullable=False),
    sa.Column("joined", sa.Integer),
    sa.Column("word", sa.Text),
    sa.UniqueConstraint("challenge_id", "place"),
    sa.UniqueConstraint("challenge_id", "joined"),
    key=("challenge_id", "user_id"),
)
"""The players of a challenge, the challenger first; ``place`` is their order."""
