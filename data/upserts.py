"""INSERT … ON CONFLICT DO UPDATE for each of the two databases, made once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy.dialects import postgresql, sqlite

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy import Insert, Table


def upsert(table: Table, *replaced: str, adding: bool = False) -> Mapping[str, Insert]:
    """Return, by the name of the database, a statement that inserts a row or changes its namesake.

    Args:
        table: whose primary key tells namesakes.
        replaced: the columns that change.
        adding: whether the new values are added to the old ones instead of replacing them.

    """
    key = list(table.primary_key.columns)
    lite, post = sqlite.insert(table), postgresql.insert(table)
    return {
        "sqlite": lite.on_conflict_do_update(
            index_elements=key,
            set_={
                name: table.c[name] + lite.excluded[name] if adding else lite.excluded[name]
                for name in replaced
            },
        ),
        "postgresql": post.on_conflict_do_update(
            index_elements=key,
            set_={
                name: table.c[name] + post.excluded[name] if adding else post.excluded[name]
                for name in replaced
            },
        ),
    }
