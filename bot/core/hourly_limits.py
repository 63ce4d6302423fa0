"""Hourly limits on expensive actions."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from bot.core.errors import TooMany
from bot.core.i18n.mentions import timestamp
from data.people import hourly_uses
from data.store.store import Store
from engine.phrase import say

MAX_IMPORTS: Final = 20
"""Maximum records a player may import per hour, rejected ones included."""
MAX_COPIES: Final = 10
"""Maximum copies of their own data a user may ask for per hour."""


async def take(store: Store, user_id: int, action: str, now: datetime, limit: int) -> None:
    """Count one use; raise TooMany if the hourly limit is reached."""
    async with store.write() as tx:
        again = await hourly_uses.take(tx, user_id, action, now, limit)
    if again is not None:
        raise TooMany(
            say(
                "You've reached the limit of {number} an hour. You can do this again {when}.",
                number=limit,
                when=timestamp(again, "R"),
            )
        )
