"""What counts towards the limits on challenges, and for how long."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from bot.core.computers import computers
from bot.features.challenges.limits import uses
from data.challenges.challenges import Challenge, Invited, State
from data.people.limits import Spent

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
ANN, BEN, CAROL = 11, 22, 33
(COMPUTER,) = computers(1, 1)
MADE, PRACTICE = ("made", "", 0), ("practice", "", 0)
VAIN, DECLINED = ("in-vain", "", BEN), ("declined", "tablan", BEN)


def ago(minutes: float) -> datetime:
    """Return a time before now."""
    return NOW - timedelta(minutes=minutes)


def asked(
    *opponents: int,
    made: float,
    state: State = State.OPEN,
    closed: float | None = None,
    expires: bool = True,
) -> Challenge:
    """Return a challenge of Ann's, made and closed so many minutes ago; the last one declined."""
    declined = state is State.DECLINED
    return Challenge(
        id=1,
        game="tablan",
        options={},
        guild_id=1,
        channel_id=2,
        message_id=None,
        challenger_id=ANN,
        seed=b"",
        seat=None,
        state=state,
        match_id=None,
        created_at=ago(made),
        closed_at=None if closed is None else ago(closed),
        expires_at=NOW + timedelta(days=7) if expires else None,
        invited=(
            Invited(ANN, 0, ""),
            *(Invited(one, None, None, declined=declined) for one in opponents),
        ),
    )


@pytest.mark.parametrize(
    ("challenge", "counted"),
    [
        (asked(made=59), {MADE: 59}),
        (asked(made=60), {}),
        (asked(BEN, made=59), {MADE: 59, VAIN: 59}),
        (asked(BEN, made=60), {VAIN: 60}),
        (asked(BEN, made=24 * 60), {}),
        (asked(BEN, made=30, state=State.STARTED), {MADE: 30}),
        (asked(BEN, made=30, state=State.WITHDRAWN, closed=20), {MADE: 30, VAIN: 30}),
        (asked(BEN, made=90, state=State.DECLINED, closed=59), {VAIN: 90, DECLINED: 59}),
        (asked(BEN, made=90, state=State.DECLINED, closed=60), {VAIN: 90}),
        (asked(BEN, made=48 * 60, state=State.DECLINED, closed=1), {DECLINED: 1}),
        (asked(-5, made=30, state=State.DECLINED, closed=1), {MADE: 30}),
        (asked(COMPUTER, made=59, state=State.STARTED, expires=False), {PRACTICE: 59}),
        (asked(COMPUTER, made=60, state=State.STARTED, expires=False), {}),
        (asked(BEN, made=30, state=State.STARTED, expires=False), {}),
    ],
)
def test_each_challenge_counts_for_its_time(
    challenge: Challenge, counted: dict[tuple[str, str, int], float]
) -> None:
    found = uses([challenge], (), NOW)
    assert found == {limit: [ago(minutes)] for limit, minutes in counted.items()}


def test_uses_are_in_order_and_those_kept_from_before_count_as_late_as_the_last() -> None:
    kept = [
        Spent("made", 2, NOW + timedelta(minutes=30)),
        Spent("in-vain", 1, NOW, opponent_id=BEN),
        Spent("declined", 1, NOW + timedelta(minutes=1), "tablan", BEN),
    ]
    found = uses([asked(made=10), asked(made=50)], kept, NOW)
    assert found == {MADE: [ago(50), ago(30), ago(30), ago(10)], DECLINED: [ago(59)]}
