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
    _unrated()
    _results()
    _ratings()
    _between()


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
        sa.PrimaryKeyConstraint("id", name="pk_results"),
        sa.UniqueConstraint("match_id", name="uq_results_match_id"),
        sa.ForeignKeyConstraint(
            ["match_id"], ["matches.id"], name="fk_results_match_id", ondelete="CASCADE"
        ),
        **COUNTED,
    )
    op.create_index("ix_results_game", "results", ["game", "id"])
    op.create_table(
        "changes",
        *_keys(),
        sa.Column("result_id", ID, nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("at", INSTANT, nullable=False),
        sa.Column("rated", FLAG, nullable=False),
        *_tally(),
        sa.Column("last_at", INSTANT),
        sa.PrimaryKeyConstraint("scope", "game", "user_id", "result_id", name="pk_changes"),
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
        sa.PrimaryKeyConstraint("scope", "game", "user_id", name="pk_ratings"),
        **KEYED,
    )
    op.create_index(
        "ix_ratings_mu",
        "ratings",
        ["scope", "game", "settled", "mu", "games", "user_id", "last_at"],
    )
    op.create_index(
        "ix_ratings_games",
        "ratings",
        ["scope", "game", "settled", "games", "mu", "user_id"],
    )


def _between() -> None:
    op.create_table(
        "rivals",
        *_keys(),
        sa.Column("rival_id", ID, nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("scope", "game", "user_id", "rival_id", name="pk_rivals"),
        **KEYED,
    )
    op.create_index("ix_rivals_rival_id", "rivals", ["rival_id"])
    op.create_table(
        "sides",
        sa.Column("scope", ID, nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("mu", REAL, nullable=False),
        sa.Column("sigma", REAL, nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("won", sa.Integer(), nullable=False),
        sa.Column("drawn", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("scope", "game", "seat", name="pk_sides"),
        **KEYED,
    )


def _keys() -> list[sa.Column[Any]]:
    return [
        sa.Column("scope", ID, nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("user_id", ID, nullable=False),
    ]


def _tally() -> list[sa.Column[Any]]:
    return [
        sa.Column("mu", REAL, nullable=False),
        sa.Column("sigma", REAL, nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("won", sa.Integer(), nullable=False),
        sa.Column("drawn", sa.Integer(), nullable=False),
        sa.Column("lost", sa.Integer(), nullable=False),
    ]
