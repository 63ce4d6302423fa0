"""The first tables. They follow the tables of `data` until the first release, and are frozen then."""

from __future__ import annotations

from typing import Any, Final

import sqlalchemy as sa
from alembic import op
from sqlalchemy import (
    CheckConstraint,
    Column,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    Text,
    UniqueConstraint,
)

revision = "0001"
down_revision = None
WORKS_WITH = "0001"

ID: Final = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
INSTANT: Final = sa.TIMESTAMP(timezone=True).with_variant(sa.Text(), "sqlite")
FLAG: Final = sa.Boolean().with_variant(sa.Integer(), "sqlite")
REAL: Final[sa.types.TypeEngine[float]] = sa.Double().with_variant(sa.REAL(), "sqlite")
DOCUMENT: Final[sa.types.TypeEngine[Any]] = sa.JSON().with_variant(sa.Text(), "sqlite")

COUNTED: Final[dict[str, Any]] = {"sqlite_strict": True, "sqlite_autoincrement": True}
KEYED: Final[dict[str, Any]] = {"sqlite_strict": True, "sqlite_with_rowid": False}

PENDING: Final = sa.text("done_at IS NULL")
DONE: Final = sa.text("done_at IS NOT NULL")
DEFERRED: Final = sa.text("done_at IS NULL AND not_before IS NOT NULL")
UNDECIDED: Final = sa.text("points IS NULL")
NOT_CLOSED: Final = sa.text("closed_at IS NULL")
NOT_SHOWN: Final = sa.text("try_at IS NOT NULL")
NOT_ENDED: Final = sa.text("ended_at IS NULL")
CALLED: Final = sa.text("ended_at IS NULL AND called_at IS NOT NULL")


def upgrade() -> None:  # noqa: PLR0915 -- one statement per table
    """Create every table."""
    op.create_table(
        "processes",
        Column("id", Text, primary_key=True),
        Column("role", Text, nullable=False),
        Column("version", Text, nullable=False),
        Column("started_at", INSTANT, nullable=False),
        Column("heartbeat_at", INSTANT, nullable=False),
        Column("draining", FLAG, nullable=False, server_default=sa.false()),
        Column("replaces", FLAG, nullable=False, server_default=sa.false()),
        **KEYED,
    )
    op.create_table(
        "shards",
        Column("number", Integer, primary_key=True, autoincrement=False),
        Column("epoch", Integer, nullable=False, server_default="0"),
        Column("owner", Text),
        Column("wanted_by", Text),
        Column("connected", FLAG, nullable=False, server_default=sa.false()),
        Column("handled", DOCUMENT),
        Index("ix_shards_owner", "owner"),
        **KEYED,
    )
    op.create_table(
        "identifies",
        Column("bucket", Integer, primary_key=True, autoincrement=False),
        Column("next_at", INSTANT, nullable=False),
        **KEYED,
    )
    op.create_table(
        "audit",
        Column("id", ID, primary_key=True),
        Column("guild_id", ID, nullable=False),
        Column("at", INSTANT, nullable=False),
        Column("user_id", ID, nullable=False),
        Column("action", Text, nullable=False),
        Column("match_id", ID),
        Column("challenge_id", ID),
        Column("detail", DOCUMENT, nullable=False),
        Index("ix_audit_guild_id", "guild_id", "id"),
        **COUNTED,
    )
    op.create_table(
        "blocks",
        Column("user_id", ID, primary_key=True),
        Column("blocked_id", ID, primary_key=True),
        Column("since", INSTANT, nullable=False),
        **KEYED,
    )
    op.create_table(
        "courses",
        Column("user_id", ID, primary_key=True),
        Column("game", Text, primary_key=True),
        Column("page", Integer, nullable=False),
        **KEYED,
    )
    op.create_table(
        "imports",
        Column("id", ID, primary_key=True),
        Column("user_id", ID, nullable=False),
        Column("at", INSTANT, nullable=False),
        Column("record", Text, nullable=False),
        Column("game", Text, nullable=False),
        Column("over", FLAG, nullable=False),
        Column("luck", DOCUMENT, nullable=False),
        Column("found", DOCUMENT),
        Index("ix_imports_user_id", "user_id"),
        **COUNTED,
    )
    op.create_table(
        "hourly_uses",
        Column("user_id", ID, primary_key=True),
        Column("action", Text, primary_key=True),
        Column("since", INSTANT, nullable=False),
        Column("number", Integer, nullable=False),
        Index("ix_hourly_uses_since", "since"),
        **KEYED,
    )
    op.create_table(
        "spent_limits",
        Column("user_id", ID, primary_key=True),
        Column("action", Text, primary_key=True),
        Column("game", Text, primary_key=True),
        Column("opponent_id", ID, primary_key=True),
        Column("number", Integer, nullable=False),
        Column("ends_at", INSTANT, nullable=False),
        Index("ix_spent_limits_ends_at", "ends_at"),
        **KEYED,
    )
    op.create_table(
        "matches",
        Column("id", ID, primary_key=True),
        Column("game", Text, nullable=False),
        Column("rules_version", Integer, nullable=False),
        Column("options", DOCUMENT, nullable=False),
        Column("guild_id", ID),
        Column("channel_id", ID, nullable=False),
        Column("seed", LargeBinary, nullable=False),
        Column("commitment", Text, nullable=False),
        Column("challenge_id", ID, nullable=False, server_default="0"),
        Column("drawn_for", Text),
        Column("created_at", INSTANT, nullable=False),
        Column("finished_at", INSTANT),
        Column("reason", Text),
        Column("plies", Integer, nullable=False),
        Column("to_move", Integer),
        Column("days", Integer),
        Column("place", Text),
        Column("parent_id", ID),
        Column("takebacks", Integer, nullable=False, server_default="0"),
        Column("ending", Text),
        Column("ended_by", ID),
        Column("casual", FLAG, nullable=False, server_default=sa.false()),
        Column("hints", Integer, nullable=False, server_default="0"),
        Column("eased", FLAG, nullable=False, server_default=sa.false()),
        Column("given_up", Integer, nullable=False, server_default="0"),
        Column("restored", Integer, nullable=False, server_default="0"),
        Column("bank", Integer),
        Column("game_days", Integer),
        CheckConstraint("plies >= 0", name="plies"),
        Index("ix_matches_channel_id", "channel_id"),
        Index("ix_matches_guild_id_finished_at", "guild_id", "finished_at"),
        **COUNTED,
    )
    op.create_table(
        "key_values",
        Column("key", Text, primary_key=True),
        Column("value", Text, nullable=False),
        **KEYED,
    )
    op.create_table(
        "outdated_ratings",
        Column("game", Text, primary_key=True),
        Column("since_id", ID, nullable=False),
        Column("version", Integer, nullable=False),
        **KEYED,
    )
    op.create_table(
        "people",
        Column("user_id", ID, primary_key=True, autoincrement=False),
        Column("settings", DOCUMENT, nullable=False),
        Column("changed_at", INSTANT, nullable=False),
        **KEYED,
    )
    op.create_table(
        "puzzles",
        Column("id", ID, primary_key=True),
        Column("game", Text, nullable=False),
        Column("options", DOCUMENT, nullable=False),
        Column("position", Text, nullable=False),
        Column("solution", Text, nullable=False),
        Column("evaluation", DOCUMENT, nullable=False),
        Column("fingerprint", ID, nullable=False),
        Column("digest", Text, nullable=False),
        Column("made_at", INSTANT, nullable=False),
        Column("tried", Integer, nullable=False, server_default="0"),
        Column("solved", Integer, nullable=False, server_default="0"),
        Column("level", Integer),
        UniqueConstraint("digest"),
        Index("ix_puzzles_game", "game", "id"),
        Index("ix_puzzles_fingerprint", "fingerprint"),
        **COUNTED,
    )
    op.create_table(
        "rating_histogram",
        Column("scope", ID, primary_key=True),
        Column("game", Text, primary_key=True),
        Column("day", Integer, primary_key=True),
        Column("bucket", Integer, primary_key=True),
        Column("players", Integer, nullable=False),
        **KEYED,
    )
    op.create_table(
        "ratings",
        Column("user_id", ID, primary_key=True),
        Column("scope", ID, primary_key=True),
        Column("game", Text, primary_key=True),
        Column("mu", REAL, nullable=False),
        Column("sigma", REAL, nullable=False),
        Column("games", Integer, nullable=False),
        Column("won", Integer, nullable=False),
        Column("drawn", Integer, nullable=False),
        Column("lost", Integer, nullable=False),
        Column("streak", Integer, nullable=False),
        Column("best", Integer, nullable=False),
        Column("form", Text, nullable=False),
        Column("last_at", INSTANT, nullable=False),
        Column("opponents", Integer, nullable=False),
        Column("established", FLAG, nullable=False),
        Index("ix_ratings_games", "scope", "game", "established", "games", "mu", "user_id"),
        Index("ix_ratings_last_at", "scope", "game", "established", "last_at", "user_id"),
        Index("ix_ratings_mu", "scope", "game", "established", "mu", "games", "user_id", "last_at"),
        **KEYED,
    )
    op.create_table(
        "rivals",
        Column("user_id", ID, primary_key=True),
        Column("scope", ID, primary_key=True),
        Column("rival_id", ID, primary_key=True),
        Column("game", Text, primary_key=True),
        Column("games", Integer, nullable=False),
        Column("rated", Integer, nullable=False),
        Column("won", Integer, nullable=False),
        Column("drawn", Integer, nullable=False),
        Index("ix_rivals_games", "user_id", "scope", "games"),
        **KEYED,
    )
    op.create_table(
        "scores",
        Column("user_id", ID, primary_key=True),
        Column("scope", ID, primary_key=True),
        Column("game", Text, primary_key=True),
        Column("seat", Integer, primary_key=True),
        Column("won", Integer, nullable=False),
        Column("drawn", Integer, nullable=False),
        Column("lost", Integer, nullable=False),
        Column("moves", Integer, nullable=False),
        Column("seconds", ID, nullable=False),
        **KEYED,
    )
    op.create_table(
        "servers",
        Column("guild_id", ID, primary_key=True, autoincrement=False),
        Column("settings", DOCUMENT, nullable=False),
        Column("changed_at", INSTANT, nullable=False),
        Column("changed_by", ID, nullable=False),
        **KEYED,
    )
    op.create_table(
        "server_outages",
        Column("guild_id", ID, primary_key=True, autoincrement=False),
        Column("since", INSTANT, nullable=False),
        Column("grace_until", INSTANT),
        **KEYED,
    )
    op.create_table(
        "season_ratings",
        Column("user_id", ID, primary_key=True),
        Column("scope", ID, primary_key=True),
        Column("game", Text, primary_key=True),
        Column("season", Integer, primary_key=True),
        Column("mu", REAL, nullable=False),
        Column("sigma", REAL, nullable=False),
        Column("points", Integer, nullable=False),
        Column("games", Integer, nullable=False),
        Column("won", Integer, nullable=False),
        Column("drawn", Integer, nullable=False),
        Column("lost", Integer, nullable=False),
        Column("form", Text, nullable=False),
        Column("opponents", Integer, nullable=False),
        Column("ranked", FLAG, nullable=False),
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
    op.create_table(
        "side_ratings",
        Column("scope", ID, primary_key=True),
        Column("game", Text, primary_key=True),
        Column("seat", Integer, primary_key=True),
        Column("mu", REAL, nullable=False),
        Column("sigma", REAL, nullable=False),
        Column("games", Integer, nullable=False),
        Column("won", Integer, nullable=False),
        Column("drawn", Integer, nullable=False),
        **KEYED,
    )
    op.create_table(
        "tournaments",
        Column("id", ID, primary_key=True),
        Column("guild_id", ID, nullable=False),
        Column("channel_id", ID, nullable=False),
        Column("thread_id", ID),
        Column("message_id", ID),
        Column("name", Text, nullable=False),
        Column("game", Text, nullable=False),
        Column("plan", DOCUMENT, nullable=False),
        Column("state", Text, nullable=False),
        Column("created_by", ID, nullable=False),
        Column("seed", LargeBinary, nullable=False),
        Column("created_at", INSTANT, nullable=False),
        Column("ended_at", INSTANT),
        Column("days", Integer, nullable=False),
        Column("round_days", Integer),
        Column("verdict", Text, nullable=False),
        Column("casual", FLAG, nullable=False),
        Column("max_players", Integer, nullable=False),
        Column("min_rating", Integer),
        Column("max_rating", Integer),
        Column("established", FLAG, nullable=False),
        Column("role_id", ID),
        Column("starts_at", INSTANT),
        Column("monthly_day", Integer),
        Column("options", DOCUMENT, nullable=False),
        Column("imported", FLAG, nullable=False, server_default=sa.false()),
        Column("bank", Integer),
        Column("round", Integer, nullable=False, server_default="0"),
        Column("next_at", INSTANT),
        Column("version", Integer, nullable=False, server_default="0"),
        CheckConstraint(
            "state IN ('sign-up', 'running', 'adjourned', 'finished', 'cancelled')", name="state"
        ),
        CheckConstraint("verdict IN ('draw', 'manager', 'computer')", name="verdict"),
        Index("ix_tournaments_guild_id", "guild_id", "state"),
        Index("ix_tournaments_next_at", "next_at"),
        Index(
            "ix_tournaments_imported",
            "guild_id",
            sqlite_where=sa.text("imported = 1"),
            postgresql_where=sa.text("imported"),
        ),
        **COUNTED,
    )
    op.create_table(
        "tournament_entrants",
        Column(
            "tournament_id", ID, ForeignKey("tournaments.id", ondelete="CASCADE"), primary_key=True
        ),
        Column("user_id", ID, primary_key=True),
        Column("number", Integer, nullable=False),
        Column("strength", REAL, nullable=False),
        Column("joined_at", INSTANT, nullable=False),
        Column("joined_round", Integer, nullable=False),
        Column("left_after", Integer),
        Column("leave_reason", Text),
        Column("replaces_user_id", ID),
        Column("place", Integer),
        Column("word", Text, nullable=False, server_default=""),
        CheckConstraint(
            "leave_reason IN ('left', 'absent', 'gone', 'removed')", name="leave_reason"
        ),
        Index("ix_tournament_entrants_user_id", "user_id"),
        UniqueConstraint("tournament_id", "number"),
        **KEYED,
    )
    op.create_table(
        "tournament_rounds",
        Column(
            "tournament_id", ID, ForeignKey("tournaments.id", ondelete="CASCADE"), primary_key=True
        ),
        Column("round", Integer, primary_key=True),
        Column("begun_at", INSTANT, nullable=False),
        Column("ends_at", INSTANT),
        Column("warn_at", INSTANT),
        Column("ended_at", INSTANT),
        Column("forced", FLAG, nullable=False, server_default=sa.false()),
        Column("judged_until", INSTANT),
        **KEYED,
    )
    op.create_table(
        "tournament_imports",
        Column(
            "tournament_id",
            ID,
            ForeignKey("tournaments.id", ondelete="CASCADE"),
            primary_key=True,
        ),
        Column("pairings", LargeBinary, nullable=False),
        **KEYED,
    )
    op.create_table(
        "tournament_pairings",
        Column("tournament_id", ID, primary_key=True),
        Column("round", Integer, primary_key=True),
        Column("table_no", Integer, primary_key=True),
        Column("stage", Text, nullable=False),
        ForeignKeyConstraint(
            ["tournament_id", "round"],
            ["tournament_rounds.tournament_id", "tournament_rounds.round"],
            ondelete="CASCADE",
        ),
        **KEYED,
    )
    op.create_table(
        "tournament_paired",
        Column("tournament_id", ID, primary_key=True),
        Column("round", Integer, primary_key=True),
        Column("table_no", Integer, primary_key=True),
        Column("place", Integer, primary_key=True),
        Column("user_id", ID, nullable=False),
        ForeignKeyConstraint(
            ["tournament_id", "round", "table_no"],
            [
                "tournament_pairings.tournament_id",
                "tournament_pairings.round",
                "tournament_pairings.table_no",
            ],
            ondelete="CASCADE",
        ),
        Index("ix_tournament_paired_user_id", "user_id"),
        **KEYED,
    )
    op.create_table(
        "excluded_players",
        Column("guild_id", ID, primary_key=True),
        Column("user_id", ID, primary_key=True),
        Column("at", INSTANT, nullable=False),
        Column("decided_by", ID, nullable=False),
        **KEYED,
    )
    op.create_table(
        "vacations",
        Column("id", ID, primary_key=True),
        Column("user_id", ID, nullable=False),
        Column("starts_at", INSTANT, nullable=False),
        Column("ends_at", INSTANT, nullable=False),
        Column("over", FLAG, nullable=False),
        Index("ix_vacations_over_ends_at", "over", "ends_at"),
        Index("ix_vacations_user_id", "user_id", "ends_at"),
        **COUNTED,
    )
    op.create_table(
        "aborts",
        Column("user_id", ID, primary_key=True),
        Column("match_id", ID, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
        Column("at", INSTANT, nullable=False),
        Index("ix_aborts_at", "at"),
        Index("ix_aborts_match_id", "match_id"),
        **KEYED,
    )
    op.create_table(
        "analyses",
        Column("match_id", ID, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
        Column("made_at", INSTANT, nullable=False),
        Column("found", DOCUMENT, nullable=False),
        **KEYED,
    )
    op.create_table(
        "attempts",
        Column("user_id", ID, primary_key=True),
        Column("puzzle_id", ID, ForeignKey("puzzles.id", ondelete="CASCADE"), primary_key=True),
        Column("at", INSTANT, nullable=False),
        Column("solved", FLAG),
        Index("ix_attempts_puzzle_id", "puzzle_id"),
        **KEYED,
    )
    op.create_table(
        "followed_matches",
        Column("user_id", ID, primary_key=True),
        Column("match_id", ID, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
        Column("since", INSTANT, nullable=False),
        Index("ix_followed_matches_match_id", "match_id"),
        **KEYED,
    )
    op.create_table(
        "followed_players",
        Column("user_id", ID, primary_key=True),
        Column("guild_id", ID, primary_key=True),
        Column("player_id", ID, primary_key=True),
        Column("since", INSTANT, nullable=False),
        Index("ix_followed_players_player_id", "player_id", "guild_id"),
        **KEYED,
    )
    op.create_table(
        "posts",
        Column("id", ID, primary_key=True),
        Column("kind", Text, nullable=False),
        Column("subject", ID, nullable=False),
        Column("part", Integer, nullable=False),
        Column("user_id", ID, nullable=False),
        Column("guild_id", ID),
        Column("payload", DOCUMENT, nullable=False),
        Column("channel_id", ID),
        Column("message_id", ID),
        Column("copies", Integer, nullable=False),
        Column("wanted", Integer, nullable=False),
        Column("done", Integer, nullable=False),
        Column("created_at", INSTANT, nullable=False),
        Column("try_at", INSTANT),
        Column("failures", Integer, nullable=False),
        UniqueConstraint("kind", "subject", "part", "user_id"),
        Index("ix_posts_user_id", "user_id"),
        **COUNTED,
    )
    op.create_index(
        "ix_posts_try_at", "posts", ["try_at"], sqlite_where=NOT_SHOWN, postgresql_where=NOT_SHOWN
    )
    op.create_table(
        "puzzle_schedules",
        Column("guild_id", ID, primary_key=True, autoincrement=False),
        Column("channel_id", ID, nullable=False),
        Column("hour", Integer, nullable=False),
        Column("next_at", INSTANT, nullable=False),
        Column("notified", FLAG, nullable=False),
        Index("ix_puzzle_schedules_next_at", "next_at"),
        **KEYED,
    )
    op.create_table(
        "daily_puzzles",
        Column("id", ID, primary_key=True),
        Column("guild_id", ID, nullable=False),
        Column("day", Text, nullable=False),
        Column("puzzle_id", ID, ForeignKey("puzzles.id", ondelete="CASCADE"), nullable=False),
        Column("channel_id", ID, nullable=False),
        Column("message_id", ID),
        Column("closed_at", INSTANT),
        UniqueConstraint("guild_id", "day"),
        Index("ix_daily_puzzles_puzzle_id", "puzzle_id", "closed_at"),
        **COUNTED,
    )
    op.create_table(
        "daily_answers",
        Column(
            "daily_id", ID, ForeignKey("daily_puzzles.id", ondelete="CASCADE"), primary_key=True
        ),
        Column("user_id", ID, primary_key=True),
        Column("at", INSTANT, nullable=False),
        Column("solved", FLAG, nullable=False),
        Column("first_try", FLAG, nullable=False),
        Column("streak", Integer, nullable=False),
        Index("ix_daily_answers_user_id", "user_id"),
        **KEYED,
    )
    op.create_table(
        "boards",
        Column("message_id", ID, primary_key=True, autoincrement=False),
        Column("channel_id", ID, nullable=False),
        Column("match_id", ID, ForeignKey("matches.id", ondelete="CASCADE"), nullable=False),
        Column("ply", Integer, nullable=False),
        Column("live", FLAG, nullable=False),
        Index("ix_boards_match_id", "match_id", "ply"),
        sqlite_strict=True,
    )
    op.create_table(
        "challenges",
        Column("id", ID, primary_key=True),
        Column("game", Text, nullable=False),
        Column("options", DOCUMENT, nullable=False),
        Column("guild_id", ID),
        Column("channel_id", ID, nullable=False),
        Column("message_id", ID),
        Column("challenger_id", ID, nullable=False),
        Column("seed", LargeBinary, nullable=False),
        Column("seat", Integer),
        Column("state", Text, nullable=False),
        Column("match_id", ID, ForeignKey("matches.id")),
        Column("created_at", INSTANT, nullable=False),
        Column("closed_at", INSTANT),
        Column("expires_at", INSTANT),
        Column("places", Integer),
        Column("days", Integer),
        Column("rematch_of", ID),
        Column("casual", FLAG, nullable=False, server_default=sa.false()),
        Column("in_order", FLAG, nullable=False, server_default=sa.false()),
        Column("bank", Integer),
        CheckConstraint(
            "state IN ('open', 'started', 'declined', 'withdrawn', 'expired')", name="state"
        ),
        Index("ix_challenges_challenger_id", "challenger_id"),
        Index("ix_challenges_match_id", "match_id"),
        Index("ix_challenges_state_channel_id", "state", "channel_id"),
        Index("ix_challenges_state_expires_at", "state", "expires_at"),
        Index("ix_challenges_state_guild_id", "state", "guild_id"),
        **COUNTED,
    )
    op.create_table(
        "computer_tasks",
        Column("id", ID, primary_key=True),
        Column("kind", Text, nullable=False),
        Column("name", Text, nullable=False),
        Column("match_id", ID, ForeignKey("matches.id", ondelete="CASCADE")),
        Column("guild_id", ID, nullable=False),
        Column("user_id", ID, nullable=False),
        Column("urgent", FLAG, nullable=False),
        Column("turn", ID, nullable=False),
        Column("place", ID, nullable=False),
        Column("since", INSTANT),
        Column("free_at", REAL, nullable=False, server_default="0"),
        Column("lease", Integer, nullable=False, server_default="0"),
        Column("attempts", Integer, nullable=False, server_default="0"),
        Column("share", REAL),
        Column("asked", DOCUMENT),
        Column("answer", DOCUMENT),
        CheckConstraint(
            "kind IN ('move', 'hint', 'analysis', 'record analysis', 'record', 'ratings')",
            name="kind",
        ),
        UniqueConstraint("kind", "name"),
        Index("ix_computer_tasks_match_id", "match_id"),
        Index("ix_computer_tasks_turn", "urgent", "turn"),
        Index("ix_computer_tasks_guild_id", "guild_id", "urgent", "user_id"),
        **COUNTED,
    )
    op.create_table(
        "conditional_moves",
        Column("id", ID, primary_key=True),
        Column("match_id", ID, ForeignKey("matches.id", ondelete="CASCADE"), nullable=False),
        Column("seat", Integer, nullable=False),
        Column("version", ID, nullable=False),
        Column("path", Text, nullable=False),
        Column("notation", Text, nullable=False),
        UniqueConstraint("match_id", "seat", "path"),
        **COUNTED,
    )
    op.create_table(
        "notes",
        Column("user_id", ID, primary_key=True),
        Column("match_id", ID, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
        Column("text", Text, nullable=False),
        Index("ix_notes_match_id", "match_id"),
        **KEYED,
    )
    op.create_table(
        "clocks",
        Column("match_id", ID, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
        Column("user_id", ID, nullable=False),
        Column("ply", Integer, nullable=False),
        Column("since", INSTANT, nullable=False),
        Column("remind_at", INSTANT),
        Column("due_at", INSTANT),
        Column("left", Integer),
        Column("lapsed_at", INSTANT),
        Column("muted", FLAG, nullable=False),
        Column("next_at", INSTANT),
        Index("ix_clocks_next_at", "next_at"),
        Index("ix_clocks_user_id", "user_id"),
        **KEYED,
    )
    op.create_table(
        "hints",
        Column("match_id", ID, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
        Column("version", Integer, primary_key=True),
        Column("evaluation", DOCUMENT, nullable=False),
        **KEYED,
    )
    op.create_table(
        "moves",
        Column("match_id", ID, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
        Column("ply", Integer, primary_key=True),
        Column("actor", Integer),
        Column("notation", Text, nullable=False),
        Column("made_at", INSTANT, nullable=False),
        Column("fingerprint", ID),
        CheckConstraint("ply >= 1", name="ply"),
        **KEYED,
    )
    op.create_index(
        "ix_moves_fingerprint",
        "moves",
        ["fingerprint"],
        sqlite_where=sa.text("fingerprint IS NOT NULL"),
        postgresql_where=sa.text("fingerprint IS NOT NULL"),
    )
    op.create_table(
        "outbox",
        Column("id", ID, primary_key=True),
        Column("match_id", ID, ForeignKey("matches.id", ondelete="CASCADE")),
        Column("kind", Text, nullable=False),
        Column("payload", DOCUMENT, nullable=False),
        Column("nonce", Text, nullable=False),
        Column("created_at", INSTANT, nullable=False),
        Column("attempts", Integer, nullable=False),
        Column("blocked", Text),
        Column("done_at", INSTANT),
        Column("not_before", INSTANT),
        UniqueConstraint("nonce"),
        CheckConstraint("length(nonce) BETWEEN 1 AND 25", name="nonce"),
        Index("ix_outbox_done_at", "done_at", sqlite_where=DONE, postgresql_where=DONE),
        Index(
            "ix_outbox_not_before", "not_before", sqlite_where=DEFERRED, postgresql_where=DEFERRED
        ),
        Index(
            "ix_outbox_pending", "match_id", "id", sqlite_where=PENDING, postgresql_where=PENDING
        ),
        **COUNTED,
    )
    op.create_table(
        "offers",
        Column("id", ID, primary_key=True),
        Column("match_id", ID, ForeignKey("matches.id", ondelete="CASCADE"), nullable=False),
        Column("kind", Text, nullable=False),
        Column("seat", Integer, nullable=False),
        Column("ply", Integer, nullable=False),
        Column("takebacks", Integer, nullable=False),
        Column("given_up", Integer, nullable=False),
        Column("refused", Integer, nullable=False),
        Column("agreed", Text, nullable=False),
        Column("state", Text, nullable=False),
        Column("answered_by", Integer),
        Column("channel_id", ID),
        Column("message_id", ID),
        UniqueConstraint("match_id", "kind", "seat"),
        CheckConstraint("kind IN ('draw', 'takeback')", name="kind"),
        CheckConstraint(
            "state IN ('open', 'agreed', 'declined', 'withdrawn', 'lapsed')", name="state"
        ),
        **COUNTED,
    )
    op.create_table(
        "turn_calls",
        Column("message_id", ID, primary_key=True, autoincrement=False),
        Column("channel_id", ID, nullable=False),
        Column("match_id", ID, ForeignKey("matches.id", ondelete="CASCADE"), nullable=False),
        Column("ply", Integer, nullable=False),
        Index("ix_turn_calls_match_id", "match_id"),
        sqlite_strict=True,
    )
    op.create_table(
        "players",
        Column("match_id", ID, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
        Column("seat", Integer, primary_key=True),
        Column("user_id", ID, nullable=False),
        Column("place", Integer, nullable=False, server_default="0"),
        Column("word", Text, nullable=False),
        Column("rank", Integer),
        Column("gave_up", Integer),
        Column("gave_up_ply", Integer),
        Column("gave_up_how", Text),
        Column("guild_id", ID),
        Column("result_id", ID),
        Column("moves", Integer),
        Column("seconds", ID),
        Column("bank_left", Integer),
        UniqueConstraint("match_id", "user_id"),
        Index("ix_players_guild_id", "user_id", "guild_id", "result_id"),
        Index("ix_players_result_id", "user_id", "result_id"),
        Index("ix_players_user_id", "user_id", "match_id"),
        **KEYED,
    )
    op.create_table(
        "results",
        Column("id", ID, primary_key=True),
        Column("match_id", ID, ForeignKey("matches.id", ondelete="CASCADE"), nullable=False),
        Column("game", Text, nullable=False),
        Column("guild_id", ID),
        Column("at", INSTANT, nullable=False),
        Column("rated", FLAG, nullable=False),
        UniqueConstraint("match_id"),
        Index("ix_results_game", "game", "id"),
        **COUNTED,
    )
    op.create_table(
        "feats",
        Column("user_id", ID, primary_key=True),
        Column("kind", Text, primary_key=True),
        Column("game", Text, primary_key=True),
        Column("rules", Text, primary_key=True),
        Column("result_id", ID, ForeignKey("results.id", ondelete="CASCADE"), primary_key=True),
        Column("amount", Integer, nullable=False),
        Index("ix_feats_result_id", "result_id"),
        **KEYED,
    )
    op.create_table(
        "rating_changes",
        Column("user_id", ID, primary_key=True),
        Column("scope", ID, primary_key=True),
        Column("game", Text, primary_key=True),
        Column("result_id", ID, ForeignKey("results.id", ondelete="CASCADE"), primary_key=True),
        Column("at", INSTANT, nullable=False),
        Column("rated", FLAG, nullable=False),
        Column("mu", REAL, nullable=False),
        Column("sigma", REAL, nullable=False),
        Column("games", Integer, nullable=False),
        Column("skipped", Integer, nullable=False),
        Column("share", REAL, nullable=False),
        Index("ix_rating_changes_result_id", "result_id"),
        **KEYED,
    )
    op.create_table(
        "invited",
        Column(
            "challenge_id", ID, ForeignKey("challenges.id", ondelete="CASCADE"), primary_key=True
        ),
        Column("user_id", ID, primary_key=True),
        Column("place", Integer, nullable=False),
        Column("joined", Integer),
        Column("word", Text),
        UniqueConstraint("challenge_id", "place"),
        UniqueConstraint("challenge_id", "joined"),
        **KEYED,
    )
    op.create_table(
        "tournament_games",
        Column("tournament_id", ID, primary_key=True),
        Column("round", Integer, primary_key=True),
        Column("table_no", Integer, primary_key=True),
        Column("number", Integer, primary_key=True),
        Column("seats", DOCUMENT, nullable=False),
        Column("match_id", ID, ForeignKey("matches.id")),
        Column("points", DOCUMENT),
        Column("how", Text, nullable=False),
        ForeignKeyConstraint(
            ["tournament_id", "round", "table_no"],
            [
                "tournament_pairings.tournament_id",
                "tournament_pairings.round",
                "tournament_pairings.table_no",
            ],
            ondelete="CASCADE",
        ),
        UniqueConstraint("match_id"),
        CheckConstraint("how IN ('played', 'adjudicated', 'forfeit', 'void')", name="how"),
        Index(
            "ix_tournament_games_open",
            "match_id",
            sqlite_where=UNDECIDED,
            postgresql_where=UNDECIDED,
        ),
        **KEYED,
    )
    op.create_table(
        "ladders",
        Column("id", ID, primary_key=True),
        Column("guild_id", ID, nullable=False),
        Column("channel_id", ID, nullable=False),
        Column("game", Text, nullable=False),
        Column("created_by", ID, nullable=False),
        Column("reach", Integer, nullable=False),
        Column("answer_days", Integer, nullable=False),
        Column("idle_days", Integer, nullable=False),
        Column("pause_days", Integer, nullable=False),
        Column("days", Integer, nullable=False),
        Column("game_days", Integer, nullable=False),
        Column("casual", FLAG, nullable=False),
        Column("created_at", INSTANT, nullable=False),
        Column("closed_at", INSTANT),
        Column("lost_at", INSTANT),
        Column("next_check_at", INSTANT),
        Index("ix_ladders_guild_id", "guild_id"),
        Index("ix_ladders_next_check_at", "next_check_at"),
        Index(
            "ux_ladders_open",
            "guild_id",
            "game",
            unique=True,
            sqlite_where=NOT_CLOSED,
            postgresql_where=NOT_CLOSED,
        ),
        **COUNTED,
    )
    op.create_table(
        "ladder_places",
        Column("ladder_id", ID, ForeignKey("ladders.id", ondelete="CASCADE"), primary_key=True),
        Column("user_id", ID, primary_key=True),
        Column("place", Integer, nullable=False),
        Column("best", Integer, nullable=False),
        Column("joined_at", INSTANT, nullable=False),
        Column("active_at", INSTANT, nullable=False),
        Column("slide_at", INSTANT, nullable=False),
        Column("passed_at", INSTANT),
        Index("ix_ladder_places_user_id", "user_id"),
        **KEYED,
    )
    op.create_table(
        "ladder_challenges",
        Column("id", ID, primary_key=True),
        Column("ladder_id", ID, ForeignKey("ladders.id", ondelete="CASCADE"), nullable=False),
        Column("challenger_id", ID, nullable=False),
        Column("challenged_id", ID, nullable=False),
        Column("seed", LargeBinary, nullable=False),
        Column("challenger_word", Text, nullable=False, server_default=""),
        Column("challenged_word", Text, nullable=False, server_default=""),
        Column("place", Integer, nullable=False),
        Column("created_at", INSTANT, nullable=False),
        Column("called_at", INSTANT),
        Column("answer_by", INSTANT, nullable=False),
        Column("reminded", FLAG, nullable=False, server_default=sa.false()),
        Column("due_at", INSTANT),
        Column("match_id", ID, ForeignKey("matches.id")),
        Column("outcome", Text),
        Column("gained_place", Integer),
        Column("counted", FLAG, nullable=False, server_default=sa.false()),
        Column("ended_at", INSTANT),
        CheckConstraint(
            "outcome IN ('won', 'lost', 'drawn', 'void', 'unanswered', 'declined', 'passed', "
            "'withdrawn', 'left', 'quit', 'closed', 'lapsed')",
            name="outcome",
        ),
        Index("ix_ladder_challenges_ladder_id", "ladder_id", "ended_at"),
        Index("ix_ladder_challenges_due_at", "due_at"),
        Index("ix_ladder_challenges_match_id", "match_id"),
        Index("ix_ladder_challenges_challenger_id", "challenger_id"),
        Index("ix_ladder_challenges_challenged_id", "challenged_id"),
        Index(
            "ux_ladder_challenges_out",
            "ladder_id",
            "challenger_id",
            unique=True,
            sqlite_where=NOT_ENDED,
            postgresql_where=NOT_ENDED,
        ),
        Index(
            "ux_ladder_challenges_in",
            "ladder_id",
            "challenged_id",
            unique=True,
            sqlite_where=CALLED,
            postgresql_where=CALLED,
        ),
        **COUNTED,
    )
    op.create_table(
        "ladder_events",
        Column("id", ID, primary_key=True),
        Column("ladder_id", ID, ForeignKey("ladders.id", ondelete="CASCADE"), nullable=False),
        Column("at", INSTANT, nullable=False),
        Column("kind", Text, nullable=False),
        Column("user_id", ID, nullable=False),
        Column("other_id", ID),
        Column("from_place", Integer),
        Column("to_place", Integer),
        CheckConstraint(
            "kind IN ('joined', 'won', 'defended', 'drawn', 'unanswered', 'declined', 'passed', "
            "'surrendered', 'slid', 'left', 'gone', 'idle', 'removed')",
            name="kind",
        ),
        Index("ix_ladder_events_ladder_id", "ladder_id", "id"),
        Index("ix_ladder_events_user_id", "user_id"),
        Index("ix_ladder_events_other_id", "other_id"),
        **COUNTED,
    )
