"""A ladder, its players and their challenges as plain values."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """The terms set when a ladder is opened."""

    guild_id: int
    channel_id: int
    game: str
    created_by: int
    reach: int
    """How many places above their own a player may challenge."""
    answer_days: int
    """Days to answer a challenge."""
    idle_days: int
    """Days without a counted game after which a player slides down."""
    pause_days: int
    """Days before the same two may meet again."""
    days: int
    """Days per move of its matches."""
    game_days: int = 30
    """Days that each player has for all moves of a match together."""
    casual: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Ladder(Terms):
    """A ladder."""

    id: int
    created_at: datetime
    closed_at: datetime | None
    lost_at: datetime | None
    """Since when its channel is gone; the ladder rests until it is opened in another one."""
    next_check_at: datetime | None
    """When its daily check is due."""


@dataclass(frozen=True, slots=True)
class Rung:
    """A player on a ladder."""

    ladder_id: int
    user_id: int
    place: int
    best: int
    """Their best place since joining."""
    joined_at: datetime
    active_at: datetime
    """When their last counted game on this ladder ended, later if some time since doesn't count."""
    slide_at: datetime
    """When to check next whether they are idle."""
    passed_at: datetime | None
    """When they last declined for free."""


@dataclass(frozen=True, slots=True)
class Event:
    """An event that changed a player's place, or could have."""

    id: int
    ladder_id: int
    at: datetime
    kind: str
    user_id: int
    other_id: int | None
    from_place: int | None
    to_place: int | None


@dataclass(frozen=True, slots=True)
class LadderChallenge:
    """A player's challenge to another on a ladder, for their place."""

    id: int
    ladder_id: int
    challenger_id: int
    challenged_id: int
    seed: bytes = field(repr=False)
    """That of its match, secret until it has ended."""
    challenger_word: str
    """What the challenger adds to the throws; empty for nothing."""
    challenged_word: str
    place: int
    """The place at stake, as it was when the challenge was made."""
    created_at: datetime
    called_at: datetime | None
    """When it came up; ``None`` while it is queued behind other challenges for the same place."""
    answer_by: datetime
    """Set anew when it comes up."""
    reminded: bool
    due_at: datetime | None
    """When the challenge next needs attention."""
    match_id: int | None
    outcome: str | None
    """How it ended; ``None`` while it is open."""
    gained_place: int | None
    """The place that the challenger gained."""
    counted: bool
    """Whether its game kept both players from sliding."""
    ended_at: datetime | None

    @property
    def waiting(self) -> bool:
        """Whether it waits for an answer."""
        return self.ended_at is None and self.match_id is None and not self.queued

    @property
    def queued(self) -> bool:
        """Whether it waits for others to be over."""
        return self.ended_at is None and self.called_at is None

    @property
    def playing(self) -> bool:
        """Whether its game is in progress, or its result pending."""
        return self.ended_at is None and self.match_id is not None

    @property
    def drawn_for(self) -> str:
        """What is part of every draw in its match; as in `data.matches.match.Match`."""
        return f"ladder challenge {self.id}"

    @property
    def both(self) -> tuple[int, int]:
        """The challenger and the challenged."""
        return self.challenger_id, self.challenged_id
