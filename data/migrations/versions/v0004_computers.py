"""Computers: what they have to think about, hints, analyses, and puzzles."""

from __future__ import annotations

from typing import Any, Final

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

ID: Final = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
INSTANT: Final = sa.TIMESTAMP(timezone=True).with_variant(sa.Text(), "sqlite")
FLAG: Final = sa.Boolean().with_variant(sa.Integer(), "sqlite")
DOCUMENT: Final[sa.types.TypeEngine[Any]] = sa.JSON().with_variant(sa.Text(), "sqlite")

COUNTED: Final[dict[str, Any]] = {"sqlite_strict": True, "sqlite_autoincrement": True}
KEYED: Final[dict[str, Any]] = {"sqlite_strict": True, "sqlite_with_rowid": False}


def upgrade() -> None:
    """Make the tables."""
    op.add_column("matches", sa.Column("hints", sa.Integer(), nullable=False, server_default="0"))
    _thinking()
    _puzzles()


def _thinking() -> None:
    op.create_table(
        "chores",
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("match_id", ID, nullable=False),
        sa.Column("since", INSTANT, nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False, server_default="0"),
        sa.PrimaryKeyConstraint("kind", "match_id", name="pk_chores"),
        sa.CheckConstraint("kind IN ('move', 'study')", name=op.f("ck_chores_kind")),
        _of_match("chores"),
        **KEYED,
    )
    op.create_index("ix_chores_match_id", "chores", ["match_id"])
    op.create_table(
        "hints",
        sa.Column("match_id", ID, nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("said", DOCUMENT, nullable=False),
        sa.PrimaryKeyConstraint("match_id", "version", name="pk_hints"),
        _of_match("hints"),
        **KEYED,
    )
    op.create_table(
        "analyses",
        sa.Column("match_id", ID, nullable=False),
        sa.Column("made_at", INSTANT, nullable=False),
        sa.Column("found", DOCUMENT, nullable=False),
        sa.PrimaryKeyConstraint("match_id", name="pk_analyses"),
        _of_match("analyses"),
        **KEYED,
    )


def _puzzles() -> None:
    op.create_table(
        "puzzles",
        sa.Column("id", ID, nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("options", DOCUMENT, nullable=False),
        sa.Column("position", sa.Text(), nullable=False),
        sa.Column("solution", sa.Text(), nullable=False),
        sa.Column("said", DOCUMENT, nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("made_at", INSTANT, nullable=False),
        sa.Column("tried", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("solved", sa.Integer(), nullable=False, server_default="0"),
        sa.PrimaryKeyConstraint("id", name="pk_puzzles"),
        sa.UniqueConstraint("digest", name="uq_puzzles_digest"),
        **COUNTED,
    )
    op.create_index("ix_puzzles_game", "puzzles", ["game", "id"])
    op.create_table(
        "attempts",
        sa.Column("user_id", ID, nullable=False, autoincrement=False),
        sa.Column("puzzle_id", ID, nullable=False, autoincrement=False),
        sa.Column("at", INSTANT, nullable=False),
        sa.Column("solved", FLAG),
        sa.PrimaryKeyConstraint("user_id", "puzzle_id", name="pk_attempts"),
        sa.ForeignKeyConstraint(
            ["puzzle_id"], ["puzzles.id"], name="fk_attempts_puzzle_id", ondelete="CASCADE"
        ),
        **KEYED,
    )
    op.create_index("ix_attempts_puzzle_id", "attempts", ["puzzle_id"])


def _of_match(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["match_id"], ["matches.id"], name=f"fk_{table}_match_id", ondelete="CASCADE"
    )
