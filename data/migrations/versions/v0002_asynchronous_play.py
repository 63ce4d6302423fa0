"""Asynchronous play: places, clocks, settings, blocks and what moderators did."""

from __future__ import annotations

from typing import Any, Final

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

ID: Final = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
INSTANT: Final = sa.TIMESTAMP(timezone=True).with_variant(sa.Text(), "sqlite")
DOCUMENT: Final = sa.JSON().with_variant(sa.Text(), "sqlite")
FLAG: Final = sa.Boolean().with_variant(sa.Integer(), "sqlite")

COUNTED: Final[dict[str, Any]] = {"sqlite_strict": True, "sqlite_autoincrement": True}
KEYED: Final[dict[str, Any]] = {"sqlite_strict": True, "sqlite_with_rowid": False}
WAITING: Final = sa.text("done_at IS NULL AND not_before IS NOT NULL")


def upgrade() -> None:
    """Add to the tables there are and make the new ones."""
    _challenges()
    _matches()
    _outbox()
    _clocks()
    _choices()
    _records()


def _challenges() -> None:
    op.add_column("challenges", sa.Column("expires_at", INSTANT))
    op.add_column("challenges", sa.Column("places", sa.Integer()))
    op.add_column("challenges", sa.Column("days", sa.Integer()))
    op.add_column("challenges", sa.Column("rematch_of", ID))
    op.create_index("ix_challenges_state_guild_id", "challenges", ["state", "guild_id"])
    op.create_index("ix_challenges_state_expires_at", "challenges", ["state", "expires_at"])


def _matches() -> None:
    op.add_column("matches", sa.Column("days", sa.Integer()))
    op.add_column("matches", sa.Column("place", sa.Text()))
    op.add_column("matches", sa.Column("parent_id", ID))
    op.add_column(
        "matches", sa.Column("takebacks", sa.Integer(), nullable=False, server_default="0")
    )
    op.add_column("matches", sa.Column("ending", sa.Text()))
    op.add_column("matches", sa.Column("ended_by", ID))
    op.create_index("ix_matches_guild_id_finished_at", "matches", ["guild_id", "finished_at"])


def _outbox() -> None:
    op.add_column("outbox", sa.Column("not_before", INSTANT))
    op.create_index(
        "ix_outbox_not_before",
        "outbox",
        ["not_before"],
        sqlite_where=WAITING,
        postgresql_where=WAITING,
    )
    op.create_table(
        "pings",
        sa.Column("message_id", ID, autoincrement=False, nullable=False),
        sa.Column("channel_id", ID, nullable=False),
        sa.Column("match_id", ID, nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("message_id", name="pk_pings"),
        _belongs("pings"),
        sqlite_strict=True,
    )
    op.create_index("ix_pings_match_id", "pings", ["match_id"])


def _clocks() -> None:
    op.create_table(
        "clocks",
        sa.Column("match_id", ID, nullable=False),
        sa.Column("user_id", ID, nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("since", INSTANT, nullable=False),
        sa.Column("remind_at", INSTANT),
        sa.Column("due_at", INSTANT),
        sa.Column("left", sa.Integer()),
        sa.Column("lapsed_at", INSTANT),
        sa.Column("muted", FLAG, nullable=False),
        sa.Column("next_at", INSTANT),
        sa.PrimaryKeyConstraint("match_id", name="pk_clocks"),
        _belongs("clocks"),
        **KEYED,
    )
    op.create_index("ix_clocks_next_at", "clocks", ["next_at"])
    op.create_index("ix_clocks_user_id", "clocks", ["user_id"])
    op.create_table(
        "vacations",
        sa.Column("id", ID, nullable=False),
        sa.Column("user_id", ID, nullable=False),
        sa.Column("starts_at", INSTANT, nullable=False),
        sa.Column("ends_at", INSTANT, nullable=False),
        sa.Column("over", FLAG, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_vacations"),
        **COUNTED,
    )
    op.create_index("ix_vacations_user_id", "vacations", ["user_id", "ends_at"])
    op.create_index("ix_vacations_over_ends_at", "vacations", ["over", "ends_at"])


def _choices() -> None:
    op.create_table(
        "servers",
        sa.Column("guild_id", ID, autoincrement=False, nullable=False),
        sa.Column("settings", DOCUMENT, nullable=False),
        sa.Column("changed_at", INSTANT, nullable=False),
        sa.Column("changed_by", ID, nullable=False),
        sa.PrimaryKeyConstraint("guild_id", name="pk_servers"),
        **KEYED,
    )
    op.create_table(
        "people",
        sa.Column("user_id", ID, autoincrement=False, nullable=False),
        sa.Column("settings", DOCUMENT, nullable=False),
        sa.Column("changed_at", INSTANT, nullable=False),
        sa.PrimaryKeyConstraint("user_id", name="pk_people"),
        **KEYED,
    )
    op.create_table(
        "blocks",
        sa.Column("user_id", ID, autoincrement=False, nullable=False),
        sa.Column("blocked_id", ID, autoincrement=False, nullable=False),
        sa.Column("since", INSTANT, nullable=False),
        sa.PrimaryKeyConstraint("user_id", "blocked_id", name="pk_blocks"),
        **KEYED,
    )


def _records() -> None:
    op.create_table(
        "audit",
        sa.Column("id", ID, nullable=False),
        sa.Column("guild_id", ID, nullable=False),
        sa.Column("at", INSTANT, nullable=False),
        sa.Column("user_id", ID, nullable=False),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("match_id", ID),
        sa.Column("challenge_id", ID),
        sa.Column("detail", DOCUMENT, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_audit"),
        **COUNTED,
    )
    op.create_index("ix_audit_guild_id", "audit", ["guild_id", "id"])
    op.create_table(
        "imports",
        sa.Column("id", ID, nullable=False),
        sa.Column("user_id", ID, nullable=False),
        sa.Column("at", INSTANT, nullable=False),
        sa.Column("record", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_imports"),
        **COUNTED,
    )
    op.create_index("ix_imports_user_id", "imports", ["user_id"])


def _belongs(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["match_id"], ["matches.id"], name=f"fk_{table}_match_id", ondelete="CASCADE"
    )
