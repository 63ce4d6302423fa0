"""What follows a commit, in this process and, through PostgreSQL, in others."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial

import asyncpg  # type: ignore[import-untyped]
import pytest
from sqlalchemy.engine import make_url

from data import computer_tasks
from data.computer_tasks import Kind
from data.matches import matches, outbox
from data.sql import key_values
from data.store.address import address
from data.store.notifications import Notifications
from data.store.store import MAX_BYTES, Store, Transaction, announcement
from playground.errors import SAFETY_SECONDS
from tests.data import people
from tests.data.people import NOW
from tests.data.writing import Writing, both_writings

TOPIC = "songs"


@dataclass
class Ear:
    """A listening process."""

    store: Store
    listening: Notifications
    heard: list[int] = field(default_factory=list)
    looks: int = 0
    woken: asyncio.Event = field(default_factory=asyncio.Event)

    def hear(self, number: int) -> None:
        """Record an announcement."""
        self.heard.append(number)
        self.woken.set()

    def look(self) -> None:
        """Record that announcements may have been missed."""
        self.looks += 1
        self.woken.set()

    async def until(self, *, received: list[int] | None = None, looks: int = 0) -> None:
        """Wait until this many events have arrived."""
        async with asyncio.timeout(SAFETY_SECONDS):
            while (received is not None and self.heard != received) or self.looks < looks:
                self.woken.clear()
                await self.woken.wait()


@asynccontextmanager
async def listening(url: str, process: str, *, every: float = 3600) -> AsyncIterator[Ear]:
    """Run a listening process."""
    store = await Store.open(url, process=process)
    store.travels = bool
    ear = Ear(store, Notifications(store, address(url), process, every=every))
    store.listen(TOPIC, ear.hear)
    store.listen_missed(ear.look)
    ear.listening.start()
    await ear.listening.connected.wait()
    yield ear
    await ear.listening.close()
    await store.close()


async def say(ear: Ear, *numbers: int) -> None:
    """Commit something that other processes must receive."""
    async with ear.store.write() as tx:
        for number in numbers:
            tx.announce(TOPIC, number)


async def end_connections(url: str) -> None:
    """Cut all listening connections."""
    plain = make_url(url).set(drivername="postgresql")
    admin = await asyncpg.connect(plain.render_as_string(hide_password=False))
    await admin.execute(
        "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity "
        "WHERE application_name = 'games listen' AND datname = current_database()"
    )
    await admin.close()


async def test_every_process_hears_each_commit_once(postgresql_url: str) -> None:
    async with listening(postgresql_url, "a") as one, listening(postgresql_url, "b") as other:
        await say(one, 1, 2)
        await other.until(received=[1, 2])  # before its own, which it hears at once
        await say(other, 3)
        await one.until(received=[1, 2, 3])
        await other.until(received=[1, 2, 3])


async def test_rolled_back_announcements_are_not_heard(postgresql_url: str) -> None:
    async with listening(postgresql_url, "a") as one, listening(postgresql_url, "b") as other:
        with pytest.raises(KeyError):  # noqa: PT012 -- raised inside the block
            async with one.store.write() as tx:
                tx.announce(TOPIC, 1)
                await key_values.set(tx, "this", "is undone")
                raise KeyError
        await say(one, 2)
        await other.until(received=[2])


async def test_announcements_for_this_process_alone_are_not_sent(postgresql_url: str) -> None:
    async with listening(postgresql_url, "a") as one, listening(postgresql_url, "b") as other:
        one.store.travels = lambda announced: (TOPIC, 1) not in announced
        await say(one, 1)
        await say(one, 2)
        await other.until(received=[2])
        assert one.heard == [1, 2]


async def test_a_process_that_may_have_missed_something_checks_for_itself(
    postgresql_url: str,
) -> None:
    async with listening(postgresql_url, "a") as one, listening(postgresql_url, "b") as other:
        await other.until(looks=1)
        await end_connections(postgresql_url)
        await say(one, 1)
        await other.until(looks=2)
        await other.listening.connected.wait()
        received = list(other.heard)
        await say(one, 2)
        await other.until(received=[*received, 2])


async def test_a_process_that_hears_nothing_checks_regularly(postgresql_url: str) -> None:
    async with listening(postgresql_url, "a", every=0.05) as one:
        await one.until(looks=3)


async def test_a_process_that_cannot_listen_checks_regularly(postgresql_url: str) -> None:
    store = await Store.open(postgresql_url, process="a")
    nowhere = address(postgresql_url).set(database="nowhere")
    ear = Ear(store, Notifications(store, nowhere, "a", every=0.05))
    store.listen_missed(ear.look)
    ear.listening.start()
    await ear.until(looks=3)
    assert not ear.listening.connected.is_set()
    await ear.listening.close()
    await store.close()


@pytest.mark.parametrize("text", ["ssl=prefer", "timeout=20", "prepared_statement_cache_size=0"])
async def test_connection_settings_in_the_address_also_apply_to_listening(
    postgresql_url: str, text: str
) -> None:
    async with listening(f"{postgresql_url}&{text}", "a") as one:
        await say(one, 1)
        await one.until(received=[1])


async def test_too_many_announcements_are_sent_as_one_to_check(postgresql_url: str) -> None:
    async with listening(postgresql_url, "a") as one, listening(postgresql_url, "b") as other:
        looks = other.looks
        await say(one, *range(5000))
        await other.until(looks=looks + 1)
        assert other.heard == []


def test_announcements_fit_in_a_notification() -> None:
    many = [(TOPIC, 10**18 + number) for number in range(400)]
    assert len(announcement("a" * 8, many)) < MAX_BYTES + 100


def heard_as(ear: Ear, number: int, _: int) -> None:
    """Record a received topic."""
    ear.hear(number)


async def test_every_topic_is_sent_alongside_others(postgresql_url: str) -> None:
    topics = [*(kind.topic for kind in Kind), computer_tasks.CHANGED, matches.ENDED, outbox.TOPIC]
    async with listening(postgresql_url, "one") as one, listening(postgresql_url, "two") as two:
        await two.until(looks=1)
        for number, topic in enumerate(topics):
            two.store.listen(topic, partial(heard_as, two, number))
        async with one.store.write() as tx:
            for topic in topics:
                tx.announce(topic, 7)
        await two.until(received=list(range(len(topics))))


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
