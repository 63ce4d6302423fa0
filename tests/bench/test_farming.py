"""Rating farms against an honest population, smaller than in `make bench`."""

from __future__ import annotations

import pytest

from bench import farming
from bench.farming import Farm, World, in_full, rated


@pytest.fixture(scope="module")
def world() -> World:
    """An honest population of 120 people with 2,000 matches."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(farming, "PEOPLE", 120)
        patched.setattr(farming, "MATCHES", 2000)
        return farming.population(7)


@pytest.mark.parametrize(
    "farm",
    [
        Farm(3),
        Farm(3, "star"),
        Farm(3, "chain"),
        Farm(3, "fresh"),
        Farm(3, honest=3),
        Farm(3, honest=3, thrown=True),
        Farm(5, "ring"),
    ],
    ids=str,
)
def test_three_throwaway_accounts_lift_nobody_above_three_quarters_of_the_honest(
    world: World, farm: Farm
) -> None:
    """The owner is of average strength; each account throws ten matches a week for half a year."""
    found = rated(world, farm)
    assert found.peak < found.quartile
    assert found.peak < 1620
    assert rated(world, farm, in_full).main > 2345, (
        "without the rule, farming lifts an account this far"
    )


def test_ten_accounts_that_never_met_an_honest_player_stay_far_below_what_they_would_reach(
    world: World,
) -> None:
    assert rated(world, Farm(10)).peak < 1900
    assert rated(world, Farm(10), in_full).peak > 3000


def test_honest_ratings_suffer_little_from_the_rule_and_nothing_from_a_farm(world: World) -> None:
    now, before, farmed = rated(world), rated(world, rule=in_full), rated(world, Farm(10))
    assert now.order > before.order - 0.05
    assert now.error < before.error * 1.05
    assert farmed.order == pytest.approx(now.order)
    assert farmed.error == pytest.approx(now.error)
