"""Every table, for both SQLite and PostgreSQL; those of a feature are in ``data/<feature>_tables.py``.

Changes to them need a migration in ``data/migrations/versions``; a test keeps the two equal.
"""

from __future__ import annotations

from sqlalchemy import Column, Table, Text

from data.challenges.challenge_tables import challenges, invited
from data.cluster.cluster_tables import identifies, processes, shards
from data.ladders.ladder_tables import ladder_challenges, ladder_events, ladder_places, ladders
from data.matches.match_tables import (
    aborts,
    boards,
    clocks,
    conditional_moves,
    followed_matches,
    followed_players,
    imports,
    matches,
    moves,
    notes,
    offers,
    outbox,
    players,
    turn_calls,
    vacations,
)
from data.people.people_tables import (
    audit,
    blocks,
    courses,
    excluded_players,
    hourly_uses,
    people,
    server_outages,
    servers,
    spent_limits,
)
from data.posts.post_tables import posts
from data.puzzles.analysis_tables import (
    analyses,
    attempts,
    computer_tasks,
    daily_answers,
    daily_puzzles,
    hints,
    puzzle_schedules,
    puzzles,
)
from data.ratings.result_tables import (
    feats,
    outdated_ratings,
    rating_changes,
    rating_histogram,
    ratings,
    results,
    rivals,
    scores,
    season_ratings,
    side_ratings,
)
from data.sql.columns import KEYED, metadata
from data.tournaments.tournament_tables import (
    entrants,
    games,
    imported_rounds,
    paired,
    pairings,
    rounds,
    tournaments,
)

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
    "entrants",
    "excluded_players",
    "feats",
    "followed_matches",
    "followed_players",
    "games",
    "hints",
    "hourly_uses",
    "identifies",
    "imported_rounds",
    "imports",
    "invited",
    "key_values",
    "ladder_challenges",
    "ladder_events",
    "ladder_places",
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
    "posts",
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
    "server_outages",
    "servers",
    "shards",
    "side_ratings",
    "spent_limits",
    "tournaments",
    "turn_calls",
    "vacations",
]

key_values = Table(
    "key_values",
    metadata,
    Column("key", Text, primary_key=True),
    Column("value", Text, nullable=False),
    **KEYED,
)
