"""What other processes must hear of a commit: nothing, where all of it is this one's to do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from data import due, outbox
from data.matches import ENDED

if TYPE_CHECKING:
    from collections.abc import Collection

    from bot.matches.positions import Positions
    from bot.shards.ownership import Shards

_WITH_OTHERS: Final = {due.TOPIC, ENDED}
"""Topics of matches: who writes their messages is who looks after their clocks and ends."""


class Audience:
    """Knows whom a gateway has to tell of its commits.

    Nearly all of them are turns in servers of its own shards, and concern nobody else.
    """

    def __init__(self, shards: Shards, positions: Positions) -> None:
        """Know by the shards of this process, and by the matches it has seen."""
        self._shards = shards
        self._positions = positions

    def __call__(self, announced: Collection[tuple[str, int]]) -> bool:
        """Return whether other processes must hear these topics with their numbers."""
        return any(
            topic not in _WITH_OTHERS and not (topic == outbox.TOPIC and self._is_ours(number))
            for topic, number in announced
        )

    def _is_ours(self, match_id: int) -> bool:
        if not match_id:
            return self._shards.has_direct_messages
        held = self._positions.held(match_id)
        return held is not None and self._shards.owns(held.match.guild_id)
