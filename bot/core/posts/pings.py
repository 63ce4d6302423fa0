"""Decides which users a message may notify; asked for every message with mentions.

Only `Pings.of` makes the value that `reply.send`, the transports and `only` take, so nothing that
is posted can notify a user without asking.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from bot.core.computers import is_person
from bot.core.interactions.layout import Pinged
from bot.core.posts.quiet_hours import quiet
from bot.core.scheduling.wall_clock import WallClock
from bot.core.settings.service import SettingsStore
from data.people import exclusions
from data.store.store import Store


@dataclass(eq=False, repr=False)
class Pings:
    """Knows which users want to be notified now."""

    store: Store
    settings: SettingsStore
    clock: WallClock

    async def of(self, users: Iterable[int], *, by: int | None = None) -> Pinged:
        """Return those of these users that a message may notify now.

        They are people who want pings and are outside their quiet hours. Users with a block between
        them and ``by``, the player who caused the message, are left out; ``None`` is for a match's
        own messages, such as a turn.
        """
        now = self.clock()
        found = []
        for user in users:
            if is_person(user):
                settings = await self.settings.player(user)
                if settings.pings and quiet(settings, now) is None:
                    found.append(user)
        if by is None or not found:
            return Pinged(tuple(found))
        async with self.store.read() as tx:
            apart = {one for pair in await exclusions.blocks_between(tx, by, found) for one in pair}
        return Pinged(tuple(user for user in found if user == by or user not in apart))
