"""What a match did to the ratings of its players.

It is read from the changes that the match itself made, so it stays the same however often the
players play on.
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
    """What a match did to ratings."""

    kind: Literal["casual", "unrated", "often", "later", "changed"]
    """Why no rating has changed, or that it has.

    casual: by agreement. unrated: the match does not count. often: any two of its
    players had too many matches lately. later: ratings are being recomputed, and this match is
    still to come.
    """
    everywhere: bool
    """Whether the ratings are those over all servers, for a match outside of any."""
    changes: tuple[MatchChange, ...] = ()
    """In seat order."""

    @property
    def skipped(self) -> bool:
        """Whether nothing counted between some of the players, who meet too often."""
        return any(change.after.skipped for change in self.changes)

    @property
    def partly(self) -> bool:
        """Whether something counted less because players have hardly met anybody else."""
        return any(change.after.rated and change.after.share < 1 for change in self.changes)


async def of_match(store: Store, view: MatchView) -> RatingChanges | None:
    """Return what a match did to ratings, ``None`` if it has no result or was practice.

    Raises:
        StoreError: it could not be looked up.

    """
    match = view.match
    # Of practice the heading of every board says that no rating changes.
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
