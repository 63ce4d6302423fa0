"""The rules by which results are rated, on their own."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import count, permutations

import pytest

from bot.play.ratings import skill
from bot.play.ratings.calculator import FULL, MAX_PER_WEEK, Calculator, share
from bot.play.ratings.skill import EQUAL, MU, START, Skill, after_pause
from data.ratings.rating import EVERYWHERE, Placing, Rating, RatingChange, Result, SideRating
from engine.pair import MATCH
from tests.bot.play.ratings.season import OTHER_SERVER, unequal_game
from tests.data.people import ANN, BEN, CAROL, DAN, NOW, SERVER


class Results:
    """Results entered one after another, and what becomes of them."""

    def __init__(self) -> None:
        """Start with none."""
        self.calculator = Calculator()
        self._ids = count(1)

    def rate(
        self,
        people: Sequence[int],
        ranks: Sequence[int],
        *,
        at: datetime = NOW,
        guild_id: int | None = SERVER,
        game: str = "nim",
        options: dict[str, str] | None = None,
    ) -> dict[tuple[int, int], RatingChange]:
        """Rate a result; return the changes by scope and player."""
        number = next(self._ids)
        placings = tuple(Placing(n, *one) for n, one in enumerate(zip(people, ranks, strict=True)))
        result = Result(
            number, number, game, guild_id, at, rated=True, options=options or {}, players=placings
        )
        return {(one.scope, one.user_id): one for one in self.calculator.rate(result)}

    def games(self, user_id: int, scope: int = SERVER) -> int:
        """Return how many rated games a player has."""
        known = self.calculator.ratings.get((scope, user_id))
        return 0 if known is None else known.games


@pytest.fixture
def season() -> Results:
    return Results()


def test_rated_games_between_two_players_are_limited_per_week(season: Results) -> None:
    for hour in range(MAX_PER_WEEK + 5):
        season.rate([ANN, BEN], [1, 2], at=NOW + timedelta(hours=hour))
    assert season.games(ANN) == MAX_PER_WEEK
    tomorrow, later = NOW + timedelta(days=1), NOW + timedelta(days=8)
    season.rate([ANN, BEN], [1, 2], at=tomorrow, guild_id=OTHER_SERVER)
    assert season.games(ANN, OTHER_SERVER) == 0, "going to another server does not help"
    season.rate([ANN, CAROL], [1, 2], at=tomorrow)
    season.rate([ANN, BEN], [1, 2], at=later)
    assert season.games(ANN) == MAX_PER_WEEK + 2


def test_two_players_over_their_limit_still_rate_against_others_at_the_table(
    season: Results,
) -> None:
    people = [ANN, CAROL, BEN, DAN]
    for hour in range(MAX_PER_WEEK):
        season.rate([ANN, BEN], [1, 2], at=NOW + timedelta(hours=hour))
    before, at = dict(season.calculator.ratings), NOW + timedelta(days=1)
    changes = season.rate(people, [1, 2, 3, 4], guild_id=OTHER_SERVER, at=at)
    here = [changes[OTHER_SERVER, user] for user in people]
    assert [(one.rated, one.skipped, one.games) for one in here] == [
        (True, 0b0100, 1),
        (True, 0, 1),
        (True, 0b0001, 1),
        (True, 0, 1),
    ]
    # Nothing counts between the two friends: Ann gains from the strangers, Ben from one of them.
    known = [before.get((EVERYWHERE, user)) for user in people]
    skills = [START if one is None else after_pause(one, at) for one in known]
    shares = {
        (one, other): share(1 if people[other] in {ANN, BEN} else 0)
        for one, other in permutations(range(4), 2)
        if {one, other} != {0, 2}
    }
    expected, _ = skill.rate(skills, [1, 2, 3, 4], (), shares)
    found = [changes[EVERYWHERE, user] for user in people]
    assert [Skill(one.mu, one.sigma) for one in found] == list(expected)


def test_the_weekly_limit_holds_for_each_of_several_frequent_opponents(season: Results) -> None:
    """Matches in which the pair did not count do not add to its weekly limit either."""
    skipped = []
    for hour in range(0, 24 * 15, 12):
        for people in ([ANN, BEN, CAROL], [ANN, BEN]):
            at = NOW + timedelta(hours=hour + (len(people) == 2))
            changes = season.rate(people, [*range(1, len(people) + 1)], at=at)
            skipped.append(changes[SERVER, ANN].skipped)
    a_week = [*[True] * MAX_PER_WEEK, *[False] * (28 - MAX_PER_WEEK)]
    assert [mask & 0b010 == 0 for mask in skipped] == [*a_week, *a_week, *[True] * 4]


def test_an_opponent_counts_fully_once_they_have_met_enough_others(season: Results) -> None:
    found = [
        season.rate([BEN, 2000 + turn], [1, 2], at=NOW + timedelta(days=turn))[SERVER, 2000 + turn]
        for turn in range(FULL + 1)
    ]
    assert [one.share for one in found] == [share(others) for others in range(FULL + 1)]
    assert found[0].share < 0.1
    assert found[-2].share == found[-1].share == 1.0


def test_servers_have_their_own_ratings_and_direct_messages_only_count_globally(
    season: Results,
) -> None:
    season.rate([ANN, BEN], [1, 2])
    season.rate([BEN, ANN], [1, 2], guild_id=OTHER_SERVER)
    season.rate([BEN, ANN], [1, 2], guild_id=None)
    found = [season.calculator.ratings[scope, ANN] for scope in (SERVER, OTHER_SERVER, EVERYWHERE)]
    assert [(one.won, one.lost) for one in found] == [(1, 0), (0, 1), (1, 2)]
    assert found[0].mu > MU > found[1].mu
    assert {scope for _, scope, _ in season.calculator.seasons.ratings} == {SERVER, OTHER_SERVER}
    known = season.calculator.opponents
    assert (known[ANN], known[BEN]) == (frozenset({BEN}), frozenset({ANN}))


def test_the_balance_of_sides_is_learnt_from_the_servers_results(season: Results) -> None:
    for turn in range(12):
        at = NOW + timedelta(hours=turn)
        season.rate([1000 + turn, 2000 + turn], [1, 2], game=unequal_game(), at=at)
    first, second = (season.calculator.sides[SERVER, seat] for seat in range(2))
    assert first.mu > 0 > second.mu
    assert [(side.games, side.won) for side in (first, second)] == [(12, 12), (12, 0)]


@pytest.mark.parametrize(
    ("others", "expected"), [(0, 1 / 16), (2, 1 / 16), (3, 16 / 196), (6, 1 / 4), (13, 1), (99, 1)]
)
def test_a_game_counts_by_the_square_of_the_people_its_opponent_has_met(
    others: int, expected: float
) -> None:
    assert share(others) == pytest.approx(expected)


def test_a_rating_tells_its_games_streaks_and_form(season: Results) -> None:
    places = [
        [1, 2],
        [1, 2],
        [2, 1],
        [1, 1],
        [2, 1],
        [2, 1],
        [1, 2],
        [1, 2],
        [1, 2],
        [2, 1],
        [2, 1],
    ]
    found = []
    for turn, ranks in enumerate(places):
        season.rate([ANN, 1000 + turn], ranks, at=NOW + timedelta(days=turn))
        rating = season.calculator.ratings[SERVER, ANN]
        found.append((rating.streak, rating.best))
    assert found == [
        (1, 1), (2, 2), (-1, 2), (0, 2), (-1, 2), (-2, 2), (1, 2), (2, 2), (3, 3), (-1, 3), (-2, 3),
    ]  # fmt: skip
    assert rating._replace(mu=0, sigma=0) == Rating(
        ANN, SERVER, "nim", 0, 0, 11, 5, 1, 5, -2, 3, "wldllwwwll", NOW + timedelta(days=10)
    )


@pytest.mark.parametrize(("ranks", "forms"), [([1, 2, 2], "wll"), ([1, 1, 3], "ddl")])
def test_a_shared_first_place_is_a_draw_and_any_other_a_loss(
    season: Results, ranks: list[int], forms: str
) -> None:
    season.rate([ANN, BEN, CAROL], ranks)
    found = [season.calculator.ratings[SERVER, user] for user in (ANN, BEN, CAROL)]
    assert [(one.form, one.best) for one in found] == [(form, form == "w") for form in forms]


def test_a_change_tells_the_rating_after_its_result_and_what_did_not_count(season: Results) -> None:
    for turn in range(MAX_PER_WEEK):
        season.rate([ANN, BEN], [1, 2], at=NOW + timedelta(hours=turn))
    at = NOW + timedelta(days=1)
    (change,) = [
        one for key, one in season.rate([BEN, ANN], [2, 1], at=at).items() if key == (SERVER, ANN)
    ]
    rating = season.calculator.ratings[SERVER, ANN]
    number = MAX_PER_WEEK + 1
    told = (ANN, SERVER, "nim", number, at, False, *rating[3:5], MAX_PER_WEEK, 0b01, 0.0)
    assert tuple(change) == told
    assert rating.last_at == NOW + timedelta(hours=MAX_PER_WEEK - 1)
    changes = season.rate([BEN, CAROL, ANN], [1, 2, 3], at=at)
    assert [changes[SERVER, user].skipped for user in (BEN, CAROL, ANN)] == [0b100, 0, 0b001]
    stranger = season.rate([500, 501], [1, 2], at=at)[SERVER, 501]
    assert (stranger.result_id, stranger.rated, stranger.skipped) == (MAX_PER_WEEK + 3, True, 0)


def test_pairs_are_forgotten_once_no_week_can_count_their_games(season: Results) -> None:
    season.rate([ANN, BEN], [1, 2])
    season.rate([ANN, CAROL], [1, 2], at=NOW + timedelta(days=1))
    season.rate([ANN, BEN], [1, 2], at=NOW + timedelta(days=2))
    season.rate([ANN, DAN], [1, 2], at=NOW + timedelta(days=15))
    assert season.calculator._meetings == {
        tuple(sorted((ANN, BEN))): [NOW, NOW + timedelta(days=2)],
        tuple(sorted((ANN, DAN))): [NOW + timedelta(days=15)],
    }


def test_the_results_of_unequal_sides_are_counted_unless_a_match_swaps_them(
    season: Results,
) -> None:
    for turn, ranks in enumerate(([1, 2], [1, 1], [2, 1])):
        season.rate([1000 + turn, 2000 + turn], ranks, game=unequal_game())
    seen = dict(season.calculator.sides)
    assert {key: side._replace(mu=0, sigma=0) for key, side in seen.items()} == {
        (scope, seat): SideRating(scope, unequal_game(), seat, 0, 0, 3, 1, 1)
        for scope in (EVERYWHERE, SERVER)
        for seat in (0, 1)
    }
    season.rate([ANN, BEN], [1, 2], game=unequal_game(), options={MATCH.name: "true"})
    season.rate([ANN, BEN], [1, 2], game="a game that is gone")
    assert season.calculator.sides == seen
    alone = skill.rate([START, START], [1, 2], [EQUAL, EQUAL], {(0, 1): share(0), (1, 0): share(0)})
    fresh = Results()
    fresh.rate([ANN, BEN], [1, 2], game=unequal_game())
    assert [Skill(one.mu, one.sigma) for one in fresh.calculator.sides.values()] == [*alone[1]] * 2
