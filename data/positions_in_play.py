"""Positions that open matches of people now have or just had, known by their fingerprints.

An entry of a log keeps the fingerprint of the position that it leads to (`data.match.Entry`), so it
costs a turn no statement of its own. `data.matches.finish` removes those of a match that ends.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import bindparam, exists, select

from data.tables import matches, moves

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sqlalchemy import ColumnElement

    from data.transaction import Transaction

RECENT: Final = 16
"""A match has just had the positions that its last so many entries, throws included, led to."""
_AT_ONCE: Final = 500
"""How many are looked for with one statement."""

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


async def any_of(tx: Transaction, fingerprints: Iterable[int]) -> bool:
    """Return whether a match has or just had one of these positions."""
    wanted = sorted(set(fingerprints))
    for start in range(0, len(wanted), _AT_ONCE):
        part = wanted[start : start + _AT_ONCE]
        if await tx.row(_FIND, {"wanted": part}) is not None:
            return True
    return False


def in_play(fingerprint: ColumnElement[Any]) -> ColumnElement[bool]:
    """Return the condition that a match has or just had a position."""
    return exists().where(_IN_PLAY, moves.c.fingerprint == fingerprint)
