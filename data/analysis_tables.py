"""The tables of computer tasks, hints, analyses and puzzles."""

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

from data.columns import Document, Flag, Id, Instant
from data.schema import COUNTED, KEYED, metadata

computer_tasks = Table(
    "computer_tasks",
    metadata,
    Column("kind", Text, primary_key=True),
    Column("match_id", Id, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("since", Instant, nullable=False),
    Column("attempts", Integer, nullable=False, server_default="0"),
    CheckConstraint("kind IN ('move', 'analysis')", name="kind"),
    Index("ix_computer_tasks_match_id", "match_id"),
    **KEYED,
)
"""Queued work for computers: a move to make, or a match to analyse."""

hints = Table(
    "hints",
    metadata,
    Column("match_id", Id, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("version", Integer, primary_key=True),
    Column("said", Document, nullable=False),
    **KEYED,
)
"""The hint given at a turn, which is repeated when asked for again."""

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
    Column("said", Document, nullable=False),
    Column("fingerprint", Id, nullable=False),
    Column("digest", Text, nullable=False),
    Column("made_at", Instant, nullable=False),
    Column("tried", Integer, nullable=False, server_default="0"),
    Column("solved", Integer, nullable=False, server_default="0"),
    UniqueConstraint("digest"),
    Index("ix_puzzles_game", "game", "id"),
    **COUNTED,
)
"""Positions in which one move is clearly best. The matches they come from are not recorded.

``fingerprint`` is that of `moves`. ``tried`` counts the players who have answered, ``solved`` those
whose first answer was right.
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
