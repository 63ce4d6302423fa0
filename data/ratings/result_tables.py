"""The tables of results and everything derived from them: ratings, seasons, feats.

The scope is a server, or 0 for all of them together. Keys begin with the player, so each player's
rows are stored together.
"""

from __future__ import annotations

from sqlalchemy import Column, ForeignKey, Index, Integer, Table, Text, UniqueConstraint

from data.sql.columns import COUNTED, KEYED, Flag, Id, Instant, Real, metadata

results = Table(
    "results",
    metadata,
    Column("id", Id, primary_key=True),
    Column("match_id", Id, ForeignKey("matches.id", ondelete="CASCADE"), nullable=False),
    Column("game", Text, nullable=False),
    Column("guild_id", Id),
    Column("at", Instant, nullable=False),
    Column("rated", Flag, nullable=False),
    UniqueConstraint("match_id"),
    Index("ix_results_game", "game", "id"),
    **COUNTED,
)
"""The matches that ended with ranks, in that order. ``rated``: whether to rate them."""

scores = Table(
    "scores",
    metadata,
    Column("user_id", Id, primary_key=True),
    Column("scope", Id, primary_key=True),
    Column("game", Text, primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("won", Integer, nullable=False),
    Column("drawn", Integer, nullable=False),
    Column("lost", Integer, nullable=False),
    Column("moves", Integer, nullable=False),
    Column("seconds", Id, nullable=False),
    **KEYED,
)
"""Each player's score by game and side, unrated matches included, and the time used."""

rivals = Table(
    "rivals",
    metadata,
    Column("user_id", Id, primary_key=True),
    Column("scope", Id, primary_key=True),
    Column("rival_id", Id, primary_key=True),
    Column("game", Text, primary_key=True),
    Column("games", Integer, nullable=False),
    Column("rated", Integer, nullable=False),
    Column("won", Integer, nullable=False),
    Column("drawn", Integer, nullable=False),
    Index("ix_rivals_games", "user_id", "scope", "games"),
    **KEYED,
)
"""Each player's score against each opponent; both players have a row."""

ratings = Table(
    "ratings",
    metadata,
    Column("user_id", Id, primary_key=True),
    Column("scope", Id, primary_key=True),
    Column("game", Text, primary_key=True),
    Column("mu", Real, nullable=False),
    Column("sigma", Real, nullable=False),
    Column("games", Integer, nullable=False),
    Column("won", Integer, nullable=False),
    Column("drawn", Integer, nullable=False),
    Column("lost", Integer, nullable=False),
    Column("streak", Integer, nullable=False),
    Column("best", Integer, nullable=False),
    Column("form", Text, nullable=False),
    Column("last_at", Instant, nullable=False),
    Column("opponents", Integer, nullable=False),
    Column("established", Flag, nullable=False),
    Index("ix_ratings_mu", "scope", "game", "established", "mu", "games", "user_id", "last_at"),
    Index("ix_ratings_games", "scope", "game", "established", "games", "mu", "user_id"),
    Index("ix_ratings_last_at", "scope", "game", "established", "last_at", "user_id"),
    **KEYED,
)
"""Each player's current rating, with the columns of `data.ratings.rating.Rating`."""

rating_changes = Table(
    "rating_changes",
    metadata,
    Column("user_id", Id, primary_key=True),
    Column("scope", Id, primary_key=True),
    Column("game", Text, primary_key=True),
    Column("result_id", Id, ForeignKey("results.id", ondelete="CASCADE"), primary_key=True),
    Column("at", Instant, nullable=False),
    Column("rated", Flag, nullable=False),
    Column("mu", Real, nullable=False),
    Column("sigma", Real, nullable=False),
    Column("games", Integer, nullable=False),
    Column("skipped", Integer, nullable=False),
    Column("share", Real, nullable=False),
    Index("ix_rating_changes_result_id", "result_id"),
    **KEYED,
)
"""Each player's rating after each rated result: `data.ratings.rating.RatingChange`."""

rating_histogram = Table(
    "rating_histogram",
    metadata,
    Column("scope", Id, primary_key=True),
    Column("game", Text, primary_key=True),
    Column("day", Integer, primary_key=True),
    Column("bucket", Integer, primary_key=True),
    Column("players", Integer, nullable=False),
    **KEYED,
)
"""The number of established players by day of last game and bucket of the mean."""

side_ratings = Table(
    "side_ratings",
    metadata,
    Column("scope", Id, primary_key=True),
    Column("game", Text, primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("mu", Real, nullable=False),
    Column("sigma", Real, nullable=False),
    Column("games", Integer, nullable=False),
    Column("won", Integer, nullable=False),
    Column("drawn", Integer, nullable=False),
    **KEYED,
)
"""The current rating of each side, where sides are unequal: `data.ratings.rating.SideRating`."""

outdated_ratings = Table(
    "outdated_ratings",
    metadata,
    Column("game", Text, primary_key=True),
    Column("since_id", Id, nullable=False),
    Column("version", Integer, nullable=False),
    **KEYED,
)
"""The games whose ratings need recomputing: `data.ratings.outdated_ratings.Outdated`."""


feats = Table(
    "feats",
    metadata,
    Column("user_id", Id, primary_key=True),
    Column("kind", Text, primary_key=True),
    Column("game", Text, primary_key=True),
    Column("rules", Text, primary_key=True),
    Column("result_id", Id, ForeignKey("results.id", ondelete="CASCADE"), primary_key=True),
    Column("amount", Integer, nullable=False),
    Index("ix_feats_result_id", "result_id"),
    **KEYED,
)
"""Deleted with the result of its match; see `data.ratings.feats.Feat`."""


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
