"""The tables of followers of matches and players."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKey, Index, Table

from data.sql.columns import Id, Instant
from data.sql.schema import KEYED, metadata

followed_matches = Table(
    "followed_matches",
    metadata,
    Column("user_id", Id, primary_key=True),
    Column("match_id", Id, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("since", Instant, nullable=False),
    Index("ix_followed_matches_match_id", "match_id"),
    **KEYED,
)
"""Users to notify when an open match ends."""

followed_players = Table(
    "followed_players",
    metadata,
    Column("user_id", Id, primary_key=True),
    Column("guild_id", Id, primary_key=True),
    Column("player_id", Id, primary_key=True),
    Column("since", Instant, nullable=False),
    Index("ix_followed_players_player_id", "player_id", "guild_id"),
    **KEYED,
)
"""Users to notify when a player's matches in a server end."""
