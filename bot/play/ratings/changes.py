"""How a match changed its players' ratings and ranks, and the words for it on its last board.

Read from the changes made by the match itself, so later matches do not affect it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from bot.core.computers import is_practice
from bot.core.i18n.mentions import mention
from bot.play.matches.positions import MatchView
from bot.play.ratings.calculator import MAX_PER_WEEK, WEEK
from bot.play.ratings.skill import START, Skill, was_provisional
from data.ratings import rating_changes, results
from data.ratings.rating import EVERYWHERE
from data.ratings.rating_changes import MatchChange
from data.store.store import Store
from engine.phrase import Phrase, glued, lines, say


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


def changes_line(after: RatingChanges) -> Phrase:
    """Return how a match changed ratings, and why so little, as small lines."""
    parts = [_changes(after)]
    if after.partly:
        parts.append(say("It counts for less: some players have met few opponents so far."))
    if after.skipped:
        parts.append(
            say(
                "Once two players have {most} rated games in {days} days, further games "
                "between them don't count.",
                most=MAX_PER_WEEK,
                days=WEEK.days,
            )
        )
    return lines(glued("-# ", part) for part in parts)


def _changes(after: RatingChanges) -> Phrase:
    if after.kind == "casual":
        return say("Unrated: no rating changes.")
    if after.kind == "unrated":
        return say("This game wasn't rated: no rating changes.")
    if after.kind == "later":
        return say("Ratings are being recalculated. This game counts in a moment.")
    if after.kind == "often":
        return say(
            "No rating changes: only {most} games in {days} days count between the same players.",
            days=WEEK.days,
            most=MAX_PER_WEEK,
        )
    moved = lines((_moved(one) for one in after.changes), " · ")
    if after.everywhere:
        # Translators: moved is a list like "@Ann 1512 → 1530 (+18)".
        return say("Ratings on all servers: {moved}", moved=moved)
    # Translators: moved is a list like "@Ann 1512 → 1530 (+18)".
    return say("Ratings here: {moved}", moved=moved)


def _moved(change: MatchChange) -> Phrase:
    before, after = change.before, change.after
    old = START if before is None else Skill(before.mu, before.sigma)
    new = Skill(after.mu, after.sigma)
    was = before is None or was_provisional(before, established_now=change.established)
    still = was_provisional(after, established_now=change.established)
    points = f" {old.points}{'?' * was} → {new.points}{'?' * still}"
    return glued(mention(after.user_id), points, f" ({difference(new.points - old.points)})")


def difference(points: int) -> str:
    """Return points with a sign."""
    if points == 0:
        return "±0"
    return f"+{points}" if points > 0 else f"−{-points}"
