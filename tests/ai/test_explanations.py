"""A match's decisive cause is the same for the winner and the loser."""

from __future__ import annotations

import pytest

from ai.explanations import MIN_LOSS, Breakdown, Cause, explain


@pytest.mark.parametrize(
    ("luck", "mistakes", "won", "lost"),
    [
        (0.47, 0.38, Cause.WON_LUCKY, Cause.LOST_UNLUCKY),
        (0.2, 0.4, Cause.WON_BETTER, Cause.LOST_BLUNDER),
        (0.05, 0.01, Cause.WON_NARROWLY, Cause.LOST_OUTPLAYED),
    ],
)
def test_both_players_get_the_same_explanation(
    luck: float, mistakes: float, won: Cause, lost: Cause
) -> None:
    winner = Breakdown(0.5, luck=luck, lost=0.1, gained=mistakes, mistakes=1, result=1.0)
    loser = Breakdown(
        0.5,
        luck=-luck,
        lost=mistakes,
        mistakes=int(mistakes >= MIN_LOSS),
        result=0.0,
        worst=3,
        loss=mistakes,
    )
    assert explain(loser, throws=True, early=False).cause is lost
    assert explain(winner, throws=True, early=False).cause is won


def test_luck_is_weighed_against_what_play_gained_in_the_end_not_against_all_mistakes() -> None:
    winner = Breakdown(0.5, luck=0.42, lost=0.55, gained=0.63, mistakes=9, result=1.0, loss=0.08)
    loser = Breakdown(0.5, luck=-0.42, lost=0.63, gained=0.55, mistakes=11, loss=0.07)
    assert round(winner.skill, 2) == -round(loser.skill, 2) == 0.08
    assert explain(winner, throws=True, early=False).cause is Cause.WON_LUCKY
    assert explain(loser, throws=True, early=False).cause is Cause.LOST_UNLUCKY


def test_a_win_with_a_reported_mistake_is_not_called_faultless() -> None:
    shown = Breakdown(0.5, lost=0.04, gained=0.5, mistakes=1, result=1.0, worst=3, loss=0.04)
    assert explain(shown, throws=False, early=False).cause is Cause.WON_BETTER
