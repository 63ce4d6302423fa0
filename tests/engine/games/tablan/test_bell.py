"""Bell's leaflet, rule by rule, where it differs or numbers a shared rule itself."""

from __future__ import annotations

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
    refused,
    rows_of,
    turn,
)


def test_b1_each_square_of_both_back_rows_holds_a_man() -> None:
    assert rows_of(GAME.initial({"rules": "bell"})) == START.split("/")


def test_b2_one_four_or_no_plain_sides_score_and_throw_again() -> None:
    state = board("W a2, b a4", "white -", rules="bell")
    after = {text: turn(play(state, text)) for text in sorted(moves(state))}
    assert after == {
        "*0": "white 12",
        "*1": "white 2",
        "*2": "black -",
        "*3": "black -",
        "*4": "white 8",
    }
    assert turn(play(state, "*4", "a2-h3")) == "white -"
    assert forbidden(state, "a2-h3") == ("B2", ("a2", "h3"))


def test_b3_only_a_two_can_make_a_mans_first_move() -> None:
    state = board("W a2, w a1, b a4", "white 8", rules="bell")
    assert moves(state) == {"a2-h3"}
    assert forbidden(state, "a1-i1") == ("B3", ("a1",))
    assert forbidden(state, "a2-d3,a1-e1") == ("B3", ("a1",))


def test_b3_a_two_may_be_split_into_the_first_moves_of_two_men() -> None:
    state = picture(START, "white 2", rules="bell")
    assert "l1-l2,k1-l1" in moves(state)
    after = play(state, "l1-l2,k1-l1")
    assert rows_of(after)[2:] == ["...........W", "wwwwwwwwww.W"]
    assert forbidden(state, "l1-k2,k1-l2") == ("B3", ("k2", "l2"))


def test_b4_an_eight_and_a_twelve_may_be_split_in_half() -> None:
    men = "W a2 l2, b a4"
    assert "l2-h2,a2-d3" not in moves(board(men, "white 8", rules="bell"))
    assert "a2-d3,l2-h2" in moves(board(men, "white 8", rules="bell"))
    assert "a2-f3,l2-f2" in moves(board(men, "white 12", rules="bell"))
    assert forbidden(board(men, "white 8", rules="bell"), "a2-d3,d3-h3") == ("B4", ("d3",))


def test_b5_the_sides_move_in_opposite_directions() -> None:
    state = GAME.initial({"rules": "bell"})
    assert state.course(BLACK) == state.course(WHITE)[::-1]
    assert forbidden(picture(START, "black 2", rules="bell"), "k4-j4") == ("B5", ("k4", "j4"))


def test_b5_the_option_to_move_in_the_same_direction_is_available() -> None:
    state = GAME.initial({"rules": "bell", "course": "alongside"})
    assert state.course(BLACK) == GAME.initial().course(BLACK)


def test_b6_enemies_are_captured_on_the_middle_rows_and_in_their_own_back_row() -> None:
    state = board("W d2 l3, B c2, b k4 l4", "white 2", rules="bell")
    assert rows_of(play(state, "l3-k4"))[0] == "..........Wb"
    assert rows_of(play(state, "l3-l4,d2-c2")) == [
        "..........bW",
        "............",
        "..W.........",
        "............",
    ]


def test_b7_a_man_in_the_enemys_back_row_neither_moves_nor_is_captured() -> None:
    state = board("W d4 k3, w a1, B c1, b l4", "white 2", rules="bell")
    assert moves(state) == {"k3-l4", "k3-l3,a1-b1"}
    assert forbidden(state, "d4-b4") == ("B7", ("d4",))
    assert forbidden(state, "a1-c1") == ("B7", ("c1",))


def test_b8_the_enemys_squares_may_have_to_be_filled_in_order() -> None:
    state = board("W d3 j3 l3 l4, w a1, b a4", "white 8", rules="bell", order="nearest-first")
    assert moves(state) == {"j3-k4,d3-h3"}
    assert forbidden(state, "l3-e4") == ("B8", ("e4", "k4"))


def test_b8_of_two_men_the_one_behind_may_have_to_go_first() -> None:
    state = board("W g3 h3, b a4", "white 12", rules="bell", order="nearest-first")
    assert moves(state) == {"g3-l4,h3-k4"}
    refusal = refused(state, "h3-k4,g3-l4")
    assert (refusal.rule.name, refusal.squares) == ("B8", ("k4", "l4"))
    assert "The other way round it can be played: g3-l4,h3-k4." in refusal.sentence


def test_b9_two_men_may_move_and_two_enemies_be_captured_in_one_turn() -> None:
    state = board("W d2 l3, B c2, b a4 l4", "white 2", rules="bell")
    after = play(state, "l3-l4,d2-c2")
    assert after.captured(BLACK) == 11
    assert after.arrived(WHITE) == ("l4",)
    assert description(state, "l3-l4,d2-c2") == (
        "l3 to l4, takes a man, then d2 to c2, takes a man (2 points); "
        "Black has only 1 man left and loses if it is taken"
    )


def test_b10_no_square_holds_two_men() -> None:
    state = board("W c1, w a1, b a4", "white 2", rules="bell")
    assert forbidden(state, "a1-c1") == ("B10", ("c1",))


def test_b11_a_throw_must_be_used_even_if_inconvenient() -> None:
    state = picture(START, "black 2", rules="bell")
    assert forbidden(state, "*2") == ("B11", ())


def test_b11_a_last_man_who_cannot_reach_the_square_due_is_excused() -> None:
    state = board("W l3 l4, b a4", "white -", rules="bell", order="nearest-first")
    assert turn(play(state, "*1")) == "white 2"
    assert turn(play(state, "*4")) == "white -"
    assert description(state, "*4") == (
        "White threw 4 plain sides: 8 points, which cannot be used, and throws again"
    )


def test_b12_the_side_with_more_of_the_enemys_squares_wins() -> None:
    state = board("W b4 j3, B a1 b1 l1", "white 2", rules="bell", end="both-done")
    state = play(state, "j3-l3", "*1")
    assert turn(state) == "white 2"
    assert ended(play(state, "l3-k4")) == (
        (2, 1),
        "White and Black have finished, with 3 men home against 2",
    )
