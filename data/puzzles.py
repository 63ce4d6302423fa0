"""Puzzles and attempts at them."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import and_, bindparam, case, func, select, update
from sqlalchemy.dialects import postgresql, sqlite

from data.tables import attempts, puzzles
from data.upserts import upsert

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from datetime import datetime

    from sqlalchemy import Select

    from data.transaction import Record, Transaction


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position in which one move is clearly best."""

    id: int
    game: str
    options: dict[str, str]
    position: str
    """In the game's notation."""
    solution: str
    """The best move in notation."""
    said: dict[str, Any]
    """Further facts for display."""
    tried: int = 0
    """The number of players who have answered it."""
    solved: int = 0
    """The number of those whose first answer was right."""


@dataclass(frozen=True, slots=True)
class Score:
    """A player's puzzle score."""

    tried: int
    solved: int


_ADD = {
    "sqlite": sqlite.insert(puzzles).on_conflict_do_nothing(index_elements=["digest"]),
    "postgresql": postgresql.insert(puzzles).on_conflict_do_nothing(index_elements=["digest"]),
}
_COLUMNS = (
    puzzles.c.id,
    puzzles.c.game,
    puzzles.c.options,
    puzzles.c.position,
    puzzles.c.solution,
    puzzles.c.said,
    puzzles.c.tried,
    puzzles.c.solved,
)
_GET = select(*_COLUMNS).where(puzzles.c.id == bindparam("puzzle"))
_THIS = (attempts.c.user_id == bindparam("user")) & (attempts.c.puzzle_id == bindparam("puzzle"))
_KNOWN = select(attempts.c.solved).where(_THIS)
_COUNT = (
    update(puzzles)
    .where(puzzles.c.id == bindparam("puzzle"))
    .values(tried=puzzles.c.tried + 1, solved=puzzles.c.solved + bindparam("more"))
)
_SCORE = (
    select(
        func.count().label("tried"),
        func.coalesce(func.sum(case((attempts.c.solved, 1), else_=0)), 0).label("solved"),
    )
    .join(puzzles, puzzles.c.id == attempts.c.puzzle_id)
    .where(attempts.c.user_id == bindparam("user"), attempts.c.solved.is_not(None))
)
_SEEN = upsert(attempts, "at")
_FIRST = upsert(attempts, "at", "solved")
_LOCK = select(puzzles.c.id).where(puzzles.c.id == bindparam("puzzle")).with_for_update()


async def add(
    tx: Transaction,
    *,
    game: str,
    options: Mapping[str, str],
    position: str,
    solution: str,
    said: Mapping[str, Any],
    at: datetime,
) -> None:
    """Add a puzzle, unless the position exists already."""
    key = json.dumps([game, dict(options), position], sort_keys=True)
    values = {
        "game": game,
        "options": dict(options),
        "position": position,
        "solution": solution,
        "said": dict(said),
        "digest": hashlib.sha256(key.encode()).hexdigest(),
        "made_at": at,
        "tried": 0,
        "solved": 0,
    }
    await tx.run(_ADD[tx.dialect], values)


async def get(tx: Transaction, puzzle_id: int) -> Puzzle | None:
    """Return a puzzle, ``None`` if it does not exist."""
    row = await tx.row(_GET, {"puzzle": puzzle_id})
    return None if row is None else Puzzle(*row)


async def next_for(
    tx: Transaction, user_id: int, games: Collection[str], *, but: int | None = None
) -> Puzzle | None:
    """Return the next puzzle for a player.

    Unseen puzzles come first, oldest first, then the one seen longest ago.

    Args:
        tx: the transaction.
        user_id: the player.
        games: of which games.
        but: one to avoid if there is another.

    """
    mine = and_(attempts.c.puzzle_id == puzzles.c.id, attempts.c.user_id == user_id)
    wanted = select(*_COLUMNS).outerjoin(attempts, mine).where(puzzles.c.game.in_(sorted(games)))
    new = wanted.where(attempts.c.user_id.is_(None)).order_by(puzzles.c.id).limit(2)
    old = wanted.where(attempts.c.user_id.is_not(None))
    old = old.order_by(attempts.c.at, puzzles.c.id).limit(2)
    found = await _first(tx, (new, old), but)
    return None if found is None else Puzzle(*found)


async def _first(
    tx: Transaction, statements: tuple[Select[Any], ...], but: int | None
) -> Record | None:
    passed: Record | None = None
    for statement in statements:
        for row in await tx.rows(statement):
            if row.id != but:
                return row
            passed = row
    return passed


async def known(tx: Transaction, user_id: int, puzzle_id: int) -> bool | None:
    """Return whether a player's first answer was right, ``None`` if there is none yet."""
    solved: bool | None = await tx.scalar(_KNOWN, {"user": user_id, "puzzle": puzzle_id})
    return solved


async def seen(tx: Transaction, user_id: int, puzzle_id: int, at: datetime) -> None:
    """Record that a player was shown a puzzle."""
    values = {"user_id": user_id, "puzzle_id": puzzle_id, "at": at, "solved": None}
    await tx.run(_SEEN[tx.dialect], values)


async def answered(
    tx: Transaction, user_id: int, puzzle_id: int, *, right: bool, at: datetime
) -> bool:
    """Record an answer; only a player's first one counts.

    Returns:
        Whether it was the first one.

    """
    await tx.row(_LOCK, {"puzzle": puzzle_id})
    first = await known(tx, user_id, puzzle_id) is None
    values = {"user_id": user_id, "puzzle_id": puzzle_id, "at": at, "solved": right}
    await tx.run((_FIRST if first else _SEEN)[tx.dialect], values)
    if first:
        await tx.run(_COUNT, {"puzzle": puzzle_id, "more": int(right)})
    return first


async def score(tx: Transaction, user_id: int, game: str | None = None) -> Score:
    """Return a player's score, in one game or all."""
    statement = _SCORE if game is None else _SCORE.where(puzzles.c.game == game)
    ((tried, solved),) = await tx.rows(statement, {"user": user_id})
    return Score(int(tried), int(solved))


async def count(tx: Transaction, games: Collection[str]) -> int:
    """Return the number of puzzles."""
    statement = select(func.count()).where(puzzles.c.game.in_(sorted(games)))
    return int(await tx.scalar(statement))
