"""Among many finished jobs, pending ones are found through an index, on both databases."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import Connection, event, text

from data.matches import outbox
from data.matches.outbox import outbox as table
from data.sql.statements import Prepared, Values
from data.store.store import Store, Transaction
from tests.data import people
from tests.data.people import NOW

DONE = 20_000

READS: dict[str, Callable[[Transaction], Awaitable[object]]] = {
    "of a match": lambda tx: tx.rows(outbox.PENDING_OF.statement, {"match": 1}),
    "left behind": lambda tx: outbox.waiting_matches(tx, NOW, limit=500),
    "next due": lambda tx: outbox.next_due(tx, NOW),
    "came due": lambda tx: outbox.due_between(tx, NOW, NOW + timedelta(hours=1)),
    "oldest done": outbox.oldest_done,
    "newest": outbox.newest,
    "pruned": lambda tx: outbox.prune(tx, NOW - timedelta(days=30), limit=500),
}


async def fill(db: Store) -> None:
    """Store many old finished jobs and a few pending ones, and update the planner's statistics."""
    async with db.write() as tx:
        number = await people.match(tx)
        rows: list[dict[str, Any]] = [
            {
                "match_id": number,
                "kind": "board",
                "payload": {},
                "nonce": f"n{n}",
                "created_at": NOW,
                "attempts": 0,
                "done_at": NOW - timedelta(minutes=n) if n >= 3 else None,
                "not_before": NOW + timedelta(hours=1) if n == 2 else None,
            }
            for n in range(DONE)
        ]
        await tx.run(table.insert(), rows)
        await tx.run(text("ANALYZE"))


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
    ((statement, values),) = said
    explain = "EXPLAIN QUERY PLAN " if tx.dialect == "sqlite" else "EXPLAIN "
    rows = await tx.run_sync(
        lambda connection: connection.exec_driver_sql(explain + statement, values).all()
    )
    return "\n".join(str(row[-1]) for row in rows)


async def test_no_outbox_query_reads_finished_jobs(
    db: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def rows(self: Prepared, connection: Connection, values: Values, _: object) -> Any:
        """Route statements through SQLAlchemy that otherwise bypass it, so that they are seen."""
        return connection.execute(self.statement, values).all()

    monkeypatch.setattr(Prepared, "rows", rows)
    await fill(db)
    for name, read in READS.items():
        async with db.write() as tx:
            output = await plan(tx, read)
        assert "SCAN outbox\n" not in output + "\n", (name, output)
        assert "Seq Scan on outbox" not in output, (name, output)


async def test_pruning_removes_the_oldest_first_and_no_more_than_requested(db: Store) -> None:
    await fill(db)
    async with db.write() as tx:
        oldest = await outbox.oldest_done(tx)
        assert oldest == NOW - timedelta(minutes=DONE - 1)
        assert await outbox.prune(tx, NOW, limit=500) == 500
        assert await outbox.oldest_done(tx) == oldest + timedelta(minutes=500)
        assert len(await outbox.pending(tx)) == 3
