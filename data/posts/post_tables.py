"""The table of posts: messages that features want in Discord, and how far they are."""

from __future__ import annotations

from sqlalchemy import Column, Index, Integer, Table, Text, UniqueConstraint

from data.sql.columns import COUNTED, Document, Id, Instant, metadata

posts = Table(
    "posts",
    metadata,
    Column("id", Id, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("subject", Id, nullable=False),
    Column("part", Integer, nullable=False),
    Column("user_id", Id, nullable=False),
    Column("guild_id", Id),
    Column("payload", Document, nullable=False),
    Column("channel_id", Id),
    Column("message_id", Id),
    Column("copies", Integer, nullable=False),
    Column("wanted", Integer, nullable=False),
    Column("done", Integer, nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("try_at", Instant),
    Column("failures", Integer, nullable=False),
    UniqueConstraint("kind", "subject", "part", "user_id"),
    Index("ix_posts_user_id", "user_id"),
    **COUNTED,
)
"""Messages that features want in Discord, at most one per kind, subject, part and recipient.

``subject`` is the number of what it is about, ``part`` tells several messages about it apart, and
``user_id`` is the recipient of a direct message, 0 for
a message in a channel. ``guild_id`` is the server whose shard posts it, NULL for direct messages
that belong to no server. ``channel_id`` and ``message_id`` are where it is, once posted, and
``copies`` how many earlier messages were deleted or given up. ``wanted`` counts how often it was
asked for, ``done`` how many of these its message shows; it is due at ``try_at``, NULL while both
are equal. ``failures`` counts attempts since the last success.
"""

Index(
    "ix_posts_try_at",
    posts.c.try_at,
    sqlite_where=posts.c.try_at.is_not(None),
    postgresql_where=posts.c.try_at.is_not(None),
)
