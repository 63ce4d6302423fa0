"""Single-call transactions: all or nothing, with the same results as any other."""

from __future__ import annotations

import asyncio
import threading

import pytest
from sqlalchemy import text

from data.challenges import challenges
from data.matches import boards, match_log, matches, outbox
from data.matches.match import Finished, Match, StalePly
from data.ratings import results, scores
from data.sql import key_values
from data.store.store import Store, Transaction
from tests.data import people
from tests.data.people import NOW
from tests.data.writing import keep, kept, lose


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


async def test_work_that_awaits_anything_else_is_refused(db: Store) -> None:
    async def work(tx: Transaction) -> None:
        await lose(tx)
        await asyncio.sleep(0)

    with pytest.raises(RuntimeError, match="nothing but its statements"):
        await db.run_write(work)
    await db.run_write(keep)
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
