"""The tables of messages about matches: those posted, and the outbox of those to come."""

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

from data.sql.columns import Document, Flag, Id, Instant
from data.sql.schema import COUNTED, metadata

boards = Table(
    "boards",
    metadata,
    Column("message_id", Id, primary_key=True, autoincrement=False),
    Column("channel_id", Id, nullable=False),
    Column("match_id", Id, ForeignKey("matches.id", ondelete="CASCADE"), nullable=False),
    Column("ply", Integer, nullable=False),
    Column("live", Flag, nullable=False),
    Index("ix_boards_match_id", "match_id", "ply"),
    sqlite_strict=True,
)

turn_calls = Table(
    "turn_calls",
    metadata,
    Column("message_id", Id, primary_key=True, autoincrement=False),
    Column("channel_id", Id, nullable=False),
    Column("match_id", Id, ForeignKey("matches.id", ondelete="CASCADE"), nullable=False),
    Column("ply", Integer, nullable=False),
    Index("ix_turn_calls_match_id", "match_id"),
    sqlite_strict=True,
)
"""Short messages that mention the player to move, deleted once the turn is played."""

outbox = Table(
    "outbox",
    metadata,
    Column("id", Id, primary_key=True),
    Column("match_id", Id, ForeignKey("matches.id", ondelete="CASCADE")),
    Column("kind", Text, nullable=False),
    Column("payload", Document, nullable=False),
    Column("nonce", Text, nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("blocked", Text),
    Column("done_at", Instant),
    Column("not_before", Instant),
    UniqueConstraint("nonce"),
    CheckConstraint("length(nonce) BETWEEN 1 AND 25", name="nonce"),
    **COUNTED,
)
Index(
    "ix_outbox_pending",
    outbox.c.match_id,
    outbox.c.id,
    sqlite_where=outbox.c.done_at.is_(None),
    postgresql_where=outbox.c.done_at.is_(None),
)

Index(
    "ix_outbox_not_before",
    outbox.c.not_before,
    sqlite_where=outbox.c.done_at.is_(None) & outbox.c.not_before.is_not(None),
    postgresql_where=outbox.c.done_at.is_(None) & outbox.c.not_before.is_not(None),
)

Index(
    "ix_outbox_done_at",
    outbox.c.done_at,
    sqlite_where=outbox.c.done_at.is_not(None),
    postgresql_where=outbox.c.done_at.is_not(None),
)
