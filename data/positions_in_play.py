"""Current and recent positions of people's open matches, identified by fingerprint.

A log entry stores the fingerprint of the position it leads to (`data.match.Entry`), so a turn needs
no extra statement. `data.matches.finish` removes those of a match that ends.
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


async def any_of(tx: Transaction, fingerprints: Iterable[int]) -> bool:
    """Return whether any of these positions is current or recent in a match."""
    wanted = sorted(set(fingerprints))
    for start in range(0, len(wanted), _AT_ONCE):
        part = wanted[start : start + _AT_ONCE]
        if await tx.row(_FIND, {"wanted": part}) is not None:
            return True
    return False


def in_play(fingerprint: ColumnElement[Any]) -> ColumnElement[bool]:
    """Return the condition that a position is current or recent in a match."""
    return exists().where(_IN_PLAY, moves.c.fingerprint == fingerprint)
