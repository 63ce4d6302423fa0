"""Rating values and the tables that store them."""

from __future__ import annotations

import pytest
from sqlalchemy import Table

from data import tables
from data.ratings.rating import Rating, RatingChange, SideRating


@pytest.mark.parametrize(
    ("value", "table"),
    [
        (Rating, tables.ratings),
        (RatingChange, tables.rating_changes),
        (SideRating, tables.side_ratings),
    ],
)
def test_a_rating_has_the_columns_of_its_table(
    value: type[Rating | RatingChange | SideRating], table: Table
) -> None:
    assert list(value._fields) == [column.name for column in table.c]
