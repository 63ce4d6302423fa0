"""Decides which commits other processes must hear of: not those that only concern this one."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from bot.core.shards.ownership import Shards
from bot.play.matches.positions import Positions
from data.matches import outbox
from data.matches.matches import ENDED
from data.sql.transaction import DUE

_WITH_OTHERS: Final = {DUE, ENDED}
"""Topics of matches: the process that writes their messages also handles their clocks and ends."""


@dataclass(eq=False, repr=False)
class Audience:
    """Knows which commits a gateway must announce to others.

    Nearly all are turns in servers of its own shards, and concern no other process.
    """

    shards: Shards
    positions: Positions

    def __call__(self, announced: Collection[tuple[str, int]]) -> bool:
        """Return whether other processes must hear these topics with their numbers."""
        return any(
            topic not in _WITH_OTHERS and not (topic == outbox.TOPIC and self._is_ours(number))
            for topic, number in announced
        )

    def _is_ours(self, match_id: int) -> bool:
        if not match_id:
            return self.shards.has_direct_messages
        cached = self.positions.cached(match_id)
        return cached is not None and self.shards.owns(cached.match.guild_id)
