"""What counts towards the limits on challenges, for how long, and after deleting one's data."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
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
from bot.features.challenges.limits import MAX_UNSUCCESSFUL, uses
from bot.features.settings.privacy import Privacy
from data.challenges.challenges import Challenge, Invitation, Invited, State
from data.people.limits import Spent
from tests.bot.conftest import Club
from tests.bot.play.ratings.season import Watched
from tests.data.people import ANN, BEN, CAROL
from tests.data.schema import columns_naming, everything

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
(COMPUTER,) = computers(1, 1)
MADE, PRACTICE = ("made", "", 0), ("practice", "", 0)
VAIN, DECLINED = ("in-vain", "", BEN), ("declined", "tablan", BEN)


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
        await Privacy(office.club.store, office.club.clock).export(Requester(0, ANN), 10_000_000)
    await office.erase()
    with pytest.raises(TooMany, match="10 an hour"):
        await Privacy(office.club.store, office.club.clock).export(Requester(0, ANN), 10_000_000)
    assert await office.copied() == {"hourly_uses"}
    await office.wait(hours=1)
    assert await office.columns() == set()
    await Privacy(office.club.store, office.club.clock).export(Requester(0, ANN), 10_000_000)


async def test_nothing_is_left_after_a_day(office: Office) -> None:
    declined = await office.ask(BEN)
    await office.club.challenges.decline(declined.id, BEN)
    await office.ask_without_success(CAROL)
    await Privacy(office.club.store, office.club.clock).export(Requester(0, ANN), 10_000_000)
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


def ago(minutes: float) -> datetime:
    """Return a time before now."""
    return NOW - timedelta(minutes=minutes)


def asked(
    *opponents: int,
    made: float,
    state: State = State.OPEN,
    closed: float | None = None,
    expires: bool = True,
) -> Challenge:
    """Return a challenge of Ann's, made and closed so many minutes ago; the last one declined."""
    declined = state is State.DECLINED
    return Challenge(
        id=1,
        game="tablan",
        options={},
        guild_id=1,
        channel_id=2,
        message_id=None,
        challenger_id=ANN,
        seed=b"",
        seat=None,
        state=state,
        match_id=None,
        created_at=ago(made),
        closed_at=None if closed is None else ago(closed),
        expires_at=NOW + timedelta(days=7) if expires else None,
        invited=(
            Invited(ANN, 0, ""),
            *(Invited(one, None, None, declined=declined) for one in opponents),
        ),
    )


@pytest.mark.parametrize(
    ("challenge", "counted"),
    [
        (asked(made=59), {MADE: 59}),
        (asked(made=60), {}),
        (asked(BEN, made=59), {MADE: 59, VAIN: 59}),
        (asked(BEN, made=60), {VAIN: 60}),
        (asked(BEN, made=24 * 60), {}),
        (asked(BEN, made=30, state=State.STARTED), {MADE: 30}),
        (asked(BEN, made=30, state=State.WITHDRAWN, closed=20), {MADE: 30, VAIN: 30}),
        (asked(BEN, made=90, state=State.DECLINED, closed=59), {VAIN: 90, DECLINED: 59}),
        (asked(BEN, made=90, state=State.DECLINED, closed=60), {VAIN: 90}),
        (asked(BEN, made=48 * 60, state=State.DECLINED, closed=1), {DECLINED: 1}),
        (asked(-5, made=30, state=State.DECLINED, closed=1), {MADE: 30}),
        (asked(COMPUTER, made=59, state=State.STARTED, expires=False), {PRACTICE: 59}),
        (asked(COMPUTER, made=60, state=State.STARTED, expires=False), {}),
        (asked(BEN, made=30, state=State.STARTED, expires=False), {}),
    ],
)
def test_each_challenge_counts_for_its_time(
    challenge: Challenge, counted: dict[tuple[str, str, int], float]
) -> None:
    found = uses([challenge], (), NOW)
    assert found == {limit: [ago(minutes)] for limit, minutes in counted.items()}


def test_uses_are_in_order_and_those_kept_from_before_count_as_late_as_the_last() -> None:
    kept = [
        Spent("made", 2, NOW + timedelta(minutes=30)),
        Spent("in-vain", 1, NOW, opponent_id=BEN),
        Spent("declined", 1, NOW + timedelta(minutes=1), "tablan", BEN),
    ]
    found = uses([asked(made=10), asked(made=50)], kept, NOW)
    assert found == {MADE: [ago(50), ago(30), ago(30), ago(10)], DECLINED: [ago(59)]}
