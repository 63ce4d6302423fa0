"""One transaction: the only way to the tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeVar

from sqlalchemy.exc import SQLAlchemyError

from data.driver_errors import translating

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from sqlalchemy import Connection, Executable, Row

T = TypeVar("T")

Values: TypeAlias = Mapping[str, Any]
Record: TypeAlias = "Row[*tuple[Any, ...]]"
"""A row of a result, its columns by name and in order."""
Announced: TypeAlias = dict[tuple[str, int], None]
"""Topics with their numbers, in order and each once."""


class RunSync(Protocol):
    """Runs a function on a connection where that may block, as `AsyncConnection.run_sync` does."""

    async def __call__(self, work: Callable[[Connection], T], /) -> T:
        """Return what the function returns."""


class Transaction:
    """A transaction under way; it begins and ends in ``Store.write`` and ``Store.read``.

    It has its connection to itself. One task uses it at a time, one statement after the other.

    All methods raise ``Full``, ``Busy`` or ``Unusable`` when the database fails. After one of
    these, or when a statement was cancelled, the transaction is of no more use: let the error
    leave its ``async with``. Using it all the same raises ``RuntimeError``, because part of what
    was written may be gone.
    """

    __slots__ = ("_announced", "_broken", "_run", "dialect")

    def __init__(self, dialect: str, run: RunSync, announced: Announced) -> None:
        """Use a connection of this kind of database: ``sqlite`` or ``postgresql``."""
        self.dialect = dialect
        self._run = run
        self._announced = announced
        self._broken = False

    async def rows(self, statement: Executable, values: Values | None = None) -> Sequence[Record]:
        """Return all rows of a statement."""
        return await self.run_sync(lambda here: here.execute(statement, values).all())

    async def row(self, statement: Executable, values: Values | None = None) -> Record | None:
        """Return the first row of a statement, ``None`` if there is none."""
        return await self.run_sync(lambda here: here.execute(statement, values).first())

    async def scalar(self, statement: Executable, values: Values | None = None) -> Any:
        """Return the first column of the first row, ``None`` if there is none."""
        return await self.run_sync(lambda here: here.scalar(statement, values))

    async def scalars(self, statement: Executable, values: Values | None = None) -> tuple[Any, ...]:
        """Return the first column of all rows."""
        return tuple(await self.run_sync(lambda here: here.scalars(statement, values).all()))

    async def run(
        self, statement: Executable, values: Values | Sequence[Values] | None = None
    ) -> int:
        """Execute a statement, once for each set of values; return the number of rows it met."""
        return await self.run_sync(lambda here: here.execute(statement, values).rowcount)

    async def run_sync(self, work: Callable[[Connection], T]) -> T:
        """Run a function on SQLAlchemy's own connection; it may not commit."""
        self.check()
        self._broken = True  # until it is known to be otherwise
        with translating():
            done = await self._run(work)
        self._broken = False
        return done

    def announce(self, topic: str, number: int) -> None:
        """Call those who listen to a topic (`Store.listen`) with a number, after the commit."""
        self._announced[topic, number] = None

    def check(self) -> None:
        """Make sure that every statement has succeeded.

        Raises:
            RuntimeError: one has failed and its error was caught.

        """
        if self._broken:
            raise RuntimeError("this transaction has failed: its error must leave its block")


def complete(
    connection: Connection,
    work: Callable[[Transaction], Coroutine[Any, Any, T]],
    announced: Announced,
) -> T:
    """Run a whole transaction on a connection, from its first statement to its commit.

    Args:
        connection: is closed in the end.
        work: awaits its transaction and nothing else, so it never has to wait for an event loop.
        announced: takes what the work announces, which is left to the caller.

    Raises:
        RuntimeError: the work awaited something else.

    """

    async def run(statement: Callable[[Connection], Any]) -> Any:
        return statement(connection)

    try:
        tx = Transaction(connection.dialect.name, run, announced)
        done = _result(work(tx))
        tx.check()
    except BaseException:
        roll_back(connection)
        raise
    commit(connection)
    return done


def commit(connection: Connection) -> None:
    """Commit and close a connection."""
    try:
        connection.commit()
    except BaseException:
        # SQLite keeps open a transaction that it could not commit, and SQLAlchemy takes it for
        # ended. It is surely gone only with the connection.
        connection.invalidate()
        raise
    finally:
        connection.close()


def roll_back(connection: Connection) -> None:
    """Roll back and close a connection."""
    try:
        connection.rollback()
    except (SQLAlchemyError, OSError):
        connection.invalidate()  # then the database rolls back by itself
    finally:
        connection.close()


def _result(coroutine: Coroutine[Any, Any, T]) -> T:
    try:
        coroutine.send(None)
    except StopIteration as end:
        done: T = end.value
        return done
    coroutine.close()
    raise RuntimeError("this transaction may await nothing but its own statements")
