"""Transactions: isolated, all or nothing, whatever happens to the task."""

from __future__ import annotations

import asyncio
import gc
import logging
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import insert, text
from sqlalchemy.exc import IntegrityError

from data.matches import match_log, matches, outbox
from data.sql import key_values
from data.sql.database import shielded
from data.sql.errors import Busy, Full, Unusable
from data.sql.key_values import key_values as table
from data.store.store import Store, Transaction
from tests.data import people
from tests.data.people import NOW
from tests.data.writing import (
    Reading,
    Work,
    Writing,
    both_readings,
    both_writings,
    keep,
    kept,
    lose,
)


class Mishap(Exception):
    """An event that hits a task."""


@pytest.mark.parametrize("steps", range(6))
async def test_a_task_cancelled_while_it_connects_leaves_no_connection_open(
    url: str, steps: int
) -> None:
    db = await Store.open(url)
    reading = asyncio.create_task(kept(db))
    for _ in range(steps):
        await asyncio.sleep(0)
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    assert await kept(db) == set()
    await db.close()
    del db, reading
    # An open connection would warn, which is an error; it would be among the youngest objects.
    gc.collect(1)


@both_writings
async def test_an_exception_leaves_nothing_behind_and_is_passed_on_unchanged(
    db: Store, write: Writing
) -> None:
    mishap = Mishap()

    async def work(tx: Transaction) -> None:
        await lose(tx)
        raise mishap

    with pytest.raises(Mishap) as caught:
        await write(db, work)
    assert caught.value is mishap
    await write(db, keep)
    assert await kept(db) == {"kept"}


async def test_a_task_cancelled_inside_its_transaction_leaves_nothing_behind(db: Store) -> None:
    inside = asyncio.Event()

    async def write() -> None:
        async with db.write() as tx:
            await key_values.set(tx, "lost", "")
            inside.set()
            await asyncio.Event().wait()

    task = asyncio.create_task(write())
    await inside.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    async with db.write() as tx:
        await key_values.set(tx, "next", "")
    assert await kept(db) == {"next"}


@both_writings
async def test_a_task_cancelled_at_any_moment_leaves_all_or_nothing(
    db: Store, write: Writing
) -> None:
    def work(name: str) -> Work:
        async def two(tx: Transaction) -> None:
            await key_values.set(tx, f"{name} first", "")
            await key_values.set(tx, f"{name} second", "")

        return two

    survivors = set()
    for steps in range(60):
        task = asyncio.ensure_future(write(db, work(str(steps))))
        for _ in range(steps):
            await asyncio.sleep(0)
        task.cancel()
        task.cancel()
        try:
            await task
        except asyncio.CancelledError:
            pass
        else:
            survivors.add(str(steps))
    keys = await kept(db)
    for steps in range(60):
        assert (f"{steps} first" in keys) == (f"{steps} second" in keys)
    assert {f"{name} first" for name in survivors} <= keys
    await write(db, work("afterwards"))
    assert "afterwards second" in await kept(db)


async def test_concurrent_writers_lose_no_rows(db: Store) -> None:
    async def write(number: int) -> None:
        async with db.write() as tx:
            await key_values.set(tx, f"{number} a", "")
            await asyncio.sleep(0)
            await key_values.set(tx, f"{number} b", "")
            if number % 3 == 0:
                raise Mishap

    answers = await asyncio.gather(*map(write, range(30)), return_exceptions=True)
    assert [isinstance(answer, Mishap) for answer in answers] == [n % 3 == 0 for n in range(30)]
    assert await kept(db) == {f"{n} {part}" for n in range(30) if n % 3 for part in "ab"}


async def test_writers_of_a_file_take_turns_in_order_of_arrival(sqlite_url: str) -> None:
    db = await Store.open(sqlite_url)
    began: list[int] = []
    half = asyncio.Event()

    async def write(number: int) -> None:
        async with db.write() as tx:
            began.append(number)
            if number == 4:
                half.set()
            await key_values.set(tx, f"{number}", "")

    first = [asyncio.create_task(write(number)) for number in range(10)]
    await half.wait()
    later = [asyncio.create_task(write(number)) for number in range(10, 20)]
    await asyncio.gather(*first, *later)
    assert began == list(range(20))
    await db.close()


async def test_a_cancelled_task_ends_after_its_statement_and_holds_no_lock(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    db = await Store.open(f"sqlite:///{path}")
    under_way, done = asyncio.Event(), asyncio.Event()

    async def write() -> None:
        async with db.write() as tx:
            await key_values.set(tx, "lost", "")
            under_way.set()
            await tx.rows(
                text(
                    "WITH RECURSIVE counted(n) AS"
                    " (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < 1000000)"
                    " SELECT count(*) FROM counted"
                )
            )
            done.set()

    task = asyncio.create_task(write())
    await under_way.wait()
    await asyncio.sleep(0.02)
    for _ in range(2):
        task.cancel()
        await asyncio.sleep(0.01)
    with pytest.raises(asyncio.CancelledError):
        await task
    assert not done.is_set()
    with closing(sqlite3.connect(path, isolation_level=None, timeout=0)) as other:
        other.execute("BEGIN IMMEDIATE")
        other.execute("ROLLBACK")
    assert await kept(db) == set()
    await db.close()


async def test_a_reader_does_not_wait_for_a_writer_and_sees_a_snapshot(db: Store) -> None:
    async with db.write() as writer:
        await key_values.set(writer, "under way", "")
        assert await kept(db) == set()
    async with db.read() as reader:
        assert await key_values.get(reader, "under way") == ""
        async with db.write() as writer:
            await key_values.set(writer, "under way", "changed")
        assert await key_values.get(reader, "under way") == ""
    async with db.read() as reader:
        assert await key_values.get(reader, "under way") == "changed"


async def test_many_can_read_at_once(db: Store) -> None:
    async with db.write() as tx:
        number = await people.match(tx)
        await match_log.append(tx, number, people.entries(1, 40))

    async def read() -> int:
        async with db.read() as tx:
            return len(await match_log.read(tx, number))

    assert await asyncio.gather(*(read() for _ in range(40))) == [40] * 40


@pytest.mark.parametrize(("rows", "sizes"), [(0, [0]), (4, [4]), (5, [4, 1]), (8, [4, 4])])
async def test_rows_come_in_pages(db: Store, rows: int, sizes: list[int]) -> None:
    names = [f"fact {n:02}" for n in range(rows)]
    async with db.write() as tx:
        for name in names:
            await key_values.set(tx, name, "x")
    async with db.read() as tx:
        mine = table.select().where(table.c.key.like("fact %")).order_by(table.c.key)
        found = [page async for page in tx.pages(mine, 4)]
        again = [page async for page in tx.pages(mine, 4)]  # the transaction is still usable
    assert [len(page) for page in found] == sizes
    assert [row.key for page in found for row in page] == names
    assert again == found


@both_readings
async def test_readers_see_what_is_committed_and_cannot_write(db: Store, read: Reading) -> None:
    async def found(tx: Transaction) -> str | None:
        return await key_values.get(tx, "kept")

    async with db.write() as tx:
        await keep(tx)
        assert await read(db, found) is None
    assert await asyncio.gather(*(read(db, found) for _ in range(20))) == [""] * 20
    with pytest.raises(Unusable, match="cannot be written"):
        await read(db, lose)
    assert await kept(db) == {"kept"}


@both_writings
@pytest.mark.parametrize("afterwards", [(), ("lost too",)])
async def test_a_failure_that_was_caught_still_undoes_everything(
    db: Store, write: Writing, afterwards: tuple[str, ...]
) -> None:
    async def careless(tx: Transaction) -> None:
        await lose(tx)
        with pytest.raises(IntegrityError) as failure:
            await tx.run(insert(table), {"key": "lost", "value": "never to be seen"})
        assert "never to be seen" not in str(failure.value)
        for key in afterwards:
            await key_values.set(tx, key, "")

    with pytest.raises(RuntimeError, match="has failed"):
        await write(db, careless)
    await write(db, keep)
    assert await kept(db) == {"kept"}


async def test_a_row_cannot_refer_to_a_missing_match(db: Store) -> None:
    with pytest.raises(IntegrityError):
        async with db.write() as tx:
            await outbox.put(tx, match_id=5, kind="k", payload={}, nonce="n", at=NOW)


@both_writings
async def test_a_commit_that_fails_leaves_nothing_behind(sqlite_url: str, write: Writing) -> None:
    db = await Store.open(sqlite_url)

    async def work(tx: Transaction) -> None:
        await lose(tx)
        await tx.run(text("PRAGMA defer_foreign_keys = ON"))
        await outbox.put(tx, match_id=5, kind="k", payload={}, nonce="n", at=NOW)

    with pytest.raises(IntegrityError):
        await write(db, work)
    await write(db, keep)
    assert await kept(db) == {"kept"}
    await db.close()


async def test_stored_values_are_never_logged_at_any_level(
    db: Store, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    async with db.write() as tx:
        number = await people.match(tx)
    async with db.read() as tx:
        await matches.get(tx, number)
    for secret in ("never to be seen", "word 0", "c0ffee"):
        assert secret not in caplog.text


async def test_shielded_work_completes_however_often_its_task_is_cancelled() -> None:
    started, go, finished = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def work() -> None:
        started.set()
        await go.wait()
        finished.set()

    task = asyncio.create_task(shielded(work()))
    await started.wait()
    for _ in range(3):
        task.cancel()
        await asyncio.sleep(0)
    assert not task.done()
    go.set()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert finished.is_set()


@both_writings
async def test_closing_waits_for_ongoing_transactions(url: str, write: Writing) -> None:
    db = await Store.open(url)
    writing = asyncio.ensure_future(write(db, keep))
    await asyncio.sleep(0)
    closing_it = asyncio.create_task(db.close())
    await asyncio.sleep(0)
    await writing
    await closing_it
    with pytest.raises(Unusable, match="closed"):
        await write(db, lose)
    again = await Store.open(url)
    assert await kept(again) == {"kept"}
    await again.close()


async def test_closing_does_not_end_while_a_transaction_goes_on(db: Store) -> None:
    async with db.write() as tx:
        await keep(tx)
        closing_it = asyncio.create_task(db.close())
        await asyncio.sleep(0)
        assert not closing_it.done()
    await closing_it


@both_writings
async def test_a_full_disk_is_reported_loses_nothing_and_does_no_lasting_harm(
    sqlite_url: str, write: Writing
) -> None:
    db = await Store.open(sqlite_url)
    async with db.write() as tx:  # the writing connection
        await keep(tx)
        pages = await tx.number(text("PRAGMA page_count"))
        await tx.rows(text(f"PRAGMA max_page_count = {pages + 2}"))

    async def fill(tx: Transaction) -> None:
        await lose(tx)
        await key_values.set(tx, "large", "x" * 100_000)

    with pytest.raises(Full, match="make room"):
        await write(db, fill)
    assert await kept(db) == {"kept"}
    async with db.write() as tx:
        assert await tx.number(text("PRAGMA max_page_count = 100000")) == 100_000
    await write(db, fill)
    assert await kept(db) == {"kept", "lost", "large"}
    await db.close()


@both_writings
async def test_a_file_locked_by_another_program_is_busy_for_writers_only(
    tmp_path: Path, write: Writing
) -> None:
    path = tmp_path / "games.db"
    db = await Store.open(f"sqlite:///{path}", max_wait=0)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(Busy, match="try again"):
            await write(db, lose)
        assert await kept(db) == set()
    await write(db, keep)
    assert await kept(db) == {"kept"}
    await db.close()


async def test_a_row_locked_by_another_transaction_is_busy(postgresql_url: str) -> None:
    db = await Store.open(postgresql_url, max_wait=0)
    async with db.write() as tx:
        number = await people.match(tx)
    async with db.write() as first:
        await match_log.append(first, number, people.entries(1))
        with pytest.raises(Busy, match="try again"):
            async with db.write() as second:
                await match_log.append(second, number, people.entries(1))
    async with db.read() as tx:
        assert len(await match_log.read(tx, number)) == 1
    await db.close()


async def test_pages_get_their_own_query_plans_and_all_else_one(postgresql_url: str) -> None:
    db = await Store.open(postgresql_url)
    mode = text("SHOW plan_cache_mode")
    try:
        async with db.read() as tx:
            assert await tx.scalar(mode) == "auto"
            await tx.use_custom_plans()
            await tx.use_custom_plans()
            assert await tx.scalar(mode) == "force_custom_plan"
        async with db.read() as tx:
            assert await tx.scalar(mode) == "auto"
    finally:
        await db.close()
