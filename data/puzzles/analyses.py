"""Analyses of finished matches."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Any

from sqlalchemy import select

from data.puzzles.analysis_tables import analyses
from data.sql.transaction import Transaction
from data.sql.upserts import upsert

_PUT = upsert(analyses)


async def of(tx: Transaction, match_id: int) -> dict[str, Any] | None:
    """Return the analysis of a match, ``None`` if there is none yet."""
    statement = select(analyses.c.found).where(analyses.c.match_id == match_id)
    found: dict[str, Any] | None = await tx.scalar(statement)
    return found


async def known(tx: Transaction, match_ids: Collection[int]) -> frozenset[int]:
    """Return which of the given matches have an analysis."""
    these = select(analyses.c.match_id).where(analyses.c.match_id.in_(match_ids))
    return frozenset(await tx.scalars(these))


async def put(tx: Transaction, match_id: int, found: dict[str, Any], at: datetime) -> None:
    """Store the analysis of a match."""
    await tx.run(_PUT[tx.dialect], {"match_id": match_id, "made_at": at, "found": found})
