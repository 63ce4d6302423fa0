"""The document, rule by rule."""

from __future__ import annotations

import pytest

from engine.errors import GameOver
from engine.game import CHANCE
from engine.games.thaayam import GAME
from engine.games.thaayam.board import PATHS
from engine.games.thaayam.state import EAST, NORTH, SOUTH, WEST
from tests.engine.games.thaayam.boards import (
    beside,
    board,
    description,
    ended,
    forbidden,
    moves,
    on_board,
    play,
    turn,
)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_rule_1_all_pieces_start_off_the_board(players: int) -> None:
    state = GAME.initial(players=players)
    assert on_board(state) == {}
    assert {beside(state, GAME.seat_names[seat]) for seat in GAME.seats(players)} == {"----"}


@pytest.mark.parametrize(("white", "score"), [(0, 8), (1, 1), (2, 2), (3, 3), (4, 4)])
def test_rule_2_a_throw_scores_its_white_sides_and_none_score_eight(white: int, score: int) -> None:
    assert turn(play(GAME.initial(), f"*{white}")) == f"north start:{score},-"


def test_rule_3_the_highest_throw_begins() -> None:
    assert turn(play(GAME.initial(), "*3", "*0")) == "north -"
    assert turn(play(GAME.initial(players=4), "*3", "*4", "*1", "*2")) == "west -"


def test_rule_3_no_piece_moves_before_the_opening_is_decided() -> None:
    assert forbidden(GAME.initial(), "in") == ("3", ())
    assert forbidden(play(GAME.initial(), "*1"), "c1+1") == ("3", ("c1",))


def test_rule_3_the_turn_passes_to_the_left_that_is_clockwise() -> None:
    state = GAME.read_position("south:24,-,-,- west:24,-,-,- north:24,-,-,- east:24,-,-,- south -")
    for then in ("west -", "north -", "east -", "south -"):
        state = play(state, "*2")  # a piece in the keep cannot use it
        assert turn(state) == then


def test_rule_4_a_turn_begins_with_throws_until_a_two_or_three() -> None:
    state = board("", "south -")
    for text, then in (("*1", "south 1,-"), ("*4", "south 1,4,-"), ("*0", "south 1,4,8,-")):
        state = play(state, text)
        assert GAME.actor(state) is CHANCE
        assert turn(state) == then
    assert turn(play(state, "*2")) == "south 1,4,8,2"
    assert turn(play(state, "*3")) == "south 1,4,8,3"


def test_rule_4_nothing_moves_before_the_first_throw() -> None:
    state = board("S a5", "south -")
    assert forbidden(state, "a5+2") == ("4", ("a5",))


ONE_EACH = "N c5, S e2"


def test_rule_5_the_throws_of_a_complete_series_are_used_in_any_order() -> None:
    state = board(ONE_EACH, "south 1,4,2")
    assert moves(state) == {"in", "e2+2", "e2+4", "e2+4+2", "e2+4+2+1"}
    assert turn(play(state, "e2+2")) == "south 1,4"
    assert turn(play(state, "e2+4")) == "south 1,2"


def test_rule_5_nothing_moves_until_the_series_ends() -> None:
    assert forbidden(board(ONE_EACH, "south 4,1,-"), "in") == ("5", ())


def test_rule_6_a_one_enters_a_piece_on_its_own_palace() -> None:
    state = play(board("", "south 1,2"), "in")
    assert on_board(state) == {"c1": "S"}
    assert beside(state, "south") == "---"


def test_rule_6_no_other_throw_enters_a_piece() -> None:
    state = board(ONE_EACH, "south 4,2")
    assert "in" not in moves(state)
    assert forbidden(state, "in") == ("6", ("c1",))
    assert forbidden(state, "c1+4") == ("6", ("c1",))


def test_rule_6_without_a_piece_in_hand_none_enters() -> None:
    state = GAME.read_position("south:1,2,3,4 north:-,-,-,- south 1,2")
    assert forbidden(state, "in") == ("6", ("c1",))


def test_rule_7_without_a_piece_on_the_board_throws_before_a_one_are_lost() -> None:
    state = play(board("", "south -"), "*4", "*0", "*1", "*4", "*2")
    assert turn(state) == "south 1,4,2"


def test_rule_7_without_a_one_the_whole_series_is_lost() -> None:
    state = board("", "south 4,8,-")
    assert turn(play(state, "*3")) == "north -"
    assert "no 1 to enter with" in description(state, "*3")


def test_rule_7_with_a_piece_on_the_board_nothing_is_lost() -> None:
    assert turn(play(board(ONE_EACH, "south 4,1,-"), "*2")) == "south 4,1,2"


@pytest.mark.parametrize(
    ("text", "square"),
    [("e2+3", "e5"), ("e2+4", "d5"), ("e2+4+3", "a5"), ("e2+8+3", "a1"), ("e2+8+4+3", "b4")],
)
def test_rule_8_a_piece_moves_by_one_throw_or_by_several_together(text: str, square: str) -> None:
    state = GAME.read_position("south:0,3,-,- north:0,-,-,- south 8,4,3")
    assert description(state, text).startswith(f"moves e2 to {square} with")


def test_rule_8_only_the_throws_in_hand_move_a_piece() -> None:
    state = board(ONE_EACH, "south 4,2")
    assert forbidden(state, "e2+3") == ("8", ("e2",))
    assert forbidden(state, "e2+4+4") == ("8", ("e2",))


def test_rule_8_only_your_own_pieces_on_the_board_move() -> None:
    state = board(ONE_EACH, "south 4,2")
    assert forbidden(state, "c5+4") == ("8", ("c5",))
    assert forbidden(state, "d4+4") == ("8", ("d4",))


@pytest.mark.parametrize("throws", ["1,8,4,2", "8,1,4,2", "4,8,1,2", "8,4,1,2"])
def test_rule_9_the_order_of_the_throws_makes_no_difference(throws: str) -> None:
    assert moves(board(ONE_EACH, f"south {throws}")) == moves(board(ONE_EACH, "south 1,4,8,2"))


TWO = "N a3, S e2, S b1"


def test_rule_10_a_piece_never_moves_twice() -> None:
    state = play(board(TWO, "south 4,2"), "e2+4")
    assert moves(state) == {"b1+2"}
    assert forbidden(state, "d5+2") == ("10", ("d5",))


def test_rule_10_combined_throws_do_not_stop_on_the_way() -> None:
    state = board("N d5, S e2, S a1", "south 4,2")
    assert beside(play(state, "e2+4+2"), "north") == "---"
    assert beside(play(state, "e2+4"), "north") == "----"


def test_rule_11_a_piece_may_enter_and_move_in_the_same_turn() -> None:
    state = play(board("", "south 1,4,2"), "in")
    assert moves(state) == {"c1+4+2"}
    assert turn(play(state, "c1+4+2")) == "north -"


@pytest.mark.parametrize(
    ("seat", "corners"),
    [
        (SOUTH, "c1 e3 c5 a3 b1 b2 b4 d4 d2 c2 c3"),
        (WEST, "a3 c1 e3 c5 a4 b4 d4 d2 b2 b3 c3"),
        (NORTH, "c5 a3 c1 e3 d5 d4 d2 b2 b4 c4 c3"),
        (EAST, "e3 c5 a3 c1 e2 d2 b2 b4 d4 d3 c3"),
    ],
)
def test_rule_12_each_path_starts_on_its_own_palace_and_is_rotated_by_a_quarter(
    seat: int, corners: str
) -> None:
    path = PATHS[seat]
    places = (0, 4, 8, 12, 15, 16, 18, 20, 22, 23, 24)
    assert " ".join(path[place] for place in places) == corners
    assert len(set(path)) == 25


def test_rule_13_a_move_that_would_waste_a_usable_throw_is_refused() -> None:
    # The pieces on d2 and c2 are 2 and 1 from the keep: the 1 must not go to d2.
    state = GAME.read_position("south:22,23,24,24 north:-,-,-,- south 1,2")
    assert moves(state) == {"c2+1", "d2+2"}
    assert forbidden(state, "d2+1") == ("13", ("d2",))


def test_rule_13_throws_are_used_before_the_next_throw() -> None:
    assert forbidden(board(ONE_EACH, "south 4,2"), "*2") == ("13", ())


def test_rule_13_a_throw_that_cannot_be_used_is_lost() -> None:
    state = GAME.read_position("south:22,24,24,24 north:-,-,-,- south 8,2")
    assert description(state, "d2+2") == "moves d2 to c3 with 2, into the keep; 8 cannot be used"
    assert turn(play(state, "d2+2")) == "north -"


def test_rule_14_any_number_of_pieces_may_share_a_square() -> None:
    state = board("S e2, SSNNNN c1", "south 1,2")
    assert on_board(play(state, "in")) == {"c1": "SSSNNNN", "e2": "S"}


OPPOSITE = "SS c5, N a2, S c1"


def test_rule_15_two_pieces_on_the_opposite_palace_may_be_declared_twins() -> None:
    state = board(OPPOSITE, "south 4,2")
    assert "twins" in moves(state)
    assert on_board(play(state, "twins")) == {"c5": "S&", "a2": "N", "c1": "S"}
    assert "c5+4" in moves(state)  # entering is optional


def test_rule_15_there_are_no_twins_elsewhere_and_none_of_one_piece() -> None:
    state = GAME.read_position("south:8,4,4,5 north:-,-,-,- south 4,2")
    assert forbidden(state, "twins") == ("15", ("c5",))
    assert forbidden(state, "e3&+4") == ("15", ("e3",))


def test_rule_16_twins_move_half_the_score_rounded_down() -> None:
    state = GAME.read_position("south:8&8,-,- north:-,-,-,- south 8,3")
    after = play(state, "c5&+8+3")
    assert on_board(after) == {"a2": "S&"}
    assert turn(after) == "north -"


def test_rule_16_a_one_alone_is_too_little_to_move_twins() -> None:
    state = GAME.read_position("south:8&8,-,- north:-,-,-,- south 1,1,1,2")
    assert forbidden(state, "c5&+1") == ("16", ("c5",))
    assert "c5&+1+1" in moves(state)


def test_rule_16_twins_do_not_move_separately() -> None:
    state = GAME.read_position("south:8&8,-,- north:-,-,-,- south 4,2")
    assert forbidden(state, "c5+4") == ("16", ("c5",))


def test_rule_17_three_form_a_pair_and_a_single_piece_and_four_two_pairs() -> None:
    state = GAME.read_position("south:8,8,8,- north:-,-,-,- south 4,2")
    state = play(state, "twins")
    assert on_board(state) == {"c5": "SS&"}
    assert "twins" not in moves(state)
    state = GAME.read_position("south:8,8,8,8 north:-,-,-,- south 4,2")
    assert on_board(play(state, "twins", "twins")) == {"c5": "S&S&"}


CROWDED = "WNN d5, S e2, S a1"


def test_rule_18_all_enemies_on_the_square_return_to_their_owners() -> None:
    state = board(CROWDED, "south 4,3", players=3)
    after = play(state, "e2+4")
    assert on_board(after) == {"d5": "S!", "a1": "S"}
    assert turn(after) == "south 3 again"
    assert beside(after, "north") == beside(after, "west") == "----"
    assert description(state, "e2+4").startswith(
        "moves e2 to d5 with 4, captures a piece of West and two of North"
    )


def test_rule_19_a_captured_piece_starts_again_from_the_beginning() -> None:
    state = play(GAME.read_position("south:3,-,-,- north:13,-,-,- south 2"), "e2+2")
    assert turn(state) == "south -"
    state = play(state, "*3", "e4+3", "*1", "*2")
    assert moves(state) == {"in"}
    assert on_board(play(state, "in")) == {"c5": "SN"}


def test_rule_20_a_capture_earns_another_turn_after_the_other_moves() -> None:
    state = GAME.read_position("south:3,10,-,- north:15,0,-,- south 4,2")
    state = play(state, "e2+4")
    assert turn(state) == "south 2 again"
    state = play(state, "a5+2")
    assert turn(state) == "south -"
    assert turn(play(state, "*1", "*3")) == "south 1,3"


@pytest.mark.parametrize(
    ("south", "north", "text", "then"),
    [
        ("1,-,-,-", "8,12,-,-", "d1+3", {"c1": "N", "e3": "SN"}),
        ("6,-,-,-", "0,12,-,-", "e5+2", {"c5": "SN", "e3": "N"}),
        ("10,-,-,-", "4,12,-,-", "a5+2", {"a3": "SN", "e3": "N"}),
    ],
)
def test_rule_21_there_are_no_captures_on_a_palace(
    south: str, north: str, text: str, then: dict[str, str]
) -> None:
    score = text[-1]
    hand = score if score in "23" else f"{score},2"
    state = GAME.read_position(f"south:{south} north:{north} south {hand}")
    after = play(state, text)
    assert on_board(after) == then
    assert beside(after, "north") == "--"


def test_rule_21_a_piece_may_enter_beside_enemies_on_its_palace() -> None:
    state = GAME.read_position("south:3,-,-,- north:8,-,-,- south 1,2")
    assert on_board(play(state, "in")) == {"e2": "S", "c1": "SN"}


def test_rule_21_there_are_no_captures_in_the_keep() -> None:
    state = GAME.read_position("south:22,-,-,- north:24,24,-,- south 8,2")
    assert on_board(play(state, "d2+2")) == {"c3": "SNN"}


def test_rule_22_a_single_piece_may_share_a_square_with_enemy_twins() -> None:
    state = GAME.read_position("south:5,-,-,- north:15&15,-,- south 2")
    after = play(state, "e4+2")
    assert on_board(after) == {"d5": "SN&"}
    assert "beside enemy twins" in description(state, "e4+2")


def test_rule_23_captured_twins_are_two_single_pieces_in_hand() -> None:
    state = GAME.read_position("south:15&15,-,- north:0,-,20&20 south 3")
    after = play(state, "b1&+3")
    assert beside(after, "north") == "---"
    assert turn(after) == "south -"
    assert "captures two of North" in description(state, "b1&+3")


def test_rule_24_twins_capture_single_pieces() -> None:
    state = GAME.read_position("south:9&9,-,- north:2,2,0,- south 3")
    after = play(state, "b5&+3")
    assert beside(after, "north") == "---"


def test_rule_25_only_an_exact_count_enters_the_keep() -> None:
    state = GAME.read_position("south:22,3,-,- north:-,-,-,- south 4,2")
    assert forbidden(state, "d2+4") == ("25", ("d2", "c3"))
    assert "d2+2" in moves(state)


def test_rule_25_no_piece_leaves_the_keep() -> None:
    state = GAME.read_position("south:3,24,-,- north:-,-,-,- south 4,2")
    assert forbidden(state, "c3+2") == ("25", ("c3",))


def test_rule_26_twins_in_the_keep_are_two_single_pieces() -> None:
    state = GAME.read_position("south:22&22,3,- north:-,-,-,- south 4,2")
    after = play(state, "d2&+4")
    assert GAME.write_position(after).startswith("south:3,24!,24!,- ")


def test_rule_26_twins_do_not_move_in_the_keep() -> None:
    state = GAME.read_position("south:3,24,24,- north:-,-,-,- south 4,2")
    assert forbidden(state, "c3&+4") == ("26", ("c3",))


def test_rule_27_pieces_are_borne_off_only_once_all_are_in_the_keep() -> None:
    state = GAME.read_position("south:3,24,24,24 north:-,-,-,- south 1,2")
    assert forbidden(state, "off") == ("27", ("c3", "e2"))
    state = GAME.read_position("south:24,24,24,- north:-,-,-,- south 1,2")
    assert forbidden(state, "off") == ("27", ("c3",))
    state = GAME.read_position("south:24,24,24,24 north:-,-,-,- south 1,2")
    assert moves(state) == {"off"}


def test_rule_28_a_one_bears_a_piece_off() -> None:
    state = GAME.read_position("south:24,24,24,24 north:-,-,-,- south 1,1,2")
    state = play(state, "off")
    assert beside(state, "south") == "*"
    assert turn(state) == "south 1,2"
    assert turn(play(state, "off")) == "north -"


def test_rule_28_no_other_throw_does() -> None:
    state = GAME.read_position("south:22,24,24,24 north:-,-,-,- south 4,2")
    assert turn(play(state, "d2+2")) == "north -"
    state = GAME.read_position("south:24,24,24,* north:-,-,-,- south -")
    assert turn(play(state, "*4", "*2")) == "north -"


def test_rule_29_the_first_to_bear_off_all_pieces_wins_at_once() -> None:
    state = GAME.read_position("south:24,*,*,* west:24,*,*,* north:-,-,-,- south 1,1,2")
    state = play(state, "off")
    assert ended(state) == ((1, 2, 2), "South has brought all four pieces home")
    assert not GAME.legal_moves(state)
    with pytest.raises(GameOver):
        GAME.read(state, "off")
