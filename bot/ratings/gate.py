"""Who is listed in a leaderboard, and what the others lack. Pure."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

from bot.ratings.mathematics import Skill, rested

if TYPE_CHECKING:
    from data.leaderboards import Standing

GAMES: Final = 10
"""How many rated games it takes."""
OPPONENTS: Final = 3
"""Against how many different people."""
LATELY: Final = timedelta(days=60)
"""How long ago the last one may be, in days of the calendar."""


def since(now: datetime) -> datetime:
    """Return from when on a game counts as recent: the beginning of a day, UTC."""
    midnight = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    return midnight - LATELY


def skill(standing: Standing, now: datetime) -> Skill:
    """Return what is known of a player's strength at this moment."""
    return rested(Skill(standing.mu, standing.sigma), standing.last_at, now)


def games_lacking(standing: Standing) -> int:
    """Return how many more rated games a player needs."""
    return max(0, GAMES - standing.games)


def opponents_lacking(standing: Standing) -> int:
    """Return how many more different opponents a player needs."""
    return max(0, OPPONENTS - standing.opponents)


def idle(standing: Standing, now: datetime) -> bool:
    """Return whether a player has not played for too long."""
    return standing.last_at < since(now)
