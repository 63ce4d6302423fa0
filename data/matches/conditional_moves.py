"""Conditional moves: a seat's answers if the others play as it expects.

They count from the end of the log, so code that appends to it must update them with `replace`.
`data.matches.matches` removes a match's conditional moves when it ends, a move is taken back or a seat is
given up.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy import bindparam, delete, select, update

from data.sql.columns import Id, reference, table
from data.sql.transaction import Record, Transaction


@dataclass(frozen=True, slots=True)
class ConditionalMove:
    """A move played once its path has been played."""

    id: int
    match_id: int
    seat: int
    version: int
    """The version of the match at which its path begins."""
    path: tuple[str, ...]
    """The log entries that must come first, from the end of the log on."""
    notation: str

    @property
    def line(self) -> tuple[str, ...]:
        """The path followed by the move itself."""
        return (*self.path, self.notation)

    def after(self, entries: Sequence[str], version: int) -> ConditionalMove | None:
        """Return it after some new entries; ``None`` if they leave its path."""
        many = len(entries)
        if self.path[:many] != tuple(entries):
            return None
        return dataclasses.replace(self, path=self.path[many:], version=version)


conditional_moves = table(
    "conditional_moves",
    reference("match_id", "matches.id"),
    sa.Column("version", Id, nullable=False),
    sa.UniqueConstraint("match_id", "seat", "path"),
    rows=ConditionalMove,
)

_T = conditional_moves.c

_OF_MATCH = (
    select(conditional_moves).where(_T.match_id == bindparam("match")).order_by(_T.path, _T.id)
)


async def of_match(tx: Transaction, match_id: int) -> tuple[ConditionalMove, ...]:
    """Return the conditional moves of a match, ordered by path."""
    return tuple(map(_read, await tx.rows(_OF_MATCH, {"match": match_id})))


async def add(
    tx: Transaction, match_id: int, seat: int, *, version: int, path: Sequence[str], notation: str
) -> None:
    """Add a conditional move, whose path must be free."""
    values = {
        "match_id": match_id,
        "seat": seat,
        "version": version,
        "path": " ".join(path),
        "notation": notation,
    }
    await tx.add(conditional_moves, values)


async def remove(tx: Transaction, ids: Collection[int]) -> None:
    """Remove some conditional moves."""
    if ids:
        await tx.run(delete(conditional_moves).where(_T.id.in_(sorted(ids))))


async def replace(
    tx: Transaction, before: Sequence[ConditionalMove], after: Sequence[ConditionalMove]
) -> None:
    """Update a match's conditional moves after new entries; remove those no longer reachable."""
    await remove(tx, {one.id for one in before} - {one.id for one in after})
    for one in sorted(after, key=lambda one: len(one.path)):  # so each path is free when taken
        values = {"path": " ".join(one.path), "version": one.version}
        await tx.run(update(conditional_moves).where(_T.id == one.id).values(values))


def _read(row: Record) -> ConditionalMove:
    path = tuple(row.path.split())
    return ConditionalMove(row.id, row.match_id, row.seat, row.version, path, row.notation)
