"""The tables of players' own settings, blocks and progress in lessons."""

from __future__ import annotations

from sqlalchemy import Column, Integer, Table, Text

from data.sql.columns import Document, Id, Instant
from data.sql.schema import KEYED, metadata

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
