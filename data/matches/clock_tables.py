"""The tables of players' time: clocks and vacations."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKey, Index, Integer, Table

from data.sql.columns import Flag, Id, Instant
from data.sql.schema import COUNTED, KEYED, metadata

clocks = Table(
    "clocks",
    metadata,
    Column("match_id", Id, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("user_id", Id, nullable=False),
    Column("ply", Integer, nullable=False),
    Column("since", Instant, nullable=False),
    Column("remind_at", Instant),
    Column("due_at", Instant),
    Column("left", Integer),
    Column("lapsed_at", Instant),
    Column("muted", Flag, nullable=False),
    Column("next_at", Instant),
    Index("ix_clocks_next_at", "next_at"),
    Index("ix_clocks_user_id", "user_id"),
    **KEYED,
)
"""The clocks of ongoing matches.

``left`` is the seconds left while the clock is paused; ``due_at`` is NULL then. ``lapsed_at`` is
when the deadline was found to have passed, ``next_at`` the time of the next event.
"""

vacations = Table(
    "vacations",
    metadata,
    Column("id", Id, primary_key=True),
    Column("user_id", Id, nullable=False),
    Column("starts_at", Instant, nullable=False),
    Column("ends_at", Instant, nullable=False),
    Column("over", Flag, nullable=False),
    Index("ix_vacations_user_id", "user_id", "ends_at"),
    Index("ix_vacations_over_ends_at", "over", "ends_at"),
    **COUNTED,
)
