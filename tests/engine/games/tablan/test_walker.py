"""Walker's leaflet, rule by rule."""

from __future__ import annotations

from fractions import Fraction

import pytest

from engine.errors import GameOver
from engine.game import CHANCE
from engine.games.tablan import GAME
from engine.games.tablan.state import BLACK, WHITE
from tests.engine.games.tablan.boards import (
    START,
    board,
    description,
    ended,
    forbidden,
    moves,
    picture,
    play,
    reason,
    rows_of,
    turn,
)


def test_w1_each_sides_home_row_is_the_nearest_to_it() -> None:
    state = GAME.initial()
    assert {square[1] for square in state.squares(WHITE)} == {"1"}
    assert {square[1] for square in state.squares(BLACK)} == {"4"}


def test_w2_each_side_has_twelve_men_one_on_each_square_of_its_home_row() -> None:
    assert rows_of(GAME.initial()) == START.split("/")


def test_w3_the_sides_take_turns_to_throw_until_one_shows_a_single_plain_side() -> None:
    state = GAME.initial()
    assert turn(state) == "white start"
    for text, then in (("*3", "black start"), ("*4", "white start"), ("*0", "black start")):
        state = play(state, text)
        assert turn(state) == then
    assert turn(play(state, "*1")) == "black 2"


def test_w3_no_man_moves_during_the_opening_throws() -> None:
    assert forbidden(GAME.initial(), "k1-l2") == ("W3", ("k1", "l2"))
    assert forbidden(GAME.initial(), "l1-l2,k1-l1") == ("W3", ("l1", "l2", "k1", "l1"))


def test_w4_a_man_moves_along_its_course_by_the_score_of_the_sticks() -> None:
    state = board("W c1, b a4", "white 8")
    assert moves(state) == {"c1-k1"}
    assert rows_of(play(state, "c1-k1"))[3] == "..........W."


@pytest.mark.parametrize(
    ("seat", "course"),
    [
        (WHITE, "a1 l1 l2 a2 a3 l3 l4 a4"),
        (BLACK, "l4 a4 a3 l3 l2 a2 a1 l1"),
    ],
)
def test_w5_a_course_runs_right_along_the_home_row_and_then_back_and_forth(
    seat: int, course: str
) -> None:
    walk = GAME.initial().course(WHITE if seat == WHITE else BLACK)
    corners = [walk[place] for row in range(4) for place in (12 * row, 12 * row + 11)]
    assert " ".join(corners) == course


def test_w5_a_man_never_moves_backwards() -> None:
    state = board("W e2, b a4", "white 2")
    assert forbidden(state, "e2-g2") == ("W5", ("e2", "g2"))
    assert forbidden(state, "e2-e2") == ("W5", ("e2", "e2"))


def test_w6_both_sides_move_the_same_way_on_every_row() -> None:
    state = GAME.initial()
    white, black = state.course(WHITE), state.course(BLACK)
    rows = [white[start : start + 12] for start in range(0, 48, 12)]
    assert [black[start : start + 12] for start in range(0, 48, 12)] == rows[::-1]


def test_w7_the_player_who_threw_one_plain_side_plays_it_and_then_throws() -> None:
    state = play(GAME.initial(), "*1")
    assert moves(state) == {"k1-l2", "l1-k2", "l1-l2,k1-l1"}
    state = play(state, "k1-l2")
    assert turn(state) == "white -"
    assert forbidden(state, "a1-c1") == ("W7", ("a1", "c1"))


def test_w8_the_sticks_score_2_8_and_12_for_one_four_and_no_plain_side() -> None:
    state = board("W a2, b a4", "white -")
    assert {text: turn(play(state, text)) for text in sorted(moves(state))} == {
        "*0": "white 12",
        "*1": "white 2",
        "*2": "black -",
        "*3": "black -",
        "*4": "white 8",
    }


def test_w8_each_stick_falls_on_either_side_with_equal_odds() -> None:
    odds = GAME.odds(GAME.initial())
    written = {GAME.write(throw): chance for throw, chance in odds.items()}
    assert written == {f"*{n}": Fraction(w, 16) for n, w in enumerate((1, 4, 6, 4, 1))}


def test_w9_a_throw_that_scores_nothing_passes_the_sticks() -> None:
    state = picture(START, "black -")
    for text in ("*2", "*3"):
        assert turn(play(state, text)) == "white -"
    assert (
        description(state, "*3") == "Black threw 3 plain sides: nothing, the sticks pass to White"
    )


def test_w10_one_man_moves_the_score_or_two_men_half_of_it_each() -> None:
    state = board("W a1 a2, b l4", "white 8")
    assert moves(state) == {"a1-i1", "a2-h3", "a2-d3,a1-e1"}
    assert rows_of(play(state, "a2-d3,a1-e1")) == [
        "...........b",
        "...W........",
        "............",
        "....W.......",
    ]


def test_w10_other_distances_are_refused_and_the_right_square_named() -> None:
    state = picture(START, "white 8")
    assert forbidden(state, "f1-j2") == ("W10", ("j2", "k2"))
    assert forbidden(state, "l1-j2,k1-j2") == ("W10", ("j2", "i2"))


def test_w10_the_man_must_exist_and_be_your_own() -> None:
    state = picture(START, "white 2")
    assert forbidden(state, "e2-c2") == ("W10", ("e2",))
    assert forbidden(state, "e4-c4") == ("W10", ("e4",))


def test_w11_a_man_on_the_last_row_moves_no_further() -> None:
    state = board("W a2 e4, B l2", "white 2")
    assert moves(state) == {"a2-b3"}
    assert forbidden(state, "e4-c4") == ("W11", ("e4",))


def test_w12_two_men_never_share_a_square() -> None:
    state = board("W a1 c1, b l4", "white 2")
    assert moves(state) == {"c1-e1", "c1-d1,a1-b1"}
    assert forbidden(state, "a1-c1") == ("W12", ("c1",))


def test_w13_a_score_that_can_be_played_must_be_played() -> None:
    state = picture(START, "white 2")
    assert forbidden(state, "*2") == ("W13", ())


def test_w13_half_of_a_score_cannot_be_played() -> None:
    state = picture(START, "white 8")
    assert forbidden(state, "l1-i2") == ("W13", ("l1", "i2"))


def test_w13_a_score_that_cannot_be_played_is_lost() -> None:
    state = board("W k3 l4, b a4", "white -")
    assert turn(play(state, "*1")) == "white -"
    assert description(state, "*1") == (
        "White threw 1 plain side: 2 points, which cannot be used, and throws again"
    )


def test_w14_after_a_move_the_same_side_throws_again() -> None:
    state = play(picture(START, "black 2"), "b4-a3")
    assert turn(state) == "black -"
    assert GAME.actor(state) is CHANCE


def test_w15_landing_on_an_enemy_captures_him() -> None:
    state = board("W e2, B c2, b a4", "white 2")
    after = play(state, "e2-c2")
    assert rows_of(after)[2] == "..W........."
    assert after.captured(BLACK) == 11
    assert description(state, "e2-c2") == (
        "e2 to c2, takes a man (2 points); Black has only 1 man left and loses if it is taken"
    )


@pytest.mark.parametrize(
    ("men", "told"),
    [
        ("b a4 b4 c4 d4", ""),
        ("b a4 b4 c4", "; Black has only 3 men left and loses if all are taken"),
        ("b a4 b4", "; Black has only 2 men left and loses if all are taken"),
    ],
)
def test_w19_a_capture_that_leaves_few_men_says_what_losing_them_means(men: str, told: str) -> None:
    state = board(f"W e2, B c2, {men}", "white 2")
    assert description(state, "e2-c2") == f"e2 to c2, takes a man (2 points){told}"
    assert description(state, "e2-c2").count("left") == bool(told)


def test_w19_the_move_that_takes_the_last_man_speaks_of_no_men_left() -> None:
    state = board("W e2, B c2", "white 2")
    assert description(state, "e2-c2") == "e2 to c2, takes a man (2 points)"
    assert ended(play(state, "e2-c2")) == ((1, 2), "all men of Black are taken")


def test_w16_an_enemy_in_your_home_row_cannot_be_captured() -> None:
    state = board("W a1, B c1, b a4", "white 8")
    assert moves(state) == {"a1-i1"}
    at_two = board("W a1 e1, B c1, b a4", "white 2")
    assert forbidden(at_two, "a1-c1") == ("W16", ("c1",))
    assert forbidden(at_two, "e1-f1,c1-d1") == ("W10", ("c1",))


def test_w16_your_own_men_in_the_home_row_may_be_captured() -> None:
    state = board("w b1, B a2, b a4", "black 2")
    assert rows_of(play(state, "a2-b1"))[3] == ".B.........."


def test_w17_the_game_ends_when_one_side_has_all_its_men_on_the_last_row() -> None:
    state = board("W d4 k3, b a4", "white 2")
    after = play(state, "k3-l4")
    assert rows_of(after)[:2] == ["b..W.......W", "............"]
    assert reason(after) == "White has finished with 2 men home, against 0"
    assert moves(after) == set()
    with pytest.raises(GameOver, match="White has finished"):
        GAME.read(after, "*1")


def test_w18_every_man_on_the_enemys_home_row_counts() -> None:
    state = board("W d4 k3, B b1 c1 d1, b a4", "white 2")
    assert ended(play(state, "k3-l4")) == (
        (2, 1),
        "White has finished, but Black has 3 men home, against 2",
    )


def test_w19_the_side_with_more_men_on_the_enemys_home_row_wins() -> None:
    state = board("W c4 d4 k3, B b1 c1, b a4", "white 2")
    assert ended(play(state, "k3-l4"))[0] == (1, 2)


def test_w20_the_furthest_square_of_the_last_row_must_be_filled_first() -> None:
    state = board("W b4 d3, w a1, b e4", "white 12", order="furthest-first")
    assert moves(state) == {"a1-l2", "d3-j3,a1-g1"}
    assert forbidden(state, "d3-i4") == ("W20", ("i4", "a4"))


def test_w20_an_enemy_on_the_square_due_is_captured() -> None:
    state = board("W l3, w a1, b a4 b4", "white 12", order="furthest-first")
    assert rows_of(play(state, "l3-a4"))[0] == "Wb.........."


def test_w21_no_other_square_of_the_last_row_may_be_entered() -> None:
    state = board("W e3 l3 l4, w a1, b a4 b4", "white 8", order="furthest-first")
    assert moves(state) == {"a1-i1", "e3-i3,a1-e1"}
    assert forbidden(state, "l3-e4") == ("W20", ("e4", "a4"))
