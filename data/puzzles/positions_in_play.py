"""Positions closed to advice, identified by fingerprint.

They are the current and recent ones of people's open matches, and the puzzles of the day. A log
entry stores the fingerprint of the position it leads to (`data.matches.match.Entry`), so a turn needs no
extra statement. `data.matches.matches.finish` removes those of a match that ends.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from sqlalchemy import ColumnElement, Select, bindparam, exists, select

from data.matches.match_tables import matches, moves
from data.puzzles.analysis_tables import daily_puzzles, puzzles
from data.sql.transaction import Transaction

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
