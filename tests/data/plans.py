"""The query plans of the store's functions."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from sqlalchemy import event

from data.store.store import Transaction


async def plan(tx: Transaction, read: Callable[[Transaction], Awaitable[object]]) -> str:
    """Return the database's query plan for a function's statement."""
    said: list[tuple[Any, Any]] = []

    def note(_: object, __: object, statement: Any, values: Any, *___: Any) -> None:
        said.append((statement, values))

    def listen(connection: Any) -> None:
        event.listen(connection.engine, "before_cursor_execute", note)

    def stop(connection: Any) -> None:
        event.remove(connection.engine, "before_cursor_execute", note)

    await tx.run_sync(listen)
    try:
        await read(tx)
    finally:
        await tx.run_sync(stop)
    statement, values = said[0]
    explain = "EXPLAIN QUERY PLAN " if tx.dialect == "sqlite" else "EXPLAIN "
    rows = await tx.run_sync(
        lambda connection: connection.exec_driver_sql(explain + statement, values).all()
    )
    return "\n".join(str(row[-1]) for row in rows)
