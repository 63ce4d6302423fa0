"""The tables, for both SQLite and PostgreSQL.

A match is its log: no position is stored, except as a fingerprint (`moves`). The primary key of
``moves`` rejects the second of two simultaneous moves.

Changes here need a migration in ``data/migrations/versions``; a test keeps the two equal.
"""

from __future__ import annotations

from sqlalchemy import (
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    Table,
    Text,
    UniqueConstraint,
    false,
)

from data.analysis_tables import analyses, attempts, computer_tasks, hints, puzzles
from data.cluster_tables import identifies, processes, shards
from data.columns import Document, Flag, Id, Instant
from data.daily_tables import daily_answers, daily_puzzles, puzzle_schedules
from data.feat_tables import feats
from data.ladder_tables import (
    ladder_challenges,
    ladder_events,
    ladder_places,
    ladder_posts,
    ladders,
)
from data.limit_tables import hourly_uses, spent_limits
from data.planning_tables import conditional_moves, notes
from data.result_tables import (
    outdated_ratings,
    rating_changes,
    rating_histogram,
    ratings,
    results,
    rivals,
    scores,
    side_ratings,
)
from data.schema import COUNTED, KEYED, metadata
from data.season_tables import season_ratings
from data.tournament_tables import entrants, games, paired, pairings, rounds, tournaments
from data.watching_tables import end_reports, followed_matches, followed_players

__all__ = [
    "aborts",
    "analyses",
    "attempts",
    "audit",
    "blocks",
    "boards",
    "challenges",
    "clocks",
    "computer_tasks",
    "conditional_moves",
    "courses",
    "daily_answers",
    "daily_puzzles",
    "end_reports",
    "entrants",
    "excluded_players",
    "feats",
    "followed_matches",
    "followed_players",
    "games",
    "hints",
    "hourly_uses",
    "identifies",
    "imports",
    "invited",
    "key_values",
    "ladder_challenges",
    "ladder_events",
    "ladder_places",
    "ladder_posts",
    "ladders",
    "matches",
    "metadata",
    "moves",
    "notes",
    "offers",
    "outbox",
    "outdated_ratings",
    "paired",
    "pairings",
    "people",
    "players",
    "processes",
    "puzzle_schedules",
    "puzzles",
    "rating_changes",
    "rating_histogram",
    "ratings",
    "results",
    "rivals",
    "rounds",
    "scores",
    "season_ratings",
    "servers",
    "shards",
    "side_ratings",
    "spent_limits",
    "tournaments",
    "turn_calls",
    "vacations",
]

challenges = Table(
    "challenges",
    metadata,
    Column("id", Id, primary_key=True),
    Column("game", Text, nullable=False),
    Column("options", Document, nullable=False),
    Column("guild_id", Id),
    Column("channel_id", Id, nullable=False),
    Column("message_id", Id),
    Column("challenger_id", Id, nullable=False),
    Column("seed", LargeBinary, nullable=False),
    Column("seat", Integer),
    Column("state", Text, nullable=False),
    Column("match_id", Id, ForeignKey("matches.id")),
    Column("created_at", Instant, nullable=False),
    Column("closed_at", Instant),
    Column("expires_at", Instant),
    Column("places", Integer),
    Column("days", Integer),
    Column("rematch_of", Id),
    Column("casual", Flag, nullable=False, server_default=false()),
    Column("in_order", Flag, nullable=False, server_default=false()),
    Column("bank", Integer),
    Column("redraw_at", Instant),
    CheckConstraint(
        "state IN ('open', 'started', 'declined', 'withdrawn', 'expired')", name="state"
    ),
    Index("ix_challenges_state_channel_id", "state", "channel_id"),
    Index("ix_challenges_challenger_id", "challenger_id"),
    Index("ix_challenges_match_id", "match_id"),
    Index("ix_challenges_state_guild_id", "state", "guild_id"),
    Index("ix_challenges_state_expires_at", "state", "expires_at"),
    **COUNTED,
)
Index(
    "ix_challenges_redraw_at",
    challenges.c.redraw_at,
    sqlite_where=challenges.c.redraw_at.is_not(None),
    postgresql_where=challenges.c.redraw_at.is_not(None),
)
"""``places``: the number of players if not all are named; ``days``: per move; ``in_order``: whether
the players get the seats in their order, without a draw; ``bank``: as in matches; ``redraw_at``:
when the message is redrawn, unless whoever changed the challenge does so first."""

invited = Table(
    "invited",
    metadata,
    Column("challenge_id", Id, ForeignKey("challenges.id", ondelete="CASCADE"), primary_key=True),
    Column("user_id", Id, primary_key=True),
    Column("place", Integer, nullable=False),
    Column("joined", Integer),
    Column("word", Text),
    UniqueConstraint("challenge_id", "place"),
    UniqueConstraint("challenge_id", "joined"),
    **KEYED,
)
"""The players of a challenge, the challenger first; ``place`` is their order."""

matches = Table(
    "matches",
    metadata,
    Column("id", Id, primary_key=True),
    Column("game", Text, nullable=False),
    Column("rules_version", Integer, nullable=False),
    Column("options", Document, nullable=False),
    Column("guild_id", Id),
    Column("channel_id", Id, nullable=False),
    Column("seed", LargeBinary, nullable=False),
    Column("commitment", Text, nullable=False),
    Column("challenge_id", Id, nullable=False, server_default="0"),
    Column("created_at", Instant, nullable=False),
    Column("finished_at", Instant),
    Column("reason", Text),
    Column("plies", Integer, nullable=False),
    Column("days", Integer),
    Column("place", Text),
    Column("parent_id", Id),
    Column("takebacks", Integer, nullable=False, server_default="0"),
    Column("ending", Text),
    Column("ended_by", Id),
    Column("casual", Flag, nullable=False, server_default=false()),
    Column("hints", Integer, nullable=False, server_default="0"),
    Column("given_up", Integer, nullable=False, server_default="0"),
    Column("restored", Integer, nullable=False, server_default="0"),
    Column("bank", Integer),
    CheckConstraint("plies >= 0", name="plies"),
    Index("ix_matches_channel_id", "channel_id"),
    Index("ix_matches_guild_id_finished_at", "guild_id", "finished_at"),
    **COUNTED,
)
"""Matches, and where each is shown.

``challenge_id`` is the challenge it began with, whose number is part of each of its throws.
``days`` is the time per move, NULL for no clock. With a time bank it is what each move adds to the
``bank`` days each player starts with. ``place`` is the kind of place that the channel is,
``parent_id`` the parent channel of its thread. ``ending`` is how it ended if not by the rules,
``ended_by`` the user who ended it. A ``casual`` match is never rated. ``hints`` counts the hints
taken, where allowed, ``given_up`` the seats given up by their players. ``restored`` is added to its
version, see `data.restoring`.
"""

players = Table(
    "players",
    metadata,
    Column("match_id", Id, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("user_id", Id, nullable=False),
    Column("place", Integer, nullable=False, server_default="0"),
    Column("word", Text, nullable=False),
    Column("rank", Integer),
    Column("gave_up", Integer),
    Column("gave_up_ply", Integer),
    Column("gave_up_how", Text),
    Column("guild_id", Id),
    Column("result_id", Id),
    Column("moves", Integer),
    Column("seconds", Id),
    Column("stock", Integer),
    UniqueConstraint("match_id", "user_id"),
    Index("ix_players_user_id", "user_id", "match_id"),
    Index("ix_players_result_id", "user_id", "result_id"),
    Index("ix_players_guild_id", "user_id", "guild_id", "result_id"),
    **KEYED,
)
"""The players of matches by seat, and how seats were given up while the match went on.

``gave_up`` is 1 for the first of a match. ``word`` is what a player added to the throws, ``place``
the order in which the words enter them. The other columns are set with the result: its number and
server, how many turns the player had, and how many seconds they took. A result's ranks are stored
here. ``stock`` is the seconds in a player's time bank while others are to move; NULL is the full
bank of the start.
"""

moves = Table(
    "moves",
    metadata,
    Column("match_id", Id, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("ply", Integer, primary_key=True),
    Column("actor", Integer),
    Column("notation", Text, nullable=False),
    Column("made_at", Instant, nullable=False),
    Column("fingerprint", Id),
    CheckConstraint("ply >= 1", name="ply"),
    **KEYED,
)
Index(
    "ix_moves_fingerprint",
    moves.c.fingerprint,
    sqlite_where=moves.c.fingerprint.is_not(None),
    postgresql_where=moves.c.fingerprint.is_not(None),
)
"""``fingerprint`` identifies the resulting position (`data.positions_in_play`).

It is set only while the match is open, and where advice on that position would help in the match.
"""

boards = Table(
    "boards",
    metadata,
    Column("message_id", Id, primary_key=True, autoincrement=False),
    Column("channel_id", Id, nullable=False),
    Column("match_id", Id, ForeignKey("matches.id", ondelete="CASCADE"), nullable=False),
    Column("ply", Integer, nullable=False),
    Column("live", Flag, nullable=False),
    Index("ix_boards_match_id", "match_id", "ply"),
    sqlite_strict=True,
)

outbox = Table(
    "outbox",
    metadata,
    Column("id", Id, primary_key=True),
    Column("match_id", Id, ForeignKey("matches.id", ondelete="CASCADE")),
    Column("kind", Text, nullable=False),
    Column("payload", Document, nullable=False),
    Column("nonce", Text, nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("blocked", Text),
    Column("done_at", Instant),
    Column("not_before", Instant),
    Column("tournament_id", Id, ForeignKey("tournaments.id", ondelete="CASCADE")),
    UniqueConstraint("nonce"),
    CheckConstraint("length(nonce) BETWEEN 1 AND 25", name="nonce"),
    **COUNTED,
)
Index(
    "ix_outbox_pending",
    outbox.c.match_id,
    outbox.c.id,
    sqlite_where=outbox.c.done_at.is_(None),
    postgresql_where=outbox.c.done_at.is_(None),
)

Index(
    "ix_outbox_tournament_id",
    outbox.c.tournament_id,
    outbox.c.id,
    sqlite_where=outbox.c.done_at.is_(None) & outbox.c.tournament_id.is_not(None),
    postgresql_where=outbox.c.done_at.is_(None) & outbox.c.tournament_id.is_not(None),
)

Index(
    "ix_outbox_not_before",
    outbox.c.not_before,
    sqlite_where=outbox.c.done_at.is_(None) & outbox.c.not_before.is_not(None),
    postgresql_where=outbox.c.done_at.is_(None) & outbox.c.not_before.is_not(None),
)

Index(
    "ix_outbox_done_at",
    outbox.c.done_at,
    sqlite_where=outbox.c.done_at.is_not(None),
    postgresql_where=outbox.c.done_at.is_not(None),
)

offers = Table(
    "offers",
    metadata,
    Column("id", Id, primary_key=True),
    Column("match_id", Id, ForeignKey("matches.id", ondelete="CASCADE"), nullable=False),
    Column("kind", Text, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("ply", Integer, nullable=False),
    Column("takebacks", Integer, nullable=False),
    Column("given_up", Integer, nullable=False),
    Column("refused", Integer, nullable=False),
    Column("agreed", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("answered_by", Integer),
    Column("channel_id", Id),
    Column("message_id", Id),
    UniqueConstraint("match_id", "kind", "seat"),
    CheckConstraint("kind IN ('draw', 'takeback')", name="kind"),
    CheckConstraint("state IN ('open', 'agreed', 'declined', 'withdrawn')", name="state"),
    **COUNTED,
)
"""The last draw and takeback offer of each seat; any change of the match voids an open one."""

turn_calls = Table(
    "pings",
    metadata,
    Column("message_id", Id, primary_key=True, autoincrement=False),
    Column("channel_id", Id, nullable=False),
    Column("match_id", Id, ForeignKey("matches.id", ondelete="CASCADE"), nullable=False),
    Column("ply", Integer, nullable=False),
    Index("ix_pings_match_id", "match_id"),
    sqlite_strict=True,
)
"""Short messages that mention the player to move, deleted once the turn is played.

The database still uses an older name.
"""

clocks = Table(
    "clocks",
    metadata,
    Column("match_id", Id, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("user_id", Id, nullable=False),
    Column("ply", Integer, nullable=False),
    Column("since", Instant, nullable=False),
    Column("remind_at", Instant),
    Column("due_at", Instant),
    Column("left", Integer),
    Column("lapsed_at", Instant),
    Column("muted", Flag, nullable=False),
    Column("next_at", Instant),
    Index("ix_clocks_next_at", "next_at"),
    Index("ix_clocks_user_id", "user_id"),
    **KEYED,
)
"""The clocks of ongoing matches.

``left`` is the seconds left while the clock is paused; ``due_at`` is NULL then. ``lapsed_at`` is
when the deadline was found to have passed, ``next_at`` the time of the next event.
"""

vacations = Table(
    "vacations",
    metadata,
    Column("id", Id, primary_key=True),
    Column("user_id", Id, nullable=False),
    Column("starts_at", Instant, nullable=False),
    Column("ends_at", Instant, nullable=False),
    Column("over", Flag, nullable=False),
    Index("ix_vacations_user_id", "user_id", "ends_at"),
    Index("ix_vacations_over_ends_at", "over", "ends_at"),
    **COUNTED,
)

aborts = Table(
    "aborts",
    metadata,
    Column("user_id", Id, primary_key=True),
    Column("match_id", Id, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("at", Instant, nullable=False),
    Index("ix_aborts_match_id", "match_id"),
    Index("ix_aborts_at", "at"),
    **KEYED,
)
"""Players who left a match before everyone had had two turns; kept for a week."""

servers = Table(
    "servers",
    metadata,
    Column("guild_id", Id, primary_key=True, autoincrement=False),
    Column("settings", Document, nullable=False),
    Column("changed_at", Instant, nullable=False),
    Column("changed_by", Id, nullable=False),
    **KEYED,
)

people = Table(
    "people",
    metadata,
    Column("user_id", Id, primary_key=True, autoincrement=False),
    Column("settings", Document, nullable=False),
    Column("changed_at", Instant, nullable=False),
    **KEYED,
)

blocks = Table(
    "blocks",
    metadata,
    Column("user_id", Id, primary_key=True),
    Column("blocked_id", Id, primary_key=True),
    Column("since", Instant, nullable=False),
    **KEYED,
)

courses = Table(
    "courses",
    metadata,
    Column("user_id", Id, primary_key=True),
    Column("game", Text, primary_key=True),
    Column("page", Integer, nullable=False),
    **KEYED,
)
"""Players' progress in the lessons of each game; one page past the last means all of them."""

audit = Table(
    "audit",
    metadata,
    Column("id", Id, primary_key=True),
    Column("guild_id", Id, nullable=False),
    Column("at", Instant, nullable=False),
    Column("user_id", Id, nullable=False),
    Column("action", Text, nullable=False),
    Column("match_id", Id),
    Column("challenge_id", Id),
    Column("detail", Document, nullable=False),
    Index("ix_audit_guild_id", "guild_id", "id"),
    **COUNTED,
)
"""The audit log; a line outlives the match or challenge it is about."""

excluded_players = Table(
    "excluded_players",
    metadata,
    Column("guild_id", Id, primary_key=True),
    Column("user_id", Id, primary_key=True),
    Column("at", Instant, nullable=False),
    Column("decided_by", Id, nullable=False),
    **KEYED,
)
"""Players excluded from rated play by a server's moderators."""

imports = Table(
    "imports",
    metadata,
    Column("id", Id, primary_key=True),
    Column("user_id", Id, nullable=False),
    Column("at", Instant, nullable=False),
    Column("record", Text, nullable=False),
    Column("game", Text, nullable=False),
    Column("over", Flag, nullable=False),
    Column("luck", Document, nullable=False),
    Column("found", Document),
    Index("ix_imports_user_id", "user_id"),
    **COUNTED,
)
"""Imported match records and their analyses; ``game``, ``over`` and ``luck`` derive from them."""

key_values = Table(
    "key_values",
    metadata,
    Column("key", Text, primary_key=True),
    Column("value", Text, nullable=False),
    **KEYED,
)
