"""Matches as read, with players and clock. `data.matches.matches` changes them."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

import sqlalchemy as sa

from data import time_per_move
from data.sql.columns import Id, partial_index, reference, table
from data.sql.errors import StoreError


@dataclass(frozen=True, slots=True)
class MatchClock:
    """The time of the player to move in a match."""

    match_id: int
    user_id: int
    ply: int
    """The length of the log at this turn."""
    since: datetime
    """When the turn began."""
    remind_at: datetime | None
    """When a reminder is due; ``None`` once it was sent."""
    due_at: datetime | None
    """The deadline; ``None`` while the clock is paused."""
    left: int | None = None
    """The seconds left while the clock is paused."""
    lapsed_at: datetime | None = None
    """When the deadline was found to have passed."""
    muted: bool = False
    """Whether the player has muted reminders for this turn."""
    next_at: datetime | None = None
    """The next event: a reminder, the deadline, or the end of a pause."""

    @property
    def is_paused(self) -> bool:
        """Whether the clock is paused, until ``next_at``."""
        return self.left is not None


clocks = table(
    "clocks",
    reference("match_id", "matches.id"),
    sa.Index("ix_clocks_next_at", "next_at"),
    sa.Index("ix_clocks_user_id", "user_id"),
    rows=MatchClock,
    key=("match_id",),
)

CHANNEL: Final = "channel"
"""The kind of channel of a match that is played where it was arranged."""
THREAD: Final = "thread"
"""The kind of channel of a match that has its own thread."""


@dataclass(frozen=True, slots=True)
class Player:
    """A player of a match."""

    seat: int
    user_id: int
    word: str = ""
    """What the player added to the throws; empty for nothing."""
    rank: int | None = None
    """1 is best, equal ranks are a tie; ``None`` until the match has a result."""
    gave_up: int | None = None
    """1 for the first player to give up a seat of an ongoing match; ``None`` if still playing.

    A computer plays a seat that was given up.
    """
    gave_up_ply: int | None = None
    """The length of the log at that moment."""
    gave_up_how: str | None = None
    """One of resigned, forfeited, left."""
    draw_order: int = 0
    """The player's position, from 0, among the words that enter a draw."""
    bank_left: int | None = None
    """The seconds left of the player's time bank or ``game_days`` while others are to move.

    ``None`` if none is used.
    """


players = table(
    "players",
    reference("match_id", "matches.id"),
    sa.Column("place", sa.Integer, nullable=False, server_default="0", key="draw_order"),
    sa.Column("guild_id", Id),
    sa.Column("result_id", Id),
    sa.Column("moves", sa.Integer),
    sa.Column("seconds", Id),
    sa.UniqueConstraint("match_id", "user_id"),
    sa.Index("ix_players_user_id", "user_id", "match_id"),
    sa.Index("ix_players_result_id", "user_id", "result_id"),
    sa.Index("ix_players_guild_id", "user_id", "guild_id", "result_id"),
    rows=Player,
    key=("match_id", "seat"),
)
"""Columns without a field are set with the result: its number and server, the turns that the player
had, and how many seconds they took."""


@dataclass(frozen=True, slots=True)
class Match:
    """A match. Its ``repr`` does not show the seed."""

    id: int
    game: str
    rules_version: int
    options: dict[str, str]
    guild_id: int | None
    """``None`` in direct messages."""
    channel_id: int
    seed: bytes = field(repr=False)
    commitment: str
    created_at: datetime
    finished_at: datetime | None = None
    reason: str | None = None
    """Why it ended, in brief."""
    plies: int = 0
    """The length of its log."""
    days: int | None = None
    """See `data.time_per_move`, as for ``hours``; ``None`` for a match without a clock."""
    channel_kind: str | None = None
    """What ``channel_id`` is, such as `THREAD`; ``None`` until the first board."""
    parent_id: int | None = None
    """The parent channel of the match's thread."""
    takebacks: int = 0
    """The number of moves taken back; the log may have held other entries at the same ply."""
    ending: str | None = None
    """What ended it if not the rules, such as a resignation; one word."""
    ended_by: int | None = None
    """The user who ended it this way."""
    unrated: bool = False
    """Whether it is unrated."""
    hints: int = 0
    """The number of hints taken."""
    eased: bool = False
    """Whether a computer has played below its level, so that the match counts for nothing."""
    given_up: int = 0
    """The number of seats given up."""
    restored: int = 0
    """Added to its version when the database was restored from a backup."""
    challenge_id: int = 0
    """The challenge it began with, whose number is part of each draw."""
    drawn_for: str | None = None
    """What is part of every draw in place of the challenge's number."""
    to_move: int | None = None
    """The seat to decide after the last entry of the log; of no meaning once the match is over."""
    bank: int | None = None
    """Days in each player's time bank at the start, to which each move adds ``per_move``.

    ``None`` without a time bank.
    """
    game_days: int | None = None
    """Days each player has for all moves together, besides ``per_move``; ``None``: no limit."""
    hours: int | None = None
    players: tuple[Player, ...] = ()
    """By seat."""
    clock: MatchClock | None = None
    """The time of the player to move, if a clock runs."""

    @property
    def per_move(self) -> timedelta | None:
        """The time per move; ``None`` for a match without a clock."""
        return None if self.days is None else time_per_move.of(self.days, self.hours)

    @property
    def finished(self) -> bool:
        """Whether it has ended."""
        return self.finished_at is not None

    @property
    def competition(self) -> bool:
        """Whether it is a game of a tournament or a ladder."""
        return self.drawn_for is not None

    @property
    def draw(self) -> str:
        """What is part of every draw, fixed before the match: usually the challenge's number."""
        return self.drawn_for or str(self.challenge_id)

    @property
    def version(self) -> int:
        """A number for this state of the log, which only grows.

        It equals the length of the log until a move is taken back, which removes an entry but still
        adds one to the version. A restored match starts far above any version it may have had.
        """
        return self.plies + self.passed

    @property
    def passed(self) -> int:
        """Versions it has had beyond the entries of its log."""
        return 2 * self.takebacks + self.restored


matches = table(
    "matches",
    sa.Column("place", sa.Text, key="channel_kind"),
    sa.CheckConstraint("plies >= 0", name="plies"),
    sa.Index("ix_matches_channel_id", "channel_id"),
    sa.Index("ix_matches_guild_id_finished_at", "guild_id", "finished_at"),
    sa.Index("ix_matches_finished_at", "finished_at"),
    rows=Match,
    without=("players", "clock"),
)


class MatchError(StoreError):
    """The match, kept in ``match``, does not allow this change."""

    reason = ""

    def __init__(self, match: Match) -> None:
        super().__init__(self.reason)
        self.match = match


class StalePly(MatchError):
    """Another move came first: the log has changed."""

    reason = "Another move came first. The board has changed since."


class Finished(MatchError):
    """The match has ended."""

    reason = "This match is over."


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of a log: a move or a throw."""

    ply: int
    """Counted from 1."""
    actor: int | None
    """The seat that moved, ``None`` for chance."""
    notation: str
    made_at: datetime
    fingerprint: int | None = field(default=None, compare=False)
    """That of the resulting position while advice on it is barred; `match_log.read` omits it."""


moves = table(
    "moves",
    reference("match_id", "matches.id"),
    sa.Column("fingerprint", Id),
    sa.CheckConstraint("ply >= 1", name="ply"),
    rows=Entry,
    key=("match_id", "ply"),
)
partial_index("ix_moves_fingerprint", moves.c.fingerprint, where=moves.c.fingerprint.is_not(None))
