"""The tables of ladders: places, challenges, and the events that changed places."""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    Table,
    Text,
    false,
)

from data.sql.columns import COUNTED, KEYED, Flag, Id, Instant, metadata

ladders: Final = Table(
    "ladders",
    metadata,
    Column("id", Id, primary_key=True),
    Column("guild_id", Id, nullable=False),
    Column("channel_id", Id, nullable=False),
    Column("game", Text, nullable=False),
    Column("created_by", Id, nullable=False),
    Column("reach", Integer, nullable=False),
    Column("answer_days", Integer, nullable=False),
    Column("idle_days", Integer, nullable=False),
    Column("pause_days", Integer, nullable=False),
    Column("days", Integer, nullable=False),
    Column("game_days", Integer, nullable=False),
    Column("casual", Flag, nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("closed_at", Instant),
    Column("lost_at", Instant),
    Column("next_check_at", Instant),
    Index("ix_ladders_guild_id", "guild_id"),
    Index("ix_ladders_next_check_at", "next_check_at"),
    **COUNTED,
)
"""``reach``: how many places up one may challenge; ``days`` and ``game_days``: time per move, and for
a player's moves together; ``lost_at``: since when its channel is gone;
``next_check_at``: when its daily check is next due."""
Index(
    "ux_ladders_open",
    ladders.c.guild_id,
    ladders.c.game,
    unique=True,
    sqlite_where=ladders.c.closed_at.is_(None),
    postgresql_where=ladders.c.closed_at.is_(None),
)

ladder_places: Final = Table(
    "ladder_places",
    metadata,
    Column("ladder_id", Id, ForeignKey("ladders.id", ondelete="CASCADE"), primary_key=True),
    Column("user_id", Id, primary_key=True),
    Column("place", Integer, nullable=False),
    Column("best", Integer, nullable=False),
    Column("joined_at", Instant, nullable=False),
    Column("active_at", Instant, nullable=False),
    Column("slide_at", Instant, nullable=False),
    Column("passed_at", Instant),
    Index("ix_ladder_places_user_id", "user_id"),
    **KEYED,
)
"""The players of a ladder, from place 1 without gaps.

``slide_at``: when they slide down unless they play; ``passed_at``: when they last declined for
free.
"""

ladder_challenges: Final = Table(
    "ladder_challenges",
    metadata,
    Column("id", Id, primary_key=True),
    Column("ladder_id", Id, ForeignKey("ladders.id", ondelete="CASCADE"), nullable=False),
    Column("challenger_id", Id, nullable=False),
    Column("challenged_id", Id, nullable=False),
    Column("seed", LargeBinary, nullable=False),
    Column("challenger_word", Text, nullable=False, server_default=""),
    Column("challenged_word", Text, nullable=False, server_default=""),
    Column("place", Integer, nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("called_at", Instant),
    Column("answer_by", Instant, nullable=False),
    Column("reminded", Flag, nullable=False, server_default=false()),
    Column("due_at", Instant),
    Column("match_id", Id, ForeignKey("matches.id")),
    Column("outcome", Text),
    Column("gained_place", Integer),
    Column("counted", Flag, nullable=False, server_default=false()),
    Column("ended_at", Instant),
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
    **COUNTED,
)
"""``seed``: that of its match; ``challenger_word`` and ``challenged_word``: what the two add to the
throws; ``place``: the place at stake; ``gained_place``: the place that the challenger gained; ``due_at``: when
the challenge next needs attention; ``called_at``: when its turn came, NULL while it queues behind
others; ``counted``: whether its game kept both players from sliding."""
_OPEN: Final = ladder_challenges.c.ended_at.is_(None)
for _name, _column, _open in (
    ("ux_ladder_challenges_out", ladder_challenges.c.challenger_id, _OPEN),
    (
        "ux_ladder_challenges_in",
        ladder_challenges.c.challenged_id,
        _OPEN & ladder_challenges.c.called_at.is_not(None),
    ),
):
    Index(
        _name,
        ladder_challenges.c.ladder_id,
        _column,
        unique=True,
        sqlite_where=_open,
        postgresql_where=_open,
    )

ladder_events: Final = Table(
    "ladder_events",
    metadata,
    Column("id", Id, primary_key=True),
    Column("ladder_id", Id, ForeignKey("ladders.id", ondelete="CASCADE"), nullable=False),
    Column("at", Instant, nullable=False),
    Column("kind", Text, nullable=False),
    Column("user_id", Id, nullable=False),
    Column("other_id", Id),
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
"""Moves between places: from no place on joining, to none on leaving.

Players in between move by one.
"""
