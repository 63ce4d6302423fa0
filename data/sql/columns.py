"""Column types that mean the same in SQLite and PostgreSQL, and what all tables share.

SQLite's tables are STRICT, so each type names one of SQLite's few storage classes.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Final

from sqlalchemy import (
    JSON,
    REAL,
    TIMESTAMP,
    BigInteger,
    Boolean,
    Double,
    Integer,
    MetaData,
    Row,
    Table,
    Text,
)
from sqlalchemy.engine import Dialect
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement
from sqlalchemy.types import TypeDecorator, TypeEngine

Id = BigInteger().with_variant(Integer(), "sqlite")
"""A 64-bit id, from Discord or our own."""

Real: TypeEngine[float] = Double().with_variant(REAL(), "sqlite")
"""A 64-bit float, stored exactly."""


class Instant(TypeDecorator[datetime]):
    """An aware datetime: ``timestamptz``, or ISO text in UTC, which sorts by time."""

    impl = Text
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        """Return the type that this database stores."""
        text = dialect.name == "sqlite"
        return dialect.type_descriptor(Text() if text else TIMESTAMP(timezone=True))

    def bind_processor(self, dialect: Dialect) -> Callable[[datetime | None], Any]:
        """Return what makes the value to store. It raises ValueError for naive datetimes."""
        return _to_text if dialect.name == "sqlite" else _to_utc

    def result_processor(
        self,
        dialect: Dialect,
        coltype: object,  # noqa: ARG002 -- SQLAlchemy's signature
    ) -> Callable[[Any], datetime | None]:
        """Return a fast reader: a long log has hundreds of datetimes."""
        if dialect.name == "sqlite":
            return _from_text
        return _in_utc


def _to_utc(value: datetime | None) -> datetime | None:
    if value is None or value.tzinfo is UTC:
        return value
    if value.tzinfo is None:
        raise ValueError("cannot store a datetime without a time zone")
    return value.astimezone(UTC)


def _to_text(value: datetime | None) -> str | None:
    utc = _to_utc(value)
    return None if utc is None else utc.isoformat(timespec="microseconds")


def _from_text(stored: str | None) -> datetime | None:
    return None if stored is None else datetime.fromisoformat(stored)


def _in_utc(stored: datetime | None) -> datetime | None:
    return None if stored is None else stored.astimezone(UTC)


class Document(JSON):
    """A JSON object that keeps the order of its keys; ``None`` is NULL."""

    def __init__(self) -> None:
        super().__init__(none_as_null=True)


class Flag(Boolean):
    """A boolean; 0 or 1 in SQLite."""


class Moment(FunctionElement[float]):
    """Seconds since 1970 by the database's clock, which all processes share."""

    inherit_cache = True
    type = Double()


@compiles(Moment, "sqlite")
def _moment_of_sqlite(*_: Any, **__: Any) -> str:
    return "((julianday('now') - 2440587.5) * 86400.0)"


@compiles(Moment, "postgresql")
def _moment_of_postgresql(*_: Any, **__: Any) -> str:
    return "extract(epoch from clock_timestamp())::float8"


@compiles(Document, "sqlite")
def _document(*_: Any, **__: Any) -> str:
    return "TEXT"


@compiles(Flag, "sqlite")
def _flag(*_: Any, **__: Any) -> str:
    return "INTEGER"


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
