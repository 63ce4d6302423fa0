"""The ladder rules that need no store: who is in reach, who slides, and past places.

docs/ladder.md has all rules in words.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from data.ladders.ladders import Event
from data.matches.vacations import Vacation

SLIDE_EVERY: Final = timedelta(days=7)
"""Time between slides of an inactive player."""
PASS_EVERY: Final = timedelta(days=30)
"""Time between a player's free passes."""
AGAIN_AFTER: Final = 2
"""After how many times ``idle_days`` another game of the same two counts."""
OFF_AFTER: Final = timedelta(days=180)
"""Time without a counted match after which a player is taken off."""
CHECK_EVERY: Final = timedelta(days=1)
"""Time between upkeep runs of a ladder."""
KEPT: Final = timedelta(days=730)
"""How long to keep the events that moved places."""
A_DAY: Final = timedelta(days=1)
"""Minimum answer time after the bot or its post was away, and after a vacation."""
LATE: Final = timedelta(hours=1)
"""Delay from which a due step counts as missed: the bot was away."""


class Slide(NamedTuple):
    """An inactive player swaps places with the one below."""

    user_id: int
    before: int
    after: int


class Place(NamedTuple):
    """A place reached by a player; ``None`` when they left."""

    at: datetime
    place: int | None


def in_reach(
    order: Sequence[int], user_id: int, reach: int, skipped: Collection[int] = frozenset()
) -> tuple[int, ...]:
    """Return the players a user may challenge by place alone, nearest first.

    Args:
        order: the ladder, from place 1 on.
        user_id: a player on it.
        reach: how many places above.
        skipped: players who don't count as places, as the two never play each other.

    """
    above = order[: order.index(user_id)]
    return tuple(one for one in reversed(above) if one not in skipped)[:reach]


def slides(order: Sequence[int], due: Collection[int], idle: Collection[int]) -> tuple[Slide, ...]:
    """Return the slides by one place, lowest first; inactive players don't pass each other.

    So each loses one place to an active player, and several in a row go down together.

    Args:
        order: the ladder, from place 1 on.
        due: the players who slide now, if the one below is active.
        idle: all inactive players, those due included.

    """
    now, found = list(order), []
    for place in range(len(now) - 1, 0, -1):
        one, below = now[place - 1], now[place]
        if one in due and below not in idle:
            now[place - 1 : place + 1] = [below, one]
            found.append(Slide(one, place, place + 1))
    return tuple(found)


def away(vacations: Iterable[Vacation], start: datetime, end: datetime) -> timedelta:
    """Return the time between two moments that a player was on vacation."""
    spans = (min(one.ends_at, end) - max(one.starts_at, start) for one in vacations)
    return sum((span for span in spans if span > timedelta()), timedelta())


def answer_reminder(made_at: datetime, answer_by: datetime) -> datetime | None:
    """Return when to send a reminder: a day before, given at least two days to answer."""
    moment = answer_by - A_DAY
    return moment if moment - made_at >= A_DAY else None


def places(user_id: int, now: int | None, newest_first: Iterable[Event]) -> tuple[Place, ...]:
    """Return a player's places, oldest first, worked out from the ladder's events.

    Args:
        user_id: a current or former player.
        now: their current place; ``None`` if they have left.
        newest_first: the ladder's events, newest first.

    """
    found = []
    after = now
    for event in newest_first:
        before = _before(event, user_id, after)
        if before != after:
            found.append(Place(event.at, after))
        after = before
    return tuple(reversed(found))


def _before(event: Event, user_id: int, after: int | None) -> int | None:
    """Return a player's place before an event, given their place after it."""
    left, came = event.from_place, event.to_place
    if left == came:
        return after
    if event.user_id == user_id:
        return left
    if after is None or left is None:
        return after  # new players join at the foot
    if came is None:
        return after + (after >= left)
    return after - (came < after <= left) + (left <= after < came)
