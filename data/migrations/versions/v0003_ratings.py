"""Ratings: the results that count, what each changed, and where everybody stands."""

from __future__ import annotations

from typing import Any, Final

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

ID: Final = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
INSTANT: Final = sa.TIMESTAMP(timezone=True).with_variant(sa.Text(), "sqlite")
FLAG: Final = sa.Boolean().with_variant(sa.Integer(), "sqlite")
REAL: Final[sa.types.TypeEngine[float]] = sa.Double().with_variant(sa.REAL(), "sqlite")

COUNTED: Final[dict[str, Any]] = {"sqlite_strict": True, "sqlite_autoincrement": True}
KEYED: Final[dict[str, Any]] = {"sqlite_strict": True, "sqlite_with_rowid": False}


def upgrade() -> None:
    """Make the tables; what stands in them is computed when the bot starts."""
    for table in ("challenges", "matches"):
        op.add_column(table, sa.Column("casual", FLAG, nullable=False, server_default=sa.false()))
    for name, kind in (
        ("guild_id", ID),
        ("result_id", ID),
        ("moves", sa.Integer()),
        ("seconds", ID),
    ):
        op.add_column("players", sa.Column(name, kind))
    op.create_index("ix_players_result_id", "players", ["user_id", "result_id"])
    op.create_index("ix_players_guild_id", "players", ["user_id", "guild_id", "result_id"])
    op.drop_table("standings")
    _unrated()
    _results()
    _counts()
    _changes()
    _ratings()
    _sides()


def _unrated() -> None:
    op.create_table(
        "unrated",
        sa.Column("guild_id", ID, nullable=False),
        sa.Column("user_id", ID, nullable=False),
        sa.Column("at", INSTANT, nullable=False),
        sa.Column("decided_by", ID, nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "user_id", name="pk_unrated"),
        **KEYED,
    )


def _results() -> None:
    op.create_table(
        "results",
        sa.Column("id", ID, nullable=False),
        sa.Column("match_id", ID, nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("guild_id", ID),
        sa.Column("at", INSTANT, nullable=False),
        sa.Column("rated", FLAG, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_results"),
        sa.UniqueConstraint("match_id", name="uq_results_match_id"),
        sa.ForeignKeyConstraint(
            ["match_id"], ["matches.id"], name="fk_results_match_id", ondelete="CASCADE"
        ),
        **COUNTED,
    )
    op.create_index("ix_results_game", "results", ["game", "id"])


def _counts() -> None:
    op.create_table(
        "records",
        sa.Column("user_id", ID, nullable=False),
        sa.Column("scope", ID, nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("won", sa.Integer(), nullable=False),
        sa.Column("drawn", sa.Integer(), nullable=False),
        sa.Column("lost", sa.Integer(), nullable=False),
        sa.Column("moves", sa.Integer(), nullable=False),
        sa.Column("seconds", ID, nullable=False),
        sa.PrimaryKeyConstraint("user_id", "scope", "game", "seat", name="pk_records"),
        **KEYED,
    )
    op.create_table(
        "rivals",
        sa.Column("user_id", ID, nullable=False),
        sa.Column("scope", ID, nullable=False),
        sa.Column("rival_id", ID, nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("rated", sa.Integer(), nullable=False),
        sa.Column("won", sa.Integer(), nullable=False),
        sa.Column("drawn", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", "scope", "rival_id", "game", name="pk_rivals"),
        **KEYED,
    )
    op.create_index("ix_rivals_games", "rivals", ["user_id", "scope", "games"])


def _changes() -> None:
    op.create_table(
        "changes",
        *_keys(),
        sa.Column("result_id", ID, nullable=False),
        sa.Column("at", INSTANT, nullable=False),
        sa.Column("rated", FLAG, nullable=False),
        *_tally(),
        sa.Column("last_at", INSTANT),
        sa.PrimaryKeyConstraint("user_id", "scope", "game", "result_id", name="pk_changes"),
        sa.ForeignKeyConstraint(
            ["result_id"], ["results.id"], name="fk_changes_result_id", ondelete="CASCADE"
        ),
        **KEYED,
    )
    op.create_index("ix_changes_result_id", "changes", ["result_id"])


def _ratings() -> None:
    op.create_table(
        "ratings",
        *_keys(),
        *_tally(),
        sa.Column("last_at", INSTANT, nullable=False),
        sa.Column("opponents", sa.Integer(), nullable=False),
        sa.Column("settled", FLAG, nullable=False),
        sa.PrimaryKeyConstraint("user_id", "scope", "game", name="pk_ratings"),
        **KEYED,
    )
    for name, *columns in (
        ("ix_ratings_mu", "mu", "games", "user_id", "last_at"),
        ("ix_ratings_games", "games", "mu", "user_id"),
        ("ix_ratings_last_at", "last_at", "user_id"),
    ):
        op.create_index(name, "ratings", ["scope", "game", "settled", *columns])
    op.create_table(
        "crowd",
        sa.Column("scope", ID, nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("day", sa.Integer(), nullable=False),
        sa.Column("bucket", sa.Integer(), nullable=False),
        sa.Column("players", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("scope", "game", "day", "bucket", name="pk_crowd"),
        **KEYED,
    )
    op.create_table(
        "stale",
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("since_id", ID, nullable=False),
        sa.Column("next_id", ID, nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("game", name="pk_stale"),
        **KEYED,
    )


def _sides() -> None:
    op.create_table(
        "sides",
        sa.Column("scope", ID, nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("result_id", ID, nullable=False),
        sa.Column("mu", REAL, nullable=False),
        sa.Column("sigma", REAL, nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("won", sa.Integer(), nullable=False),
        sa.Column("drawn", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("scope", "game", "seat", "result_id", name="pk_sides"),
        sa.ForeignKeyConstraint(
            ["result_id"], ["results.id"], name="fk_sides_result_id", ondelete="CASCADE"
        ),
        **KEYED,
    )
    op.create_index("ix_sides_result_id", "sides", ["result_id"])


def _keys() -> list[sa.Column[Any]]:
    return [
        sa.Column("user_id", ID, nullable=False),
        sa.Column("scope", ID, nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
    ]


def _tally() -> list[sa.Column[Any]]:
    return [
        sa.Column("mu", REAL, nullable=False),
        sa.Column("sigma", REAL, nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("won", sa.Integer(), nullable=False),
        sa.Column("drawn", sa.Integer(), nullable=False),
        sa.Column("lost", sa.Integer(), nullable=False),
        sa.Column("streak", sa.Integer(), nullable=False),
        sa.Column("best", sa.Integer(), nullable=False),
        sa.Column("form", sa.Text(), nullable=False),
    ]
