"""On PostgreSQL, concurrent changes to a ladder wait for each other and leave no gap."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import pytest

from bot.core.errors import Refusal
from bot.core.settings.service import SettingsStore
from bot.features.ladder import rules
from bot.features.ladder.challenges import players_in_reach
from bot.features.ladder.changes import take_off_everywhere
from bot.features.ladder.steps import LadderSteps
from bot.features.settings.privacy import Privacy
from data.ladders import ladder_challenges
from data.store.store import Store
from tests.bot.conftest import ANN, BEN, CAROL, GUILD
from tests.bot.features.ladder.club import TERMS, LadderClub, nobody
from tests.bot.play.ratings.season import Watched


@pytest.fixture
async def club(postgresql_url: str) -> AsyncIterator[LadderClub]:
    """Open a club on PostgreSQL."""
    store = await Store.open(postgresql_url)
    yield LadderClub(store)
    await store.close()


async def test_settings_of_everyone_above_a_challenger_are_read_in_one_query(
    club: LadderClub,
) -> None:
    users = range(101, 111)
    view = await club.opened(*users)
    await SettingsStore(club.store, clock=club.clock).change_player(103, {"challenges": False})
    settings = SettingsStore(club.store, clock=club.clock)
    async with club.store.read() as tx:
        watched: Any = Watched(tx)
        assert await players_in_reach(watched, settings, view, 110) == (109, 108, 107)
        assert len(watched.read) == 2  # the blocks and the settings
        watched.read.clear()
        assert await players_in_reach(watched, settings, view, 106) == (105, 104, 102)
        assert len(watched.read) == 1  # the settings are known


async def test_many_players_can_join_at_once(club: LadderClub) -> None:
    await club.opened()
    users = range(101, 113)
    await asyncio.gather(*(club.ladders.join(1, GUILD, user) for user in users))
    assert sorted(await club.places()) == list(users)


async def test_a_ladder_is_opened_only_once(club: LadderClub) -> None:
    found = await asyncio.gather(*(club.ladders.open(TERMS) for _ in range(4)))
    assert sorted(new for _, new in found) == [False, False, False, True]
    assert {ladder.id for ladder, _ in found} == {1}


async def test_of_many_simultaneous_challenges_to_a_player_one_comes_up_and_the_rest_queue(
    club: LadderClub,
) -> None:
    await club.opened(ANN, BEN, CAROL, 44)
    made = await asyncio.gather(
        *(club.ladder_challenges.challenge(1, GUILD, user, ANN) for user in (BEN, CAROL, 44))
    )
    assert sum(one.waiting for one in made) == 1
    view = await club.ladders.get(1, GUILD)
    assert [one.queued for one in view.challenges] == [False, True, True]
    assert [view.ahead(one) for one in view.queue(ANN)] == [1, 2]


async def test_of_two_simultaneous_answers_only_one_counts(club: LadderClub) -> None:
    await club.opened(ANN, BEN)
    made = await club.ladder_challenges.challenge(1, GUILD, BEN, ANN)
    tried = await asyncio.gather(
        club.ladder_challenges.accept(made.id, GUILD, ANN),
        club.ladder_challenges.decline(made.id, GUILD, ANN),
        club.ladder_challenges.withdraw(made.id, GUILD, BEN),
        return_exceptions=True,
    )
    assert sum(isinstance(one, Refusal) for one in tried) == 2


async def test_two_processes_process_a_result_only_once(club: LadderClub) -> None:
    await club.opened(ANN, BEN, CAROL)
    made = await club.ladder_challenges.challenge(1, GUILD, CAROL, ANN)
    begun = await club.ladder_challenges.accept(made.id, GUILD, ANN)
    assert begun.match_id is not None
    await club.matches.resign(begun.match_id, ANN)
    async with club.store.read() as tx:
        (due,) = await ladder_challenges.due(tx, club.clock(), limit=9)
    await asyncio.gather(*(club.steps.take(due, club.clock()) for _ in range(4)))
    assert await club.places() == (CAROL, ANN, BEN)
    events, _ = await club.ladders.history(1, GUILD, None, limit=9)
    assert [one.kind for one in events].count("won") == 1


async def test_a_simultaneous_result_and_deletion_leave_the_ladder_consistent(
    club: LadderClub,
) -> None:
    await club.opened(ANN, BEN, CAROL)
    made = await club.ladder_challenges.challenge(1, GUILD, CAROL, ANN)
    begun = await club.ladder_challenges.accept(made.id, GUILD, ANN)
    assert begun.match_id is not None
    await club.matches.resign(begun.match_id, ANN)
    settings = SettingsStore(club.store, clock=club.clock)
    erasing = Privacy(club.store, club.matches, settings, clock=club.clock, hold=_no_hold)
    async with club.store.read() as tx:
        (due,) = await ladder_challenges.due(tx, club.clock(), limit=9)
    await asyncio.gather(
        club.steps.take(due, club.clock()),
        erasing.erase(ANN),
        club.ladders.leave(1, GUILD, BEN),
    )
    assert await club.places() == (CAROL,)


async def test_deleting_a_player_without_a_ladder_changes_no_ladder(club: LadderClub) -> None:
    await club.opened(ANN)
    async with club.store.write() as tx:
        await take_off_everywhere(tx, BEN, club.clock())
    assert await club.places() == (ANN,)


async def test_days_on_which_play_was_impossible_do_not_count(
    club: LadderClub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rules, "OFF_AFTER", timedelta(days=40))
    await club.opened(ANN, BEN)
    start = club.clock()
    away = LadderSteps(club.store, nobody, lambda _: False)
    for day in range(1, 51):
        await away.check(1, start + timedelta(days=day))
    await club.steps.check(1, start + timedelta(days=51))
    assert await club.places() == (ANN, BEN)
    # No process has looked for that long.
    await club.steps.check(1, start + timedelta(days=101))
    assert await club.places() == (ANN, BEN)
    for day in range(102, 150):
        await club.steps.check(1, start + timedelta(days=day))
    assert await club.places() == ()


def _no_hold(_: int) -> contextlib.AbstractAsyncContextManager[None]:
    return contextlib.nullcontext()
