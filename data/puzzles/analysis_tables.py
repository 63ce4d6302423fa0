"""The tables of computer tasks, hints, analyses and puzzles, those of the day included."""

from __future__ import annotations

from sqlalchemy import (
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    Table,
    Text,
    UniqueConstraint,
)

from data.sql.columns import COUNTED, KEYED, Document, Flag, Id, Instant, Real, metadata

computer_tasks = Table(
    "computer_tasks",
    metadata,
    Column("id", Id, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("match_id", Id, ForeignKey("matches.id", ondelete="CASCADE")),
    Column("guild_id", Id, nullable=False),
    Column("user_id", Id, nullable=False),
    Column("urgent", Flag, nullable=False),
    Column("turn", Id, nullable=False),
    Column("place", Id, nullable=False),
    Column("since", Instant),
    Column("free_at", Real, nullable=False, server_default="0"),
    Column("lease", Integer, nullable=False, server_default="0"),
    Column("attempts", Integer, nullable=False, server_default="0"),
    Column("share", Real),
    Column("asked", Document),
    Column("answer", Document),
    CheckConstraint(
        "kind IN ('move', 'hint', 'analysis', 'record analysis', 'record', 'ratings')", name="kind"
    ),
    UniqueConstraint("kind", "name"),
    Index("ix_computer_tasks_match_id", "match_id"),
    Index("ix_computer_tasks_turn", "urgent", "turn"),
    Index("ix_computer_tasks_guild_id", "guild_id", "urgent", "user_id"),
    **COUNTED,
)
"""Queued work for computers, such as a move to make or a match to analyse.

A task can be taken from ``free_at`` on, in seconds since 1970 by the database's clock. ``lease``
grows each time it is taken. ``turn`` orders servers, ``place`` a server's users. ``share`` is its
progress. A task with an ``answer`` is finished, ready for its requester.
"""

hints = Table(
    "hints",
    metadata,
    Column("match_id", Id, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("version", Integer, primary_key=True),
    Column("evaluation", Document, nullable=False),
    **KEYED,
)
"""The hint given at a turn, repeated if asked for again."""

analyses = Table(
    "analyses",
    metadata,
    Column("match_id", Id, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("made_at", Instant, nullable=False),
    Column("found", Document, nullable=False),
    **KEYED,
)
"""Analyses of finished matches."""

puzzles = Table(
    "puzzles",
    metadata,
    Column("id", Id, primary_key=True),
    Column("game", Text, nullable=False),
    Column("options", Document, nullable=False),
    Column("position", Text, nullable=False),
    Column("solution", Text, nullable=False),
    Column("evaluation", Document, nullable=False),
    Column("fingerprint", Id, nullable=False),
    Column("digest", Text, nullable=False),
    Column("made_at", Instant, nullable=False),
    Column("tried", Integer, nullable=False, server_default="0"),
    Column("solved", Integer, nullable=False, server_default="0"),
    Column("level", Integer),
    UniqueConstraint("digest"),
    Index("ix_puzzles_game", "game", "id"),
    Index("ix_puzzles_fingerprint", "fingerprint"),
    **COUNTED,
)
"""Positions in which one move is clearly best. Their source matches are not recorded.

``fingerprint`` is that of `moves`. ``tried`` counts the players who have answered, ``solved`` those
whose first answer was right. ``level`` is the lowest computer level that solves it, among those a
game ships.
"""

attempts = Table(
    "attempts",
    metadata,
    Column("user_id", Id, primary_key=True),
    Column("puzzle_id", Id, ForeignKey("puzzles.id", ondelete="CASCADE"), primary_key=True),
    Column("at", Instant, nullable=False),
    Column("solved", Flag),
    Index("ix_attempts_puzzle_id", "puzzle_id"),
    **KEYED,
)
"""When a player last saw a puzzle, and whether the first answer, if any, was right."""


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
