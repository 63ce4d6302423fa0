"""Puzzles and attempts at them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import ColumnElement, Select, and_, bindparam, exists, func, select, update

from data.matches.match import matches, moves
from data.sql.columns import Id, Instant, reference, table
from data.sql.statements import values_of
from data.sql.transaction import Transaction


@dataclass(frozen=True, slots=True)
class Daily:
    """The puzzle of a day in a server."""

    id: int
    guild_id: int
    day: str
    """An ISO date, in UTC."""
    puzzle_id: int
    channel_id: int
    message_id: int | None
    """``None`` until it is posted."""
    closed_at: datetime | None
    """When answers stopped counting."""


attempts = table(
    "attempts",
    sa.Index("ix_attempts_puzzle_id", "puzzle_id"),
    rows={"user_id": int, "puzzle_id": "puzzles.id", "at": datetime, "solved": bool | None},
    key=("user_id", "puzzle_id"),
)
"""When a player last saw a puzzle, and whether the first answer, if any, was right."""

daily_puzzles = table(
    "daily_puzzles",
    reference("puzzle_id", "puzzles.id"),
    sa.UniqueConstraint("guild_id", "day"),
    sa.Index("ix_daily_puzzles_puzzle_id", "puzzle_id", "closed_at"),
    rows=Daily,
)
"""At most one per server and day."""


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


puzzles = table(
    "puzzles",
    sa.Column("fingerprint", Id, nullable=False),
    sa.Column("digest", sa.Text, nullable=False),
    sa.Column("made_at", Instant, nullable=False),
    sa.UniqueConstraint("digest"),
    sa.Index("ix_puzzles_game", "game", "id"),
    sa.Index("ix_puzzles_fingerprint", "fingerprint"),
    rows=Puzzle,
)
"""Their source matches are not recorded."""


@dataclass(frozen=True, slots=True)
class Score:
    """A player's puzzle score."""

    tried: int
    solved: int


GET = select(*(puzzles.c[field.name] for field in fields(Puzzle)))


async def add(tx: Transaction, puzzle: Puzzle, at: datetime) -> None:
    """Add a puzzle, without regard to its id, unless its position exists already."""
    key = json.dumps([puzzle.game, puzzle.options, puzzle.position], sort_keys=True)
    digest = hashlib.sha256(key.encode()).hexdigest()
    await tx.insert_new(puzzles, values_of(puzzle) | {"digest": digest, "made_at": at}, "digest")


async def get(tx: Transaction, puzzle_id: int) -> Puzzle | None:
    """Return a puzzle, ``None`` if it does not exist."""
    return await tx.record(Puzzle, GET.where(puzzles.c.id == puzzle_id))


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
    return await tx.record(Puzzle, wanted.limit(1))


async def first_answer(tx: Transaction, user_id: int, puzzle_id: int) -> bool | None:
    """Return whether a player's first answer was right, ``None`` if there is none yet."""
    this = (attempts.c.user_id == user_id) & (attempts.c.puzzle_id == puzzle_id)
    return await tx.scalar(select(attempts.c.solved).where(this))


async def mark_seen(tx: Transaction, user_id: int, puzzle_id: int, at: datetime) -> None:
    """Record that a player was shown a puzzle."""
    values = {"user_id": user_id, "puzzle_id": puzzle_id, "at": at, "solved": None}
    await tx.put(attempts, values, replaced=("at",))


async def record_answer(
    tx: Transaction, user_id: int, puzzle_id: int, *, right: bool, at: datetime
) -> bool:
    """Record an answer; return whether it was the player's first, the only one that counts."""
    this = puzzles.c.id == puzzle_id
    await tx.row(select(puzzles.c.id).where(this).with_for_update())
    first = await first_answer(tx, user_id, puzzle_id) is None
    values = {"user_id": user_id, "puzzle_id": puzzle_id, "at": at, "solved": right}
    await tx.put(attempts, values, replaced=() if first else ("at",))
    if first:
        counts = {"tried": puzzles.c.tried + 1, "solved": puzzles.c.solved + int(right)}
        await tx.run(update(puzzles).where(this).values(counts))
    return first


async def score(tx: Transaction, user_id: int, game: str | None = None) -> Score:
    """Return a player's score, in one game or all."""
    statement = (
        select(func.count(), func.count().filter(attempts.c.solved))
        .join(puzzles, puzzles.c.id == attempts.c.puzzle_id)
        .where(attempts.c.user_id == user_id, attempts.c.solved.is_not(None))
    )
    if game is not None:
        statement = statement.where(puzzles.c.game == game)
    return await tx.record(Score, statement) or Score(0, 0)


RECENT: Final = 16
"""How many of a match's last entries, throws included, led to recent positions."""
_AT_ONCE: Final = 500
"""How many positions one statement looks for."""

_IN_PLAY = (
    (moves.c.match_id == matches.c.id)
    & matches.c.finished_at.is_(None)
    & (moves.c.ply > matches.c.plies - RECENT)
)
_FIND = (
    select(moves.c.match_id)
    .where(_IN_PLAY, moves.c.fingerprint.in_(bindparam("wanted", expanding=True)))
    .limit(1)
)

_posed = puzzles.alias("posed")
_OF_THE_DAY = (daily_puzzles.c.puzzle_id == _posed.c.id) & daily_puzzles.c.closed_at.is_(None)
_FIND_OF_THE_DAY = (
    select(_posed.c.id)
    .where(_OF_THE_DAY, _posed.c.fingerprint.in_(bindparam("wanted", expanding=True)))
    .limit(1)
)


async def any_of(tx: Transaction, fingerprints: Iterable[int]) -> bool:
    """Return whether any of these positions is current or recent in a match."""
    return await _find(tx, _FIND, fingerprints)


async def any_of_the_day(tx: Transaction, fingerprints: Iterable[int]) -> bool:
    """Return whether any of these positions is the puzzle of the day in any server."""
    return await _find(tx, _FIND_OF_THE_DAY, fingerprints)


def in_play(fingerprint: ColumnElement[Any]) -> ColumnElement[bool]:
    """Return the condition that a position is current or recent in a match."""
    return exists().where(_IN_PLAY, moves.c.fingerprint == fingerprint)


def of_the_day(fingerprint: ColumnElement[Any]) -> ColumnElement[bool]:
    """Return the condition that a position is the puzzle of the day in any server."""
    return exists().where(_OF_THE_DAY, _posed.c.fingerprint == fingerprint)


async def _find(tx: Transaction, statement: Select[Any], fingerprints: Iterable[int]) -> bool:
    wanted = sorted(set(fingerprints))
    for start in range(0, len(wanted), _AT_ONCE):
        if await tx.row(statement, {"wanted": wanted[start : start + _AT_ONCE]}) is not None:
            return True
    return False
