"""Deleting one's data resets everything except limits, until they expire."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from typing import Any

import pytest

from bot.core import hourly_limits
from bot.core.computers import computers
from bot.core.errors import TooMany
from bot.core.hourly_limits import ExpiredLimits
from bot.core.scheduling.scheduler import Scheduler
from bot.core.shards.ownership import AllShards
from bot.core.workers.fair_queue import Requester
from bot.features.challenges import limits
from bot.features.challenges.limits import MAX_UNSUCCESSFUL
from data.challenges.challenges import Challenge, Invitation
from tests.bot.conftest import Club
from tests.bot.play.ratings.season import Watched
from tests.data.people import ANN, BEN, CAROL
from tests.data.personal import everything
from tests.data.schema import columns_naming


@dataclass
class Office:
    """A club whose members delete their data, with the scheduler that removes expired rows."""

    club: Club
    scheduler: Scheduler

    async def erase(self, user_id: int = ANN) -> None:
        """Delete a user's data, leaving only counts for limits."""
        await self.club.privacy.erase(user_id)
        self.club.forget()
        assert await self.columns(user_id) <= {"hourly_uses.user_id", "spent_limits.user_id"}
        assert await self.copied(user_id) <= {"hourly_uses", "spent_limits"}

    async def columns(self, user_id: int = ANN) -> set[str]:
        """Return the columns that name a person."""
        async with self.club.store.read() as tx:
            return await columns_naming(tx, user_id)

    async def copied(self, user_id: int = ANN) -> set[str]:
        """Return the contents of a copy of a user's data."""
        async with self.club.store.read() as tx:
            found = await everything(tx, user_id)
        return {name for name, rows in found.items() if rows}

    async def wait(self, **time: float) -> None:
        """Advance the clock and let everything due happen."""
        self.club.wait(**time)
        await self.scheduler.idle()

    def asked(self, *opponents: int, game: str = "tablan") -> Invitation:
        """Return a challenge of Ann's."""
        return replace(self.club.invitation(*opponents), challenger_id=ANN, game=game)

    async def ask(self, *opponents: int, game: str = "tablan") -> Challenge:
        """Have Ann challenge another player."""
        return await self.club.challenges.offer(self.asked(*opponents, game=game))

    async def ask_without_success(self, *opponents: int) -> None:
        """Have Ann challenge another player and withdraw it."""
        await self.club.challenges.withdraw((await self.ask(*opponents)).id, ANN)


@pytest.fixture
async def office(club: Club) -> AsyncIterator[Office]:
    """Let the scheduler remove expired rows."""
    scheduler = Scheduler(club.store, clock=club.clock)
    scheduler.register(ExpiredLimits(club.store, AllShards()))
    scheduler.start()
    yield Office(club, scheduler)
    await scheduler.close()


async def test_open_challenges_and_earlier_uses_count_too(office: Office) -> None:
    for _ in range(MAX_UNSUCCESSFUL // 2):
        await office.ask(BEN)
        await office.erase()
        await office.ask(BEN, CAROL, game="thaayam")
        await office.erase()
    with pytest.raises(TooMany, match=f"challenged <@{BEN}> a lot"):
        await office.ask(BEN)
    assert await office.copied() == {"spent_limits"}
    await office.ask_without_success(CAROL)


async def test_a_declined_challenge_cannot_be_repeated_after_deleting_ones_data(
    office: Office,
) -> None:
    declined = await office.ask(BEN)
    await office.wait(minutes=10)
    await office.club.challenges.decline(declined.id, BEN)
    await office.wait(minutes=30)
    await office.erase()
    with pytest.raises(TooMany, match="just declined"):
        await office.ask(BEN)
    await office.ask(BEN, game="tablut")
    await office.wait(minutes=29)
    with pytest.raises(TooMany, match="just declined"):
        await office.ask(BEN)
    await office.wait(minutes=1)
    await office.ask(BEN)


async def test_deleting_ones_data_resets_no_limit_on_practice_games(office: Office) -> None:
    club, most = office.club, limits.MAX_PRACTICE_PER_HOUR
    invitation = replace(office.asked(*computers(1, 1)), unrated=True)
    for _ in range(most // limits.MAX_OPEN_PRACTICE):
        for _ in range(limits.MAX_OPEN_PRACTICE):
            await club.challenges.practise(invitation)
        await office.erase()
    with pytest.raises(TooMany, match=f"{most} practice games in an hour"):
        await club.challenges.practise(invitation)
    await office.ask(BEN)  # a different limit
    await office.erase()
    await office.wait(hours=1)
    await club.challenges.practise(invitation)


async def test_hourly_limits_survive_deleting_ones_data(office: Office) -> None:
    for _ in range(hourly_limits.MAX_COPIES):
        await office.club.privacy.export(Requester(0, ANN), 10_000_000)
    await office.erase()
    with pytest.raises(TooMany, match="10 an hour"):
        await office.club.privacy.export(Requester(0, ANN), 10_000_000)
    assert await office.copied() == {"hourly_uses"}
    await office.wait(hours=1)
    assert await office.columns() == set()
    await office.club.privacy.export(Requester(0, ANN), 10_000_000)


async def test_nothing_is_left_after_a_day(office: Office) -> None:
    declined = await office.ask(BEN)
    await office.club.challenges.decline(declined.id, BEN)
    await office.ask_without_success(CAROL)
    await office.club.privacy.export(Requester(0, ANN), 10_000_000)
    await office.erase()
    assert await office.columns() == {"hourly_uses.user_id", "spent_limits.user_id"}
    await office.wait(hours=1)
    assert await office.columns() == {"spent_limits.user_id"}
    assert await office.copied() == {"spent_limits"}
    await office.wait(hours=23)
    assert await office.columns() == set()
    assert await office.copied() == set()


async def test_kept_uses_are_read_once_per_challenge(office: Office) -> None:
    await office.ask_without_success(BEN)
    await office.erase()
    async with office.club.store.write() as tx:
        watched: Any = Watched(tx)
        settings = office.club.matches.deadlines.players
        invitation = office.asked(BEN, CAROL, game="thaayam")
        await limits.check(watched, settings, invitation, office.club.clock())
    assert sum("spent_limits" in str(statement) for statement in watched.read) == 1


async def test_the_opponent_of_unanswered_challenges_can_delete_their_data(office: Office) -> None:
    await office.ask_without_success(BEN)
    await office.erase(ANN)
    assert "spent_limits.opponent_id" in await office.columns(BEN)
    assert "spent_limits" not in await office.copied(BEN)
    await office.erase(BEN)
    assert await office.columns(BEN) == set()


async def test_a_player_who_used_no_limit_leaves_nothing(office: Office) -> None:
    await office.ask_without_success(BEN)
    await office.wait(days=1)
    await office.erase()
    assert await office.columns() == set()
