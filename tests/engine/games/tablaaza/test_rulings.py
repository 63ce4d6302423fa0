"""RULES.md's decisions where the document is silent; each test carries the ruling's number."""

from __future__ import annotations

from engine.games.tablaaza import GAME
from engine.games.tablaaza.board import GREEN, RED
from tests.engine.games.tablaaza.boards import (
    BEFORE_B6,
    LAST_TURN,
    board,
    forbidden,
    moves,
    pavilions,
    picture,
    play,
)


def test_ruling_2_a_stone_in_between_does_not_cut_a_corridor() -> None:
    """b4 lies between b5 and b2, yet b2 is still needed."""
    without_b2 = board("o a1 a4 a5 b4 h1 h3", "red")
    state = play(without_b2, "b6")
    assert pavilions(state) == set()
    assert pavilions(play(state, "h5", "b2")) == {"b5"}


def test_ruling_2_a_pavilion_in_between_does_not_cut_a_corridor() -> None:
    """With a pavilion on b3, b5 still needs b2 beyond it, and gets it."""
    state = board("o a3 a4 b2 b4 b6 g2 h1 h3, ^ b3", "red")
    assert pavilions(play(state, "a5")) == {"b3", "b5"}


def test_ruling_2_a_plot_with_a_pavilion_remains_part_of_its_corridor() -> None:
    """b1 and b3 are green plots in one column; a pavilion on b3 does not shorten b1's corridor."""
    state = board("o a3 a4 b2 b4 b6 g2 h1 h3, ^ b3", "red")
    for red, green in (("a1", "h5"), ("c1", "h7"), ("e1", "e6")):
        state = play(state, red, green)
        assert pavilions(state) == {"b3"}
    assert pavilions(play(state, "g1")) == {"b1", "b3"}


def test_ruling_3_pavilions_rise_automatically_and_all_at_once() -> None:
    """Completing a plot is one move, not a choice: the player is not asked."""
    state = board(BEFORE_B6, "red")
    assert [m for m in map(GAME.write, GAME.legal_moves(state)) if m.startswith("b6")] == ["b6"]
    assert pavilions(play(state, "b6")) == {"b5"}


def test_ruling_5_a_stone_raises_nothing_on_plots_of_its_own_colour() -> None:
    """Green occupies a plot a red one needs, and an adjacent green plot has all it needs."""
    state = board(BEFORE_B6, "red")
    for text in sorted(moves(state)):
        assert play(state, text).raised(GREEN) == ()


def test_ruling_6_a_knights_move_past_the_corner_of_a_lake_is_allowed() -> None:
    assert "c6" in moves(play(GAME.initial(), "d4"))
    assert forbidden(play(GAME.initial(), "d4"), "b5")[0] == "Neighbourly"


def test_ruling_6a_the_rules_are_named_after_the_documents_headings() -> None:
    assert [rule.name for rule in GAME.rules] == [
        "Equipment",
        "Play",
        "Pavilion",
        "Objective",
        "Neighbourly",
    ]
    assert GAME.rule("pavilion").number == "Pavilion"


def test_ruling_7_only_greens_first_stone_is_restricted() -> None:
    state = play(GAME.initial(), "a1")
    assert len(moves(state)) == 4
    for text in ("a2", "a3"):
        state = play(state, text)
    assert len(moves(state)) == 24


def test_ruling_9_the_game_ends_after_a_move_and_its_pavilions() -> None:
    """That move's pavilions take the last red plots: Red has lost without another turn."""
    state = picture(LAST_TURN, "green")
    assert state.spaces(RED) == ("c7",)
    after = play(state, "c6")
    assert after.spaces(RED) == ()
    assert GAME.outcome(after) is not None


def test_ruling_10_there_is_no_passing_and_no_agreed_draw() -> None:
    assert forbidden(GAME.initial(), "pass")[0] == "Play"
    assert GAME.agreed_draw is None
