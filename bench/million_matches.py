"""Stores any number of open matches in PostgreSQL: real logs, with players, boards and clocks."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

import asyncpg  # type: ignore[import-untyped]

from bot.play.delivery.outbox_worker import KEPT
from engine import registry
from engine.game import CHANCE
from engine.registry import AnyGame

ENTRIES: Final = 60
"""Of each match's log, if the game lasts that long."""
LOGS: Final = 50
"""Different logs of each game."""
CHUNK: Final = 50_000
"""Matches stored in one transaction."""
JOBS: Final = 2 * KEPT.days
"""Finished jobs of each match that are still stored, at two decisions a day."""
LAPSING: Final = 10
"""Of so many clocks, the next event of one is its deadline; of the others it is a reminder."""


@dataclass(frozen=True, slots=True)
class Log:
    """The start of a game for two, up to someone's choice."""

    game: AnyGame
    options: dict[str, str]
    entries: Sequence[tuple[int | None, str]]
    to_move: int


def logs() -> list[Log]:
    """Return starts of random games."""
    chance = random.Random(1)
    games = [game for game in registry.games().values() if 2 in game.players]
    return [_log(game, chance) for _ in range(LOGS) for game in games]


def _log(game: AnyGame, chance: random.Random) -> Log:
    options, length = game.settle(), ENTRIES
    while True:
        state, entries = game.initial(options, 2), list[tuple[int | None, str]]()
        while game.outcome(state) is None:
            actor, moves = game.actor(state), list(game.legal_moves(state))
            if actor is not CHANCE and len(entries) >= length and len(moves) > 1:
                return Log(game, options, entries, int(actor))
            move = chance.choice(moves)
            entries.append((None if actor is CHANCE else int(actor), game.write(move)))
            state = game.after(state, move)
        length = length * 3 // 4


async def fill(url: str, places: Sequence[tuple[int, int]], number: int) -> None:
    """Store open matches without clocks.

    Args:
        url: of a database with empty tables.
        places: servers and a channel in each, taken in turn.
        number: of matches, which are numbered from 1.
    """
    connection = await asyncpg.connect(url.replace("+asyncpg", ""))
    try:
        # Foreign keys hold by construction, and checking each would take most of the time.
        await connection.execute("SET session_replication_role = replica")
        await connection.execute(_TEMPORARY)
        given = [(place, *both) for place, both in enumerate(places)]
        await connection.copy_records_to_table("places", records=given)
        found = list(enumerate(logs()))
        kinds = [
            (
                *(kind, log.game.slug, log.game.rules_version, json.dumps(log.options)),
                *(len(log.entries), log.to_move, [int(seat) for seat in log.game.seats(2)]),
            )
            for kind, log in found
        ]
        await connection.copy_records_to_table("kinds", records=kinds)
        entries = [
            (kind, ply, actor, notation)
            for kind, log in found
            for ply, (actor, notation) in enumerate(log.entries, start=1)
        ]
        await connection.copy_records_to_table("entries", records=entries)
        await connection.execute("ANALYZE places, kinds, entries")
        for first in range(1, number + 1, CHUNK):
            last = min(number, first + CHUNK - 1)
            numbered = _NUMBERED.format(
                first=first, last=last, kinds=len(kinds), places=len(places)
            )
            async with connection.transaction():
                for statement in _FILL:
                    await connection.execute(statement.format(numbered=numbered, jobs=JOBS))
        for table in ("challenges", "matches"):
            await connection.execute(
                f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), {number})"
            )
    finally:
        await connection.close()


async def wind(url: str, start: datetime, within: timedelta) -> None:
    """Start the clocks of all open matches, and update the planner's statistics.

    Args:
        url: of a database that `fill` has filled.
        start: from when on they fall due.
        within: in which each does once, evenly spread and in no order.
    """
    connection = await asyncpg.connect(url.replace("+asyncpg", ""))
    try:
        await connection.execute("SET session_replication_role = replica")
        await connection.execute(_WIND, start, within)
        await connection.execute("VACUUM ANALYZE")
    finally:
        await connection.close()


_TEMPORARY: Final = """
CREATE TEMPORARY TABLE places (place int PRIMARY KEY, guild bigint, channel bigint);
CREATE TEMPORARY TABLE kinds (kind int PRIMARY KEY, game text, version int, options json,
    length int, mover int, seats int[]);
CREATE TEMPORARY TABLE entries (kind int, ply int, actor int, notation text)
"""
_NUMBERED: Final = """generate_series({first}::bigint, {last}) n
JOIN kinds ON kind = n * 7919 % {kinds} JOIN places ON place = n % {places},
LATERAL (SELECT now() - n % 24 * interval '1 hour' AS latest) times"""
_FILL: Final = (
    """
    INSERT INTO challenges (id, game, options, guild_id, channel_id, challenger_id, days, seed,
        state, match_id, created_at, closed_at)
    SELECT n, game, options, guild, channel, 1e17::bigint + n % 200000, 3, sha256(n::text::bytea),
        'started', n, latest - interval '30 days', latest - interval '30 days'
    FROM {numbered}
    """,
    """
    INSERT INTO matches (id, game, rules_version, options, guild_id, channel_id, seed, commitment,
        created_at, plies, days, challenge_id, to_move)
    SELECT n, game, version, options, guild, channel, sha256(n::text::bytea),
        encode(sha256(n::text::bytea), 'hex'), latest - interval '30 days', length, 3, n, mover
    FROM {numbered}
    """,
    """
    INSERT INTO players (match_id, seat, user_id)
    SELECT n, seats[side + 1], 1e17::bigint + (2 * n + side) % 200000
    FROM {numbered}, generate_series(0, 1) side
    """,
    """
    INSERT INTO moves (match_id, ply, actor, notation, made_at)
    SELECT n, ply, actor, notation, latest - (length - ply) * interval '12 hours'
    FROM {numbered}, entries WHERE entries.kind = kinds.kind ORDER BY n, ply
    """,
    # A message for each second entry of the last three days. Older ones are forgotten.
    """
    INSERT INTO boards (message_id, channel_id, match_id, ply, live)
    SELECT 1e17::bigint + 100 * n + ply, channel, n, ply, ply = length
    FROM {numbered}, LATERAL generate_series(length, greatest(1, length - 6), -2) ply
    """,
    # Finished jobs are deleted after a while.
    """
    INSERT INTO outbox (match_id, kind, payload, nonce, created_at, attempts, done_at)
    SELECT n, 'board', json_build_object('ply', length - job), 'b' || n || '-' || job, at, 1, at
    FROM {numbered}, generate_series(0, {jobs} - 1) job,
        LATERAL (SELECT latest - job * interval '12 hours' AS at) done
    """,
)
_DUE: Final = "$1::timestamptz + (id * 7919 % 1000003) / 1000003.0 * $2::interval"
"""When a match's clock falls due, in no order."""
_WIND: Final = f"""
INSERT INTO clocks (match_id, user_id, ply, since, remind_at, due_at, next_at)
SELECT id, user_id, plies, due - interval '2 days', CASE WHEN reminds THEN due END,
    CASE WHEN reminds THEN due + interval '1 day' ELSE due END, due
FROM matches JOIN players ON match_id = id AND seat = to_move,
    LATERAL (SELECT {_DUE} AS due, id % {LAPSING} > 0 AS reminds) times
"""
LONGEST_WAIT: Final = """
SELECT coalesce(extract(epoch FROM now() - min(next_at)), 0) FROM clocks WHERE next_at < now()
"""
"""For how many seconds the clock that fell due first has not been handled."""
