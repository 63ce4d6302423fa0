"""The figures of a profile and of two rivals, and their texts."""

from __future__ import annotations

import pytest

from ai.ratings import Rating
from bot.core.i18n.mentions import duration
from bot.features.leaderboards import profile_text
from bot.features.leaderboards import text as leaderboards_text
from bot.features.leaderboards.profiles import Score
from bot.features.leaderboards.service import standing
from bot.play.ratings.service import difference
from bot.play.ratings.skill import START, Skill, expected_score
from engine import registry
from tests.bot.features.leaderboards.clock import READY
from tests.data.people import NOW


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "less than a minute"),
        (59, "less than a minute"),
        (60, "1 minute"),
        (80 * 60, "80 minutes"),
        (90 * 60, "2 hours"),
        (30 * 3600, "30 hours"),
        (36 * 3600, "2 days"),
        (9 * 86_400, "9 days"),
    ],
)
def test_durations_use_the_largest_unit_with_more_than_one(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_no_percentile_is_shown_if_there_are_no_other_players() -> None:
    assert standing(READY, NOW).percent_behind is None
    assert standing(READY, NOW, 1, 1).percent_behind is None


@pytest.mark.parametrize(("place", "listed", "percent"), [(1, 2, 100), (2, 2, 0), (3, 12, 81)])
def test_the_percentile_is_the_share_of_other_players_below(
    place: int, listed: int, percent: int
) -> None:
    assert standing(READY, NOW, place, listed).percent_behind == percent


@pytest.mark.parametrize(
    ("made", "text"),
    [
        (Score(0, 1, 0), "**½ : ½** after 1 match: A and B are level."),
        (Score(3, 1, 1), "**3½ : 1½** after 5 matches: A leads."),
        (Score(0, 2, 1), "**1 : 2** after 3 matches: B leads."),
        (Score(1, 0, 0), "**1 : 0** after 1 match: A leads."),
    ],
)
def test_a_draw_is_half_a_point_for_each(made: Score, text: str) -> None:
    assert profile_text.lead("A", "B", made) == text


@pytest.mark.parametrize(
    ("now", "text"),
    [
        (0, "Best rated winning streak: 4"),
        (1, "Rated winning streak: 1 (best 4)"),
        (3, "Rated winning streak: 3 (best 4)"),
        (-3, "Rated losing streak: 3 · Best rated winning streak: 4"),
    ],
)
def test_streaks_are_shown(now: int, text: str) -> None:
    assert profile_text.streaks(now, 4) == text


def test_no_best_streak_is_shown_without_a_win() -> None:
    assert profile_text.streaks(0, 0) == ""
    assert profile_text.streaks(-2, 0) == "Rated losing streak: 2"


def test_points_are_shown_with_a_sign() -> None:
    assert [difference(points) for points in (18, 0, -17)] == ["+18", "±0", "−17"]


def test_equal_players_are_expected_to_score_the_same_and_stronger_ones_more() -> None:
    assert expected_score(START, START) == pytest.approx(0.5)
    strong = START._replace(mu=START.mu + 5)
    assert 0.5 < expected_score(strong, START) < 1
    assert expected_score(strong, START) == pytest.approx(1 - expected_score(START, strong))
    sure = [Skill(one.mu, 1.0) for one in (strong, START)]
    assert expected_score(*sure) > expected_score(strong, START), (
        "a difference counts more between well-known ratings"
    )


def test_computers_are_shown_with_their_measured_rating() -> None:
    assert leaderboards_text.computer_line("Level 3", Rating(1620, 25)) == "Level 3 · 1620 ± 25"
    assert leaderboards_text.computer_line("Level 3", Rating(1500, 0)) == "Level 3 · 1500"


def test_the_levels_of_each_game_are_listed_as_measured() -> None:
    for game in registry.games():
        found = leaderboards_text.computers(game)
        assert [name for name, _ in found] == [f"Computer, level {n}" for n in range(5, 0, -1)]
        assert found[2][1].points == 1500
        points = [strength.points for _, strength in found]
        assert points == sorted(points, reverse=True)
    assert leaderboards_text.computers("nothing") == ()
