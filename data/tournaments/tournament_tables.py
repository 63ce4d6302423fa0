"""The tables of tournaments: entrants, rounds and pairings, and those imported from files."""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    CheckConstraint,
    Column,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    Table,
    Text,
    UniqueConstraint,
    false,
    text,
)

from data.sql.columns import COUNTED, KEYED, Document, Flag, Id, Instant, Real, metadata

tournaments: Final = Table(
    "tournaments",
    metadata,
    Column("id", Id, primary_key=True),
    Column("guild_id", Id, nullable=False),
    Column("channel_id", Id, nullable=False),
    Column("thread_id", Id),
    Column("message_id", Id),
    Column("name", Text, nullable=False),
    Column("game", Text, nullable=False),
    Column("plan", Document, nullable=False),
    Column("state", Text, nullable=False),
    Column("created_by", Id, nullable=False),
    Column("seed", LargeBinary, nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("ended_at", Instant),
    Column("days", Integer, nullable=False),
    Column("round_days", Integer),
    Column("verdict", Text, nullable=False),
    Column("casual", Flag, nullable=False),
    Column("max_players", Integer, nullable=False),
    Column("min_rating", Integer),
    Column("max_rating", Integer),
    Column("established", Flag, nullable=False),
    Column("role_id", Id),
    Column("starts_at", Instant),
    Column("monthly_day", Integer),
    Column("options", Document, nullable=False),
    Column("imported", Flag, nullable=False, server_default=false()),
    Column("bank", Integer),
    Column("round", Integer, nullable=False, server_default="0"),
    Column("next_at", Instant),
    Column("version", Integer, nullable=False, server_default="0"),
    CheckConstraint(
        "state IN ('sign-up', 'running', 'adjourned', 'finished', 'cancelled')", name="state"
    ),
    CheckConstraint("verdict IN ('draw', 'manager', 'computer')", name="verdict"),
    Index("ix_tournaments_guild_id", "guild_id", "state"),
    Index("ix_tournaments_next_at", "next_at"),
    **COUNTED,
)
"""``monthly_day``: the day of the month on which it repeats, if it does; ``next_at``: the next
scheduled time, if known; ``version``: counts changes."""
Index(
    "ix_tournaments_imported",
    tournaments.c.guild_id,
    sqlite_where=text("imported = 1"),
    postgresql_where=text("imported"),
)

entrants: Final = Table(
    "tournament_entrants",
    metadata,
    Column("tournament_id", Id, ForeignKey("tournaments.id", ondelete="CASCADE"), primary_key=True),
    Column("user_id", Id, primary_key=True),
    Column("number", Integer, nullable=False),
    Column("strength", Real, nullable=False),
    Column("joined_at", Instant, nullable=False),
    Column("joined_round", Integer, nullable=False),
    Column("left_after", Integer),
    Column("leave_reason", Text),
    Column("replaces_user_id", Id),
    Column("place", Integer),
    Column("word", Text, nullable=False, server_default=""),
    CheckConstraint("leave_reason IN ('left', 'absent', 'gone', 'removed')", name="leave_reason"),
    Index("ix_tournament_entrants_user_id", "user_id"),
    UniqueConstraint("tournament_id", "number"),
    **KEYED,
)
"""``number``: the order of joining, whatever the user id becomes; ``left_after``: the last round of
an entrant who has left, ``leave_reason``: why; ``place``: in the final table, if they won a point;
``word``: what the entrant adds to the throws of games that begin from now on."""

rounds: Final = Table(
    "tournament_rounds",
    metadata,
    Column("tournament_id", Id, ForeignKey("tournaments.id", ondelete="CASCADE"), primary_key=True),
    Column("round", Integer, primary_key=True),
    Column("begun_at", Instant, nullable=False),
    Column("ends_at", Instant),
    Column("warn_at", Instant),
    Column("ended_at", Instant),
    Column("forced", Flag, nullable=False, server_default=false()),
    Column("judged_until", Instant),
    **KEYED,
)
"""``judged_until``: how long computers may judge open games; ``forced``: whether open games are
decided at the end regardless of other settings."""

pairings: Final = Table(
    "tournament_pairings",
    metadata,
    Column("tournament_id", Id, primary_key=True),
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

paired: Final = Table(
    "tournament_paired",
    metadata,
    Column("tournament_id", Id, primary_key=True),
    Column("round", Integer, primary_key=True),
    Column("table_no", Integer, primary_key=True),
    Column("place", Integer, primary_key=True),
    Column("user_id", Id, nullable=False),
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
"""The players of each pairing, in order; a single one has a bye."""

games: Final = Table(
    "tournament_games",
    metadata,
    Column("tournament_id", Id, primary_key=True),
    Column("round", Integer, primary_key=True),
    Column("table_no", Integer, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("seats", Document, nullable=False),
    Column("match_id", Id, ForeignKey("matches.id")),
    Column("points", Document),
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
    **KEYED,
)
"""The games of each pairing; ``seats`` lists the places of its players in seat order."""
Index(
    "ix_tournament_games_open",
    games.c.match_id,
    sqlite_where=games.c.points.is_(None),
    postgresql_where=games.c.points.is_(None),
)

imported_rounds: Final = Table(
    "tournament_imports",
    metadata,
    Column("tournament_id", Id, ForeignKey("tournaments.id", ondelete="CASCADE"), primary_key=True),
    Column("pairings", LargeBinary, nullable=False),
    **KEYED,
)
"""All rounds of an imported tournament, see `data.tournaments.tournament_imports`: they never change."""
