"""The tables of limits: what users have done lately of what they may do only so often."""

from __future__ import annotations

from sqlalchemy import Column, Index, Integer, Table, Text

from data.columns import Id, Instant
from data.schema import KEYED, metadata

hourly_uses = Table(
    "hourly_uses",
    metadata,
    Column("user_id", Id, primary_key=True),
    Column("what", Text, primary_key=True),
    Column("since", Instant, nullable=False),
    Column("number", Integer, nullable=False),
    Index("ix_hourly_uses_since", "since"),
    **KEYED,
)
"""How often a user has done something within the hour that began at ``since``."""

spent_limits = Table(
    "spent_limits",
    metadata,
    Column("user_id", Id, primary_key=True),
    Column("what", Text, primary_key=True),
    Column("game", Text, primary_key=True),
    Column("opponent_id", Id, primary_key=True),
    Column("number", Integer, nullable=False),
    Column("ends_at", Instant, nullable=False),
    Index("ix_spent_limits_ends_at", "ends_at"),
    **KEYED,
)
"""What users had used of the limits on challenges when they deleted their data: how often, and when
that counts no longer. ``game`` is empty and ``opponent_id`` 0 where a limit is on all of them."""
