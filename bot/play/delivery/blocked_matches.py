"""Parks what the bot may not post, until something changes in the server, or the clock comes round.

Nothing may tell that it may post again: a member's timeout ends silently.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import Final, NamedTuple

import discord
import structlog
from cachetools import LRUCache

from bot.core.permissions.channels import lacking
from bot.core.posts.failing_routes import FailingRoutes
from bot.core.requests.faults import POST, pause_after
from bot.core.scheduling.scheduler import WallClock
from bot.play.delivery.permission_posts import PermissionAlerts
from bot.play.delivery.transport import InteractionTransport, OpenInteractions
from bot.play.matches.positions import MatchView
from bot.play.matches.service import Matches
from data.matches import outbox
from data.sql.errors import StoreError
from data.store.store import Store

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


_MAX_KNOWN: Final = 10_000
"""Maximum matches known to wait; of others, each press tries again."""


_PRESSED: Final = timedelta(minutes=1)
"""How soon a player who waits may have it tried again."""


class _Waiting(NamedTuple):
    channel_id: int
    tried: datetime
    until: datetime
    error: discord.HTTPException


@dataclass(eq=False, repr=False)
class BlockedMatches:
    """Records which matches wait for a permission."""

    store: Store
    matches: Matches
    client: discord.Client
    alerts: PermissionAlerts
    """Asks for help where boards cannot be shown."""
    interactions: OpenInteractions
    failing: FailingRoutes
    clock: WallClock
    look_again: Callable[[int], object] = field(default_factory=lambda: lambda _: None, init=False)
    """Called with a match that may be tried again before its pause is over."""
    _waiting: LRUCache[int, _Waiting] = field(
        default_factory=lambda: LRUCache(_MAX_KNOWN), init=False
    )

    def __contains__(self, match_id: int) -> bool:
        """Return whether a match was refused lately."""
        return match_id in self._waiting

    def waiting(self, view: MatchView) -> discord.HTTPException | None:
        """Return why nothing about a match is posted for now; ``None`` if it may be tried."""
        known = self._waiting.get(view.match.id)
        if known is None or known.tried + _PRESSED <= self.clock():
            return None
        return known.error if known.channel_id == view.match.channel_id else None

    async def park(
        self, match_id: int, error: discord.HTTPException, offers: Sequence[InteractionTransport]
    ) -> None:
        """Park the jobs of a match until something changes, and tell those who can change it."""
        log.warning("a board cannot be posted", match=match_id, code=error.code)
        now = tried = self.clock()
        reason = f"{error.code}: {error.text}"[:200]
        try:
            view = await self.matches.view(match_id)
            async with self.store.write() as tx:
                jobs = [job for job in await outbox.pending(tx, match_id) if job.due(now)]
                failures = max((job.attempts for job in jobs), default=0)
                again = now + pause_after(failures, refused=True)
                if self.waiting(view) is not None:
                    tried, again, _ = self._waiting[match_id][1:]  # it was not tried now
                for job in jobs:
                    await outbox.mark_failed(tx, job.id, reason, again=again)
            self._waiting[match_id] = _Waiting(view.match.channel_id, tried, again, error)
            here = POST._replace(channel_id=view.match.channel_id)
            again_here = partial(self.look_again, match_id)
            self.failing.wait_after(error, failures, ("blocked", match_id), again_here, here)
            # A player waiting for a computer's move is told too.
            waits = self.interactions.follow_up(match_id) if view.practice else []
            if told := [*offers] or waits:
                await told[-1].refused(view, error)
            await self.alerts.send(view, error)
        except StoreError as second:
            log.warning(
                "could not record why a board is waiting", match=match_id, reason=str(second)
            )

    async def unblock_match(self, match_id: int) -> None:
        """Let what waits about one match be tried again."""
        async with self.store.write() as tx:
            await outbox.unblock_match(tx, match_id, self.clock())
        self._waiting.pop(match_id, None)

    async def unblock(self, guild_id: int) -> list[int]:
        """Let what waits in a server be tried again; return the matches that can be shown now."""
        async with self.store.write() as tx:
            waiting = await outbox.blocked_in(tx, guild_id)
            await outbox.unblock_matches(tx, guild_id, self.clock())
        for match_id, _, _ in waiting:
            self._waiting.pop(match_id, None)
        return [
            match_id
            for match_id, channel_id, parent_id in waiting
            if not lacking(self.client, channel_id, parent_id)
        ]
