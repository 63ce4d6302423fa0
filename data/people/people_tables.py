"""The tables of settings, blocks, lessons and limits of players, and of servers and their moderators."""

from __future__ import annotations

from sqlalchemy import Column, Index, Integer, Table, Text

from data.sql.columns import COUNTED, KEYED, Document, Id, Instant, metadata

people = Table(
    "people",
    metadata,
    Column("user_id", Id, primary_key=True, autoincrement=False),
    Column("settings", Document, nullable=False),
    Column("changed_at", Instant, nullable=False),
    **KEYED,
)

blocks = Table(
    "blocks",
    metadata,
    Column("user_id", Id, primary_key=True),
    Column("blocked_id", Id, primary_key=True),
    Column("since", Instant, nullable=False),
    **KEYED,
)

courses = Table(
    "courses",
    metadata,
    Column("user_id", Id, primary_key=True),
    Column("game", Text, primary_key=True),
    Column("page", Integer, nullable=False),
    **KEYED,
)
"""Players' progress in the lessons of each game; one page past the last means all of them."""


hourly_uses = Table(
    "hourly_uses",
    metadata,
    Column("user_id", Id, primary_key=True),
    Column("action", Text, primary_key=True),
    Column("since", Instant, nullable=False),
    Column("number", Integer, nullable=False),
    Index("ix_hourly_uses_since", "since"),
    **KEYED,
)
"""How often a user has done something in the hour that began at ``since``."""

spent_limits = Table(
    "spent_limits",
    metadata,
    Column("user_id", Id, primary_key=True),
    Column("action", Text, primary_key=True),
    Column("game", Text, primary_key=True),
    Column("opponent_id", Id, primary_key=True),
    Column("number", Integer, nullable=False),
    Column("ends_at", Instant, nullable=False),
    Index("ix_spent_limits_ends_at", "ends_at"),
    **KEYED,
)
"""How much of the challenge limits users had used when they deleted their data, until it expires.

``game`` is empty and ``opponent_id`` 0 where a limit applies to all.
"""


servers = Table(
    "servers",
    metadata,
    Column("guild_id", Id, primary_key=True, autoincrement=False),
    Column("settings", Document, nullable=False),
    Column("changed_at", Instant, nullable=False),
    Column("changed_by", Id, nullable=False),
    **KEYED,
)

server_outages = Table(
    "server_outages",
    metadata,
    Column("guild_id", Id, primary_key=True, autoincrement=False),
    Column("since", Instant, nullable=False),
    Column("grace_until", Instant),
    **KEYED,
)
"""Servers that are unavailable, or were and have clocks to extend; see `data.matches.server_outages`."""

audit = Table(
    "audit",
    metadata,
    Column("id", Id, primary_key=True),
    Column("guild_id", Id, nullable=False),
    Column("at", Instant, nullable=False),
    Column("user_id", Id, nullable=False),
    Column("action", Text, nullable=False),
    Column("match_id", Id),
    Column("challenge_id", Id),
    Column("detail", Document, nullable=False),
    Index("ix_audit_guild_id", "guild_id", "id"),
    **COUNTED,
)
"""The audit log; a line outlives the match or challenge it is about."""

excluded_players = Table(
    "excluded_players",
    metadata,
    Column("guild_id", Id, primary_key=True),
    Column("user_id", Id, primary_key=True),
    Column("at", Instant, nullable=False),
    Column("decided_by", Id, nullable=False),
    **KEYED,
)
"""Players excluded from rated play by a server's moderators."""
