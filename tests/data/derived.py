"""Everything derived from results, for comparison."""

from __future__ import annotations

from collections import Counter
from typing import Any

from sqlalchemy import select

from data import tables
from data.ratings import rating_histogram
from data.ratings.rating import Rating
from data.ratings.rating_histogram import Cell
from data.ratings.ratings import RATING
from data.sql.transaction import Transaction

TABLES = (
    tables.rating_changes,
    tables.ratings,
    tables.rating_histogram,
    tables.side_ratings,
    tables.season_ratings,
    tables.scores,
    tables.rivals,
)


async def everything(tx: Transaction) -> dict[str, list[Any]]:
    """Return all rows derived from the results, sorted."""
    found = {}
    for table in TABLES:
        ordered = select(table).order_by(*table.primary_key.columns)
        found[table.name] = [tuple(row) for row in await tx.rows(ordered)]
    return found


async def histogram(tx: Transaction, game: str) -> Counter[Cell]:
    """Return the histogram of a game, counted player by player."""
    rows = await tx.rows(RATING.where(tables.ratings.c.game == game))
    cells = (rating_histogram.cell(Rating(*row)) for row in rows)
    return Counter(cell for cell in cells if cell is not None)
