"""Puzzles and attempts at them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any

from sqlalchemy import and_, case, func, select, update
from sqlalchemy.dialects import postgresql, sqlite

from data.puzzles.analysis_tables import attempts, puzzles
from data.puzzles.positions_in_play import in_play, of_the_day
from data.sql.transaction import Transaction
from data.sql.upserts import upsert


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position in which one move is clearly best."""

    id: int
    game: str
    options: dict[str, str]
    position: str
    """In the game's notation."""
    solution: str
    """The best move, in notation."""
    evaluation: dict[str, Any]
    """Further facts to display."""
    fingerprint: int
    """Of the position; see `data.puzzles.positions_in_play`."""
    tried: int = 0
    """The number of players who have answered it."""
    solved: int = 0
    """Players whose first answer was right."""
    level: int | None = None
    """The lowest computer level that solves it; ``None`` if unknown."""


@dataclass(frozen=True, slots=True)
class Score:
    """A player's puzzle score."""

    tried: int
    solved: int


_ADD = {
    "sqlite": sqlite.insert(puzzles).on_conflict_do_nothing(index_elements=["digest"]),
    "postgresql": postgresql.insert(puzzles).on_conflict_do_nothing(index_elements=["digest"]),
}
GET = select(*(puzzles.c[field.name] for field in fields(Puzzle)))
_SEEN = upsert(attempts, "at")
_FIRST = upsert(attempts, "at", "solved")


async def add(
    tx: Transaction,
    *,
    game: str,
    options: Mapping[str, str],
    position: str,
    solution: str,
    evaluation: Mapping[str, Any],
    fingerprint: int,
    at: datetime,
    level: int | None = None,
) -> None:
    """Add a puzzle, unless its position exists already."""
    key = json.dumps([game, dict(options), position], sort_keys=True)
    values = {
        "game": game,
        "options": dict(options),
        "position": position,
        "solution": solution,
        "evaluation": dict(evaluation),
        "fingerprint": fingerprint,
        "digest": hashlib.sha256(key.encode()).hexdigest(),
        "made_at": at,
        "tried": 0,
        "solved": 0,
        "level": level,
    }
    await tx.run(_ADD[tx.dialect], values)


async def get(tx: Transaction, puzzle_id: int) -> Puzzle | None:
    """Return a puzzle, ``None`` if it does not exist."""
    row = await tx.row(GET.where(puzzles.c.id == puzzle_id))
    return None if row is None else Puzzle(*row)


async def next_for(
    tx: Transaction, user_id: int, games: Collection[str], *, avoid: int | None = None
) -> Puzzle | None:
    """Return the next puzzle for a player, other than ``avoid`` if possible.

    Positions in play and current daily puzzles are left out. Unseen puzzles come first, oldest
    first, then the one seen longest ago.
    """
    mine = and_(attempts.c.puzzle_id == puzzles.c.id, attempts.c.user_id == user_id)
    wanted = (
        GET.outerjoin(attempts, mine)
        .where(
            puzzles.c.game.in_(sorted(games)),
            ~in_play(puzzles.c.fingerprint),
            ~of_the_day(puzzles.c.fingerprint),
        )
        .order_by(puzzles.c.id == avoid, attempts.c.at.nulls_first(), puzzles.c.id)
    )
    row = await tx.row(wanted.limit(1))
    return None if row is None else Puzzle(*row)


async def first_answer(tx: Transaction, user_id: int, puzzle_id: int) -> bool | None:
    """Return whether a player's first answer was right, ``None`` if there is none yet."""
    this = (attempts.c.user_id == user_id) & (attempts.c.puzzle_id == puzzle_id)
    solved: bool | None = await tx.scalar(select(attempts.c.solved).where(this))
    return solved


async def mark_seen(tx: Transaction, user_id: int, puzzle_id: int, at: datetime) -> None:
    """Record that a player was shown a puzzle."""
    values = {"user_id": user_id, "puzzle_id": puzzle_id, "at": at, "solved": None}
    await tx.run(_SEEN[tx.dialect], values)


async def record_answer(
    tx: Transaction, user_id: int, puzzle_id: int, *, right: bool, at: datetime
) -> bool:
    """Record an answer; return whether it was the player's first, the only one that counts."""
    this = puzzles.c.id == puzzle_id
    await tx.row(select(puzzles.c.id).where(this).with_for_update())
    first = await first_answer(tx, user_id, puzzle_id) is None
    values = {"user_id": user_id, "puzzle_id": puzzle_id, "at": at, "solved": right}
    await tx.run((_FIRST if first else _SEEN)[tx.dialect], values)
    if first:
        counts = {"tried": puzzles.c.tried + 1, "solved": puzzles.c.solved + int(right)}
        await tx.run(update(puzzles).where(this).values(counts))
    return first


async def score(tx: Transaction, user_id: int, game: str | None = None) -> Score:
    """Return a player's score, in one game or all."""
    solved = func.coalesce(func.sum(case((attempts.c.solved, 1), else_=0)), 0)
    statement = (
        select(func.count(), solved)
        .join(puzzles, puzzles.c.id == attempts.c.puzzle_id)
        .where(attempts.c.user_id == user_id, attempts.c.solved.is_not(None))
    )
    if game is not None:
        statement = statement.where(puzzles.c.game == game)
    ((tried, right),) = await tx.rows(statement)
    return Score(int(tried), int(right))


async def count(tx: Transaction, games: Collection[str]) -> int:
    """Return the number of puzzles."""
    statement = select(func.count()).where(puzzles.c.game.in_(sorted(games)))
    return int(await tx.scalar(statement))
