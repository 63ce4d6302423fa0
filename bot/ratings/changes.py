"""How a match changed its players' ratings.

Read from the changes made by the match itself, so later matches do not affect it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from bot.matches.computers import is_practice
from data import rating_changes, results
from data.rating import EVERYWHERE

if TYPE_CHECKING:
    from bot.matches.positions import MatchView
    from data.rating_changes import MatchChange
    from data.store import Store


@dataclass(frozen=True, slots=True)
class RatingChanges:
    """A match's effect on ratings."""

    kind: Literal["casual", "unrated", "often", "later", "changed"]
    """Whether ratings changed, and if not, why.

    casual: by agreement. unrated: the match does not count. often: every two of its players had too
    many recent matches. later: ratings are being recomputed, and have not reached this match yet.
    """
    everywhere: bool
    """Whether the ratings are those over all servers, for a match outside servers."""
    changes: tuple[MatchChange, ...] = ()
    """In seat order."""

    @property
    def skipped(self) -> bool:
        """Whether games between some of the players did not count as they meet too often."""
        return any(change.after.skipped for change in self.changes)

    @property
    def partly(self) -> bool:
        """Whether some games counted less because a player has met few others."""
        return any(change.after.rated and change.after.share < 1 for change in self.changes)


async def of_match(store: Store, view: MatchView) -> RatingChanges | None:
    """Return how a match changed ratings; ``None`` without a result or for practice.

    Raises:
        StoreError: the lookup failed.

    """
    match = view.match
    # In practice, the heading of every board says that no ratings change.
    if (
        is_practice(match)
        or not match.finished
        or any(player.rank is None for player in match.players)
    ):
        return None
    everywhere = match.guild_id is None
    scope = match.guild_id or EVERYWHERE
    if match.casual:
        return RatingChanges("casual", everywhere)
    async with store.read() as tx:
        result = await results.of_match(tx, match.id)
        found = await rating_changes.of_match(tx, match.id)
    if result is None or not result.rated:
        return RatingChanges("unrated", everywhere)
    here = {change.after.user_id: change for change in found if change.after.scope == scope}
    if any(player.user_id not in here for player in match.players):
        return RatingChanges("later", everywhere)
    if not any(change.after.rated for change in here.values()):
        return RatingChanges("often", everywhere)
    changes = tuple(here[player.user_id] for player in match.players)
    return RatingChanges("changed", everywhere, changes)
