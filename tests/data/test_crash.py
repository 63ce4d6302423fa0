"""A killed process loses nothing committed and leaves nothing half done."""

from __future__ import annotations

import os
import signal
import sqlite3
from contextlib import closing

import pytest
from sqlalchemy.engine import make_url

from data.matches import match_log, matches, outbox
from data.store.store import Store
from tests.data import people
from tests.end_to_end import forking


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
