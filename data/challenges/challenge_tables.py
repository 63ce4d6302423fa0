"""The tables of challenges and their players."""

from __future__ import annotations

from sqlalchemy import (
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    Table,
    Text,
    UniqueConstraint,
    false,
)

from data.sql.columns import COUNTED, KEYED, Document, Flag, Id, Instant, metadata

challenges = Table(
    "challenges",
    metadata,
    Column("id", Id, primary_key=True),
    Column("game", Text, nullable=False),
    Column("options", Document, nullable=False),
    Column("guild_id", Id),
    Column("channel_id", Id, nullable=False),
    Column("message_id", Id),
    Column("challenger_id", Id, nullable=False),
    Column("seed", LargeBinary, nullable=False),
    Column("seat", Integer),
    Column("state", Text, nullable=False),
    Column("match_id", Id, ForeignKey("matches.id")),
    Column("created_at", Instant, nullable=False),
    Column("closed_at", Instant),
    Column("expires_at", Instant),
    Column("places", Integer),
    Column("days", Integer),
    Column("rematch_of", Id),
    Column("casual", Flag, nullable=False, server_default=false()),
    Column("in_order", Flag, nullable=False, server_default=false()),
    Column("bank", Integer),
    CheckConstraint(
        "state IN ('open', 'started', 'declined', 'withdrawn', 'expired')", name="state"
    ),
    Index("ix_challenges_state_channel_id", "state", "channel_id"),
    Index("ix_challenges_challenger_id", "challenger_id"),
    Index("ix_challenges_match_id", "match_id"),
    Index("ix_challenges_state_guild_id", "state", "guild_id"),
    Index("ix_challenges_state_expires_at", "state", "expires_at"),
    **COUNTED,
)
"""``places``: the number of players if not all are named; ``days``: per move; ``in_order``: whether
the players get the seats in their order, without a draw; ``bank``: as in matches."""

invited = Table(
    "invited",
    metadata,
    Column("challenge_id", Id, ForeignKey("challenges.id", ondelete="CASCADE"), primary_key=True),
    Column("user_id", Id, primary_key=True),
    Column("place", Integer, nullable=False),
    Column("joined", Integer),
    Column("word", Text),
    UniqueConstraint("challenge_id", "place"),
    UniqueConstraint("challenge_id", "joined"),
    **KEYED,
)
"""The players of a challenge, the challenger first; ``place`` is their order."""
