"""``python -m bot ratings recompute``, as a process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import update

from data import tables
from data.process_lock import process_lock
from data.store import Store
from tests.bot.ratings.test_running import played
from tests.data import derived
from tests.data.people import ANN, BEN

if TYPE_CHECKING:
    from subprocess import CompletedProcess

ROOT = Path(__file__).parents[3]


def recompute(folder: Path, **settings: str) -> CompletedProcess[str]:
    """Run the command."""
    known = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        [sys.executable, "-m", "bot", "ratings", "recompute"],
        env=known | settings,
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


async def test_recomputing_corrects_wrong_ratings(sqlite_url: str, tmp_path: Path) -> None:
    store = await Store.open(sqlite_url)
    async with store.write() as tx:
        await played(tx, [ANN, BEN], [1, 2])
        right = await derived.everything(tx)
        await tx.run(update(tables.ratings).values(mu=99.0))
    await store.close()
    done = recompute(tmp_path, DATABASE_URL=sqlite_url)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Results: 1" in done.stdout
    store = await Store.open(sqlite_url)
    async with store.read() as tx:
        assert await derived.everything(tx) == right
    await store.close()


async def test_it_refuses_while_the_bot_is_running(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/games.db"
    async with process_lock(url):
        done = recompute(tmp_path, DATABASE_URL=url)
    assert done.returncode == 1
    assert "stop the other one first" in done.stderr


def test_without_a_database_it_names_the_setting(tmp_path: Path) -> None:
    done = recompute(tmp_path)
    assert done.returncode == 2
    assert "DATABASE_URL" in done.stderr
