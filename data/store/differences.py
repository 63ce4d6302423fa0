"""Compares a database's tables with those this version of the program works on.

The revision alone does not tell: a development version may have made the tables before its
migration was finished, or somebody may have changed them by hand. Whatever a database has
beyond the program's tables is allowed, as a newer version may have added it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from itertools import groupby
from pkgutil import walk_packages
from typing import Final

from sqlalchemy import (
    CheckConstraint,
    Connection,
    Dialect,
    ForeignKeyConstraint,
    Table,
    UniqueConstraint,
    text,
)

import data
from data.sql.columns import metadata
from data.sql.errors import Different

_SHOWN: Final = 5
_COLUMNS_OF_SQLITE: Final = text(
    "SELECT tables.name, columns.name, lower(columns.type), columns.[notnull],"
    " columns.dflt_value IS NOT NULL, columns.pk"
    " FROM sqlite_master AS tables, pragma_table_info(tables.name) AS columns"
    " WHERE tables.type = 'table' ORDER BY 1, 6"
)
_REFERENCES_OF_SQLITE: Final = text(
    'SELECT tables.name, keys.id, keys.[table], keys.[from], keys."to", keys.on_delete'
    " FROM sqlite_master AS tables, pragma_foreign_key_list(tables.name) AS keys"
    " WHERE tables.type = 'table' ORDER BY 1, 2, keys.seq"
)
_INDEXES_OF_SQLITE: Final = text(
    "SELECT tables.name, indexes.name, indexes.[unique], indexes.origin, columns.name"
    " FROM sqlite_master AS tables, pragma_index_list(tables.name) AS indexes,"
    " pragma_index_info(indexes.name) AS columns"
    " WHERE tables.type = 'table' ORDER BY 1, 2, columns.seqno"
)
_CHECKS_OF_SQLITE: Final = text("SELECT name, sql FROM sqlite_master WHERE type = 'table'")
_COLUMNS_OF_POSTGRESQL: Final = text(
    "SELECT t.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull,"
    " a.atthasdef OR a.attidentity <> ''"
    " FROM pg_class AS t JOIN pg_attribute AS a ON a.attrelid = t.oid"
    " WHERE t.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped"
    " AND pg_table_is_visible(t.oid) AND t.relnamespace <> 'pg_catalog'::regnamespace"
)
_CONSTRAINTS_OF_POSTGRESQL: Final = text(
    "SELECT t.relname, c.conname, c.contype::text, pg_get_constraintdef(c.oid)"
    " FROM pg_constraint AS c JOIN pg_class AS t ON t.oid = c.conrelid"
    " WHERE c.contype IN ('p', 'u', 'f', 'c') AND pg_table_is_visible(t.oid)"
)
_INDEXES_OF_POSTGRESQL: Final = text(
    "SELECT t.relname, i.relname, x.indisunique"
    " FROM pg_index AS x JOIN pg_class AS t ON t.oid = x.indrelid"
    " JOIN pg_class AS i ON i.oid = x.indexrelid"
    " WHERE pg_table_is_visible(t.oid) AND t.relnamespace <> 'pg_catalog'::regnamespace"
)
_CHECK: Final = re.compile(r'CONSTRAINT "?(\w+)"? CHECK (?=\()')
_PART: Final = re.compile(r"'(?:[^']|'')*'|[()]|\b\d+\b")


@dataclass(frozen=True, slots=True)
class _Column:
    kind: str
    required: bool
    default: bool


@dataclass(slots=True)
class _Shape:
    """What a table accepts, in the same words on both databases."""

    columns: dict[str, _Column] = field(default_factory=dict)
    constraints: set[str] = field(default_factory=set)
    """As PostgreSQL puts keys and references."""
    checks: dict[str, set[str]] = field(default_factory=dict)
    """Each check's texts and numbers: the databases word the rest of it differently."""
    indexes: dict[str, bool] = field(default_factory=dict)
    """Whether they are unique."""


def check(connection: Connection, *, newer: bool = False) -> None:
    """Compare columns, keys, references, checks and indexes, in a few milliseconds.

    Args:
        connection: to the database, which is only read.
        newer: whether a newer version has changed it, which may have made tables accept more.

    Raises:
        Different: the program lacks something in this database; the error names it.
    """
    found = differences(connection, newer=newer)
    if found:
        more = f", and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
        raise Different(
            "Its tables are not those of this version. It was made by an unreleased version, or"
            f" changed by hand. What differs: {'; '.join(found[:_SHOWN])}{more}. Nothing was"
            " changed. Go back to the version that made it, restore a backup of a release, or"
            " start with a new database."
        )


def differences(connection: Connection, *, newer: bool = False) -> list[str]:
    """Return what this database lacks or has otherwise, sorted by table."""
    sqlite = connection.dialect.name == "sqlite"
    found = _of_sqlite(connection) if sqlite else _of_postgresql(connection)
    lines: list[str] = []
    for name, expected in _expected(connection.dialect).items():
        if name in found:
            lines += _differences(name, expected, found[name], newer=newer)
        else:
            lines.append(f"no table {name}")
    return lines


def _differences(name: str, expected: _Shape, found: _Shape, *, newer: bool) -> Iterator[str]:
    for column, here in expected.columns.items():
        about = f"{name}.{column}"
        if there := found.columns.get(column):
            yield from _of_column(about, here, there, newer=newer)
        else:
            yield f"no column {about}"
    for column, there in found.columns.items():
        if column not in expected.columns and there.required and not there.default:
            yield f"unknown column {name}.{column} without a default"
    for constraint in sorted(expected.constraints - found.constraints):
        yield f"no {constraint} on {name}"
    for constraint, values in sorted(expected.checks.items()):
        yield from _of_check(
            f"{constraint} on {name}", values, found.checks.get(constraint), newer=newer
        )
    for index, unique in sorted(expected.indexes.items()):
        if index not in found.indexes:
            yield f"no index {index} on {name}"
        elif found.indexes[index] is not unique:
            yield f"index {index} on {name} is {'not ' * unique}unique"


def _of_column(about: str, here: _Column, there: _Column, *, newer: bool) -> Iterator[str]:
    if there.kind != here.kind:
        yield f"{about} is {there.kind}, not {here.kind}"
    if there.required and not here.required:
        yield f"{about} is NOT NULL"
    elif here.required and not there.required and not newer:
        yield f"{about} can be NULL"
    if here.default and not there.default:
        yield f"{about} has no default"


def _of_check(about: str, here: set[str], there: set[str] | None, *, newer: bool) -> Iterator[str]:
    # Without it, or with more values, the table accepts more.
    if there is None and not newer:
        yield f"no check {about}"
    elif there is not None and not (here <= there if newer else here == there):
        yield f"check {about} has other values"


@cache
def _expected(dialect: Dialect) -> Mapping[str, _Shape]:
    """Return the shapes of this version's tables by name, in order."""
    return {name: _shape(table, dialect) for name, table in sorted(known_tables().items())}


def _shape(table: Table, dialect: Dialect) -> _Shape:
    shape = _Shape()
    for column in table.columns:
        kind = column.type.compile(dialect).lower()
        numbered = column.autoincrement is True and dialect.name == "postgresql"
        default = numbered or column.server_default is not None
        shape.columns[column.name] = _Column(kind, not column.nullable, default)
    shape.constraints.add(_key("PRIMARY KEY", table.primary_key.columns.keys()))
    for constraint in table.constraints:
        if isinstance(constraint, UniqueConstraint):
            shape.constraints.add(_key("UNIQUE", constraint.columns.keys()))
        elif isinstance(constraint, ForeignKeyConstraint):
            columns = [one.column.name for one in constraint.elements]
            target = constraint.referred_table.name
            shape.constraints.add(
                _reference(constraint.column_keys, target, columns, constraint.ondelete or "")
            )
        elif isinstance(constraint, CheckConstraint):
            shape.checks[str(constraint.name)] = _values(str(constraint.sqltext))
    shape.indexes = {str(index.name): index.unique or False for index in table.indexes}
    return shape


def _of_sqlite(connection: Connection) -> Mapping[str, _Shape]:
    found: defaultdict[str, _Shape] = defaultdict(_Shape)
    keys: defaultdict[str, list[str]] = defaultdict(list)
    for table, name, kind, required, default, place in connection.execute(_COLUMNS_OF_SQLITE):
        found[table].columns[name] = _Column(kind, bool(required), bool(default))
        if place:
            keys[table].append(name)
    for table, columns in keys.items():
        found[table].constraints.add(_key("PRIMARY KEY", columns))
    references = groupby(connection.execute(_REFERENCES_OF_SQLITE), lambda row: row[:2])
    for (table, _), rows in references:
        _, _, target, own, theirs, deleted = zip(*rows, strict=True)
        if None in theirs:
            continue  # to another table's key without naming it, as no table of ours does
        action = "" if deleted[0] == "NO ACTION" else deleted[0]
        found[table].constraints.add(_reference(own, target[0], theirs, action))
    indexes = groupby(connection.execute(_INDEXES_OF_SQLITE), lambda row: row[:4])
    for (table, name, unique, origin), rows in indexes:
        found[table].indexes[name] = bool(unique)
        if origin == "u":
            found[table].constraints.add(_key("UNIQUE", [row[4] for row in rows]))
    for table, sql in connection.execute(_CHECKS_OF_SQLITE):
        found[table].checks.update(_checks(sql))
    return found


def _of_postgresql(connection: Connection) -> Mapping[str, _Shape]:
    found: defaultdict[str, _Shape] = defaultdict(_Shape)
    for table, name, kind, required, default in connection.execute(_COLUMNS_OF_POSTGRESQL):
        found[table].columns[name] = _Column(kind, required, default)
    for table, name, kind, sql in connection.execute(_CONSTRAINTS_OF_POSTGRESQL):
        if kind == "c":
            found[table].checks[name] = _values(sql)
        else:
            found[table].constraints.add(sql.replace('"', ""))
    for table, name, unique in connection.execute(_INDEXES_OF_POSTGRESQL):
        found[table].indexes[name] = unique
    return found


def _key(kind: str, columns: Iterable[str]) -> str:
    return f"{kind} ({', '.join(columns)})"


def _reference(own: Iterable[str], table: str, theirs: Iterable[str], deleted: str) -> str:
    action = f" ON DELETE {deleted}" if deleted else ""
    return f"{_key('FOREIGN KEY', own)} REFERENCES {table}({', '.join(theirs)}){action}"


def _checks(sql: str) -> Iterator[tuple[str, set[str]]]:
    """Yield the names and values of the checks in the statement that creates a table."""
    for start in _CHECK.finditer(sql):
        depth = 0
        for part in _PART.finditer(sql, start.end()):
            depth += {"(": 1, ")": -1}.get(part[0], 0)
            if not depth:
                yield start[1], _values(sql[start.end() : part.end()])
                break


def _values(sql: str) -> set[str]:
    return {part.strip("'") for part in _PART.findall(sql)} - {"(", ")"}


@cache
def known_tables() -> Mapping[str, Table]:
    """Return every table of this version: one is known once its module is imported."""
    for module in walk_packages(data.__path__, "data."):
        import_module(module.name)
    return metadata.tables
