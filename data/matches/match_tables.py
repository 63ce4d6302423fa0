"""The tables of matches: logs, players, clocks, messages, plans, followers, and imported records.

A match is its log: no position is stored, except as a fingerprint (`moves`). The primary key of
``moves`` rejects the second of two simultaneous moves.
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

from data.sql.columns import COUNTED, KEYED, Document, Flag, Id, Instant, metadata

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
    Column("drawn_for", Text),
    Column("created_at", Instant, nullable=False),
    Column("finished_at", Instant),
    Column("reason", Text),
    Column("plies", Integer, nullable=False),
    Column("to_move", Integer),
    Column("days", Integer),
    Column("place", Text),
    Column("parent_id", Id),
    Column("takebacks", Integer, nullable=False, server_default="0"),
    Column("ending", Text),
    Column("ended_by", Id),
    Column("casual", Flag, nullable=False, server_default=false()),
    Column("hints", Integer, nullable=False, server_default="0"),
    Column("eased", Flag, nullable=False, server_default=false()),
    Column("given_up", Integer, nullable=False, server_default="0"),
    Column("restored", Integer, nullable=False, server_default="0"),
    Column("bank", Integer),
    Column("game_days", Integer),
    CheckConstraint("plies >= 0", name="plies"),
    Index("ix_matches_channel_id", "channel_id"),
    Index("ix_matches_guild_id_finished_at", "guild_id", "finished_at"),
    **COUNTED,
)
"""Matches, and where each is shown.

``to_move`` is the seat that decides after the last entry, so that lists need no log.
``challenge_id`` is the challenge it began with, whose number is part of each of its throws, unless
``drawn_for`` says what is: the ladder challenge, or the game of a tournament.
``days`` is the time per move, NULL for no clock. With a time bank it is what each move adds to the
``bank`` days each player starts with. ``game_days`` limits each player's time for all moves
together, NULL for no limit. ``place`` is the kind of place that the channel is,
``parent_id`` the parent channel of its thread. ``ending`` is how it ended if not by the rules,
``ended_by`` the user who ended it. A ``casual`` match is never rated. ``hints`` counts the hints
taken, where allowed, ``given_up`` the seats given up by their players. In an ``eased`` match a
computer has played below its level. ``restored`` is added to its version, see `data.store.restoring`.
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
    Column("bank_left", Integer),
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
here. ``bank_left`` is the seconds left of a player's time bank or ``game_days`` while others are to move;
NULL is all of it.
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
"""``fingerprint`` identifies the resulting position (`data.puzzles.positions_in_play`).

It is set only while the match is open, and where advice on that position would help in the match.
"""

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
    CheckConstraint("state IN ('open', 'agreed', 'declined', 'withdrawn', 'lapsed')", name="state"),
    **COUNTED,
)
"""The last draw and takeback offer of each seat; any change of the match voids an open one."""

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

turn_calls = Table(
    "turn_calls",
    metadata,
    Column("message_id", Id, primary_key=True, autoincrement=False),
    Column("channel_id", Id, nullable=False),
    Column("match_id", Id, ForeignKey("matches.id", ondelete="CASCADE"), nullable=False),
    Column("ply", Integer, nullable=False),
    Index("ix_turn_calls_match_id", "match_id"),
    sqlite_strict=True,
)
"""Short messages that mention the player to move, deleted once the turn is played."""

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


conditional_moves = Table(
    "conditional_moves",
    metadata,
    Column("id", Id, primary_key=True),
    Column("match_id", Id, ForeignKey("matches.id", ondelete="CASCADE"), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("version", Id, nullable=False),
    Column("path", Text, nullable=False),
    Column("notation", Text, nullable=False),
    UniqueConstraint("match_id", "seat", "path"),
    **COUNTED,
)
"""Moves played for a seat as soon as the others have played the moves they answer.

``path`` is the log from ``version`` on, up to the move itself, ``notation``. ``version`` is the
version of the match at the last update of the row.
"""

notes = Table(
    "notes",
    metadata,
    Column("user_id", Id, primary_key=True),
    Column("match_id", Id, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("text", Text, nullable=False),
    Index("ix_notes_match_id", "match_id"),
    **KEYED,
)
"""Players' private notes on a match, kept after its end."""


followed_matches = Table(
    "followed_matches",
    metadata,
    Column("user_id", Id, primary_key=True),
    Column("match_id", Id, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("since", Instant, nullable=False),
    Index("ix_followed_matches_match_id", "match_id"),
    **KEYED,
)
"""Users to notify when an open match ends."""

followed_players = Table(
    "followed_players",
    metadata,
    Column("user_id", Id, primary_key=True),
    Column("guild_id", Id, primary_key=True),
    Column("player_id", Id, primary_key=True),
    Column("since", Instant, nullable=False),
    Index("ix_followed_players_player_id", "player_id", "guild_id"),
    **KEYED,
)
"""Users to notify when a player's matches in a server end."""
