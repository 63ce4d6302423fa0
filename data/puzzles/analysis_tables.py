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

from data.sql.columns import Document, Flag, Id, Instant, Real
from data.sql.schema import COUNTED, KEYED, metadata

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
