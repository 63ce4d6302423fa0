"""A whole transaction in one journey to SQLite's thread.

The work of a transaction is a coroutine that awaits nothing but the transaction. Where that
never has to wait, because it runs beside SQLite itself, the coroutine goes from its beginning to
its end at once, and so the journey that begins a transaction also commits it.

SQLAlchemy says what a statement is in SQLite's words, once for each statement, and how values are
stored and read; carrying it out is left to ``sqlite3`` alone.
"""

from __future__ import annotations

import sqlite3
from collections import namedtuple
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar
from weakref import WeakKeyDictionary

from sqlalchemy.exc import DBAPIError
from sqlalchemy.sql.dml import UpdateBase

from data.failures import translated
from data.transaction import Transaction

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Sequence

    from sqlalchemy import Executable
    from sqlalchemy.engine import Dialect

    from data.follow_up import FollowUp
    from data.transaction import Record, Values

T = TypeVar("T")


class _Prepared(NamedTuple):
    """A statement as SQLite takes it."""

    sql: str
    parameters: tuple[tuple[str, Any, Callable[[Any], Any] | None], ...]
    """Of each its name, its value where none is given, and what makes it storable."""
    record: Callable[..., Any] | None
    readers: tuple[Callable[[Any], Any] | None, ...]
    lists: tuple[str, ...]
    """The parameters that stand for any number of values."""

    def written(self, values: Values) -> tuple[str, list[Any]]:
        """Return the words with a place for each value, and the values in order."""
        if not self.lists:
            return self.sql, self.stored(values)
        sql, stored = self.sql, []
        for name, value in zip(
            (name for name, _, _ in self.parameters), self.stored(values), strict=True
        ):
            if name in self.lists:
                places = ", ".join("?" * len(value))
                sql = sql.replace(f"__[POSTCOMPILE_{name}]", places, 1)
                stored += value
            else:
                stored.append(value)
        return sql, stored

    def stored(self, values: Values) -> list[Any]:
        """Return the parameters in order, as they are stored."""
        return [
            store(values.get(name, default)) if store is not None else values.get(name, default)
            for name, default, store in self.parameters
        ]

    def read(self, cursor: sqlite3.Cursor) -> list[Record]:
        """Return the rows that a statement has given, their columns by name."""
        if self.record is None:
            # Of a statement in plain words SQLite alone knows the columns, and no types.
            record = _record([name for name, *_ in cursor.description])
            return [record(*row) for row in cursor]
        return [
            self.record(
                *[
                    reader(value) if reader is not None else value
                    for reader, value in zip(self.readers, row, strict=True)
                ]
            )
            for row in cursor.fetchall()
        ]


_KNOWN: Final[WeakKeyDictionary[Any, dict[frozenset[str], _Prepared]]] = WeakKeyDictionary()


def _prepared(statement: Any, names: frozenset[str], dialect: Dialect) -> _Prepared:
    """Return a statement for parameters of these names."""
    known = _KNOWN.setdefault(statement, {})
    found = known.get(names)
    if found is None:
        found = known[names] = _prepare(statement, names, dialect)
    return found


def _prepare(statement: Any, names: frozenset[str], dialect: Dialect) -> _Prepared:
    columns = sorted(names) if isinstance(statement, UpdateBase) else None
    compiled = statement.compile(dialect=dialect, column_keys=columns)
    parameters = tuple(
        (name, bind.effective_value, bind.type.dialect_impl(dialect).bind_processor(dialect))
        for name, bind in ((name, compiled.binds[name]) for name in compiled.positiontup)
    )
    lists = tuple(name for name in compiled.binds if compiled.binds[name].expanding)
    returned = list(getattr(statement, "exported_columns", ()))
    if not returned:
        return _Prepared(str(compiled), parameters, None, (), lists)
    return _Prepared(
        str(compiled),
        parameters,
        _record([column.key for column in returned]),
        tuple(c.type.dialect_impl(dialect).result_processor(dialect, None) for c in returned),
        lists,
    )


def _record(columns: list[str]) -> Callable[..., Any]:
    return namedtuple("Row", columns)  # noqa: PYI024 -- made of columns


class _Answer:
    """What a statement gave."""

    __slots__ = ("_rows", "rowcount")

    def __init__(self, rows: list[Record], rowcount: int) -> None:
        self._rows = rows
        self.rowcount = rowcount

    def all(self) -> Sequence[Record]:
        return self._rows

    def first(self) -> Record | None:
        return self._rows[0] if self._rows else None


class Immediate(Transaction):
    """A transaction beside SQLite, whose statements are carried out when they are said."""

    __slots__ = ("_dialect", "_raw")

    def __init__(self, raw: sqlite3.Connection, dialect: Dialect, follow_up: FollowUp) -> None:
        """Use a connection whose transaction has begun."""
        self._raw = raw
        self._dialect = dialect
        self._broken = False
        self._follow_up = follow_up

    @property
    def dialect(self) -> str:
        """Which database this is: always ``sqlite``."""
        return "sqlite"

    async def _execute(
        self,
        statement: Executable,
        values: Values | Sequence[Values] | None,
        options: Mapping[str, Any] | None = None,  # noqa: ARG002 -- nothing is ever put off here
    ) -> _Answer:
        self.check()
        self._broken = True  # until it is known to be otherwise
        try:
            if values is None or isinstance(values, Mapping):
                given = values or {}
                prepared = _prepared(statement, frozenset(given), self._dialect)
                cursor = self._raw.execute(*prepared.written(given))
            else:
                prepared = _prepared(statement, frozenset(values[0]), self._dialect)
                stored = [prepared.stored(each) for each in values]
                cursor = self._raw.executemany(prepared.sql, stored)
            rows = prepared.read(cursor) if cursor.description is not None else []
        except sqlite3.Error as failure:
            raise failed(failure) from failure
        self._broken = False
        return _Answer(rows, cursor.rowcount)


def carried_out(
    raw: sqlite3.Connection,
    dialect: Dialect,
    begin: str,
    work: Callable[[Transaction], Coroutine[Any, Any, T]],
    follow_up: FollowUp,
) -> T:
    """Carry out a transaction from its beginning to its end, in SQLite's thread.

    Raises:
        RuntimeError: the work awaited something else.
        Busy, Full, Unusable: the database failed.

    Whatever is raised, nothing of the transaction is left, or it is still open.

    """
    try:
        raw.execute(begin)
        transaction = Immediate(raw, dialect, follow_up)
        done = _at_once(work(transaction))
        transaction.check()
        raw.execute("COMMIT")
    except BaseException as failure:
        with suppress(sqlite3.Error):
            raw.rollback()
        if isinstance(failure, sqlite3.Error):
            raise failed(failure) from failure
        raise
    return done


def _at_once(coroutine: Coroutine[Any, Any, T]) -> T:
    try:
        coroutine.send(None)
    except StopIteration as end:
        done: T = end.value
        return done
    coroutine.close()
    raise RuntimeError("a transaction at once may await nothing but its own statements")


def failed(failure: sqlite3.Error) -> Exception:
    """Return what SQLAlchemy or the store makes of a failure, without any parameter in it."""
    wrapped = DBAPIError.instance(None, None, failure, sqlite3.Error, hide_parameters=True)
    assert isinstance(wrapped, Exception)
    return translated(wrapped) or wrapped
