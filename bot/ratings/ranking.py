"""Who is ranked in a leaderboard, and what other players still need."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from data.rating import Rating, RatingChange

MIN_GAMES: Final = 10
"""The number of rated games that ends the provisional rating."""
MIN_OPPONENTS: Final = 3
"""The number of different opponents that it also takes."""
MAX_PAUSE: Final = timedelta(days=60)
"""How long ago the last game may be, in calendar days."""


def active_since(now: datetime) -> datetime:
    """Return the earliest last game of a ranked player: the beginning of a day, UTC."""
    midnight = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    return midnight - MAX_PAUSE


def established(games: int, opponents: int) -> bool:
    """Return whether a rating is no longer provisional."""
    return games >= MIN_GAMES and opponents >= MIN_OPPONENTS


def was_provisional(after: RatingChange, *, established_now: bool) -> bool:
    """Return whether a rating was provisional after a change."""
    return not established_now or after.games < MIN_GAMES


def inactive(rating: Rating, now: datetime) -> bool:
    """Return whether a player has not played for too long."""
    return rating.last_at < active_since(now)
