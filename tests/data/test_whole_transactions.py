"""Single-call transactions: all or nothing, with the same results as any other."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import insert, text
from sqlalchemy.exc import IntegrityError

from data.challenges import challenges
from data.matches import boards, match_log, matches, outbox
from data.matches.match import Finished, Match, StalePly
from data.ratings import results, scores
from data.sql import key_values
from data.sql.errors import Busy, Full, Unusable
from data.sql.key_values import key_values as table
from data.store.store import Store, Transaction
from tests.data import people
from tests.data.people import NOW


async def kept(db: Store) -> set[str]:
    """Return the keys of all facts."""
    async with db.read() as tx:
        return {row.key for row in await tx.rows(table.select())}


async def lose(tx: Transaction) -> None:
    """Write something that must be lost."""
    await key_values.set(tx, "lost", "")


async def keep(tx: Transaction) -> None:
    """Write something that must be kept."""
    await key_values.set(tx, "kept", "")


async def test_work_that_raises_leaves_nothing_behind_and_its_error_is_unchanged(db: Store) -> None:
    mishap = LookupError()

    async def work(tx: Transaction) -> None:
        await lose(tx)
        raise mishap

    with pytest.raises(LookupError) as caught:
        await db.run_write(work)
    assert caught.value is mishap
    await db.run_write(keep)
    assert await kept(db) == {"kept"}


async def test_a_failed_statement_undoes_the_rest_even_if_its_error_is_caught(db: Store) -> None:
    async def careless(tx: Transaction) -> None:
        await lose(tx)
        with pytest.raises(IntegrityError) as failure:
            await tx.run(insert(table), {"key": "lost", "value": "never to be seen"})
        assert "never to be seen" not in str(failure.value)

    with pytest.raises(RuntimeError, match="has failed"):
        await db.run_write(careless)
    await db.run_write(keep)
    assert await kept(db) == {"kept"}


async def test_work_that_has_started_is_committed_even_if_its_task_is_cancelled(db: Store) -> None:
    begun, goes = asyncio.Event(), threading.Event()
    loop = asyncio.get_running_loop()
    lock = text("SELECT pg_advisory_xact_lock(1)")

    async def work(tx: Transaction) -> None:
        loop.call_soon_threadsafe(begun.set)
        if tx.dialect == "sqlite":
            goes.wait()  # in the connection's thread
        else:
            await tx.scalar(lock)
        await keep(tx)

    async with db.read() as other:
        if other.dialect == "postgresql":
            await other.scalar(lock)
        task = asyncio.create_task(db.run_write(work))
        await begun.wait()
        task.cancel()
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.sleep(0)
        assert not task.done()
    goes.set()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await kept(db) == {"kept"}


async def test_a_task_cancelled_at_any_moment_leaves_all_or_nothing(db: Store) -> None:
    async def write(name: str) -> None:
        async def work(tx: Transaction) -> None:
            await key_values.set(tx, f"{name} first", "")
            await key_values.set(tx, f"{name} second", "")

        await db.run_write(work)

    survivors = set()
    for steps in range(40):
        task = asyncio.create_task(write(str(steps)))
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
    for steps in range(40):
        assert (f"{steps} first" in keys) == (f"{steps} second" in keys)
    assert {f"{name} first" for name in survivors} <= keys
    await db.run_write(keep)
    assert "kept" in await kept(db)


async def test_work_that_awaits_anything_else_is_refused(db: Store) -> None:
    async def work(tx: Transaction) -> None:
        await lose(tx)
        await asyncio.sleep(0)

    with pytest.raises(RuntimeError, match="nothing but its statements"):
        await db.run_write(work)
    await db.run_write(keep)
    assert await kept(db) == {"kept"}


async def test_a_single_call_read_sees_committed_data_and_cannot_write(db: Store) -> None:
    async def read(tx: Transaction) -> str | None:
        return await key_values.get(tx, "kept")

    await db.run_write(keep)
    assert await asyncio.gather(*(db.run_read(read) for _ in range(20))) == [""] * 20
    with pytest.raises(Unusable, match="cannot be written"):
        await db.run_read(lose)
    assert await kept(db) == {"kept"}


async def test_both_kinds_of_writers_take_turns(db: Store) -> None:
    async def slowly(number: int) -> None:
        async with db.write() as tx:
            await key_values.set(tx, f"{number} a", "")
            await asyncio.sleep(0)
            await key_values.set(tx, f"{number} b", "")

    async def quickly(number: int) -> None:
        async def work(tx: Transaction) -> None:
            await key_values.set(tx, f"{number} c", "")

        await db.run_write(work)

    await asyncio.gather(*(write(number) for number in range(20) for write in (slowly, quickly)))
    assert await kept(db) == {f"{number} {part}" for number in range(20) for part in "abc"}


async def test_only_one_of_two_appends_at_the_same_ply_succeeds(db: Store) -> None:
    async with db.write() as tx:
        number = await people.match(tx)

    async def append(tx: Transaction) -> int:
        await match_log.append(tx, number, people.entries(1, 3))
        job = await outbox.put(tx, match_id=number, kind="k", payload={"a": 1}, nonce="n", at=NOW)
        return job.id

    answers = await asyncio.gather(
        db.run_write(append), db.run_write(append), return_exceptions=True
    )
    (job,) = (answer for answer in answers if isinstance(answer, int))
    (refused,) = (answer for answer in answers if isinstance(answer, StalePly))
    assert refused.match.plies == 3
    async with db.read() as tx:
        assert await match_log.read(tx, number) == tuple(people.entries(1, 3))
        (pending,) = await outbox.pending(tx, number)
        assert (pending.id, pending.payload, pending.created_at) == (job, {"a": 1}, NOW)


async def test_single_calls_and_blocks_read_and_write_the_same(db: Store) -> None:
    """A whole match, its boards and its result: every kind of column round-trips."""
    stored = boards.PostedMessage(message_id=2**63 - 1, channel_id=7, match_id=1, ply=2, live=True)

    async def play(tx: Transaction) -> Match:
        number = await people.match(tx)
        assert number == 1
        await match_log.append(tx, number, people.entries(1, 2))
        await boards.put(tx, stored)
        await boards.put(tx, boards.PostedMessage(5, 7, number, 1, live=True))
        await boards.put(tx, boards.PostedMessage(5, 7, number, 1, live=False))
        assert await boards.live(tx, number) == (stored,)
        await matches.finish(tx, number, ranks={0: 1, 1: 2}, reason="over", at=NOW)
        with pytest.raises(Finished):
            await match_log.append(tx, number, people.entries(3))
        found = await matches.get(tx, number)
        assert found is not None
        assert await matches.of_player(tx, found.players[0].user_id, open_only=False) == (found,)
        result = await results.add(tx, found, at=NOW, rated=True, times={0: (1, 5)})
        await scores.add(tx, result)
        assert await results.rated_after(tx, found.game, 0, 9) == (result,)
        return found

    found = await db.run_write(play)
    async with db.read() as tx:
        assert await matches.get(tx, 1) == found
        assert await match_log.read(tx, 1) == tuple(people.entries(1, 2))
        assert await boards.live(tx, 1) == (stored,)
        (latest,) = await results.latest(tx, 0, found.players[0].user_id, 5)
        assert (latest.match_id, latest.rated, latest.at) == (1, True, NOW)
        (score,) = await scores.of_player(tx, 0, found.players[0].user_id)
        assert (score.won, score.moves, score.seconds) == (1, 1, 5)
        assert await challenges.of_match(tx, 1) is None


async def test_a_read_only_call_sees_committed_data_and_cannot_write(db: Store) -> None:
    async def read() -> str | None:
        async with db.read() as tx:
            return await key_values.get(tx, "kept")

    async with db.write() as tx:
        await keep(tx)
        assert await read() is None
    assert await asyncio.gather(*(read() for _ in range(20))) == [""] * 20
    with pytest.raises(Unusable, match="cannot be written"):
        async with db.read() as tx:
            await lose(tx)
    assert await kept(db) == {"kept"}


async def test_closing_waits_and_a_closed_store_accepts_nothing(url: str) -> None:
    db = await Store.open(url)
    writing = asyncio.create_task(db.run_write(keep))
    await asyncio.sleep(0)
    await db.close()
    await writing
    with pytest.raises(Unusable, match="closed"):
        await db.run_write(lose)
    again = await Store.open(url)
    assert await kept(again) == {"kept"}
    await again.close()


async def test_a_full_disk_is_reported_loses_nothing_and_does_no_lasting_harm(
    sqlite_url: str,
) -> None:
    db = await Store.open(sqlite_url)

    async def narrow(tx: Transaction) -> None:
        await keep(tx)
        (pages,) = (await tx.rows(text("PRAGMA page_count")))[0]
        await tx.rows(text(f"PRAGMA max_page_count = {pages + 2}"))

    async with db.write() as tx:
        await narrow(tx)

    async def fill(tx: Transaction) -> None:
        await lose(tx)
        await key_values.set(tx, "large", "x" * 100_000)

    with pytest.raises(Full, match="make room"):
        await db.run_write(fill)
    assert await kept(db) == {"kept"}

    async def ask(tx: Transaction) -> int:
        found = await tx.row(text("PRAGMA max_page_count = 100000"))
        assert found is not None
        return int(found.max_page_count)

    assert await db.run_write(ask) == 100_000
    await db.run_write(fill)
    assert await kept(db) == {"kept", "lost", "large"}
    await db.close()


async def test_a_commit_that_fails_leaves_nothing_behind(sqlite_url: str) -> None:
    db = await Store.open(sqlite_url)

    async def work(tx: Transaction) -> None:
        await lose(tx)
        await tx.run(text("PRAGMA defer_foreign_keys = ON"))
        await outbox.put(tx, match_id=5, kind="k", payload={}, nonce="n", at=NOW)

    with pytest.raises(IntegrityError):
        await db.run_write(work)
    await db.run_write(keep)
    assert await kept(db) == {"kept"}
    await db.close()


async def test_a_file_locked_by_another_program_is_busy(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    db = await Store.open(f"sqlite:///{path}", max_wait=0)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(Busy, match="try again"):
            await db.run_write(lose)
    await db.run_write(keep)
    assert await kept(db) == {"kept"}
    await db.close()
