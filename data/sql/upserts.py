"""Records as values for statements, and INSERT … ON CONFLICT DO UPDATE for both databases."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from sqlalchemy import Insert, Table
from sqlalchemy.dialects import postgresql, sqlite

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


def upsert(
    table: Table, *replaced: str, adding: bool = False, **computed: Callable[[Any], Any]
) -> Mapping[str, Insert]:
    """Return, by dialect, a statement that inserts a row or updates the one with the same key.

    Args:
        table: whose primary key is compared.
        replaced: the columns to update; by default, all that are not part of the key.
        adding: whether to add new values to the old ones instead of replacing them.
        computed: other columns, each with a function of the new row's columns.
    """
    key = list(table.primary_key.columns)
    names = replaced or tuple(column.name for column in table.c if not column.primary_key)

    def made(insert: sqlite.Insert | postgresql.Insert) -> Insert:
        new = insert.excluded
        values = {name: table.c[name] + new[name] if adding else new[name] for name in names}
        values |= {name: value(new) for name, value in computed.items()}
        return insert.on_conflict_do_update(index_elements=key, set_=values)

    return {"sqlite": made(sqlite.insert(table)), "postgresql": made(postgresql.insert(table))}


def values_of(record: DataclassInstance) -> dict[str, Any]:
    """Return the fields of a record by name.

    `dataclasses.asdict` also copies their contents, which takes as long as a statement.
    """
    return {field.name: getattr(record, field.name) for field in fields(record)}
