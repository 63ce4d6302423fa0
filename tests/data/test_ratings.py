"""Rating values and the tables that store them."""

from __future__ import annotations

import pytest
from sqlalchemy import Table

from data.ratings.rating import (
    Rating,
    RatingChange,
    SideRating,
    rating_changes,
    ratings,
    side_ratings,
)


@pytest.mark.parametrize(
    ("value", "table"),
    [(Rating, ratings), (RatingChange, rating_changes), (SideRating, side_ratings)],
)
def test_a_rating_has_the_columns_of_its_table(
    value: type[Rating | RatingChange | SideRating], table: Table
) -> None:
    assert list(value._fields) == [column.name for column in table.c]
