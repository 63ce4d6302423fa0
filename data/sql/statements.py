"""Statements run every turn, compiled to SQL once.

SQLAlchemy takes several times as long to pass a short statement to the driver as the driver takes
to execute it. So statements run every turn are compiled on first use, and then go straight to the
driver's cursor, with the same column types in both directions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    Delete,
    Dialect,
    Insert,
    Select,
    Table,
    Update,
    false,
    func,
    literal_column,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError, IntegrityError, InternalError

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Values: TypeAlias = Mapping[str, Any]
Fields: TypeAlias = "DataclassInstance | NamedTuple"
Convert: TypeAlias = Callable[[Any], Any]

_MAX_TEXTS: Final = 32
"""Texts of a statement that are kept, one for each scope it was asked for lately."""


class Prepared:
    """A statement with bound parameters, none of them a list. Rows are plain tuples."""

    def __init__(
        self,
        statement: Select[Any] | Insert | Update | Delete,
        guild_id: Column[Any] | None = None,
    ) -> None:
        """Prepare a statement. An insert must always get values for the same columns.

        A query with a ``guild_id`` is limited to the scope of its transaction, see `scoped`.
        """
        self.statement = statement
        self._guild_id = guild_id
        self._texts: dict[tuple[str, Scope | None], _Text] = {}

    def rows(
        self, connection: Connection, values: Values, scope: Scope | None = None
    ) -> list[tuple[Any, ...]]:
        """Return all rows of the statement.

        Raises:
            DBAPIError: as in SQLAlchemy.
        """
        text = self._text(connection.dialect, values, scope)
        with _cursor(connection, text.sql) as cursor:
            cursor.execute(text.sql, text.parameters(values))
            return text.rows(cursor.fetchall())

    def run(self, connection: Connection, *values: Values) -> int:
        """Execute the statement once for each set of values.

        Returns:
            The number of rows affected; undefined with several sets of values.

        Raises:
            DBAPIError: as in SQLAlchemy.
        """
        text = self._text(connection.dialect, values[0])
        with _cursor(connection, text.sql) as cursor:
            if len(values) == 1:
                cursor.execute(text.sql, text.parameters(values[0]))
            else:
                cursor.executemany(text.sql, [text.parameters(one) for one in values])
            met: int = cursor.rowcount
            return met

    def _text(self, dialect: Dialect, values: Values, scope: Scope | None = None) -> _Text:
        scope = None if self._guild_id is None else scope
        text = self._texts.get((dialect.name, scope))
        if text is None:
            statement: Any = self.statement
            if self._guild_id is not None:
                statement = scoped(statement, self._guild_id, scope)
            if len(self._texts) >= _MAX_TEXTS:  # each change of a process's shards is a new scope
                self._texts.clear()
            text = self._texts[dialect.name, scope] = _text(statement, dialect, values)
        return text


@dataclass(frozen=True, slots=True)
class _Text:
    """A statement as the driver expects it."""

    sql: str
    constants: Values
    """Values of parameters that the statement itself sets."""
    names: Sequence[tuple[str, Convert | None]]
    """Its parameters in order, with the function that converts each for the driver, if any."""
    columns: Sequence[tuple[int, Convert]]
    """The columns whose values need converting, with the functions."""

    def parameters(self, values: Values) -> tuple[Any, ...]:
        given = {**self.constants, **values} if self.constants else values
        return tuple(
            [
                given[name] if convert is None else convert(given[name])
                for name, convert in self.names
            ]
        )

    def rows(self, found: Sequence[Any]) -> list[tuple[Any, ...]]:
        if not self.columns:
            return [tuple(row) for row in found]
        made = []
        for row in found:
            values = list(row)
            for place, convert in self.columns:
                values[place] = convert(values[place])
            made.append(tuple(values))
        return made


def _text(
    statement: Select[Any] | Insert | Update | Delete, dialect: Dialect, values: Values
) -> _Text:
    keys = list(values) if statement.is_insert else None
    compiled: Any = statement.compile(dialect=dialect, column_keys=keys)
    names = [
        (name, compiled.binds[name].type.dialect_impl(dialect).bind_processor(dialect))
        for name in compiled.positiontup
    ]
    constants = {name: one.value for name, one in compiled.binds.items() if not one.required}
    described: Any = statement
    columns = (
        described.column_descriptions
        if statement.is_select
        else described.returning_column_descriptions
    )
    readers = [one["type"].dialect_impl(dialect).result_processor(dialect, None) for one in columns]
    converted = [(place, read) for place, read in enumerate(readers) if read is not None]
    return _Text(str(compiled), constants, names, converted)


class _cursor:  # noqa: N801 -- used like a function
    """A driver cursor, whose errors are raised as SQLAlchemy raises them.

    A class, as a generator would take twice as long.
    """

    __slots__ = ("_connection", "_cursor", "_sql")

    def __init__(self, connection: Connection, sql: str) -> None:
        self._connection = connection
        self._sql = sql
        self._cursor: Any = connection.connection.cursor()

    def __enter__(self) -> Any:
        return self._cursor

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        try:
            dialect = self._connection.dialect
            if isinstance(error, dialect.loaded_dbapi.Error):
                driver = self._connection.connection.dbapi_connection
                lost = dialect.is_disconnect(error, driver, self._cursor)
                if lost:
                    self._connection.invalidate(error)
                kind = _kind(error)
                raise kind(self._sql, None, error, connection_invalidated=lost) from error
        finally:
            self._cursor.close()


def _kind(error: Exception) -> type[DBAPIError]:
    """Return SQLAlchemy's class for a driver's error, where the class matters."""
    names = {one.__name__ for one in type(error).__mro__}
    return next(
        (one for one in (IntegrityError, InternalError) if one.__name__ in names), DBAPIError
    )


def upsert(
    table: Table, *replaced: str, adding: bool = False, **computed: Callable[[Any], Any]
) -> Mapping[str, Prepared]:
    """Return, by dialect, a statement that inserts a row or updates the one with the same key.

    Args:
        table: whose primary key is compared.
        replaced: the columns to update; by default, all that are not part of the key.
        adding: whether to add new values to the old ones instead of replacing them.
        computed: other columns, each with a function of the new row's columns.
    """
    key = list(table.primary_key.columns)
    names = replaced or tuple(column.key for column in table.c if not column.primary_key)

    def made(insert: sqlite.Insert | postgresql.Insert) -> Prepared:
        new = insert.excluded
        values = {name: table.c[name] + new[name] if adding else new[name] for name in names}
        values |= {name: value(new) for name, value in computed.items()}
        return Prepared(insert.on_conflict_do_update(index_elements=key, set_=values))

    return {"sqlite": made(sqlite.insert(table)), "postgresql": made(postgresql.insert(table))}


def values_of(record: Values | Fields) -> dict[str, Any]:
    """Return the fields of a record, or the values of a mapping, by name.

    `dataclasses.asdict` also copies their contents, which takes as long as a statement.
    """
    if isinstance(record, Mapping):
        return dict(record)
    if is_dataclass(record):
        return {name: getattr(record, name) for name in _names(type(record))}
    return record._asdict()


@cache
def _names(kind: type[DataclassInstance]) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


_BITS: Final = 22
"""Discord assigns servers to shards by the part of their id above these bits."""


def shard_of(guild_id: int | None, count: int) -> int:
    """Return the shard of a server among ``count``; direct messages belong to shard 0."""
    return 0 if guild_id is None else (guild_id >> _BITS) % count


@dataclass(frozen=True, slots=True)
class Scope:
    """A subset of the shards."""

    count: int
    """The total number of shards."""
    shards: frozenset[int]

    def covers(self, guild_id: ColumnElement[Any]) -> ColumnElement[bool]:
        """Return the condition that a server, or ``NULL`` for direct messages, is in scope."""
        if not self.shards:
            return false()
        # PostgreSQL shifts only by an integer, and a parameter beside a bigint would be a bigint.
        bits: ColumnElement[int] = literal_column(str(_BITS))
        shard = func.coalesce(guild_id, 0).bitwise_rshift(bits) % self.count
        return shard.in_([literal_column(str(number)) for number in sorted(self.shards)])


def scoped(statement: Select[Any], guild_id: Column[Any], scope: Scope | None) -> Select[Any]:
    """Limit a query to a scope by the server of its rows, if need be that of what they refer to."""
    if scope is None:
        return statement
    if not any(one.is_derived_from(guild_id.table) for one in statement.get_final_froms()):
        statement = statement.join(guild_id.table)
    return statement.where(scope.covers(guild_id))
