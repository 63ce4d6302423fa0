"""``python -m bot ratings recompute``, as a process."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import update

from data.ratings.rating import ratings
from data.store.process_lock import process_lock
from data.store.store import Store
from tests.bot.play.ratings.season import played
from tests.data import derived
from tests.data.people import ANN, BEN
from tests.end_to_end import forking


async def recompute(folder: Path, **settings: str) -> tuple[int | None, str, str]:
    """Run the command; return its exit status, its output and its errors."""
    process = await forking.start(("ratings", "recompute"), settings, folder)
    output, errors = await process.communicate()
    return process.returncode, output.decode(), errors.decode()


async def test_recomputing_corrects_wrong_ratings(sqlite_url: str, tmp_path: Path) -> None:
    store = await Store.open(sqlite_url)
    async with store.write() as tx:
        await played(tx, [ANN, BEN], [1, 2])
        right = await derived.everything(tx)
        await tx.run(update(ratings).values(mu=99.0))
    await store.close()
    status, output, errors = await recompute(tmp_path, DATABASE_URL=sqlite_url)
    assert (status, errors) == (0, "")
    assert "Results: 1" in output
    store = await Store.open(sqlite_url)
    async with store.read() as tx:
        assert await derived.everything(tx) == right
    await store.close()


async def test_it_refuses_while_the_bot_is_running(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/games.db"
    async with process_lock(url):
        status, _, errors = await recompute(tmp_path, DATABASE_URL=url)
    assert status == 1
    assert "stop the other one first" in errors


async def test_without_a_database_it_names_the_setting(tmp_path: Path) -> None:
    status, _, errors = await recompute(tmp_path)
    assert status == 2
    assert "DATABASE_URL" in errors
