"""The pairing costs least, one criterion after the other."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.features.tournaments.matching import best_pairs
from tests.bot.tournaments.field import all_ways


@settings(max_examples=60, deadline=None)
@given(st.sampled_from((2, 4, 6, 8)), st.randoms(use_true_random=False))
def test_no_other_pairing_costs_less(count: int, dice: st.DrawFn) -> None:
    costs = {
        (one, other): (dice.randrange(3), dice.choice((0, 0, 7)), dice.randrange(50))  # type: ignore[attr-defined]
        for one in range(count)
        for other in range(one + 1, count)
    }

    def total(pairs: list[tuple[int, int]]) -> tuple[int, ...]:
        return tuple(map(sum, zip(*(costs[pair] for pair in pairs), strict=True)))

    found = best_pairs(count, lambda one, other: costs[one, other], b"seed")
    assert sorted(number for pair in found for number in pair) == list(range(count))
    assert total(found) == min(total(way) for way in all_ways(list(range(count))))


def test_the_seed_chooses_between_equally_good_pairings() -> None:
    drawn = {tuple(best_pairs(6, lambda one, other: (0,), bytes([seed]))) for seed in range(60)}
    assert len(drawn) == 15
    again = best_pairs(6, lambda one, other: (0,), b"\x07")
    assert again == best_pairs(6, lambda one, other: (0,), b"\x07")


def test_costs_that_cannot_be_compared_exactly_are_refused() -> None:
    with pytest.raises(ValueError, match="exactly"):
        best_pairs(4, lambda one, other: (2**60, 2**60), b"")


def test_an_empty_field_has_no_pairs() -> None:
    assert best_pairs(0, lambda one, other: (0,), b"") == []
