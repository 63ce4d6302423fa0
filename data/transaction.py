"""One transaction: the only way to the tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias

from sqlalchemy.exc import SQLAlchemyError

from data.failures import translated

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy import Executable, Row
    from sqlalchemy.ext.asyncio import AsyncConnection

    from data.follow_up import FollowUp

Values: TypeAlias = Mapping[str, Any]
Record: TypeAlias = "Row[*tuple[Any, ...]]"
"""A row of a result, its columns by name and in order."""

LATER: Final = "later"
"""The execution option of a statement that may wait for the next one, or for the COMMIT."""

_LATER: Final = {LATER: True}


class Answer(Protocol):
    """What a statement gave."""

    @property
    def rowcount(self) -> int:
        """How many rows it met."""

    def all(self) -> Sequence[Record]:
        """Return all its rows."""

    def first(self) -> Record | None:
        """Return its first row, ``None`` where there is none."""


class Transaction:
    """A transaction that is under way; it begins and ends in ``Store.write`` and ``Store.read``.

    It holds its connection alone. One task uses it at a time, one statement after the other.

    All methods raise ``Full``, ``Busy`` or ``Unusable`` when the database fails. After one of
    these, or when a statement was cancelled, nothing more can be done with the transaction: let
    the error leave its ``async with``. Whoever catches it and goes on gets a ``RuntimeError``,
    because part of what was written may be gone already.
    """

    __slots__ = ("_broken", "_connection", "_follow_up")

    def __init__(self, connection: AsyncConnection, follow_up: FollowUp) -> None:
        """Wrap a connection whose transaction has begun."""
        self._connection = connection
        self._broken = False
        self._follow_up = follow_up

    @property
    def dialect(self) -> str:
        """Which database this is: ``sqlite`` or ``postgresql``."""
        return self._connection.dialect.name

    async def rows(self, statement: Executable, values: Values | None = None) -> Sequence[Record]:
        """Return all rows of a statement."""
        return (await self._execute(statement, values)).all()

    async def row(self, statement: Executable, values: Values | None = None) -> Record | None:
        """Return the first row of a statement, ``None`` where there is none."""
        return (await self._execute(statement, values)).first()

    async def run(
        self, statement: Executable, values: Values | Sequence[Values] | None = None
    ) -> int:
        """Carry out a statement, once for each of several values; return how many rows it met."""
        return (await self._execute(statement, values)).rowcount

    async def later(
        self, statement: Executable, values: Values | Sequence[Values] | None = None
    ) -> None:
        """Carry out a statement of which nothing is to be known, with the next one or at the end.

        What this transaction does afterwards sees its effect; where it fails, the next statement
        or the end of the transaction raises its error.
        """
        await self._execute(statement, values, _LATER)

    def after_commit(self, callback: Callable[[], object]) -> None:
        """Run a callback on the event loop once this is committed; never if it is not."""
        self._follow_up.add(callback)

    def announce(self, topic: str, number: int) -> None:
        """Call those who listen to a topic (`Store.listen`) with a number, after the commit."""
        self._follow_up.announce(topic, number)

    def check(self) -> None:
        """Make sure that everything so far was carried out.

        Raises:
            RuntimeError: a statement has failed and somebody caught its error.

        """
        if self._broken:
            raise RuntimeError("this transaction has failed: its error must leave its block")

    async def _execute(
        self,
        statement: Executable,
        values: Values | Sequence[Values] | None,
        options: Mapping[str, Any] | None = None,
    ) -> Answer:
        self.check()
        self._broken = True  # until it is known to be otherwise
        try:
            result = await self._connection.execute(statement, values, execution_options=options)
        except (SQLAlchemyError, OSError) as failure:
            error = translated(failure)
            if error is None:
                raise
            raise error from failure
        self._broken = False
        return result
