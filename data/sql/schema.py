"""Settings shared by all tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import MetaData

if TYPE_CHECKING:
    from sqlalchemy import Row, Table

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
    }
)

COUNTED: Final[dict[str, Any]] = {"sqlite_strict": True, "sqlite_autoincrement": True}
"""Tables with generated ids, which are never reused: players may have seen them."""
KEYED: Final[dict[str, Any]] = {"sqlite_strict": True, "sqlite_with_rowid": False}
"""Tables read by their key, in whose order SQLite stores the rows."""


def named(row: Row[*tuple[Any, ...]], table: Table) -> dict[str, Any]:
    """Return the values of a row that belong to a table, by column name."""
    return {column.name: getattr(row, column.name) for column in table.c}
