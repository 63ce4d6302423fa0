"""Identifies keep their distance, however late; what a shard's owner answers, and waits for."""

from __future__ import annotations

import asyncio
import time

import pytest

from bot.core.shards import ownership
from bot.core.shards.cluster import ClusterShards
from bot.core.shards.ownership import AllShards, Limits
from data.cluster.lease import CERTAIN_SECONDS, DEAD
from data.sql.errors import Busy
from tests.data.leases import joined, silence


class Discord:
    """Allows two identifies, then the bot waits a moment for the next day."""

    def __init__(self) -> None:
        self.left = 2

    async def ask_limits(self) -> Limits:
        """Return how many are left; the next call reports a new day."""
        left, self.left = self.left, 1000
        return Limits(1, {"max_concurrency": 1, "remaining": left, "reset_after": 10})

    async def connect_shard(self, number: int, count: int) -> None:
        """Connect nothing."""

    async def disconnect_shard(self, number: int) -> None:
        """Disconnect nothing."""

    def is_connected(self, number: int) -> bool:
        """Report that no shard is connected."""
        del number
        return False


class Asking(AllShards):
    """Shards that count how often they are asked; the first answers are given."""

    def __init__(self, *answers: float | Exception) -> None:
        super().__init__(1)
        self.answers = list(answers)
        self.asked = 0
        self._connections = Discord()

    async def _identify(self, number: int, bucket: int) -> float:
        del number, bucket
        self.asked += 1
        answer = self.answers.pop(0) if self.answers else 0.0
        if isinstance(answer, Exception):
            raise answer
        if answer < 0:
            time.sleep(-answer)  # noqa: ASYNC251 -- as a busy or suspended process
            return 0.0
        return answer

    @property
    def left(self) -> int | None:
        """The number of identifies the bot believes Discord allows."""
        return None if self.limits is None else self.limits.remaining


async def test_a_gateway_that_misses_its_slot_takes_another() -> None:
    shards = Asking(-ownership._LATE - 0.1)
    await shards.before_identify(0)
    assert shards.asked == 2


async def test_a_shard_waiting_for_its_slot_uses_one_identify() -> None:
    shards = Asking(0.01, 0.01, -ownership._LATE - 0.1)
    await shards.before_identify(0)
    assert (shards.asked, shards.left) == (4, 1)


async def test_a_busy_database_is_asked_again() -> None:
    shards = Asking(Busy("busy"), Busy("busy"))
    shards.pause = 0.01
    await shards.before_identify(0)
    assert (shards.asked, shards.left) == (3, 1)


async def test_with_no_identifies_left_it_waits_for_the_next_day() -> None:
    shards = Asking()
    for _ in range(2):
        await shards.before_identify(0)
    assert shards.left == 0
    await shards.before_identify(0)
    assert shards.left == 999


def test_slots_stay_further_apart_than_discord_demands_however_late() -> None:
    assert ownership.IDENTIFY_SECONDS - ownership._LATE > 5.0


async def test_an_interaction_after_a_pause_is_answered_by_the_current_owner(
    postgresql_url: str,
) -> None:
    async with joined(postgresql_url) as paused, joined(postgresql_url) as other:
        shards = ClusterShards(paused)
        assert await shards.accepts(None, 1)
        paused._confirmed = time.monotonic() - CERTAIN_SECONDS - 1
        assert await shards.accepts(None, 2), "no one has taken its place"
        await silence(postgresql_url, paused, DEAD + 1)
        silent = (await other.send_heartbeat()).process(paused.id)
        assert silent is not None
        await other.dismiss(silent, DEAD)
        paused._confirmed = time.monotonic() - CERTAIN_SECONDS - 1
        assert not await shards.accepts(None, 3)


@pytest.mark.parametrize("told", [True, False])
async def test_an_interaction_is_answered_only_if_the_owner_said_what_it_answered(
    postgresql_url: str, *, told: bool
) -> None:
    async with joined(postgresql_url) as lease:
        shards = ClusterShards(lease)
        shards._connecting[0] = asyncio.create_task(asyncio.sleep(3600))
        waiting = asyncio.create_task(shards.accepts(None, 1))
        await asyncio.sleep(0)
        assert shards.awaits(None)
        if not told:  # it was killed, perhaps with the answer on its way
            shards._taken[0] += 1
        shards._owned = frozenset({0})
        shards._changed.set()
        assert await waiting is told
        assert await shards.accepts(None, 2), "later interactions are answered here"
        shards._connecting[0].cancel()


async def test_closing_stops_waiting(postgresql_url: str) -> None:
    async with joined(postgresql_url) as lease:
        shards = ClusterShards(lease)
        shards._connecting[0] = asyncio.create_task(asyncio.sleep(3600))
        waiting = asyncio.create_task(shards.accepts(None, 1))
        await asyncio.sleep(0)
        await shards.close()
        assert not await waiting
        assert not await shards.accepts(None, 2)
