"""One sentence on what decided a match."""

from __future__ import annotations

import re

import pytest

from ai.explanations import Breakdown, Cause, Explanation, explain
from bot.features.analysis.report import sentence


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("cause", Cause)
def test_every_cause_has_a_sentence(cause: Cause, players: int) -> None:
    phrase = sentence("<@1>", Explanation(cause, 2, 17, 0.1, 0.6), players=players)
    assert "<@1>" in phrase
    assert phrase.endswith(".")


@pytest.mark.parametrize("result", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("luck", [-1.46, -0.2, 0.0, 1.46])
@pytest.mark.parametrize(("lost", "gained"), [(1.85, 2.1), (3.86, 3.32), (0.0, 1.3)])
def test_no_share_of_a_win_exceeds_100_percent(
    result: float, luck: float, lost: float, gained: float
) -> None:
    """In a long match, the win chances that mistakes cost add up to several wins."""
    whole = Breakdown(
        0.5,
        luck,
        lost,
        gained,
        mistakes=23 if lost else 0,
        result=result,
        worst=17 if lost else 0,
        loss=lost / 8,
    )
    phrase = sentence("Ann", explain(whole, throws=True, early=False), players=2)
    assert all(int(figure) <= 100 for figure in re.findall(r"\d+", phrase)), phrase


def test_a_single_mistake_is_not_called_the_costliest_of_several() -> None:
    for cause in (Cause.WON_NARROWLY, Cause.LOST_MISTAKES):
        assert "costliest" not in sentence("Ann", Explanation(cause, 1, 17, 0.08, 0.6), players=2)
        assert "2 mistakes" in sentence("Ann", Explanation(cause, 2, 17, 0.08, 0.6), players=2)


def test_a_winner_with_a_costly_mistake_is_not_praised_for_making_none() -> None:
    small = sentence("Ann", Explanation(Cause.WON_BETTER, 1, 17, 0.06, 1.0), players=2)
    assert small == "Ann won with better moves: no mistake cost more than 6 %."
    for loss in (0.1, 0.4, 1.0):
        told = sentence("Ann", Explanation(Cause.WON_BETTER, 1, 17, loss, 1.0), players=2)
        assert told.startswith(f"Ann won despite a mistake on move 17 (−{100 * loss:.0f} %)")
        assert "no mistake" not in told
        several = sentence("Ann", Explanation(Cause.WON_BETTER, 3, 17, loss, 1.0), players=2)
        assert several.startswith("Ann won despite 3 mistakes")


@pytest.mark.parametrize("cause", Cause)
@pytest.mark.parametrize("mistakes", [0, 1, 3])
def test_of_two_players_nobody_speaks_of_others_and_of_four_nobody_of_the_other(
    cause: Cause, mistakes: int
) -> None:
    def told(players: int) -> str:
        return sentence("Ann", Explanation(cause, mistakes, 17, 0.4, 0.6), players=players)

    # Only among three or more does a match go on once somebody has given up.
    assert "others" not in told(2).lower() or cause is Cause.MOVED_UP
    assert not re.search("the other side|opponent", told(4).lower())
