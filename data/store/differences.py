"""Compares a database's tables with those this version of the program works on.

The revision alone does not tell: a development version may have made the tables before its
migration was finished, or somebody may have changed them by hand. Whatever a database has
beyond the program's tables is allowed, as a newer version may have added it.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import walk_packages

from sqlalchemy import Connection, text

import data
from data.sql.columns import metadata
from data.sql.errors import Different

_SQLITE = text(
    "SELECT tables.name, columns.name, lower(columns.type)"
    " FROM sqlite_master AS tables, pragma_table_info(tables.name) AS columns"
    " WHERE tables.type = 'table'"
    " UNION ALL SELECT tbl_name, NULL, name FROM sqlite_master WHERE type = 'index'"
)
_POSTGRESQL = text(
    "SELECT t.relname, a.attname, format_type(a.atttypid, a.atttypmod)"
    " FROM pg_class AS t JOIN pg_attribute AS a ON a.attrelid = t.oid"
    " WHERE t.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped"
    " AND pg_table_is_visible(t.oid)"
    " UNION ALL SELECT t.relname, NULL, i.relname"
    " FROM pg_index AS x JOIN pg_class AS t ON t.oid = x.indrelid"
    " JOIN pg_class AS i ON i.oid = x.indexrelid WHERE pg_table_is_visible(t.oid)"
)
_SHOWN = 5


def check(connection: Connection) -> None:
    """Compare the names and types of columns, and the names of indexes, in one query.

    Raises:
        Different: the program lacks something in this database; the error names it.
    """
    found = differences(connection)
    if found:
        more = f", and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
        raise Different(
            "Its tables are not those of this version. It was made by an unreleased version, or"
            f" changed by hand. What differs: {'; '.join(found[:_SHOWN])}{more}. Nothing was"
            " changed. Go back to the version that made it, restore a backup of a release, or"
            " start with a new database."
        )


def differences(connection: Connection) -> list[str]:
    """Return what this database lacks or has with another type, sorted by table."""
    _load_tables()
    sqlite = connection.dialect.name == "sqlite"
    there: dict[tuple[str, str | None], str] = {}
    indexes = set()
    for table, column, kind in connection.execute(_SQLITE if sqlite else _POSTGRESQL):
        there[table, column] = kind
        if column is None:
            indexes.add(kind)
    tables = {table for table, _ in there}
    found = []
    for name, expected in sorted(metadata.tables.items()):
        if name not in tables:
            found.append(f"no table {name}")
            continue
        for column in expected.columns:
            kind = column.type.compile(connection.dialect).lower()
            actual = there.get((name, column.name))
            if actual is None:
                found.append(f"no column {name}.{column.name}")
            elif actual != kind:
                found.append(f"{name}.{column.name} is {actual}, not {kind}")
        found += sorted(
            f"no index {index.name} on {name}"
            for index in expected.indexes
            if index.name not in indexes
        )
    return found


@cache
def _load_tables() -> None:
    """Import every module of data/: a table is known once its module is imported."""
    for module in walk_packages(data.__path__, "data."):
        import_module(module.name)
