"""The tables of daily puzzles."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKey, Index, Integer, Table, Text, UniqueConstraint

from data.sql.columns import Flag, Id, Instant
from data.sql.schema import COUNTED, KEYED, metadata

puzzle_schedules = Table(
    "puzzle_schedules",
    metadata,
    Column("guild_id", Id, primary_key=True, autoincrement=False),
    Column("channel_id", Id, nullable=False),
    Column("hour", Integer, nullable=False),
    Column("next_at", Instant, nullable=False),
    Column("notified", Flag, nullable=False),
    Index("ix_puzzle_schedules_next_at", "next_at"),
    **KEYED,
)
"""Each server's schedule for daily puzzles: channel, hour (UTC) and next time.

It is derived from the server's settings. ``notified`` is whether its managers know that the puzzle
cannot be posted there.
"""

daily_puzzles = Table(
    "daily_puzzles",
    metadata,
    Column("id", Id, primary_key=True),
    Column("guild_id", Id, nullable=False),
    Column("day", Text, nullable=False),
    Column("puzzle_id", Id, ForeignKey("puzzles.id", ondelete="CASCADE"), nullable=False),
    Column("channel_id", Id, nullable=False),
    Column("message_id", Id),
    Column("closed_at", Instant),
    UniqueConstraint("guild_id", "day"),
    Index("ix_daily_puzzles_puzzle_id", "puzzle_id", "closed_at"),
    **COUNTED,
)
"""A server's daily puzzles, at most one per day. ``day`` is an ISO date in UTC.

Answers to one count until ``closed_at``.
"""

daily_answers = Table(
    "daily_answers",
    metadata,
    Column("daily_id", Id, ForeignKey("daily_puzzles.id", ondelete="CASCADE"), primary_key=True),
    Column("user_id", Id, primary_key=True),
    Column("at", Instant, nullable=False),
    Column("solved", Flag, nullable=False),
    Column("first_try", Flag, nullable=False),
    Column("streak", Integer, nullable=False),
    Index("ix_daily_answers_user_id", "user_id"),
    **KEYED,
)
"""The users who tried a daily puzzle; whether they solved it, and on the first try.

``streak`` is the number of that server's puzzles solved in a row, this one included.
"""
