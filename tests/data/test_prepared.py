"""Statements sent directly to the driver mean the same as through SQLAlchemy."""

from __future__ import annotations

import dataclasses
import importlib
import pkgutil
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import bindparam, insert, select, text, update
from sqlalchemy.exc import IntegrityError

import data
from data.matches import boards, clocks, matches, outbox
from data.matches.boards import PostedMessage
from data.matches.match import Match, MatchClock
from data.matches.match import clocks as clocks_table
from data.matches.outbox import outbox as outbox_table
from data.sql.errors import Unusable
from data.sql.statements import Prepared, _cursor
from data.store.store import Store, Transaction
from tests.data import people
from tests.data.people import NOW


def prepared() -> dict[str, Prepared]:
    """Return all prepared statements of the store, by location."""
    found = {}
    for module in pkgutil.walk_packages(data.__path__, "data."):
        if module.name.startswith("data.migrations."):
            continue  # they run in Alembic
        for name, value in vars(importlib.import_module(module.name)).items():
            if isinstance(value, Prepared):
                found[f"{module.name}:{name}"] = value
    return found


async def job(tx: Transaction, match_id: int, nonce: str = "n") -> outbox.Job:
    """Add a job in which every column has a value the driver needs converted."""
    later = NOW + timedelta(microseconds=1)
    payload = {"b": [1, None, True], "a": "ü"}
    return await outbox.put(
        tx, match_id=match_id, kind="k", payload=payload, nonce=nonce, at=NOW, not_before=later
    )


async def test_every_prepared_query_returns_what_sqlalchemy_returns(db: Store) -> None:
    readings = {name: one for name, one in prepared().items() if one.statement.is_select}
    assert len(readings) >= 6
    async with db.write() as tx:
        number = await people.match(tx)
        await job(tx, number)
        await boards.put(tx, *(PostedMessage(n, 5, number, n, live=n > 1) for n in (1, 2, 3)))
        await clocks.put(tx, MatchClock(number, 7, 1, NOW, None, NOW, left=3))
        for name, one in readings.items():
            asked = {"match": number, "user": 7, "now": NOW}
            ours = await tx.rows(one, asked)
            theirs = await tx.rows(one.statement, asked)
            assert ours == [tuple(row) for row in theirs], name


async def test_values_are_read_as_written(db: Store) -> None:
    clock = MatchClock(0, 7, 1, NOW, None, NOW + timedelta(days=1), muted=True)
    async with db.write() as tx:
        number = await people.match(tx)
        clock = dataclasses.replace(clock, match_id=number)
        await clocks.put(tx, clock)
        stored = await tx.row(select(clocks_table))
        assert stored is not None
        assert tuple(stored) == dataclasses.astuple(clock)
        match = await matches.get(tx, number)
    assert isinstance(match, Match)
    assert match.clock == clock


async def test_the_number_of_matched_rows_is_returned(db: Store) -> None:
    renamed = Prepared(
        update(outbox_table)
        .where(outbox_table.c.match_id == bindparam("match"))
        .values(kind=bindparam("name"), blocked=None)
    )
    async with db.write() as tx:
        number = await people.match(tx)
        for nonce in ("a", "b"):
            await job(tx, number, nonce)
        assert await tx.run(renamed, {"match": number, "name": "x"}) == 2
        assert await tx.run(renamed, {"match": number + 1, "name": "x"}) == 0
        assert [job.kind for job in await outbox.pending(tx, number)] == ["x", "x"]


async def test_a_conflicting_row_is_refused_and_leaves_nothing_behind(db: Store) -> None:
    async with db.write() as tx:
        number = await people.match(tx)
        await job(tx, number)

    async def twice(tx: Transaction) -> None:
        await boards.put(tx, PostedMessage(1, 5, number, 1, live=True))
        await job(tx, number)

    with pytest.raises(IntegrityError):
        await db.run_write(twice)
    async with db.read() as tx:
        assert await boards.live(tx, number) == ()


async def test_a_transaction_starting_with_a_prepared_statement_is_committed(db: Store) -> None:
    """Otherwise SQLAlchemy would not know that there is something to commit."""
    async with db.write() as tx:
        number = await people.match(tx)
    async with db.write() as tx:
        await boards.put(tx, PostedMessage(1, 5, number, 1, live=True))

    async def in_vain(tx: Transaction) -> None:
        await boards.put(tx, PostedMessage(2, 5, number, 1, live=True))
        raise LookupError

    with pytest.raises(LookupError):
        await db.run_write(in_vain)
    async with db.read() as tx:
        assert [shown.message_id for shown in await boards.live(tx, number)] == [1]


async def test_a_reader_cannot_write_with_a_prepared_statement(db: Store) -> None:
    with pytest.raises(Unusable):
        async with db.read() as tx:
            await tx.run(Prepared(insert(outbox_table)), {"kind": "k", "nonce": "n"})


async def test_after_a_connection_is_cut_the_next_transaction_uses_another(
    postgresql_url: str,
) -> None:
    db = await Store.open(postgresql_url)
    try:
        async with db.write() as tx:
            number = await people.match(tx)

        async def cut() -> None:
            async with db.write() as tx:
                mine = await tx.scalar(text("SELECT pg_backend_pid()"))
                async with db.write() as other:
                    await other.scalar(text("SELECT pg_terminate_backend(:pid)"), {"pid": mine})
                await boards.live(tx, number)

        with pytest.raises(Unusable):
            await cut()
        async with db.write() as tx:
            assert await boards.live(tx, number) == ()
    finally:
        await db.close()


async def test_an_error_about_the_drivers_state_counts_as_a_lost_connection(
    postgresql_url: str,
) -> None:
    """This is asyncpg's error when a connection is cut while it prepares a query."""
    db = await Store.open(postgresql_url)

    def complain(connection: Any) -> None:
        driver = connection.dialect.loaded_dbapi
        with _cursor(connection, "SELECT 1"):
            raise driver.InternalClientError("cannot switch to state 12")

    try:
        with pytest.raises(Unusable):
            await db.run_write(lambda tx: tx.run_sync(complain))
    finally:
        await db.close()
