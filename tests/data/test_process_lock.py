"""Only one program at a time works on a database."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from pathlib import Path

import asyncpg  # type: ignore[import-untyped]
import pytest
from sqlalchemy.engine import make_url

from data import locks
from data.sql import key_values
from data.sql.errors import Busy, InUse, Unusable
from data.store.process_lock import Hold, process_lock
from data.store.store import Store
from tests.end_to_end import forking


async def hold(url: str) -> forking.Forked:
    """Start a program that holds the lock."""
    process = await forking.start(
        [url], os.environ, forking.ROOT, entry="tests.data.programs:hold_lock"
    )
    assert await process.stdout.readline() == b"held\n"
    return process


async def test_a_second_program_is_refused_until_the_first_is_done(url: str) -> None:
    async with process_lock(url):
        with pytest.raises(InUse, match="another program"):
            async with process_lock(url, max_wait=0.2):
                pytest.fail("two at once")
    async with process_lock(url, max_wait=0):
        store = await Store.open(url)
        await store.close()


async def test_a_program_starting_while_another_is_killed_gets_the_lock(url: str) -> None:
    process = await hold(url)
    killed = asyncio.Event()

    async def start() -> bool:
        async with process_lock(url, max_wait=60):
            return killed.is_set()

    starting = asyncio.create_task(start())
    with pytest.raises(InUse):
        async with process_lock(url, max_wait=0.2):
            pytest.fail("two at once")
    assert not starting.done()
    killed.set()
    process.kill()
    assert await starting
    await process.communicate()


async def test_a_file_in_place_of_the_folder_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(Unusable, match="folder"):
        async with process_lock(f"sqlite:///{tmp_path}/file/games.db"):
            pytest.fail("there is no such folder")


async def test_an_unreadable_address_is_reported() -> None:
    with pytest.raises(Unusable, match="address"):
        async with process_lock("mysql://elsewhere/games"):
            pytest.fail("no such database")


async def backend(admin: asyncpg.Connection) -> int:
    """Return the server process that holds the lock."""
    held = "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted AND objid = $1"
    return int(await admin.fetchval(held, locks.PROGRAM & 0xFFFFFFFF))


@pytest.fixture
async def admin(postgresql_url: str) -> AsyncIterator[asyncpg.Connection]:
    """An administrator, who may cut connections."""
    url = make_url(postgresql_url).set(drivername="postgresql")
    connection = await asyncpg.connect(url.render_as_string(hide_password=False))
    yield connection
    await connection.close()


async def cut(admin: asyncpg.Connection) -> None:
    """Cut the connection that holds the lock."""
    await admin.fetchval("SELECT pg_terminate_backend($1, 5000)", await backend(admin))


async def test_a_lock_whose_connection_is_cut_is_taken_again(
    postgresql_url: str, admin: asyncpg.Connection
) -> None:
    async with process_lock(postgresql_url) as hold:
        store = await Store.open(postgresql_url, permitted=hold.confirm)
        first = await backend(admin)
        for _ in range(3):
            hold.doubt()  # as the watch does a moment later
            await cut(admin)
            async with store.read() as tx:
                await key_values.get(tx, "any")
            assert await backend(admin) != first
        with pytest.raises(InUse, match="another program"):
            async with process_lock(postgresql_url, max_wait=0.2):
                pytest.fail("two at once")
        await store.close()


async def test_a_cut_connection_is_noticed_without_a_query(
    postgresql_url: str, admin: asyncpg.Connection
) -> None:
    async with process_lock(postgresql_url):
        first = await backend(admin)
        await cut(admin)
        held = None
        while held in {None, first}:
            await asyncio.sleep(0)
            held = await admin.fetchval(
                "SELECT max(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted"
            )


async def test_a_program_that_lost_the_lock_starts_no_transaction_and_says_what_to_do(
    postgresql_url: str, admin: asyncpg.Connection
) -> None:
    async with process_lock(postgresql_url) as hold:
        store = await Store.open(postgresql_url, permitted=hold.confirm)
        first = await backend(admin)
        url = make_url(postgresql_url).set(drivername="postgresql")
        other = await asyncpg.connect(url.render_as_string(hide_password=False))
        # The other one is already waiting, so the server hands the lock over at once.
        waiting = asyncio.create_task(other.execute(f"SELECT pg_advisory_lock({locks.PROGRAM})"))
        queued = 0
        while not queued:
            queued = await admin.fetchval("SELECT count(*) FROM pg_locks WHERE NOT granted")
        await admin.fetchval("SELECT pg_terminate_backend($1, 5000)", first)
        await waiting
        await hold.lost()
        for begin in (store.read, store.write):
            with pytest.raises(InUse, match="this one stops: leave the other one running"):
                async with begin():
                    pytest.fail("two at once")
        await store.close()
        await other.close()


async def test_no_transaction_starts_while_the_lock_is_in_doubt(
    postgresql_url: str, admin: asyncpg.Connection
) -> None:
    async with process_lock(postgresql_url, max_wait=0.3) as hold:
        store = await Store.open(postgresql_url, permitted=hold.confirm)
        name = await admin.fetchval("SELECT current_database()")
        first = await backend(admin)
        elsewhere = await asyncpg.connect(
            make_url(postgresql_url)
            .set(drivername="postgresql", database="postgres")
            .render_as_string(hide_password=False)
        )
        await elsewhere.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
        await elsewhere.fetchval("SELECT pg_terminate_backend($1, 5000)", first)
        await wait_for_doubt(hold)
        for begin in (store.read, store.write):
            with pytest.raises(Busy, match="Nothing was saved"):
                async with begin():
                    pytest.fail("nobody knows")
        await elsewhere.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")
        await elsewhere.close()
        await until_sure(hold)
        async with store.write() as tx:
            await key_values.set(tx, "any", "value")
        await store.close()


async def wait_for_doubt(hold: Hold) -> None:
    """Wait until the cut is noticed."""
    while True:
        try:
            await hold.confirm()
        except Busy:
            return
        await asyncio.sleep(0)


async def until_sure(hold: Hold) -> None:
    """Wait until the lock is held again."""
    while True:
        try:
            return await hold.confirm()
        except Busy:
            continue
