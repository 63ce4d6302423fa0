"""A ladder as read, and its rules that need no store: who is in reach, who slides, past places.

docs/ladder.md has all rules in words.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cached_property
from typing import Final, NamedTuple, TypeAlias

from data.ladders.ladder_challenges import LadderChallenge
from data.ladders.ladders import Event, Ladder, Rung
from engine import registry

Span: TypeAlias = tuple[datetime, datetime]
"""When something starts and ends."""

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


@dataclass(frozen=True)
class LadderView:
    """A ladder, its players, and their open challenges."""

    ladder: Ladder
    rungs: tuple[Rung, ...]
    """From place 1 on."""
    challenges: tuple[LadderChallenge, ...]
    """The open ones, oldest first."""

    @property
    def id(self) -> int:
        """The number of the ladder."""
        return self.ladder.id

    @property
    def title(self) -> str:
        """The title of its game."""
        return registry.title(self.ladder.game)

    @cached_property
    def order(self) -> tuple[int, ...]:
        """The players' ids, from place 1 on."""
        return tuple(one.user_id for one in self.rungs)

    def place(self, user_id: int) -> int:
        """Return the place of a player on it."""
        return self.order.index(user_id) + 1

    def of(self, user_id: int) -> Rung | None:
        """Return a player's rung; ``None`` if they aren't on it."""
        return next((one for one in self.rungs if one.user_id == user_id), None)

    def made_by(self, user_id: int) -> LadderChallenge | None:
        """Return the open challenge a player has made."""
        return next((one for one in self.challenges if one.challenger_id == user_id), None)

    def made_to(self, user_id: int) -> LadderChallenge | None:
        """Return the open challenge to a player that has come up."""
        return next((one for one in self._made_to(user_id) if not one.queued), None)

    def queue(self, user_id: int) -> tuple[LadderChallenge, ...]:
        """Return the challenges queued for a player's place, in order."""
        return tuple(one for one in self._made_to(user_id) if one.queued)

    def ahead(self, challenge: LadderChallenge) -> int:
        """Return how many challenges come before a queued one, the current one included."""
        return sum(one.id < challenge.id for one in self._made_to(challenge.challenged_id))

    def _made_to(self, user_id: int) -> Iterator[LadderChallenge]:
        return (one for one in self.challenges if one.challenged_id == user_id)


class Place(NamedTuple):
    """A place reached by a player; ``None`` when they left."""

    at: datetime
    place: int | None


def in_reach(
    order: Sequence[int],
    user_id: int,
    reach: int,
    *,
    blocks: Collection[tuple[int, int]] = (),
    closed: Collection[int] = (),
) -> tuple[int, ...]:
    """Return the players up to ``reach`` places above a user, nearest first.

    Those who have blocked the user, or take no challenges (``closed``), don't count as places:
    these must be indistinguishable. Those whom the user has blocked do count, or blocking everyone
    above would bring the top within reach. ``blocks`` are pairs of blocker and blocked.
    """
    skipped = {one for one, _ in blocks}.union(closed)
    skipped -= {other for one, other in blocks if one == user_id}
    above = order[: order.index(user_id)]
    return tuple(one for one in reversed(above) if one not in skipped)[:reach]


def slides(
    order: Sequence[int], due: Collection[int], idle: Collection[int]
) -> tuple[tuple[int, int], ...]:
    """Return who slides by one place, and from which, the lowest first.

    Of all ``idle`` players, those ``due`` lose a place to an active one below. They don't pass each
    other, so several in a row go down together.
    """
    now, found = list(order), []
    for place in range(len(now) - 1, 0, -1):
        one, below = now[place - 1], now[place]
        if one in due and below not in idle:
            now[place - 1 : place + 1] = [below, one]
            found.append((one, place))
    return tuple(found)


class Idleness(NamedTuple):
    """What a check of some players' activity finds."""

    checked: tuple[Rung, ...]
    """Those checked, each with when to check them next."""
    slides: tuple[tuple[int, int], ...]
    """Who slides by one place, and from which."""
    gone: tuple[int, ...]
    """Who has been idle for so long that they are taken off."""
    sliding: bool
    """Whether anyone is due to slide, even if those below are idle too."""


def with_those_below(view: LadderView, some: Sequence[Rung]) -> tuple[Rung, ...]:
    """Return players with the one below each of them, who matters to their slides."""
    return (*some, *(view.rungs[one.place] for one in some if one.place < len(view.rungs)))


def idleness(
    view: LadderView,
    some: Sequence[Rung],
    vacations: Mapping[int, Sequence[Span]],
    busy: Collection[int],
    now: datetime,
) -> Idleness:
    """Return who of some players slides or is taken off.

    The time of ``vacations``, theirs and those of the players below them, doesn't count; nor does
    it while they are ``busy``: in a game that will count, or waiting for an answer.
    """
    active_at = {one.user_id: one.active_at for one in with_those_below(view, some)}
    since = {user: at + away(vacations.get(user, ()), at, now) for user, at in active_at.items()}
    idle_at = {user: at + timedelta(days=view.ladder.idle_days) for user, at in since.items()}
    back = {
        user: max((ends for _, ends in spans if ends > now), default=now)
        for user, spans in vacations.items()
    }
    idle = {
        user
        for user, moment in idle_at.items()
        if moment <= now and user not in busy and back.get(user, now) <= now
    }
    gone = {one.user_id for one in some if since[one.user_id] + OFF_AFTER <= now} & idle
    due = {one.user_id for one in some} & idle - gone
    checked = []
    for one in some:
        user, moment = one.user_id, now + CHECK_EVERY
        if user in due:
            moment = now + SLIDE_EVERY
        elif user not in busy:
            moment = max(idle_at[user], back.get(user, now), moment)
        checked.append(replace(one, slide_at=moment))
    return Idleness(tuple(checked), slides(view.order, due, idle), tuple(sorted(gone)), bool(due))


def outcome(points: Sequence[float], how: str) -> str:
    """Return how a game ended for the challenger, given the points of both."""
    if how == "void":
        return how
    if points[0] == points[1]:
        return "drawn"
    return "won" if points[0] > points[1] else "lost"


def meet_again(met: Sequence[LadderChallenge], pause_days: int) -> datetime | None:
    """Return when two may meet again, given all their challenges, the latest first."""
    last = met[0] if met else None
    if last is None or last.ended_at is None or last.outcome == "void":
        return None
    return last.ended_at + timedelta(days=pause_days)


def has_counted(met: Iterable[LadderChallenge], idle_days: int, now: datetime) -> bool:
    """Return whether a game of the same two has counted too recently for another."""
    after = now - AGAIN_AFTER * timedelta(days=idle_days)
    return any(one.counted and one.ended_at is not None and one.ended_at > after for one in met)


def may_pass(
    view: LadderView, challenge: LadderChallenge, met: Iterable[LadderChallenge], now: datetime
) -> bool:
    """Return whether the challenged player may decline for free; ``met`` as for `meet_again`.

    Not if the challenger has queued, or was passed on before without a game since: a player who
    always had a reason would otherwise never meet them.
    """
    rung, user = view.of(challenge.challenged_id), challenge.challenged_id
    if rung is None or (rung.passed_at is not None and rung.passed_at + PASS_EVERY > now):
        return False
    passed_last = next(
        (
            one.match_id is None
            for one in met
            if one.match_id is not None or (one.outcome == "passed" and one.challenged_id == user)
        ),
        False,
    )
    return challenge.called_at == challenge.created_at and not passed_last


def away(vacations: Iterable[Span], start: datetime, end: datetime) -> timedelta:
    """Return the time between two moments that a player was on vacation."""
    spans = (min(ends, end) - max(starts, start) for starts, ends in vacations)
    return sum((span for span in spans if span > timedelta()), timedelta())


def answer_times(now: datetime, days: int) -> tuple[datetime, datetime]:
    """Return when a challenge has to be answered, and when it is due next.

    A reminder is due a day before, given at least two days to answer.
    """
    answer_by = now + timedelta(days=days)
    return answer_by, answer_by - A_DAY if days >= 2 else answer_by


def places(user_id: int, now: int | None, newest_first: Iterable[Event]) -> tuple[Place, ...]:
    """Return a player's places, oldest first, from the present one (if any) and all events."""
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
