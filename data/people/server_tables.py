"""The tables of servers' settings and of their moderators' decisions."""

from __future__ import annotations

from sqlalchemy import Column, Index, Table, Text

from data.sql.columns import Document, Id, Instant
from data.sql.schema import COUNTED, KEYED, metadata

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
