"""A killed process loses nothing committed and leaves nothing half done."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest
from sqlalchemy.engine import make_url

from data import match_log, matches, outbox
from data.store import Store
from tests.data import people

SCRIPT = """
import asyncio, sys
from data import match_log, matches, outbox
from data.store import Store
from tests.data import people

async def turn(tx, number, ply):
    await match_log.append(tx, number, people.entries(ply, 3))
    await outbox.put(tx, match_id=number, kind="board", payload={}, nonce=f"n{ply}", at=people.NOW)

async def main():
    db = await Store.open(sys.argv[1])
    async with db.write() as tx:
        number = await people.match(tx)
        await turn(tx, number, 1)
    if sys.argv[2] == "after the commit":
        async with db.write() as tx:
            await turn(tx, number, 4)
        print(number, flush=True)
        await asyncio.Event().wait()
    async with db.write() as tx:
        await turn(tx, number, 4)
        print(number, flush=True)
        await asyncio.Event().wait()

asyncio.run(main())
"""


@pytest.mark.parametrize(("moment", "plies"), [("in mid-transaction", 3), ("after the commit", 6)])
async def test_a_killed_process_keeps_what_it_committed_and_nothing_else(
    url: str, moment: str, plies: int, pytestconfig: pytest.Config
) -> None:
    with subprocess.Popen(  # noqa: ASYNC220 -- nothing else runs in this loop
        [sys.executable, "-c", SCRIPT, url, moment],
        cwd=pytestconfig.rootpath,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        process.kill()
        assert process.wait() == -signal.SIGKILL
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
