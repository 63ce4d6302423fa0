"""Computers' judgements of positions: counted hints in practice matches, and verdicts."""

from __future__ import annotations

from typing import Any

from sqlalchemy import insert, select, update

from data.matches.match_tables import matches
from data.puzzles.analysis_tables import hints
from data.sql.transaction import Transaction


async def of(tx: Transaction, match_id: int, version: int) -> dict[str, Any] | None:
    """Return the hint given at a turn of a match, if any."""
    given = select(hints.c.evaluation).where(
        hints.c.match_id == match_id, hints.c.version == version
    )
    evaluation: dict[str, Any] | None = await tx.scalar(given)
    return evaluation


async def add(
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
    before = await of(tx, match_id, version)
    if before is not None:
        return before
    if counted:
        await tx.run(update(matches).where(this).values(hints=matches.c.hints + 1))
    await tx.run(
        insert(hints), {"match_id": match_id, "version": version, "evaluation": evaluation}
    )
    return evaluation
