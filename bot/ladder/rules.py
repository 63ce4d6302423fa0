"""The rules of a ladder that need no store: who is in reach, who slides, and which places one had.

docs/ladder.md has all rules in words.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence
    from datetime import datetime

    from data.ladders import Event

SLIDE_EVERY: Final = timedelta(days=7)
"""How often somebody who does not play slides down."""
PASS_EVERY: Final = timedelta(days=30)
"""How often somebody may decline for free."""
OFF_AFTER: Final = timedelta(days=180)
"""After how long without a match somebody is taken off the ladder."""
LOOK_EVERY: Final = timedelta(days=1)
"""How often a ladder is looked after."""
KEPT: Final = timedelta(days=730)
"""How long it is known what moved the places."""
A_DAY: Final = timedelta(days=1)
"""How long there is to answer at least after the bot or its post was away, and after a vacation."""
LATE: Final = timedelta(hours=1)
"""From when on something that was due counts as missed: the bot was away."""


class Slide(NamedTuple):
    """Somebody who does not play changes places with the one below."""

    user_id: int
    before: int
    after: int


class Place(NamedTuple):
    """A place that somebody got, ``None`` when they left."""

    at: datetime
    place: int | None


def in_reach(
    order: Sequence[int], user_id: int, reach: int, skipped: Collection[int] = frozenset()
) -> tuple[int, ...]:
    """Return whom somebody may challenge by their places alone, the nearest first.

    Args:
        order: the ladder, from place 1 on.
        user_id: somebody on it.
        reach: how many places above.
        skipped: those who do not count as places, as the two never play each other.

    """
    above = order[: order.index(user_id)]
    return tuple(one for one in reversed(above) if one not in skipped)[:reach]


def slides(order: Sequence[int], idle: Collection[int]) -> tuple[Slide, ...]:
    """Return who slides down by one place, the lowest first; the idle do not pass each other.

    So each loses one place to whoever plays, and several in a row go down together.
    """
    now, found = list(order), []
    for place in range(len(now) - 1, 0, -1):
        one, below = now[place - 1], now[place]
        if one in idle and below not in idle:
            now[place - 1 : place + 1] = [below, one]
            found.append(Slide(one, place, place + 1))
    return tuple(found)


def answer_reminder(made_at: datetime, answer_by: datetime) -> datetime | None:
    """Return when who was challenged is reminded: a day before, where there are two or more."""
    moment = answer_by - A_DAY
    return moment if moment - made_at >= A_DAY else None


def places(user_id: int, now: int | None, newest_first: Iterable[Event]) -> tuple[Place, ...]:
    """Return which places somebody got, oldest first, from what has moved whom.

    Args:
        user_id: somebody who is on a ladder, or was.
        now: their present place, ``None`` if they have left.
        newest_first: what has happened on the ladder, the newest first.

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
    """Return the place of somebody before something happened, from their place after it."""
    left, came = event.from_place, event.to_place
    if left == came:
        return after
    if event.user_id == user_id:
        return left
    if after is None or left is None:
        return after  # who joins stands at the foot
    if came is None:
        return after + (after >= left)
    return after - (came < after <= left) + (left <= after < came)
