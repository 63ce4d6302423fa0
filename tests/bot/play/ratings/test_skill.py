"""The mathematics, compared with OpenSkill's published examples."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta, timezone
from itertools import combinations, permutations, product
from math import exp, sqrt
from statistics import NormalDist

import pytest
from openskill.models import BradleyTerryFull

from bot.play.ratings.skill import (
    EQUAL,
    MU,
    SIGMA,
    START,
    Skill,
    active_since,
    after_pause,
    established,
    expected_score,
    inactive,
    rate,
    was_provisional,
)
from data.ratings.rating import Rating, RatingChange

NOW = datetime(2026, 11, 20, tzinfo=UTC)
TAU = 25 / 300


def unshaken(mu: float, sigma: float) -> Skill:
    """Return a skill as it must be given so that the model begins with this one.

    The model lets every skill become a little less certain before each game; the examples
    were published without that.
    """
    return Skill(mu, sqrt(sigma**2 - TAU**2))


def test_openskills_documented_example_is_reproduced_exactly() -> None:
    """Two teams of two: each player with the side they had."""
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


def test_a_tie_between_equals_only_changes_the_certainty() -> None:
    for number in (2, 3, 4):
        after, _ = rate([START] * number, [1] * number)
        assert [skill.mu for skill in after] == pytest.approx([MU] * number)
        assert all(skill.sigma < SIGMA for skill in after)


def test_a_tie_brings_the_stronger_down_and_the_weaker_up() -> None:
    (strong, weak), _ = rate([Skill(32, 3), Skill(22, 3)], [1, 1])
    assert strong.mu < 32
    assert weak.mu > 22


def test_fully_counted_matches_agree_with_openskill() -> None:
    """Bradley-Terry with full pairing, including ties and sides."""
    dice = random.Random(4)
    model = BradleyTerryFull(mu=MU, sigma=SIGMA)
    for number in (2, 2, 3, 4, 4) * 20:
        skills = [Skill(dice.gauss(25, 6), dice.uniform(1, 9)) for _ in range(number)]
        sides = [Skill(dice.gauss(0, 2), dice.uniform(1, 3)) for _ in skills if number == 2]
        ranks = [dice.randint(1, number) for _ in skills]
        teams = [[model.rating(mu=one.mu, sigma=one.sigma)] for one in skills]
        for team, side in zip(teams, sides, strict=False):
            team.append(model.rating(mu=side.mu, sigma=side.sigma))
        theirs = model.rate(teams, ranks=[float(rank) for rank in ranks])
        ours = rate(skills, ranks, sides)
        for place, part in enumerate(ours):
            for one, team in zip(part, theirs, strict=False):
                wanted = team[place].mu, team[place].sigma
                assert (one.mu, one.sigma) == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize("number", [3, 4])
def test_two_players_gains_do_not_depend_on_a_thirds_place(number: int) -> None:
    """A second account that resigns just before the end finishes last, with no other effect."""
    dice = random.Random(number)
    skills = [Skill(dice.gauss(25, 4), dice.uniform(2, 8)) for _ in range(number)]
    third = number - 1
    between_others = {
        pair: dice.choice([1.0, 0.25])
        for pair in permutations(range(number), 2)
        if third not in pair
    }
    with_third = {(place, third): 0.5 for place in range(third)}
    ranks = [2, 4, 6][:third]
    own, _ = rate(skills, [*ranks, 9], (), between_others)
    for rank in range(1, 8):
        both, _ = rate(skills, [*ranks, rank], (), between_others | with_third)
        from_third, _ = rate(skills, [*ranks, rank], (), with_third)
        for place in range(third):
            gained = both[place].mu - skills[place].mu
            parts = own[place].mu + from_third[place].mu - 2 * skills[place].mu
            assert gained == pytest.approx(parts, abs=1e-12)


def test_an_uncounted_pair_changes_neither_rating() -> None:
    skills = [Skill(25, 5), Skill(27, 4), Skill(22, 6)]
    after, _ = rate(skills, [1, 2, 3], (), {(0, 1): 1.0})
    assert after[0].mu > 25
    assert after[1:] == (skills[1], skills[2])


@pytest.mark.parametrize("share", [0.0625, 0.25, 0.5])
def test_wins_that_count_partly_have_a_ceiling(share: float) -> None:
    """Beginners who lose to one player and are replaced over and over."""
    main = START
    reached = []
    for _ in range(3000):
        (main, _loser), _ = rate([main, START], [1, 2], (), {(0, 1): share, (1, 0): share})
        reached.append(main.mu)
    assert reached[-1] - reached[-1000] < 0.2
    assert reached == sorted(reached)
    assert main.points < {0.0625: 1550, 0.25: 1700, 0.5: 2000}[share]


def test_a_win_that_counts_partly_is_pulled_towards_a_beginner_for_the_rest() -> None:
    """The formulas of `_Evidence.add`, written out for a quarter of a win."""
    before, sides = [Skill(27, 5), Skill(25, 6)], [Skill(1, 2), EQUAL]
    shaken, side, other, theirs = (
        one.sigma**2 + TAU**2 for one in (before[0], sides[0], before[1], EQUAL)
    )
    scale = sqrt(shaken + side + other + theirs + 2 * (25 / 6) ** 2)
    expected = 1 / (1 + exp(-(28 - 25) / scale))
    alone = sqrt(shaken + 2 * (25 / 6) ** 2)
    pull = (0.5 - 1 / (1 + exp(-(27 - 25) / alone))) / alone
    push = 0.25 * (1 - expected) / scale
    players, learnt = rate(before, [1, 2], sides, {(0, 1): 0.25})
    assert players[0].mu == pytest.approx(27 + shaken * (push + 0.75 * pull))
    information = sqrt(0.25) * sqrt(shaken + side) / scale**3 * expected * (1 - expected)
    assert players[0].sigma == pytest.approx(sqrt(shaken * (1 - shaken * information)))
    assert learnt[0].mu == pytest.approx(1 + side * push)
    assert (players[1], learnt[1]) == (before[1], sides[1]), "nothing counted for the other"


def test_above_what_a_newcomer_can_lift_a_player_neither_gains_nor_loses() -> None:
    for strong in (Skill(35, 2), Skill(15, 2)):
        for ranks in ([1, 2], [2, 1], [1, 1]):
            after, _ = rate([strong, START], ranks, (), {(0, 1): 0.0625, (1, 0): 1.0})
            assert after[0] == strong
            assert after[1] != START


def test_among_friends_who_only_play_each_other_the_stronger_ranks_higher() -> None:
    """Nineteen times out of twenty after sixty matches each, near the average and uncertain."""
    part = dict.fromkeys(permutations(range(2), 2), 0.0625)
    right = wrong = 0
    for friends, seed in product((2, 3, 4), range(20)):
        dice = random.Random(seed)
        skills = [START] * friends
        for _ in range(60):
            for one, other in combinations(range(friends), 2):
                ranks = [1, 2] if dice.random() < 0.75 else [2, 1]
                now, _ = rate([skills[one], skills[other]], ranks, (), part)
                skills[one], skills[other] = now
        for mine, theirs in combinations(skills, 2):
            right, wrong = right + (mine.mu > theirs.mu), wrong + (mine.mu <= theirs.mu)
        assert all(abs(skill.points - 1500) < 60 < skill.margin for skill in skills)
    assert right >= 0.9 * (right + wrong)


def test_four_players_are_ranked_by_their_places() -> None:
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


def test_three_players_sharing_first_place_gain_the_same() -> None:
    after, _ = rate([START] * 4, [1, 1, 1, 2])
    assert after[0] == after[1] == after[2]
    assert after[3].mu < MU < after[0].mu


def test_repeated_wins_of_one_side_are_attributed_to_the_side() -> None:
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
    """Return a skill as of now, some time after the last game."""
    rating = Rating(1, 0, "nim", *skill, 1, 1, 0, 0, 1, 1, "w", last_at)
    return after_pause(rating, NOW)


def test_certainty_fades_with_time_to_a_beginners_at_most() -> None:
    sure = Skill(30, 1.5)
    assert rested(sure, NOW) == sure
    assert rested(sure, NOW + timedelta(days=1)) == sure
    year = rested(sure, NOW - timedelta(days=360))
    assert year.mu == 30
    assert year.sigma == pytest.approx(sqrt(1.5**2 + 12 * 0.65**2)), "twelve months of thirty days"
    assert rested(sure, NOW - timedelta(days=36_000)).sigma == SIGMA


@pytest.mark.parametrize(
    ("games", "opponents", "settled"), [(10, 3, True), (9, 3, False), (10, 2, False)]
)
def test_a_rating_is_provisional_until_ten_games_against_three_opponents(
    games: int, opponents: int, *, settled: bool
) -> None:
    assert established(games, opponents) is settled
    change = RatingChange(1, 0, "nim", 1, NOW, True, 25.0, 8.0, games)  # noqa: FBT003
    assert was_provisional(change, established_now=True) is (games < 10)
    assert was_provisional(change, established_now=False)


def test_a_player_is_inactive_after_sixty_whole_days_without_a_game() -> None:
    evening = datetime(
        2026, 11, 20, 1, 30, 5, 7, tzinfo=timezone(timedelta(hours=2))
    )  # the 19th, UTC
    since = datetime(2026, 9, 20, tzinfo=UTC)
    assert active_since(evening) == since
    for last_at, late in ((since, False), (since - timedelta(microseconds=1), True)):
        assert (
            inactive(Rating(1, 0, "nim", *START, 1, 1, 0, 0, 1, 1, "w", last_at), evening) is late
        )


def test_the_expected_score_is_the_chance_that_one_plays_better() -> None:
    one, other = Skill(30, 3), Skill(25, 4)
    chance = NormalDist().cdf(5 / sqrt(2 * (25 / 6) ** 2 + 3**2 + 4**2))
    assert expected_score(one, other) == pytest.approx(chance)
    assert expected_score(other, one) == pytest.approx(1 - chance)


def test_the_displayed_number() -> None:
    assert (START.points, START.margin) == (1500, 333)
    assert (Skill(27.8, 1.85).points, Skill(27.8, 1.85).margin) == (1612, 74)
