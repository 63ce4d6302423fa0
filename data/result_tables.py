"""The tables of results and of what follows from them.

The scope is a server, or 0 for all of them together. Keys begin with the player, so that all that
is kept of one lies together.
"""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import Column, ForeignKey, Index, Integer, Table, Text, UniqueConstraint

from data.columns import Flag, Id, Instant, Real
from data.schema import COUNTED, KEYED, metadata


def _tally() -> list[Column[Any]]:
    """Return the columns of where a player stands after rated games."""
    return [
        Column("mu", Real, nullable=False),
        Column("sigma", Real, nullable=False),
        Column("games", Integer, nullable=False),
        Column("won", Integer, nullable=False),
        Column("drawn", Integer, nullable=False),
        Column("lost", Integer, nullable=False),
        Column("streak", Integer, nullable=False),
        Column("best", Integer, nullable=False),
        Column("form", Text, nullable=False),
    ]


TALLY: Final = tuple(column.name for column in _tally())
"""The names of those columns.

``streak`` is the number of games won in a row, below 0 of games lost; ``best`` the longest such
row of won ones; ``form`` has a letter for each of the last games, w, d or l, the newest last.
"""

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
"""The matches that ended with ranks, in the order in which they did. ``rated``: they are to be."""

records = Table(
    "records",
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
"""What came of all results of a player by game and side, and how long they took to move."""

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
"""What came of all results between two players; each of the two has a row."""

changes = Table(
    "changes",
    metadata,
    Column("user_id", Id, primary_key=True),
    Column("scope", Id, primary_key=True),
    Column("game", Text, primary_key=True),
    Column("result_id", Id, ForeignKey("results.id", ondelete="CASCADE"), primary_key=True),
    Column("at", Instant, nullable=False),
    Column("rated", Flag, nullable=False),
    *_tally(),
    Column("last_at", Instant),
    Index("ix_changes_result_id", "result_id"),
    **KEYED,
)
"""Where each player stood after each result that is to be rated; ``rated``: it has been."""

ratings = Table(
    "ratings",
    metadata,
    Column("user_id", Id, primary_key=True),
    Column("scope", Id, primary_key=True),
    Column("game", Text, primary_key=True),
    *_tally(),
    Column("last_at", Instant, nullable=False),
    Column("opponents", Integer, nullable=False),
    Column("settled", Flag, nullable=False),
    Index("ix_ratings_mu", "scope", "game", "settled", "mu", "games", "user_id", "last_at"),
    Index("ix_ratings_games", "scope", "game", "settled", "games", "mu", "user_id"),
    Index("ix_ratings_last_at", "scope", "game", "settled", "last_at", "user_id"),
    **KEYED,
)
"""Where each player stands. ``settled``: enough games against enough different opponents."""

crowd = Table(
    "crowd",
    metadata,
    Column("scope", Id, primary_key=True),
    Column("game", Text, primary_key=True),
    Column("day", Integer, primary_key=True),
    Column("bucket", Integer, primary_key=True),
    Column("players", Integer, nullable=False),
    **KEYED,
)
"""How many settled players have played last on a day and have their mean in a bucket."""

sides = Table(
    "sides",
    metadata,
    Column("scope", Id, primary_key=True),
    Column("game", Text, primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("result_id", Id, ForeignKey("results.id", ondelete="CASCADE"), primary_key=True),
    Column("mu", Real, nullable=False),
    Column("sigma", Real, nullable=False),
    Column("games", Integer, nullable=False),
    Column("won", Integer, nullable=False),
    Column("drawn", Integer, nullable=False),
    Index("ix_sides_result_id", "result_id"),
    **KEYED,
)
"""What was known of the sides of games whose sides are unequal, after each rated result."""

stale = Table(
    "stale",
    metadata,
    Column("game", Text, primary_key=True),
    Column("since_id", Id, nullable=False),
    Column("next_id", Id, nullable=False),
    Column("version", Integer, nullable=False),
    **KEYED,
)
"""The games whose ratings are to be computed again.

From the result ``since_id`` on they may be wrong; of those before ``next_id`` the changes are right
again. ``version`` grows with whatever makes another part of them wrong.
"""
