"""Parks what the bot may not post, until something changes in the server."""

from __future__ import annotations

from typing import TYPE_CHECKING

import structlog

from data import outbox
from data.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import discord

    from bot.delivery.interaction_transport import InteractionTransport
    from bot.delivery.open_interactions import OpenInteractions
    from bot.delivery.places import Places
    from bot.matches.service import Matches
    from bot.permissions.alerts import PermissionAlerts
    from bot.scheduling.wall_clock import WallClock
    from data.store import Store

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class BlockedMatches:
    """Records which matches wait for a permission."""

    def __init__(
        self,
        store: Store,
        matches: Matches,
        places: Places,
        alerts: PermissionAlerts,
        *,
        interactions: OpenInteractions,
        clock: WallClock,
    ) -> None:
        """Park jobs in the outbox of a store.

        Args:
            store: holds the outbox.
            matches: finds the match of a job.
            places: knows where boards can be shown.
            alerts: asks for help where they cannot.
            interactions: the ways to reach players who wait for the computer.
            clock: the time of day.

        """
        self._store = store
        self._matches = matches
        self._places = places
        self._alerts = alerts
        self._interactions = interactions
        self._clock = clock

    async def park(
        self, match_id: int, error: discord.HTTPException, offers: Sequence[InteractionTransport]
    ) -> None:
        """Park the jobs of a match until something changes, and tell those who can change it."""
        log.warning("a board cannot be posted", match=match_id, code=error.code)
        try:
            view = await self._matches.view(match_id)
            # A player waiting for a computer's move is told too.
            waiting_replies = offers or (
                self._interactions.follow_up(match_id) if view.practice else ()
            )
            if waiting_replies:
                await waiting_replies[-1].refused(view, error)
            await self._alerts.send(view, error)
            async with self._store.write() as tx:
                for job in await outbox.pending(tx, match_id):
                    if job.due(self._clock()):
                        await outbox.mark_failed(tx, job.id, f"{error.code}: {error.text}"[:200])
        except StoreError as second:
            log.warning(
                "could not record why a board is waiting", match=match_id, reason=str(second)
            )

    async def unblock(self, guild_id: int) -> list[int]:
        """Let what waits in a server be tried again; return the matches that can be shown now.

        Raises:
            StoreError: unknown for now.

        """
        async with self._store.write() as tx:
            waiting = await outbox.blocked_in(tx, guild_id)
            await outbox.unblock(tx, guild_id)
        return [
            match_id
            for match_id, channel_id, parent_id in waiting
            if self._places.open(channel_id, parent_id)
        ]
