"""The first tables."""

from __future__ import annotations

from typing import Any, Final

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

ID: Final = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
INSTANT: Final = sa.TIMESTAMP(timezone=True).with_variant(sa.Text(), "sqlite")
DOCUMENT: Final = sa.JSON().with_variant(sa.Text(), "sqlite")
FLAG: Final = sa.Boolean().with_variant(sa.Integer(), "sqlite")

COUNTED: Final[dict[str, Any]] = {"sqlite_strict": True, "sqlite_autoincrement": True}
KEYED: Final[dict[str, Any]] = {"sqlite_strict": True, "sqlite_with_rowid": False}


def upgrade() -> None:
    """Make every table."""
    _matches()
    _challenges()
    _outbox()
    op.create_table(
        "standings",
        sa.Column("guild_id", ID, nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("user_id", ID, nullable=False),
        sa.Column("won", sa.Integer(), nullable=False),
        sa.Column("drawn", sa.Integer(), nullable=False),
        sa.Column("lost", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "game", "user_id", name="pk_standings"),
        **KEYED,
    )
    op.create_table(
        "notes",
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_notes"),
        **KEYED,
    )


def _matches() -> None:
    op.create_table(
        "matches",
        sa.Column("id", ID, nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("rules_version", sa.Integer(), nullable=False),
        sa.Column("options", DOCUMENT, nullable=False),
        sa.Column("guild_id", ID),
        sa.Column("channel_id", ID, nullable=False),
        sa.Column("seed", sa.LargeBinary(), nullable=False),
        sa.Column("commitment", sa.Text(), nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("finished_at", INSTANT),
        sa.Column("reason", sa.Text()),
        sa.Column("plies", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_matches"),
        sa.CheckConstraint("plies >= 0", name=op.f("ck_matches_plies")),
        **COUNTED,
    )
    op.create_index("ix_matches_channel_id", "matches", ["channel_id"])
    op.create_table(
        "players",
        sa.Column("match_id", ID, nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("user_id", ID, nullable=False),
        sa.Column("salt", sa.Text(), nullable=False),
        sa.Column("rank", sa.Integer()),
        sa.PrimaryKeyConstraint("match_id", "seat", name="pk_players"),
        _belongs("players", "match_id", "matches"),
        sa.UniqueConstraint("match_id", "user_id", name="uq_players_match_id_user_id"),
        **KEYED,
    )
    op.create_index("ix_players_user_id", "players", ["user_id", "match_id"])
    op.create_table(
        "moves",
        sa.Column("match_id", ID, nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("actor", sa.Integer()),
        sa.Column("notation", sa.Text(), nullable=False),
        sa.Column("made_at", INSTANT, nullable=False),
        sa.PrimaryKeyConstraint("match_id", "ply", name="pk_moves"),
        _belongs("moves", "match_id", "matches"),
        sa.CheckConstraint("ply >= 1", name=op.f("ck_moves_ply")),
        **KEYED,
    )
    op.create_table(
        "boards",
        sa.Column("message_id", ID, autoincrement=False, nullable=False),
        sa.Column("channel_id", ID, nullable=False),
        sa.Column("match_id", ID, nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("live", FLAG, nullable=False),
        sa.PrimaryKeyConstraint("message_id", name="pk_boards"),
        _belongs("boards", "match_id", "matches"),
        sqlite_strict=True,
    )
    op.create_index("ix_boards_match_id", "boards", ["match_id", "ply"])


def _challenges() -> None:
    op.create_table(
        "challenges",
        sa.Column("id", ID, nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("options", DOCUMENT, nullable=False),
        sa.Column("guild_id", ID),
        sa.Column("channel_id", ID, nullable=False),
        sa.Column("message_id", ID),
        sa.Column("challenger_id", ID, nullable=False),
        sa.Column("seed", sa.LargeBinary(), nullable=False),
        sa.Column("seat", sa.Integer()),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("match_id", ID),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("closed_at", INSTANT),
        sa.PrimaryKeyConstraint("id", name="pk_challenges"),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_challenges_match_id"),
        sa.CheckConstraint(
            "state IN ('open', 'started', 'declined', 'withdrawn', 'expired')",
            name=op.f("ck_challenges_state"),
        ),
        **COUNTED,
    )
    op.create_index("ix_challenges_state_channel_id", "challenges", ["state", "channel_id"])
    op.create_index("ix_challenges_challenger_id", "challenges", ["challenger_id"])
    op.create_index("ix_challenges_match_id", "challenges", ["match_id"])
    op.create_table(
        "invited",
        sa.Column("challenge_id", ID, nullable=False),
        sa.Column("user_id", ID, nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("joined", sa.Integer()),
        sa.Column("salt", sa.Text()),
        sa.PrimaryKeyConstraint("challenge_id", "user_id", name="pk_invited"),
        _belongs("invited", "challenge_id", "challenges"),
        sa.UniqueConstraint("challenge_id", "place", name="uq_invited_challenge_id_place"),
        sa.UniqueConstraint("challenge_id", "joined", name="uq_invited_challenge_id_joined"),
        **KEYED,
    )


def _outbox() -> None:
    op.create_table(
        "outbox",
        sa.Column("id", ID, nullable=False),
        sa.Column("match_id", ID),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("payload", DOCUMENT, nullable=False),
        sa.Column("nonce", sa.Text(), nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("blocked", sa.Text()),
        sa.Column("done_at", INSTANT),
        sa.PrimaryKeyConstraint("id", name="pk_outbox"),
        _belongs("outbox", "match_id", "matches"),
        sa.UniqueConstraint("nonce", name="uq_outbox_nonce"),
        sa.CheckConstraint("length(nonce) BETWEEN 1 AND 25", name=op.f("ck_outbox_nonce")),
        **COUNTED,
    )
    op.create_index(
        "ix_outbox_pending",
        "outbox",
        ["match_id", "id"],
        sqlite_where=sa.text("done_at IS NULL"),
        postgresql_where=sa.text("done_at IS NULL"),
    )


def _belongs(table: str, column: str, owner: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        [column], [f"{owner}.id"], name=f"fk_{table}_{column}", ondelete="CASCADE"
    )
