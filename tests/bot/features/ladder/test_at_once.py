"""On PostgreSQL, concurrent changes to a ladder wait for each other and leave no gap."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest

from bot.core.errors import Refusal
from bot.core.settings.service import SettingsStore
from bot.features.ladder.challenges import players_in_reach
from bot.features.moderation.service import Moderation, Moderator
from data.ladders import ladder_challenges
from data.store.store import Store
from tests.bot.conftest import ANN, BEN, CAROL, CHANNEL, GUILD, opened_twice
from tests.bot.features.ladder.club import TERMS, LadderClub
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
        for user in users:
            await settings.player(user)
        watched.read.clear()
        assert await players_in_reach(watched, settings, view, 106) == (105, 104, 102)
        assert len(watched.read) == 1  # the settings are known


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
    await club.matches.resign(await club.begin(CAROL, ANN), ANN)
    (due,) = await club.read(ladder_challenges.due, club.clock(), limit=9)
    await asyncio.gather(*(club.steps.take(due, club.clock()) for _ in range(4)))
    assert await club.places() == (CAROL, ANN, BEN)
    events, _ = await club.ladders.history(await club.ladders.get(1, GUILD), None, limit=9)
    assert [one.kind for one in events].count("won") == 1


async def test_a_simultaneous_result_and_deletion_leave_the_ladder_consistent(
    club: LadderClub,
) -> None:
    await club.opened(ANN, BEN, CAROL)
    await club.matches.resign(await club.begin(CAROL, ANN), ANN)
    (due,) = await club.read(ladder_challenges.due, club.clock(), limit=9)
    await asyncio.gather(
        club.steps.take(due, club.clock()),
        club.privacy.erase(ANN),
        club.ladders.leave(1, GUILD, BEN),
    )
    assert await club.places() == (CAROL,)


PLAYERS = range(101, 107)


@pytest.fixture
async def two(postgresql_url: str) -> AsyncIterator[tuple[LadderClub, LadderClub]]:
    """Two processes on one database."""
    async with opened_twice(postgresql_url) as (one, other):
        yield LadderClub(one), LadderClub(other)


async def steps(club: LadderClub) -> None:
    """Take every step that is due."""
    await club.take_steps()
    await club.steps.check(1, club.clock())


async def test_whatever_managers_and_players_do_at_once_the_ladder_has_no_gap(
    two: tuple[LadderClub, LadderClub],
) -> None:
    dice = random.Random(4)
    await two[0].opened(*PLAYERS)

    def acts(club: LadderClub) -> list[Callable[[], Awaitable[object]]]:
        user, other, number = dice.choice(PLAYERS), dice.choice(PLAYERS), dice.randint(1, 20)
        moved = replace(TERMS, channel_id=CHANNEL + dice.randint(0, 1), reach=dice.randint(1, 10))
        moderation = Moderation(club.store, club.matches, clock=club.clock)
        return [
            lambda: club.ladders.open(moved),
            lambda: club.ladders.join(1, GUILD, user),
            lambda: club.ladders.leave(1, GUILD, user),
            lambda: club.ladder_challenges.challenge(1, GUILD, user, other),
            lambda: club.ladder_challenges.challenge(1, GUILD, other, user),
            lambda: club.ladder_challenges.accept(number, GUILD, user),
            lambda: club.ladder_challenges.decline(number, GUILD, user),
            lambda: club.ladder_challenges.withdraw(number, GUILD, user),
            lambda: moderation.end(number, {}, Moderator(1, GUILD, "x")),
            lambda: steps(club),
            lambda: steps(club),
        ]

    for turn in range(15):
        some = [dice.choice(acts(club))() for club in two for _ in range(5)]
        for found in await asyncio.gather(*some, return_exceptions=True):
            assert not isinstance(found, Exception) or isinstance(found, Refusal), (turn, found)
        for club in two:
            club.wait(hours=8)
        await two[0].places()
        open_ = (await two[1].ladders.get(1, GUILD)).challenges
        waiting = {one.challenged_id for one in open_ if one.queued}
        assert waiting <= {one.challenged_id for one in open_ if not one.queued}
        for role in ("challenger_id", "challenged_id"):
            busy = [
                getattr(one, role) for one in open_ if role == "challenger_id" or not one.queued
            ]
            assert len(busy) == len(set(busy)), role
    await asyncio.gather(
        *(club.ladders.close(1, GUILD, by=99) for club in two), return_exceptions=True
    )
    assert (await two[0].ladders.get(1, GUILD)).challenges == ()
    for act in (
        two[0].ladders.join(1, GUILD, 7),
        two[0].ladders.leave(1, GUILD, 101),
        two[1].ladder_challenges.challenge(1, GUILD, 101, 102),
        two[1].ladders.close(1, GUILD, by=99),
    ):
        with pytest.raises(Refusal, match="closed"):
            await act
