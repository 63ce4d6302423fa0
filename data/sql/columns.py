"""Column types that mean the same in SQLite and PostgreSQL, and what all tables share.

SQLite's tables are STRICT, so each type names one of SQLite's few storage classes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from datetime import UTC, datetime
from enum import StrEnum
from types import NoneType, UnionType
from typing import Any, Final, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from sqlalchemy import (
    JSON,
    REAL,
    TIMESTAMP,
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    ColumnElement,
    Constraint,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    Row,
    Table,
    Text,
    false,
    true,
)
from sqlalchemy.engine import Dialect
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement
from sqlalchemy.types import TypeDecorator, TypeEngine

T = TypeVar("T")

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


class Choice(TypeDecorator[StrEnum]):
    """A member of an enum of texts."""

    impl = Text
    cache_ok = True

    def __init__(self, kind: type[StrEnum]) -> None:
        super().__init__()
        self.kind = kind

    def process_result_value(
        self,
        value: str | None,
        dialect: Dialect,  # noqa: ARG002 -- SQLAlchemy's signature
    ) -> StrEnum | None:
        """Return the member of a stored text."""
        return None if value is None else self.kind(value)


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


def reference(name: str, target: str) -> Column[Any]:
    """Return a column that refers to another table's id; the row is deleted with that one."""
    return Column(name, Id, ForeignKey(target, ondelete="CASCADE"), nullable=False)


def partial_index(
    name: str, *columns: Column[Any], where: ColumnElement[bool], unique: bool = False
) -> Index:
    """Return an index of the rows that meet a condition."""
    return Index(name, *columns, unique=unique, sqlite_where=where, postgresql_where=where)


_IDS: Final = ("id", "_by", "scope")
"""What the names of 64-bit ids end in."""
_TYPES: Final[dict[Any, Any]] = {
    int: Integer,
    float: Real,
    bool: Flag,
    str: Text,
    Literal: Text,
    bytes: LargeBinary,
    datetime: Instant,
    dict: Document,
    Mapping: Document,
}


def table(
    name: str,
    *items: Column[Any] | Constraint | Index,
    rows: type | Mapping[str, Any],
    key: tuple[str, ...] = ("id",),
    without: tuple[str, ...] = (),
) -> Table:
    """Return a table, whose columns are the fields of its rows.

    The columns have the names and the order of the fields. A number that is named as an id is an
    `Id`, what may be ``None`` is nullable, an enum or a ``Literal`` is checked, and the default of
    a field is that of its column.
    Generated ids are never used again, as players may have seen them; other tables are read by
    their key, in whose order SQLite stores the rows.

    Args:
        name: in the database.
        items: its constraints and indexes; columns that differ from the fields; and columns without
            a field, which come last, those of the key first.
        rows: a dataclass or a named tuple; or the types by name, and ``table.id`` for a `reference`.
        key: the names of the primary key.
        without: fields that are not stored in this table.
    """
    own = {item.key: item for item in items if isinstance(item, Column)}
    hints = get_type_hints(rows) if isinstance(rows, type) else rows
    columns = [
        own.pop(one) if one in own else _column(rows, one, hint)
        for one, hint in hints.items()
        if one not in without
    ]
    checks = [
        CheckConstraint(f"{one} IN ({', '.join(map(repr, values))})", name=one)
        for one, hint in hints.items()
        if (values := _values(hint))
    ]
    columns = [*(own.pop(one) for one in key if one in own), *columns, *own.values()]
    rest = [item for item in items if not isinstance(item, Column)]
    counted = any(column.name == "id" and column.type is Id for column in columns)
    options: Any = {"sqlite_autoincrement": True} if counted else {"sqlite_with_rowid": False}
    parts: list[Any] = [*columns, PrimaryKeyConstraint(*key), *checks, *rest]
    return Table(name, metadata, *parts, sqlite_strict=True, **options)


def _values(hint: Any) -> list[str]:
    """Return the texts that a field may have, if these are fixed."""
    (part, *_) = _parts(hint)
    if get_origin(part) is Literal:
        return list(get_args(part))
    return [one.value for one in part] if _is_enum(part) else []


def _parts(hint: Any) -> tuple[Any, ...]:
    return get_args(hint) if get_origin(hint) in {Union, UnionType} else (hint,)


def _is_enum(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, StrEnum)


def _column(kind: Any, name: str, hint: Any) -> Column[Any]:
    if isinstance(hint, str):
        return reference(name, hint)
    parts = _parts(hint)
    (stored,) = [get_origin(part) or part for part in parts if part is not NoneType]
    default = getattr(kind, "_field_defaults", {}).get(name)
    if is_dataclass(kind):
        (default,) = [field.default for field in fields(kind) if field.name == name]
    number = stored is int and name.endswith(_IDS)
    choice = Choice(stored) if _is_enum(stored) else _TYPES.get(stored, Text)
    return Column(
        name,
        Id if number else choice,
        autoincrement=number and name == "id",
        nullable=NoneType in parts,
        server_default=None if default is None or default is MISSING else _server_default(default),
    )


def _server_default(value: object) -> Any:
    if isinstance(value, bool):
        return true() if value else false()
    return str(value)


def by_name(kind: Callable[..., T], table: Table) -> Callable[..., T]:
    """Return what makes a record, whose fields have another order, of a row of a table."""
    names = table.c.keys()
    return lambda *row: kind(**dict(zip(names, row, strict=False)))


def row_values(row: Row[*tuple[Any, ...]], table: Table) -> dict[str, Any]:
    """Return the values of a row that belong to a table, by its columns' keys."""
    return {column.key: getattr(row, column.name) for column in table.c}
