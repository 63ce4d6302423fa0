"""The table of season ratings, one season per calendar quarter."""

from __future__ import annotations

from sqlalchemy import Column, Index, Integer, Table, Text

from data.sql.columns import Flag, Id, Real
from data.sql.schema import KEYED, metadata

season_ratings = Table(
    "season_ratings",
    metadata,
    Column("user_id", Id, primary_key=True),
    Column("scope", Id, primary_key=True),
    Column("game", Text, primary_key=True),
    Column("season", Integer, primary_key=True),
    Column("mu", Real, nullable=False),
    Column("sigma", Real, nullable=False),
    Column("points", Integer, nullable=False),
    Column("games", Integer, nullable=False),
    Column("won", Integer, nullable=False),
    Column("drawn", Integer, nullable=False),
    Column("lost", Integer, nullable=False),
    Column("form", Text, nullable=False),
    Column("opponents", Integer, nullable=False),
    Column("ranked", Flag, nullable=False),
    Index(
        "ix_season_ratings_points",
        "scope",
        "game",
        "season",
        "ranked",
        "points",
        "games",
        "user_id",
    ),
    **KEYED,
)
"""Each player's rating after the last result of a season: `data.ratings.rating.SeasonRating`."""
