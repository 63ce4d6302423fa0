"""The matches in the playground before anyone arrives."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from bot.app import backups, maintenance
from bot.app import demo as seeding
from bot.app.demo import Seeding, enter_playground, recorded, unfinished
from bot.core.config import Config
from bot.core.scheduling.scheduler import WallClock
from bot.core.settings.service import SettingsStore
from bot.features.leaderboards.service import Leaderboards
from bot.play.matches.deadlines import Deadlines
from bot.play.matches.service import Matches
from data.matches import outbox
from data.store.store import Store
from engine import registry
from engine.replay import final
from tests.databases import copy_sqlite

PEOPLE = {"Ann": 1001, "Ben": 1002, "Carol": 1003, "Dan": 1004}
GUILD, CHANNEL = 50, 60


@pytest.fixture
async def store(sqlite_url: str) -> AsyncIterator[Store]:
    opened = await Store.open(sqlite_url)
    yield opened
    await opened.close()


@pytest.fixture
def few_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seed only the first game, besides the one left unfinished."""
    first, *others = recorded()
    left = next(one for one in others if one.moves[: len(unfinished().moves)] == unfinished().moves)
    monkeypatch.setattr(seeding, "recorded", lambda: (first, left))


@pytest.fixture(scope="module")
def seeded_file(migrated_sqlite: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A seeded database."""
    file = tmp_path_factory.mktemp("seeded") / "games.db"
    copy_sqlite(migrated_sqlite, file)

    async def seed() -> None:
        store = await Store.open(f"sqlite:///{file}")
        await Seeding(store, clock=WallClock()).seed(GUILD, CHANNEL, PEOPLE)
        await store.close()

    asyncio.run(seed())
    return file


@pytest.fixture
async def seeded(seeded_file: Path, tmp_path: Path) -> AsyncIterator[Store]:
    """Open a seeded store."""
    copy_sqlite(seeded_file, tmp_path / "games.db")
    opened = await Store.open(f"sqlite:///{tmp_path}/games.db")
    yield opened
    await opened.close()


async def test_every_demo_match_has_ended_except_anns(seeded: Store) -> None:
    last, clock = len(recorded()) + 1, WallClock()
    matches = Matches(seeded, Deadlines(SettingsStore(seeded, clock=clock)), clock=clock)
    for number in range(1, last):
        position = await matches.position(number)
        assert position.match.finished, number
        assert position.match.guild_id == GUILD
    position = await matches.position(last)
    assert not position.match.finished
    assert position.practice
    assert position.called is not None
    assert position.called.user_id == PEOPLE["Ann"]


async def test_all_four_are_ranked(seeded: Store) -> None:
    boards = Leaderboards(seeded, clock=WallClock())
    found = await boards.read(GUILD, "tablut", reader=PEOPLE["Ann"])
    assert {one.rating.user_id for one in found.standings if one.rank} == set(PEOPLE.values())


async def test_only_two_boards_are_posted_the_unfinished_one_last(seeded: Store) -> None:
    async with seeded.read() as tx:
        jobs = await outbox.pending(tx)
    assert [job.match_id for job in jobs] == [1, len(recorded()) + 1]
    first, last = jobs
    assert first.not_before is not None
    assert last.not_before is not None
    assert first.not_before < last.not_before


@pytest.mark.usefixtures("few_games")
async def test_the_unfinished_board_is_posted_after_the_finished_one(store: Store) -> None:
    clock = WallClock()
    demo = Seeding(store, clock=clock)
    await demo.seed(GUILD, CHANNEL, PEOPLE)
    task = asyncio.create_task(demo.show_unfinished())
    async with store.read() as tx:
        first, last = await outbox.pending(tx)
    assert not last.due(clock())
    assert not task.done()
    async with store.write() as tx:
        await outbox.mark_done(tx, first.id, clock())
    await task
    async with store.read() as tx:
        (job,) = await outbox.pending(tx)
    assert job.due(clock())
    assert (job.match_id, job.kind, job.payload) == (last.match_id, last.kind, last.payload)


@pytest.mark.usefixtures("few_games")
async def test_ending_immediately_logs_no_error(sqlite_url: str) -> None:
    store = await Store.open(sqlite_url)
    demo = Seeding(store, clock=WallClock())
    await demo.seed(GUILD, CHANNEL, PEOPLE)
    await store.close()
    await demo.show_unfinished()


@pytest.mark.usefixtures("programs")
async def test_a_restored_database_without_matches_is_left_as_it_is(
    url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its first match would not be number 1, and the recorded throws would not fit."""
    await (await Store.open(url)).close()
    await backups.write(url, tmp_path / "backup")
    await maintenance.restore_database(url, tmp_path / "backup")
    store = await Store.open(url)
    async with AsyncExitStack() as stack:
        _, begin, _ = await enter_playground(Config(playground_port=0), stack, open_page=False)
        await begin(store)
    async with store.read() as tx:
        assert await outbox.newest(tx) == 0
    await store.close()
    assert "Play here" in capsys.readouterr().out


def test_ann_can_win_her_unfinished_match() -> None:
    played = unfinished()
    whole = next(one for one in recorded() if one.moves[: len(played.moves)] == played.moves)
    game = registry.game(whole.game)
    state = final(game, whole.moves, None, 2)
    outcome = game.outcome(state)
    assert outcome is not None
    assert outcome.ranks == (1, 2)
    assert played.players == ("Ann",)
