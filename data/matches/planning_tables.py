"""The tables of players' private plans and notes on their matches."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKey, Index, Integer, Table, Text, UniqueConstraint

from data.sql.columns import Id
from data.sql.schema import COUNTED, KEYED, metadata

conditional_moves = Table(
    "conditional_moves",
    metadata,
    Column("id", Id, primary_key=True),
    Column("match_id", Id, ForeignKey("matches.id", ondelete="CASCADE"), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("version", Id, nullable=False),
    Column("path", Text, nullable=False),
    Column("notation", Text, nullable=False),
    UniqueConstraint("match_id", "seat", "path"),
    **COUNTED,
)
"""Moves played for a seat as soon as the others have played the moves they answer.

``path`` is the log from ``version`` on, up to the move itself, ``notation``. ``version`` is the
version of the match at the last update of the row.
"""

notes = Table(
    "notes",
    metadata,
    Column("user_id", Id, primary_key=True),
    Column("match_id", Id, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("text", Text, nullable=False),
    Index("ix_notes_match_id", "match_id"),
    **KEYED,
)
"""Players' private notes on a match, kept after its end."""
