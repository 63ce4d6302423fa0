"""Conditional moves: what a seat answers if the others play as it expects.

They count from the end of the log: whoever appends to it brings them up to date with `replace`.
`data.matches` removes those of a match that ends, in which a move is taken back or a seat given up.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import bindparam, delete, insert, select, update

from data.tables import conditional_moves

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from data.transaction import Record, Transaction

_T = conditional_moves.c


@dataclass(frozen=True, slots=True)
class ConditionalMove:
    """A move that waits for others."""

    id: int
    match_id: int
    seat: int
    version: int
    """The version of the match from which its path begins."""
    path: tuple[str, ...]
    """The entries of the log that come before it, from the end of the log on."""
    notation: str

    @property
    def line(self) -> tuple[str, ...]:
        """The path with the move itself."""
        return (*self.path, self.notation)

    def after(self, entries: Sequence[str], version: int) -> ConditionalMove | None:
        """Return it as it is once entries were appended; ``None`` if it does not fit them."""
        many = len(entries)
        if self.path[:many] != tuple(entries):
            return None
        return dataclasses.replace(self, path=self.path[many:], version=version)


_OF_MATCH = (
    select(conditional_moves).where(_T.match_id == bindparam("match")).order_by(_T.path, _T.id)
)


async def of_match(tx: Transaction, match_id: int) -> tuple[ConditionalMove, ...]:
    """Return those of a match, in the order of their paths."""
    return tuple(map(_read, await tx.rows(_OF_MATCH, {"match": match_id})))


async def add(
    tx: Transaction,
    match_id: int,
    seat: int,
    *,
    version: int,
    path: Sequence[str],
    notation: str,
) -> None:
    """Add a move; its path is free."""
    values = {
        "match_id": match_id,
        "seat": seat,
        "version": version,
        "path": " ".join(path),
        "notation": notation,
    }
    await tx.run(insert(conditional_moves).values(values))


async def remove(tx: Transaction, ids: Collection[int]) -> None:
    """Remove some."""
    if ids:
        await tx.run(delete(conditional_moves).where(_T.id.in_(sorted(ids))))


async def put_back(
    tx: Transaction, before: Sequence[ConditionalMove], after: Sequence[ConditionalMove]
) -> None:
    """Keep, of those of a match, what is left after entries were appended to its log."""
    await remove(tx, {one.id for one in before} - {one.id for one in after})
    for one in sorted(after, key=lambda one: len(one.path)):  # each takes a path that is free then
        values = {"path": " ".join(one.path), "version": one.version}
        await tx.run(update(conditional_moves).where(_T.id == one.id).values(values))


def _read(row: Record) -> ConditionalMove:
    path = tuple(row.path.split())
    return ConditionalMove(row.id, row.match_id, row.seat, row.version, path, row.notation)
