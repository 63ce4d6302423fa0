"""The mathematics, against what OpenSkill itself publishes."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from math import sqrt

import pytest

from bot.ratings.skill import (
    EQUAL,
    MU,
    SIGMA,
    START,
    Skill,
    after_pause,
    rate,
)
from data.rating import Rating

NOW = datetime(2026, 11, 20, tzinfo=UTC)
TAU = 25 / 300


def unshaken(mu: float, sigma: float) -> Skill:
    """Return a skill as it must be given so that the model begins with this one.

    The model lets every skill become a little less certain before each game; the examples
    were published without that.
    """
    return Skill(mu, sqrt(sigma**2 - TAU**2))


def test_the_example_of_the_librarys_own_page_comes_out_to_the_last_digit() -> None:
    """Two teams of two: a player and, for us, the side they had."""
    players, sides = rate(
        [unshaken(25, 25 / 3), unshaken(43.381, 2.421)],
        [1, 2],
        [unshaken(32.444, 5.123), unshaken(25.188, 6.211)],
    )
    assert (players[0].mu, players[0].sigma) == pytest.approx(
        (28.669648436582808, 8.071520788025197), abs=1e-12
    )
    assert (sides[0].mu, sides[0].sigma) == pytest.approx(
        (33.83086971107981, 5.062772998705765), abs=1e-12
    )
    assert (players[1].mu, players[1].sigma) == pytest.approx(
        (43.071274808241974, 2.4166900452721256), abs=1e-12
    )
    assert (sides[1].mu, sides[1].sigma) == pytest.approx(
        (23.149503312339064, 6.1378606973362135), abs=1e-12
    )


def test_two_beginners_move_apart_by_the_same_distance() -> None:
    (winner, loser), _ = rate([START, START], [1, 2])
    assert winner.mu - MU == pytest.approx(MU - loser.mu)
    assert winner.mu == pytest.approx(27.635, abs=1e-3)
    assert winner.sigma == loser.sigma < SIGMA


def test_a_tie_of_equals_changes_nothing_but_the_certainty() -> None:
    for number in (2, 3, 4):
        after, _ = rate([START] * number, [1] * number)
        assert [skill.mu for skill in after] == pytest.approx([MU] * number)
        assert all(skill.sigma < SIGMA for skill in after)


def test_a_tie_brings_the_stronger_down_and_the_weaker_up() -> None:
    (strong, weak), _ = rate([Skill(32, 3), Skill(22, 3)], [1, 1])
    assert strong.mu < 32
    assert weak.mu > 22


def test_four_players_are_ranked_as_they_came_in() -> None:
    after, _ = rate([START] * 4, [3, 1, 4, 2])
    means = [skill.mu for skill in after]
    assert means[1] > means[3] > means[0] > means[2]
    assert sum(means) == pytest.approx(4 * MU)


def test_the_order_of_seats_does_not_matter() -> None:
    skills = [Skill(20, 4), Skill(25, 5), Skill(30, 3), Skill(27, 7)]
    ranks = [2, 1, 1, 3]
    forth, _ = rate(skills, ranks)
    back, _ = rate(skills[::-1], ranks[::-1])
    for one, other in zip(forth, back[::-1], strict=True):
        assert (one.mu, one.sigma) == pytest.approx((other.mu, other.sigma))


def test_of_three_who_share_the_first_place_none_gains_more_than_the_others() -> None:
    after, _ = rate([START] * 4, [1, 1, 1, 2])
    assert after[0] == after[1] == after[2]
    assert after[3].mu < MU < after[0].mu


def test_what_a_side_wins_again_and_again_is_put_down_to_the_side() -> None:
    one, other, first, second = START, START, EQUAL, EQUAL
    for turn in range(60):  # the same two swap sides each time, and the first side always wins
        seated = (one, other) if turn % 2 else (other, one)
        players, (first, second) = rate(seated, [1, 2], (first, second))
        one, other = players if turn % 2 else players[::-1]
    assert first.mu > 1.5 > -1.5 > second.mu
    assert one.mu == pytest.approx(other.mu, abs=1.5)


def test_equal_sides_are_not_learnt() -> None:
    assert rate([START, START], [1, 2])[1] == ()


def rested(skill: Skill, last_at: datetime) -> Skill:
    """Return a skill as it is now, some time after the last game."""
    rating = Rating(1, 0, "nim", *skill, 1, 1, 0, 0, 1, 1, "w", last_at)
    return after_pause(rating, NOW)


def test_certainty_is_lost_with_time_but_never_more_than_a_beginners() -> None:
    sure = Skill(30, 1.5)
    assert rested(sure, NOW) == sure
    assert rested(sure, NOW + timedelta(days=1)) == sure
    year = rested(sure, NOW - timedelta(days=360))
    assert year.mu == 30
    assert 2.5 < year.sigma < 3
    assert rested(sure, NOW - timedelta(days=36_000)).sigma == SIGMA


def test_the_number_that_people_see() -> None:
    assert (START.points, START.margin) == (1500, 333)
    assert (Skill(27.8, 1.85).points, Skill(27.8, 1.85).margin) == (1612, 74)
