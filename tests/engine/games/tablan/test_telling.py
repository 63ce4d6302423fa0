"""How the log describes opening throws and ordinary moves; the rules' tests have more."""

from __future__ import annotations

from engine.games.tablan import GAME
from tests.engine.games.tablan.boards import description, play


def test_an_opening_throw_says_who_is_next() -> None:
    assert description(GAME.initial(), "*4") == (
        "White threw 4 plain sides: only 1 starts, so Black throws next"
    )
    assert description(GAME.initial(), "*0").startswith("White threw no plain side: only 1 starts")


def test_the_throw_that_starts_the_game_says_what_to_play() -> None:
    assert description(GAME.initial(), "*1") == (
        "White threw 1 plain side and starts the game with 2 points"
    )


def test_a_scoring_throw_says_its_points() -> None:
    state = play(GAME.initial(), "*1", "k1-l2")
    assert description(state, "*0") == "White threw no plain side: 12 points"


def test_a_split_mentions_both_men() -> None:
    assert description(play(GAME.initial(), "*1"), "l1-l2,k1-l1") == (
        "l1 to l2, then k1 to l1 (half each)"
    )
