"""The words for rating changes, on the last board of a match."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.i18n.mentions import mention
from bot.ratings.calculator import MAX_PER_WEEK, WEEK
from bot.ratings.ranking import was_provisional
from bot.ratings.skill import START, Skill
from engine.phrase import glued, lines, say

if TYPE_CHECKING:
    from bot.ratings.changes import RatingChanges
    from data.rating_changes import MatchChange
    from engine.phrase import Phrase


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
