"""Follow-ups run after their commit, and never otherwise."""

from __future__ import annotations

import asyncio

import pytest

from data.matches import outbox
from data.sql import key_values
from data.store.store import Store, Transaction
from tests.data import people
from tests.data.people import NOW
from tests.data.writing import Writing, both_writings


@both_writings
async def test_a_callback_runs_after_the_commit_in_its_task(db: Store, write: Writing) -> None:
    ran: list[asyncio.Task[object] | None] = []

    async def work(tx: Transaction) -> None:
        await key_values.set(tx, "kept", "")
        tx.announce("weather", 1)
        assert ran == []

    db.listen("weather", lambda _: ran.append(asyncio.current_task()))
    await write(db, work)
    assert ran == [asyncio.current_task()]


@both_writings
async def test_nothing_follows_a_failed_transaction(db: Store, write: Writing) -> None:
    ran: list[int] = []

    async def work(tx: Transaction) -> None:
        tx.announce("weather", 1)
        raise LookupError

    db.listen("weather", ran.append)
    with pytest.raises(LookupError):
        await write(db, work)
    assert ran == []


@both_writings
async def test_follow_ups_of_a_commit_run_even_if_its_task_is_cancelled(
    db: Store, write: Writing
) -> None:
    received: list[int] = []
    db.listen("weather", received.append)

    async def work(tx: Transaction) -> None:
        await key_values.set(tx, "kept", "yes")
        tx.announce("weather", 7)

    for patience in range(40):
        received.clear()
        async with db.write() as tx:
            await key_values.set(tx, "kept", "no")
        task = asyncio.ensure_future(write(db, work))
        for _ in range(patience):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        async with db.read() as tx:
            kept = await key_values.get(tx, "kept") == "yes"
        assert kept == bool(received)


@both_writings
async def test_a_callback_that_raises_does_not_fail_the_commit(db: Store, write: Writing) -> None:
    texts: list[str] = []
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda _, context: texts.append(context["message"]))

    async def work(tx: Transaction) -> None:
        await key_values.set(tx, "kept", "")
        tx.announce("weather", 0)

    db.listen("weather", lambda number: 1 // number)
    await write(db, work)
    async with db.read() as tx:
        assert await key_values.get(tx, "kept") == ""
    assert texts == ["a callback after a commit failed"]


async def test_jobs_are_announced_once_per_match(db: Store) -> None:
    received: list[int] = []
    db.listen(outbox.TOPIC, received.append)
    async with db.write() as tx:
        first, second = await people.match(tx), await people.match(tx)
        for number, match in enumerate((first, second, first, None)):
            await outbox.put(
                tx, match_id=match, kind="board", payload={}, nonce=f"n{number}", at=NOW
            )
        assert received == []
    assert received == [first, second, 0]
