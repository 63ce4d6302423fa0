"""Databases of all earlier versions open, migrate, and can be played on."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import make_url

from bot.core.settings.service import SettingsStore
from data.store.store import Store
from engine import registry
from tests.bot.conftest import ANN, BEN, GUILD, Club
from tests.data.schema import assert_current_tables
from tests.moves import play
from tests.recorded import record

DUMPS = sorted(record.FOLDER.glob("*.sql"))


@pytest.fixture(params=DUMPS, ids=lambda dump: dump.stem)
def dump(request: pytest.FixtureRequest) -> Path:
    """A recorded database, as SQL."""
    path: Path = request.param
    return path


@pytest.fixture
async def old(dump: Path, new_sqlite_url: str) -> AsyncIterator[Club]:
    """Open a recorded database with this version of the program."""

    def restore() -> None:
        with closing(sqlite3.connect(make_url(new_sqlite_url).database or "")) as file:
            file.executescript(dump.read_text(encoding="utf-8"))

    await asyncio.to_thread(restore)
    store = await Store.open(new_sqlite_url)
    yield Club(store)
    await store.close()


def lines(dump: Path) -> list[str]:
    """Return the recorded line of each match."""
    return dump.with_suffix(".txt").read_text(encoding="utf-8").splitlines()


def test_at_least_one_database_is_recorded() -> None:
    assert DUMPS, "record one: python -m tests.recorded.record"


async def test_an_old_database_gets_exactly_the_tables_of_this_version(old: Club) -> None:
    """If this fails: before the first release, record it again; after it, write a migration."""
    await assert_current_tables(old.store)


async def test_every_match_replays_to_its_recorded_position(old: Club, dump: Path) -> None:
    recorded = lines(dump)
    assert recorded
    for line in recorded:
        assert record.described(await old.matches.view(int(line.split()[0]))) == line


async def test_ongoing_matches_continue_and_finished_ones_stay_finished(
    old: Club, dump: Path
) -> None:
    ended = 0
    for line in lines(dump):
        view = await old.matches.view(int(line.split()[0]))
        if view.to_move is None:
            ended += 1
            continue
        text = view.game.write(view.game.legal_moves(view.state)[0])
        after = await play(old.matches, view.match.id, view.to_move.user_id, text)
        old.forget()
        again = await old.matches.view(view.match.id)
        assert record.described(after) == record.described(again) != line
    assert 0 < ended < len(lines(dump))


async def test_settings_and_open_challenges_are_still_there(old: Club) -> None:
    settings = SettingsStore(old.store, clock=old.clock)
    assert await settings.server(GUILD) == record.SERVER
    assert await settings.player(BEN) == record.PLAYER
    assert len(await old.challenges.made_by(ANN)) == 1


async def test_a_database_of_this_version_can_be_recorded(tmp_path: Path) -> None:
    await record.main("now", tmp_path)
    assert "INSERT INTO" in (tmp_path / "now.sql").read_text(encoding="utf-8")
    assert len(lines(tmp_path / "now.sql")) == len(registry.games()) + 1
