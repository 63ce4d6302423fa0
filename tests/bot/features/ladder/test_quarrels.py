"""Managers and players of a ladder who press everything at once, in two processes."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace

import pytest

from bot.core.errors import Refusal
from bot.features.moderation.service import Moderation, Moderator
from data.ladders import ladder_challenges
from tests.bot.conftest import CHANNEL, GUILD, opened_twice
from tests.bot.features.ladder.club import TERMS, LadderClub

PLAYERS = range(101, 107)


@pytest.fixture
async def two(postgresql_url: str) -> AsyncIterator[tuple[LadderClub, LadderClub]]:
    """Two processes on one database."""
    async with opened_twice(postgresql_url) as (one, other):
        yield LadderClub(one), LadderClub(other)


async def steps(club: LadderClub) -> None:
    """Take every step that is due."""
    async with club.store.read() as tx:
        due = await ladder_challenges.due(tx, club.clock(), limit=20)
    for one in due:
        await club.steps.take(one, club.clock())
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
