"""Whom a message may notify: asked for every message that mentions somebody.

`Pings.of` alone makes what `reply.tell`, the transports and `only` take, so nothing that is posted
can notify anybody without having asked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.interactions.layout import Pinged
from bot.matches.computers import is_person
from bot.scheduling.quiet_hours import quiet
from data import blocks

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bot.scheduling.wall_clock import WallClock
    from bot.settings.service import SettingsStore
    from data.store import Store


class Pings:
    """Knows who wants to be notified now."""

    def __init__(self, store: Store, settings: SettingsStore, *, clock: WallClock) -> None:
        """Go by the settings and blocks of players, with the time of day from ``clock``."""
        self._store = store
        self._settings = settings
        self._clock = clock

    async def of(self, users: Iterable[int], *, by: int | None = None) -> Pinged:
        """Return those of these users whom a message may notify now.

        These are people who want pings and are not in their quiet hours.

        Args:
            users: who is mentioned.
            by: the person who wants something of them; nobody between whom and them is a block is
                notified. ``None`` for what a match tells by itself, such as a turn.

        Raises:
            StoreError: it could not be looked up.

        """
        now = self._clock()
        found = []
        for user in users:
            if is_person(user):
                settings = await self._settings.player(user)
                if settings.pings and quiet(settings, now) is None:
                    found.append(user)
        if by is None or not found:
            return Pinged(tuple(found))
        async with self._store.read() as tx:
            apart = {one for pair in await blocks.concerning(tx, by, found) for one in pair}
        return Pinged(tuple(user for user in found if user == by or user not in apart))
