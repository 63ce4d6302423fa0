"""Ladder rules that need no store."""

from __future__ import annotations

import random
from collections.abc import Collection
from dataclasses import asdict, replace
from datetime import UTC, datetime, timedelta

import pytest

from bot.features.ladder import rules
from bot.features.ladder.rules import LadderView
from data.ladders.ladder_challenges import LadderChallenge
from data.ladders.ladders import Event, Ladder, Rung
from tests.data.people import LADDER

NOW = datetime(2026, 1, 1, tzinfo=UTC)
DAY = timedelta(days=1)
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
    for one, place in rules.slides(ORDER, idle, idle):
        assert order[place - 1] == one
        order[place - 1 : place + 1] = [order[place], one]
    assert tuple(order) == after


def test_a_player_does_not_slide_past_an_inactive_one_who_is_not_due_yet() -> None:
    assert rules.slides(ORDER, due={1}, idle={1, 2}) == ()
    assert rules.slides(ORDER, due={2}, idle={1, 2}) == ((2, 2),)


ANN, BEN, CAROL = 1, 2, 3


def view(*idle_for: float) -> LadderView:
    """Return a ladder whose players last played this many days ago, from the top down."""
    rungs = tuple(
        Rung(1, user, user, user, NOW, NOW - days * DAY, NOW, None)
        for user, days in enumerate(idle_for, 1)
    )
    ladder = Ladder(
        **asdict(LADDER), id=1, created_at=NOW, closed_at=None, lost_at=None, next_check_at=None
    )
    return LadderView(ladder, rungs, ())


@pytest.mark.parametrize(
    ("idle_for", "busy", "vacations", "expected"),
    [
        ((29.9, 0, 0), (), {}, ((), (), 1)),  # a check a day
        ((20, 0, 0), (), {}, ((), (), 10)),
        ((30, 0, 0), (), {}, ((ANN,), (), 7)),
        ((30, 0, 0), (ANN,), {}, ((), (), 1)),
        ((30, 30, 0), (), {}, ((), (), 7)),  # the one below is idle, too
        ((30, 30, 0), (BEN,), {}, ((ANN,), (), 7)),
        ((30, 29, 0), (), {}, ((ANN,), (), 7)),
        ((179, 0, 0), (), {}, ((ANN,), (), 7)),
        ((180, 0, 0), (), {}, ((), (ANN,), 1)),
        ((180, 0, 0), (ANN,), {}, ((), (), 1)),
        ((40, 0, 0), (), {ANN: [(-15, -5)]}, ((ANN,), (), 7)),
        ((39, 0, 0), (), {ANN: [(-15, -5)]}, ((), (), 1)),
        ((189, 0, 0), (), {ANN: [(-15, -5)]}, ((ANN,), (), 7)),
        ((190, 0, 0), (), {ANN: [(-15, -5)]}, ((), (ANN,), 1)),
        ((90, 0, 0), (), {ANN: [(-2, 4)]}, ((), (), 4)),  # until the vacation ends
        ((32, 0, 0), (), {ANN: [(-2, 0)]}, ((ANN,), (), 7)),
        ((20, 0, 0), (), {ANN: [(-2, 4)]}, ((), (), 12)),
        ((30, 90, 0), (), {BEN: [(-1, 3)]}, ((ANN,), (), 7)),
    ],
)
def test_who_has_not_played_for_long_slides_and_at_last_leaves(
    idle_for: tuple[float, ...],
    busy: tuple[int, ...],
    vacations: dict[int, list[tuple[float, float]]],
    expected: tuple[tuple[int, ...], tuple[int, ...], int],
) -> None:
    """Ann alone is checked: who slides, who is taken off, and in how many days she is due again."""
    ladder = view(*idle_for)
    away = {
        user: [(NOW + start * DAY, NOW + end * DAY) for start, end in spans]
        for user, spans in vacations.items()
    }
    found = rules.idleness(ladder, ladder.rungs[:1], away, busy, NOW)
    slides, (checked,) = tuple(one for one, _ in found.slides), found.checked
    assert (slides, found.gone, (checked.slide_at - NOW).days) == expected
    assert found.sliding is (expected[2] == 7)


def test_those_below_the_checked_players_matter_to_their_slides() -> None:
    ladder = view(0, 0, 0)
    assert [one.user_id for one in rules.with_those_below(ladder, ladder.rungs[:1])] == [ANN, BEN]
    assert rules.with_those_below(ladder, ladder.rungs[2:]) == ladder.rungs[2:]
    assert [ladder.place(one) for one in ladder.order] == [1, 2, 3]


def met(
    *,
    ended: float | None = None,
    outcome: str | None = None,
    by: int = BEN,
    counted: bool = False,
    queued: bool = False,
) -> LadderChallenge:
    """Return a challenge of Ann and Ben that ended days ago; lost and won ones were played."""
    made = NOW - 50 * DAY
    return LadderChallenge(
        1,
        1,
        challenger_id=by,
        challenged_id=ANN if by == BEN else BEN,
        seed=b"",
        place=1,
        created_at=made,
        called_at=made + DAY if queued else made,
        answer_by=NOW,
        due_at=None,
        match_id=5 if outcome in {"won", "lost"} else None,
        outcome=outcome,
        counted=counted,
        ended_at=None if ended is None else NOW - ended * DAY,
    )


def test_challenges_for_a_place_are_in_line_behind_the_one_that_has_come_up() -> None:
    first, queued = met(), replace(met(by=CAROL), id=2, challenged_id=ANN, called_at=None)
    other = replace(met(by=ANN), id=3, challenged_id=BEN)
    ladder = LadderView(view().ladder, view(0, 0, 0).rungs, (first, queued, other))
    assert (ladder.made_to(ANN), ladder.made_to(BEN), ladder.made_to(CAROL)) == (first, other, None)
    assert (ladder.made_by(ANN), ladder.made_by(BEN)) == (other, first)
    assert (ladder.queue(ANN), ladder.queue(BEN)) == ((queued,), ())
    assert ladder.ahead(queued) == 1


@pytest.mark.parametrize(
    ("before", "days"),
    [
        ((), None),
        ((met(),), None),
        ((met(ended=3, outcome="lost"),), 4),
        ((met(ended=3, outcome="withdrawn"),), 4),
        ((met(ended=3, outcome="void"), met(ended=5, outcome="lost")), None),
    ],
)
def test_two_meet_again_after_a_pause_unless_their_game_was_void(
    before: tuple[LadderChallenge, ...], days: int | None
) -> None:
    expected = None if days is None else NOW + days * DAY
    assert rules.meet_again(before, 7) == expected


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ((), False),
        ((met(ended=59, outcome="won", counted=True),), True),
        ((met(ended=60, outcome="won", counted=True),), False),
        ((met(ended=1, outcome="won"), met(ended=59, outcome="won", counted=True)), True),
        ((met(ended=1, outcome="won"),), False),
    ],
)
def test_a_game_of_the_same_two_counts_once_in_twice_the_idle_time(
    before: tuple[LadderChallenge, ...], *, expected: bool
) -> None:
    assert rules.has_counted(before, 30, NOW) is expected


PASSED = met(ended=8, outcome="passed")


@pytest.mark.parametrize(
    ("passed", "challenge", "before", "expected"),
    [
        (None, met(), (), True),
        (30, met(), (), True),
        (29.9, met(), (), False),
        (None, met(queued=True), (), False),  # never on those who waited
        (None, met(), (PASSED,), False),  # nor twice running on the same player
        (None, met(), (met(ended=7, outcome="withdrawn"), PASSED), False),
        (None, met(), (met(ended=7, outcome="passed", by=ANN), PASSED), False),
        (None, met(), (met(ended=7, outcome="lost"), PASSED), True),
        (None, met(), (met(ended=8, outcome="passed", by=ANN),), True),
    ],
)
def test_a_player_may_pass_once_in_thirty_days(
    passed: float | None,
    challenge: LadderChallenge,
    before: tuple[LadderChallenge, ...],
    *,
    expected: bool,
) -> None:
    ladder = view(0, 0)
    at = None if passed is None else NOW - passed * DAY
    ann = replace(ladder.rungs[0], passed_at=at)
    ladder = LadderView(ladder.ladder, (ann, *ladder.rungs[1:]), (challenge,))
    assert rules.may_pass(ladder, challenge, (challenge, *before), NOW) is expected
    assert not rules.may_pass(view(), challenge, before, NOW)


def test_vacations_count_only_within_the_time_asked_for() -> None:
    spans = [(NOW + start * DAY, NOW + end * DAY) for start, end in ((-5, 1), (3, 9), (20, 30))]
    assert rules.away(spans, NOW, NOW + 5 * DAY) == 3 * DAY
    assert rules.away((), NOW, NOW + 5 * DAY) == timedelta()


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
