"""The tables of results and of what follows from them.

The scope is a server, or 0 for all of them together. Keys begin with the player, so that all that
is kept of one lies together.
"""

from __future__ import annotations

from sqlalchemy import Column, ForeignKey, Index, Integer, Table, Text, UniqueConstraint

from data.columns import Flag, Id, Instant, Real
from data.schema import COUNTED, KEYED, metadata

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
"""The matches that ended with ranks, in that order. ``rated``: whether they are to be rated."""

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
"""The score of each player by game and side, casual matches included, and the time they took."""

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
"""The score of each player against each opponent; both of the two have a row."""

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
"""The present rating of each player: the columns are those of `data.rating.Rating`."""

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
"""The rating of each player after each rated result: `data.rating.RatingChange`."""

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
"""The number of established players by the day of their last game and the bucket of their mean."""

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
"""The present rating of each side, where sides are unequal: `data.rating.SideRating`."""

outdated_ratings = Table(
    "outdated_ratings",
    metadata,
    Column("game", Text, primary_key=True),
    Column("since_id", Id, nullable=False),
    Column("version", Integer, nullable=False),
    **KEYED,
)
"""The games whose ratings have to be recomputed: `data.outdated_ratings.Outdated`."""
