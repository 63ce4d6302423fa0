# ruff: noqa: ASYNC110, ASYNC240 -- waits for another program while nothing else runs
"""Litestream copies a database as it changes; after a kill the copy has every move."""

from __future__ import annotations

import asyncio
import os
import sys
from asyncio import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.app import maintenance
from data.matches import match_log
from data.store.store import Store
from tests.bot.conftest import Club

PROGRAM = Path(sys.executable).with_name("litestream")
SETTINGS = Path(__file__).parents[2] / "deploy" / "litestream.yml"

pytestmark = pytest.mark.skipif(
    not PROGRAM.exists(), reason="Litestream is not to be had for this machine"
)


@asynccontextmanager
async def replicating(folder: Path) -> AsyncIterator[subprocess.Process]:
    """Replicate a folder's database while the block lasts, then kill the replicator."""
    process = await asyncio.create_subprocess_exec(
        PROGRAM,
        *("replicate", "-config", SETTINGS),
        env=os.environ | places(folder),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


def places(folder: Path) -> dict[str, str]:
    """Return the paths of the database and its copy."""
    return {"GAMES_DATABASE": f"{folder}/games.db", "GAMES_REPLICA": f"{folder}/replica"}


async def restored(folder: Path, to: Path) -> bool:
    """Restore the copy; return whether it worked."""
    to.unlink(missing_ok=True)
    process = await asyncio.create_subprocess_exec(
        PROGRAM,
        *("restore", "-o", to, f"file://{folder}/replica"),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    return await process.wait() == 0


async def moves(path: Path) -> int:
    """Return the number of moves a database has of the first match."""
    store = await Store.open(f"sqlite:///{path}")
    try:
        async with store.read() as tx:
            return len(await match_log.read(tx, 1))
    finally:
        await store.close()


async def test_all_moves_are_restored_after_a_kill(sqlite_url: str, tmp_path: Path) -> None:
    store = await Store.open(sqlite_url)
    club = Club(store)
    view = await club.start()
    async with replicating(tmp_path):
        for _ in range(20):
            view = await club.play_once(view)
        expected = view.match.plies
        copy = tmp_path / "copy.db"
        # The copy follows within seconds; it then has every move played.
        while not (await restored(tmp_path, copy) and await moves(copy) == expected):
            await asyncio.sleep(0.2)
    await store.close()
    assert await restored(tmp_path, copy)
    assert await moves(copy) == expected

    known, going_on = await maintenance.restore_database(f"sqlite:///{copy}", None)
    assert known is not None
    assert going_on == 1
    store = await Store.open(f"sqlite:///{copy}")
    club = Club(store, seeds=50)
    view = await club.matches.view(1)
    assert view.ply == expected
    assert (await club.play_once(view)).match.plies > expected
    await store.close()
