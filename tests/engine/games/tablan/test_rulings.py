"""RULES.md's decisions where the documents are silent, under the same numbers."""

from __future__ import annotations

import pytest

from engine.game import CHANCE
from engine.games.tablan import GAME
from engine.games.tablan.state import Split, Walk
from tests.engine.games.tablan.boards import (
    board,
    description,
    ended,
    forbidden,
    moves,
    play,
    refused,
    result,
    rows_of,
    turn,
)

ONE_EACH = "W a2, b a4"


@pytest.mark.parametrize(
    ("order", "entering"), [("furthest-first", set()), ("nearest-first", {"a3-l4"})]
)
def test_ruling_1_both_readings_of_the_order_can_be_played(order: str, entering: set[str]) -> None:
    state = board("W a2 a3, b a4", "white 12", order=order)
    assert moves(state) == {"a2-l3", "a3-g3,a2-f3"} | entering


def test_ruling_2_an_enemy_on_the_square_due_is_captured() -> None:
    state = board("W a3, b a4 l4", "white 12", order="nearest-first")
    assert rows_of(play(state, "a3-l4"))[0] == "b..........W"


def test_ruling_3_a_man_who_cannot_land_on_the_square_due_loses_the_throw() -> None:
    state = board("W k3, b a4", "white -", order="nearest-first")
    assert {text: turn(play(state, text)) for text in ("*0", "*1", "*4")} == {
        "*0": "white -",
        "*1": "white 2",
        "*4": "white -",
    }


def test_ruling_4_a_throw_that_can_only_be_half_played_is_lost() -> None:
    state = board("W f4 k3, b a4", "white -")
    assert turn(play(state, "*4")) == "white -"


def test_ruling_5_the_second_half_may_use_the_square_vacated_by_the_first() -> None:
    state = play(GAME.initial(), "*1")
    assert "l1-l2,k1-l1" in moves(state)
    refusal = refused(state, "k1-l1,l1-l2")
    assert refusal.rule.name == "W12"
    assert refusal.squares == ("l1",)
    assert "l1-l2,k1-l1" in refusal.sentence


def test_ruling_6_one_man_cannot_move_both_halves() -> None:
    state = board(ONE_EACH, "white 8")
    assert moves(state) == {"a2-h3"}
    assert forbidden(state, "a2-d3,d3-h3") == ("W10", ("d3",))
    assert forbidden(state, "a2-d3,a2-d3") == ("W10", ("a2",))


def test_ruling_7_a_lost_score_throws_again() -> None:
    state = board("W k3 l4, b a4", "white -")
    assert turn(play(state, "*1")) == "white -"
    assert turn(play(state, "*2")) == "black -"


def test_ruling_8_an_enemy_in_your_home_row_blocks_the_square() -> None:
    state = board("w a1, B c1, b a4", "white -")
    assert turn(play(state, "*1")) == "white -"
    assert turn(play(state, "*4")) == "white 8"


def test_ruling_9_only_a_two_unlocks_and_it_unlocks_both_halves() -> None:
    state = play(GAME.initial({"unlock": "two"}), "*1", "l1-l2,k1-l1", "*4")
    assert turn(state) == "white 8"
    assert moves(state) == {"l2-d2", "l1-e2", "l2-h2,l1-i2"}
    assert forbidden(state, "j1-g2") == ("B3", ("j1",))


def test_ruling_10_the_end_is_tested_after_every_move_even_with_a_throw_to_come() -> None:
    state = board("W k3, b a4", "white 2")
    after = play(state, "k3-l4")
    assert GAME.outcome(after) is not None
    assert GAME.odds(after) == {}


def test_ruling_10_capturing_a_sides_last_man_outside_finishes_that_side() -> None:
    state = board("W a2, B b1 b3", "white 2")
    assert ended(play(state, "a2-b3")) == ((2, 1), "Black has finished with 1 man home, against 0")


TIED = "W k3 l4, B b1 c1, b a4 b4"


def test_ruling_11_equal_scores_are_a_draw() -> None:
    after = play(board(TIED, "white 8"), "k3-f4")
    assert ended(after) == ((1, 1), "White has finished with 2 men home each")
    assert result(after) == "draw"


def test_ruling_11_the_first_finisher_may_win_the_tie() -> None:
    assert ended(play(board(TIED, "white 8", tie="first-finisher"), "k3-f4")) == (
        (1, 2),
        "White has finished; White finished first",
    )


def test_ruling_11_of_two_finishers_the_earlier_wins_the_tie() -> None:
    state = board("W j3 l4, B b1 c1", "white 2", end="both-done", tie="first-finisher")
    state = play(state, "j3-l3", "*1")
    assert ended(play(state, "l3-k4")) == (
        (2, 1),
        "White and Black have finished; Black finished first",
    )


@pytest.mark.parametrize("end", ["one-done", "both-done"])
def test_ruling_11_one_move_that_finishes_both_is_still_a_draw(end: str) -> None:
    state = board("W k3, B b1, b l4", "white 2", end=end, tie="first-finisher")
    after = play(state, "k3-l4")
    assert ended(after)[0] == (1, 1)
    line = GAME.write_position(after)
    assert line.endswith(" together") == (end == "both-done")
    again = GAME.read_position(line, {"end": end, "tie": "first-finisher"})
    assert again == after
    assert GAME.outcome(again) == GAME.outcome(after)


def test_ruling_12_a_finished_side_is_skipped() -> None:
    state = board("W k3 l4, B b1 c1, b a4", "white 8", end="both-done")
    state = play(state, "k3-f4")
    assert turn(state) == "black -"
    assert GAME.outcome(state) is None
    assert GAME.actor(state) is CHANCE
    assert turn(play(state, "*2")) == "black -"
    assert description(state, "*2") == (
        "Black threw 2 plain sides: nothing; White has finished, so Black throws again"
    )


def test_ruling_13_even_a_bad_move_must_be_made() -> None:
    state = board("W b1, b a4", "white 2")
    assert moves(state) == {"b1-d1"}


def test_ruling_14_the_longest_throw_from_the_last_square_outside_ends_on_the_course() -> None:
    state = board("W l3, b a4", "white 12")
    assert moves(state) == {"l3-a4"}


def test_ruling_14a_a_side_with_no_men_left_has_lost_at_once() -> None:
    state = board("W a2, B b3", "white 2", end="both-done")
    assert ended(play(state, "a2-b3")) == ((1, 2), "all men of Black are taken")


def test_ruling_14b_white_makes_the_first_opening_throw() -> None:
    assert turn(GAME.initial()) == "white start"


def test_ruling_14c_a_split_typed_in_the_other_order_is_written_canonically() -> None:
    state = board("W a1 a2, b a4", "white 8")
    move = GAME.read(state, "a1-e1,a2-d3")
    assert GAME.write(move) == "a2-d3,a1-e1"
    assert move in GAME.legal_moves(state)
    turned = Split(Walk("a1", "e1"), Walk("a2", "d3"))
    assert GAME.apply(state, turned) == GAME.apply(state, move)


def test_ruling_15_the_game_is_over_when_neither_side_can_move() -> None:
    state = board("W j3, B a2", "white 2", order="nearest-first")
    after = play(state, "j3-l3")
    assert ended(after) == ((1, 1), "nobody can move")


def test_ruling_15_a_winner_when_neither_side_can_move_is_told_by_the_men_at_home() -> None:
    state = board("W a4 j3, B l1 k1 a2", "white 2", order="nearest-first")
    after = play(state, "j3-l3")
    assert ended(after) == ((2, 1), "nobody can move, and Black has 2 men home, against 1")


def test_ruling_15_while_one_side_can_move_the_others_throws_are_lost() -> None:
    state = board("W l3, b a4", "white -", order="nearest-first")
    assert {turn(play(state, text)) for text in ("*0", "*1", "*4")} == {"white -"}
    assert GAME.outcome(state) is None
