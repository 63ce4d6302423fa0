"""The tables of what players keep to themselves about their matches."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKey, Index, Integer, Table, Text, UniqueConstraint

from data.columns import Id
from data.schema import COUNTED, KEYED, metadata

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
"""Moves that are played for a seat as soon as others have played what they answer.

``path`` is the log from ``version`` on, the version of the match that they were kept for last, up
to the move itself, which is ``notation``.
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
"""What players note down for themselves about a match; kept after its end."""
