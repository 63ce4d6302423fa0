"""Analyses of finished matches."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Any

from sqlalchemy import select, update

from data.matches.match import matches
from data.sql.columns import table
from data.sql.transaction import Transaction

analyses = table(
    "analyses",
    rows={"match_id": "matches.id", "made_at": datetime, "found": dict},
    key=("match_id",),
)
"""Analyses of finished matches."""


async def of(tx: Transaction, match_id: int) -> dict[str, Any] | None:
    """Return the analysis of a match, ``None`` if there is none yet."""
    statement = select(analyses.c.found).where(analyses.c.match_id == match_id)
    return await tx.scalar(statement)


async def known(tx: Transaction, match_ids: Collection[int]) -> frozenset[int]:
    """Return which of the given matches have an analysis."""
    these = select(analyses.c.match_id).where(analyses.c.match_id.in_(match_ids))
    return frozenset(await tx.scalars(these))


async def put(tx: Transaction, match_id: int, found: dict[str, Any], at: datetime) -> None:
    """Store the analysis of a match."""
    await tx.put(analyses, {"match_id": match_id, "made_at": at, "found": found})


hints = table(
    "hints",
    rows={"match_id": "matches.id", "version": int, "evaluation": dict},
    key=("match_id", "version"),
)
"""The hint given at a turn, repeated if asked for again."""


async def hint_of(tx: Transaction, match_id: int, version: int) -> dict[str, Any] | None:
    """Return the hint given at a turn of a match, if any."""
    given = select(hints.c.evaluation).where(
        hints.c.match_id == match_id, hints.c.version == version
    )
    return await tx.scalar(given)


async def hints_of(tx: Transaction, match_id: int) -> list[tuple[int, dict[str, Any]]]:
    """Return the hints given in a match with the versions of their turns, the first turn's first."""
    given = select(hints.c.version, hints.c.evaluation).where(hints.c.match_id == match_id)
    return [(row[0], row[1]) for row in await tx.rows(given.order_by(hints.c.version))]


async def add_hint(
    tx: Transaction,
    match_id: int,
    version: int,
    evaluation: dict[str, Any],
    *,
    counted: bool = True,
) -> dict[str, Any]:
    """Store and count a hint unless the turn has one; return the stored one.

    A verdict that only judges a match and is shown to no one is not counted.
    """
    this = matches.c.id == match_id
    await tx.row(select(matches.c.id).where(this).with_for_update())
    before = await hint_of(tx, match_id, version)
    if before is not None:
        return before
    if counted:
        await tx.run(update(matches).where(this).values(hints=matches.c.hints + 1))
    await tx.add(hints, {"match_id": match_id, "version": version, "evaluation": evaluation})
    return evaluation
