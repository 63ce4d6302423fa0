"""Ladder rules that need no store."""

from __future__ import annotations

import random
from collections.abc import Collection
from datetime import UTC, datetime, timedelta

import pytest

from bot.features.ladder import rules
from data.ladders.values import Event

NOW = datetime(2026, 1, 1, tzinfo=UTC)
ORDER = (1, 2, 3, 4, 5, 6)


def event(number: int, user: int, before: int | None, after: int | None) -> Event:
    """Return a move from one place to another."""
    at = NOW + timedelta(hours=number)
    return Event(number, 1, at, "won", user, None, before, after)


@pytest.mark.parametrize(
    ("user", "reach", "blocks", "closed", "expected"),
    [
        (6, 3, (), (), (5, 4, 3)),
        (2, 3, (), (), (1,)),
        (1, 3, (), (), ()),
        (6, 3, (), (5, 3), (4, 2, 1)),
        (6, 1, (), (5, 4, 3, 2, 1), ()),
        (6, 3, [(5, 6), (3, 6)], (), (4, 2, 1)),
        (6, 3, [(5, 6)], (3,), (4, 2, 1)),
        (6, 3, [(6, 5), (6, 3)], (), (5, 4, 3)),
        (6, 3, [(6, 5), (5, 6)], (5,), (5, 4, 3)),
    ],
)
def test_the_nearest_players_above_are_in_reach_unless_they_refuse_to_play(
    user: int,
    reach: int,
    blocks: Collection[tuple[int, int]],
    closed: Collection[int],
    expected: tuple[int, ...],
) -> None:
    assert rules.in_reach(ORDER, user, reach, blocks=blocks, closed=closed) == expected


@pytest.mark.parametrize(
    ("idle", "after"),
    [
        ((), ORDER),
        ((1,), (2, 1, 3, 4, 5, 6)),
        ((1, 2), (3, 1, 2, 4, 5, 6)),
        ((6,), ORDER),
        ((5, 6), ORDER),
        ((1, 3), (2, 1, 4, 3, 5, 6)),
        (ORDER, ORDER),
    ],
)
def test_an_inactive_player_loses_a_place_to_the_next_active_one(
    idle: tuple[int, ...], after: tuple[int, ...]
) -> None:
    order = list(ORDER)
    for one in rules.slides(ORDER, idle, idle):
        assert order[one.before - 1] == one.user_id
        order.remove(one.user_id)
        order.insert(one.after - 1, one.user_id)
    assert tuple(order) == after


def test_a_player_does_not_slide_past_an_inactive_one_who_is_not_due_yet() -> None:
    assert rules.slides(ORDER, due={1}, idle={1, 2}) == ()
    assert rules.slides(ORDER, due={2}, idle={1, 2}) == (rules.Slide(2, 2, 3),)


def test_vacations_count_only_within_the_time_asked_for() -> None:
    day = timedelta(days=1)
    spans = [
        (NOW - 5 * day, NOW + day),
        (NOW + 3 * day, NOW + 9 * day),
        (NOW + 20 * day, NOW + 30 * day),
    ]
    assert rules.away(spans, NOW, NOW + 5 * day) == 3 * day
    assert rules.away((), NOW, NOW + 5 * day) == timedelta()


def test_no_player_slides_more_than_one_place_at_a_time() -> None:
    dice = random.Random(7)
    for _ in range(200):
        idle = [one for one in ORDER if dice.random() < 0.5]
        found = rules.slides(ORDER, idle, idle)
        assert len({one.user_id for one in found}) == len(found)
        assert all(one.after == one.before + 1 for one in found)


@pytest.mark.parametrize(("days", "due"), [(1, 1), (2, 1), (3, 2)])
def test_a_reminder_is_due_a_day_before_unless_there_is_only_one(days: int, due: int) -> None:
    answer_by, due_at = rules.answer_times(NOW, days)
    assert (answer_by - NOW, due_at - NOW) == (timedelta(days=days), timedelta(days=due))


@pytest.mark.parametrize(
    ("points", "how", "expected"),
    [
        ((1, 0), "played", "won"),
        ((0, 1), "forfeit", "lost"),
        ((0.5, 0.5), "played", "drawn"),
        ((1, 0), "void", "void"),
    ],
)
def test_points_decide_a_challenge(points: tuple[float, float], how: str, expected: str) -> None:
    assert rules.outcome(points, how) == expected


def test_a_players_past_places_follow_from_the_moves() -> None:
    """Play a ladder at random, and compare the reported changes with the actual ones."""
    dice = random.Random(3)
    order: list[int] = []
    had: dict[int, list[int | None]] = {}
    events: list[Event] = []
    for number in range(400):
        before = {one: place for place, one in enumerate(order, 1)}
        user = dice.randrange(1, 13)
        if user not in order:
            order.append(user)
            events.append(event(number, user, None, len(order)))
        elif dice.random() < 0.1:
            events.append(event(number, user, before[user], None))
            order.remove(user)
        else:
            place = dice.randrange(1, len(order) + 1)
            events.append(event(number, user, before[user], place))
            order.remove(user)
            order.insert(place - 1, user)
        after = {one: place for place, one in enumerate(order, 1)}
        for one in {*before, *after}:
            if before.get(one) != after.get(one):
                had.setdefault(one, []).append(after.get(one))
    for user in range(1, 13):
        now = order.index(user) + 1 if user in order else None
        told = rules.places(user, now, reversed(events))
        assert [one.place for one in told] == had[user]
