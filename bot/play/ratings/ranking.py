"""Conditions for a rank on a leaderboard."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from data.ratings.rating import Rating, RatingChange

MIN_GAMES: Final = 10
"""Rated games needed to end the provisional period."""
MIN_OPPONENTS: Final = 3
"""Different opponents needed as well."""
MAX_PAUSE: Final = timedelta(days=60)
"""Maximum age of the last game, in calendar days."""


def active_since(now: datetime) -> datetime:
    """Return the earliest last game of a ranked player: the start of a day, UTC."""
    midnight = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    return midnight - MAX_PAUSE


def established(games: int, opponents: int) -> bool:
    """Return whether a rating is no longer provisional."""
    return games >= MIN_GAMES and opponents >= MIN_OPPONENTS


def was_provisional(after: RatingChange, *, established_now: bool) -> bool:
    """Return whether a rating was provisional after a change."""
    return not established_now or after.games < MIN_GAMES


def inactive(rating: Rating, now: datetime) -> bool:
    """Return whether a player's last game is too long ago."""
    return rating.last_at < active_since(now)
