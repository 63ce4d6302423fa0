"""Everything derived from results, for comparison."""

from __future__ import annotations

from collections import Counter
from typing import Any

from sqlalchemy import select

from data.ratings.rating import Rating, rating_changes, ratings, side_ratings
from data.ratings.ratings import RATING, Cell, cell
from data.ratings.ratings import rating_histogram as rating_histogram_table
from data.ratings.scores import rivals, scores
from data.ratings.season_ratings import season_ratings
from data.sql.transaction import Transaction

TABLES = (
    rating_changes,
    ratings,
    rating_histogram_table,
    side_ratings,
    season_ratings,
    scores,
    rivals,
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
    rows = await tx.rows(RATING.where(ratings.c.game == game))
    cells = (cell(Rating(*row)) for row in rows)
    return Counter(cell for cell in cells if cell is not None)
