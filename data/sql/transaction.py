"""One transaction: the only access to the tables."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import cache
from typing import Any, Final, TypeAlias, TypeVar

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    Executable,
    Row,
    Select,
    Table,
    func,
    insert,
    select,
    text,
    true,
)
from sqlalchemy.dialects import postgresql, sqlite

from data.sql.database import RunSync, commit
from data.sql.errors import translating
from data.sql.statements import Fields, Prepared, Scope, Values, scoped, upsert, values_of

T = TypeVar("T")

_CUSTOM_PLANS: Final = text("SET LOCAL plan_cache_mode = force_custom_plan")
Record: TypeAlias = "Row[*tuple[Any, ...]]"
"""A result row, with columns by name and in order."""
DUE: Final = "due"
"""The topic that announces times, in whole seconds since 1970; it wakes the scheduler."""


@cache
def _upsert(
    table: Table, _columns: tuple[str, ...], replaced: tuple[str, ...], *, adding: bool
) -> Mapping[str, Prepared]:
    """Keep the statement for rows of these columns."""
    return upsert(table, *replaced, adding=adding)


@cache
def _insert(table: Table, _columns: tuple[str, ...], *, numbered: bool) -> Prepared:
    """Keep the statement for rows of these columns."""
    return Prepared(insert(table).returning(table.c.id) if numbered else insert(table))


class Transaction:
    """A transaction in progress; ``Store.write`` and ``Store.read`` begin and end it.

    It has a connection to itself. Only one task may use it, one statement at a time.

    All methods raise ``Full``, ``Busy`` or ``Unusable`` when the database fails. After that, or
    after a cancelled statement, the transaction is unusable: let the error leave its ``async
    with``. Using it anyway raises ``RuntimeError``, because part of what was written may be gone.
    """

    __slots__ = ("_broken", "_custom_plans", "_run", "announced", "dialect", "scope")

    def __init__(self, dialect: str, run: RunSync, scope: Scope | None = None) -> None:
        """Use a connection of a database of this dialect: ``sqlite`` or ``postgresql``."""
        self.dialect = dialect
        self.scope = scope
        """The shards to which queries for what is due are limited; ``None`` for all."""
        self._run = run
        self.announced: dict[tuple[str, int], None] = {}
        """Topics with their numbers, in order and without repeats."""
        self._broken = False
        self._custom_plans = dialect != "postgresql"

    async def use_custom_plans(self) -> None:
        """Make PostgreSQL plan each further statement for its own values.

        That is for pages of long tables: a plan for any page would sort all rows. Other statements
        are planned once per connection, as planning takes longer than most of them do.
        """
        if not self._custom_plans:
            await self.run(_CUSTOM_PLANS)
            self._custom_plans = True

    @contextmanager
    def limited_to(self, scope: Scope | None) -> Iterator[None]:
        """Limit queries to a scope for a while."""
        before, self.scope = self.scope, scope
        try:
            yield
        finally:
            self.scope = before

    def covers(self, guild_id: ColumnElement[Any]) -> ColumnElement[bool]:
        """Return the condition that a server is in scope."""
        return true() if self.scope is None else self.scope.covers(guild_id)

    def scoped(self, statement: Select[Any], guild_id: Column[Any]) -> Select[Any]:
        """Limit a query to the scope; see `data.sql.statements.scoped`."""
        return scoped(statement, guild_id, self.scope)

    async def rows(
        self, statement: Executable | Prepared, values: Values | None = None
    ) -> Sequence[Any]:
        """Return all rows of a statement: `Record`, or plain tuples if it is prepared."""
        if isinstance(statement, Prepared):
            scope = self.scope
            return await self.run_sync(lambda here: statement.rows(here, values or {}, scope))
        return await self.run_sync(lambda here: here.execute(statement, values).all())

    async def pages(self, statement: Executable, size: int) -> AsyncIterator[Sequence[Record]]:
        """Yield the rows of a statement, at most ``size`` at a time; one empty page for no rows."""
        options = {"yield_per": size}
        found = await self.run_sync(lambda here: here.execute(statement, execution_options=options))
        rows = await self.run_sync(lambda _: found.fetchmany(size))
        yield rows
        while len(rows) == size:
            rows = await self.run_sync(lambda _: found.fetchmany(size))
            if rows:
                yield rows

    async def row(
        self, statement: Executable | Prepared, values: Values | None = None
    ) -> Any | None:
        """Return the first row of a statement, ``None`` if there is none."""
        if isinstance(statement, Prepared):
            return next(iter(await self.rows(statement, values)), None)
        return await self.run_sync(lambda here: here.execute(statement, values).first())

    async def scalar(
        self, statement: Executable | Prepared, values: Values | None = None
    ) -> Any | None:
        """Return the first column of the first row, ``None`` if there is none."""
        row = await self.row(statement, values)
        return None if row is None else row[0]

    async def record(
        self, kind: Callable[..., T], statement: Executable | Prepared, values: Values | None = None
    ) -> T | None:
        """Return the first row as a record made of its columns; ``None`` if there is none."""
        row = await self.row(statement, values)
        return None if row is None else kind(*row)

    async def records(
        self, kind: Callable[..., T], statement: Executable | Prepared, values: Values | None = None
    ) -> tuple[T, ...]:
        """Return all rows as records, each made of its columns."""
        return tuple([kind(*row) for row in await self.rows(statement, values)])

    async def number(self, statement: Executable | Prepared, values: Values | None = None) -> int:
        """Return the first column of the first row; 0 if there is none, or if it is NULL."""
        return int(await self.scalar(statement, values) or 0)

    async def count(self, *where: ColumnElement[bool]) -> int:
        """Return the number of a table's rows that meet all conditions."""
        return await self.number(select(func.count()).where(*where))

    async def scalars(
        self, statement: Executable | Prepared, values: Values | None = None
    ) -> tuple[Any, ...]:
        """Return the first column of all rows."""
        # A row's first value costs less than SQLAlchemy's `scalars`, which takes a result apart.
        return tuple(row[0] for row in await self.rows(statement, values))

    async def run(
        self, statement: Executable | Prepared, values: Values | Sequence[Values] | None = None
    ) -> int:
        """Execute a statement, once for each set of values; return the number of rows affected."""
        if isinstance(statement, Prepared):
            each = (values or {},) if values is None or isinstance(values, Mapping) else values
            return await self.run_sync(lambda here: statement.run(here, *each))
        return await self.run_sync(lambda here: here.execute(statement, values).rowcount)

    async def insert(self, table: Table, row: Values | Fields) -> int:
        """Insert a row, a record without regard to its id; return the number generated for it."""
        values = values_of(row)
        named = {name: values[name] for name in values if name != "id" and name in table.c}
        return await self.number(_insert(table, tuple(named), numbered=True), named)

    async def add(self, table: Table, *rows: Values | Fields) -> None:
        """Insert rows of the same columns, which generate no number that is asked for."""
        if rows:
            values = [values_of(row) for row in rows]
            await self.run(_insert(table, tuple(values[0]), numbered=False), values)

    async def insert_new(self, table: Table, row: Values, *unique: str) -> bool:
        """Insert a row as `insert` does, unless there is one of the same unique columns already."""
        dialect = sqlite if self.dialect == "sqlite" else postgresql
        named = {name: value for name, value in row.items() if name != "id"}
        new = dialect.insert(table).values(named).on_conflict_do_nothing(index_elements=unique)
        return bool(await self.run(new))

    async def put(
        self,
        table: Table,
        *rows: Values | Fields,
        replaced: tuple[str, ...] = (),
        adding: bool = False,
    ) -> None:
        """Insert rows, or update those with the same keys; see `upsert`.

        All have the same columns: the fields of a record, or the keys of a mapping.
        """
        if rows:
            values = [values_of(row) for row in rows]
            statement = _upsert(table, tuple(values[0]), replaced, adding=adding)
            await self.run(statement[self.dialect], values)

    async def run_sync(self, work: Callable[[Connection], T]) -> T:
        """Run a function on SQLAlchemy's own connection; it must not commit."""
        self._check()
        self._broken = True  # until it succeeds
        with translating():
            done = await self._run(work)
        self._broken = False
        return done

    def announce(self, topic: str, number: int) -> None:
        """Call a topic's listeners (`Store.listen`) with a number, after the commit."""
        self.announced[topic, number] = None

    def announce_due(self, moment: datetime | None) -> None:
        """Announce when something in the store falls due; ``None`` announces nothing."""
        if moment is not None:
            self.announce(DUE, int(moment.timestamp()))

    async def commit(self) -> None:
        """Commit; the store does this at the end.

        Raises:
            RuntimeError: a statement failed and its error was caught.
        """
        self._check()
        with translating():
            await self._run(commit)

    def _check(self) -> None:
        if self._broken:
            raise RuntimeError("this transaction has failed: its error must leave its block")
