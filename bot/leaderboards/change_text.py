"""The words for rating changes, on the last board of a match."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.i18n.mentions import who
from bot.ratings.calculator import MAX_PER_WEEK, WEEK
from engine.phrase import glued, lines, say

if TYPE_CHECKING:
    from bot.ratings.changes import PointsChange, RatingChanges
    from engine.phrase import Phrase


def told(after: RatingChanges) -> Phrase:
    """Return what a match did to ratings, as one small line."""
    return glued("-# ", _told(after))


def _told(after: RatingChanges) -> Phrase:
    if after.kind == "casual":
        return say("Casual: no rating has moved.")
    if after.kind == "unrated":
        return say("This match is not rated: no rating has moved.")
    if after.kind == "later":
        return say("Ratings are being computed again: this match is counted in a moment.")
    if after.kind == "often":
        return say(
            "No rating has moved: within {days} days, {most} matches of a game are rated between "
            "the same players.",
            days=WEEK.days,
            most=MAX_PER_WEEK,
        )
    moved = lines((_in_points(one) for one in after.changes), " · ")
    if after.everywhere:
        # Translators: moved is a list such as "@Ann 1512 → 1530 (+18)".
        return say("Ratings over all servers: {moved}", moved=moved)
    # Translators: moved is a list such as "@Ann 1512 → 1530 (+18)".
    return say("Ratings in this server: {moved}", moved=moved)


def _in_points(one: PointsChange) -> Phrase:
    before, after = (
        _marked(one.before, provisional=one.provisional_before),
        _marked(one.after, provisional=one.provisional_after),
    )
    return glued(who(one.user_id), f" {before} → {after} ({difference(one.difference)})")


def _marked(points: int, *, provisional: bool) -> str:
    return f"{points}?" if provisional else f"{points}"


def difference(points: int) -> str:
    """Return points with their sign."""
    if points == 0:
        return "±0"
    return f"+{points}" if points > 0 else f"−{-points}"
