"""The tables of limits: users' recent uses of limited actions."""

from __future__ import annotations

from sqlalchemy import Column, Index, Integer, Table, Text

from data.sql.columns import Id, Instant
from data.sql.schema import KEYED, metadata

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
