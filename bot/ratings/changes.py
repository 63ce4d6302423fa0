"""What a match did to the ratings of its players, read from the changes that it made itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from bot.matches.computers import is_practice
from bot.ratings.book import EVERYWHERE
from bot.ratings.gate import GAMES
from bot.ratings.mathematics import START, Skill
from data import profiles, results

if TYPE_CHECKING:
    from bot.matches.positions import MatchView
    from data.profiles import Change
    from data.store import Store


@dataclass(frozen=True, slots=True)
class Moved:
    """What a match did to one rating, in the points that people see."""

    user_id: int
    before: int
    now: int
    unsure_before: bool
    """Whether the rating was provisional until then."""
    unsure_now: bool

    @property
    def difference(self) -> int:
        """How many points were won, or lost where it is below 0."""
        return self.now - self.before


@dataclass(frozen=True, slots=True)
class RatingChanges:
    """What a match did to ratings."""

    kind: Literal["casual", "unrated", "often", "later", "moved"]
    """Why nothing has moved, or that it has.

    casual: by agreement. unrated: it does not count. often: its players had too many matches
    lately. later: ratings are being computed, and this match waits for that.
    """
    everywhere: bool
    """Whether the figures are those over all servers, for a match outside of any."""
    moved: tuple[Moved, ...] = ()
    """In the order of the seats."""


async def of_match(store: Store, view: MatchView) -> RatingChanges | None:
    """Return what a match did to ratings, ``None`` where it has no result or was practice.

    It is read from the changes that the match itself made, so that it stays the same however
    often the players play on.

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
    scope = EVERYWHERE if match.guild_id is None else match.guild_id
    if match.casual:
        return RatingChanges("casual", everywhere)
    async with store.read() as tx:
        stored = await results.of_match(tx, match.id)
        changes = await profiles.of_match(tx, match.id)
    if stored is None or not stored.rated:
        return RatingChanges("unrated", everywhere)
    here = {change.user_id: change for change in changes if change.scope == scope}
    if any(player.user_id not in here for player in match.players):
        return RatingChanges("later", everywhere)
    if not all(change.rated for change in here.values()):
        return RatingChanges("often", everywhere)
    moved = tuple(_moved(here[player.user_id]) for player in match.players)
    return RatingChanges("moved", everywhere, moved)


def _moved(change: Change) -> Moved:
    before, after = change.before, change.after
    return Moved(
        user_id=change.user_id,
        before=(START if before is None else Skill(before.mu, before.sigma)).points,
        now=Skill(after.mu, after.sigma).points,
        unsure_before=not change.settled or before is None or before.games < GAMES,
        unsure_now=not change.settled or after.games < GAMES,
    )
