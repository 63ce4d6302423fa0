"""A clock that stands still, for what is current at a time."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from bot.core.scheduling.scheduler import WallClock
from data.ratings.rating import Rating
from tests.data.people import NOW, SERVER

READY = Rating(
    user_id=5,
    scope=SERVER,
    game="nim",
    mu=27.8,
    sigma=1.85,
    games=10,
    won=6,
    drawn=1,
    lost=3,
    streak=2,
    best=4,
    form="wwldwlwlww",
    last_at=NOW,
    opponents=3,
    established=True,
)


@dataclass
class StoppedClock(WallClock):
    """A clock set by the test."""

    now: datetime = NOW

    def __call__(self) -> datetime:
        """Return the current time."""
        return self.now
