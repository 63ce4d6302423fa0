"""Identifies keep their distance, though a process that may identify now is late."""

from __future__ import annotations

import time

from bot.shards import ownership
from bot.shards.ownership import AllShards, Limits


class Asking(AllShards):
    """Shards that note how often they ask; the first answer comes late."""

    def __init__(self) -> None:
        super().__init__(1)
        self.asked = 0
        self.limits = Limits(1, {"max_concurrency": 1, "remaining": 10, "reset_after": 1000})

    async def _identify(self, number: int, bucket: int) -> float:
        self.asked += 1
        if self.asked == 1:
            time.sleep(ownership._LATE + 0.1)  # noqa: ASYNC251 -- as a busy or suspended process
        return 0.0


async def test_who_misses_its_moment_takes_another() -> None:
    shards = Asking()
    await shards.before_identify(0)
    assert shards.asked == 2


def test_moments_are_further_apart_than_discord_demands_however_late_each_is() -> None:
    assert ownership.IDENTIFY_SECONDS - ownership._LATE > 5.0
