"""RULES.md's decisions where the document is silent, under the same numbers."""

from __future__ import annotations

from fractions import Fraction

import pytest

from engine.games.thaayam import GAME
from engine.games.thaayam.board import SQUARES
from tests.engine.games.thaayam.boards import (
    beside,
    board,
    ended,
    forbidden,
    moves,
    on_board,
    play,
    refused,
    turn,
)
from tests.engine.games.thaayam.slow import PATHS

NOBODY = "north:-,-,-,-"


def test_ruling_1_four_two_sided_dice_are_thrown() -> None:
    odds = GAME.odds(GAME.initial())
    assert {GAME.write(move): chance for move, chance in odds.items()} == {
        "*0": Fraction(1, 16),
        "*1": Fraction(1, 4),
        "*2": Fraction(3, 8),
        "*3": Fraction(1, 4),
        "*4": Fraction(1, 16),
    }


def test_ruling_2_the_tied_throw_again_in_seat_order_and_the_others_are_out() -> None:
    state = play(GAME.initial(players=4), "*3", "*1", "*3", "*3")
    assert turn(state) == "south start:-,x,-,-"
    state = play(state, "*2", "*4")
    assert turn(state) == "east start:2,x,4,-"
    assert turn(play(state, "*4")) == "north start:x,x,-,-"
    assert turn(play(state, "*3")) == "north -"


def test_ruling_2_if_all_are_tied_the_opening_starts_over() -> None:
    assert play(GAME.initial(players=3), "*2", "*2", "*2") == GAME.initial(players=3)


def test_ruling_3_two_players_sit_opposite_and_three_leave_east_empty() -> None:
    names = [[GAME.seat_names[seat] for seat in GAME.seats(n)] for n in (2, 3, 4)]
    assert names[0] == ["south", "north"]
    assert names[1] == ["south", "west", "north"]
    assert names[2] == ["south", "west", "north", "east"]


def test_ruling_4_the_two_or_three_ending_a_series_is_used_too() -> None:
    state = play(GAME.read_position(f"south:3,-,-,- {NOBODY} south -"), "*3")
    assert moves(state) == {"e2+3"}


def test_ruling_5_entering_a_piece_does_not_bring_back_lost_throws() -> None:
    state = play(board("", "south 8,1,1,-"), "*2")
    assert turn(state) == "south 1,1,2"
    assert turn(play(state, "in")) == "south 1,2"


def test_ruling_5_twins_are_pieces_on_the_board() -> None:
    state = GAME.read_position(f"south:8&8,-,- {NOBODY} south 4,-")
    assert turn(play(state, "*2")) == "south 4,2"


def test_ruling_6_a_piece_in_the_keep_is_on_the_board() -> None:
    state = GAME.read_position(f"south:24,-,-,- {NOBODY} south 4,1,-")
    assert turn(play(state, "*2")) == "south 4,1,2"


def test_ruling_7_a_one_used_to_enter_moves_nothing_else() -> None:
    state = GAME.read_position(f"south:3,-,-,- {NOBODY} south 1,2")
    assert turn(play(state, "in")) == "south 2"
    assert moves(play(state, "in")) == {"e2+2", "c1+2"}


def test_ruling_8_the_number_of_throws_counts_not_their_points() -> None:
    # One piece, 8 from the keep: the 8 alone would go further, but 1, 1 and 2 are three throws.
    state = GAME.read_position(f"south:10!,11!,12!,16 {NOBODY} south 8,1,1,2")
    assert moves(state) == {"b2+2+1+1"}


def test_ruling_8_each_step_must_keep_the_maximum_within_reach() -> None:
    state = GAME.read_position(f"south:20,22,24,24 {NOBODY} south 4,2")
    assert moves(state) == {"d4+4", "d2+2"}
    assert refused(state, "d4+2").sentence == (
        "This way only 1 of the throws could be used, and 2 can be, for example after d4+4."
    )


def test_ruling_9_twins_may_waste_a_point() -> None:
    state = GAME.read_position(f"south:8&8,24,24 {NOBODY} south 8,3")
    assert moves(state) == {"c5&+8+3"}


def test_ruling_10_a_one_alone_does_not_move_twins() -> None:
    state = GAME.read_position(f"south:8&8,24,24 {NOBODY} south 1,2")
    assert moves(state) == {"c5&+2+1"}


def test_ruling_11_the_sum_is_halved_not_each_throw() -> None:
    state = GAME.read_position(f"south:8&8,24,24 {NOBODY} south 1,3")
    after = play(state, "c5&+3+1")
    assert on_board(after) == {"a5": "S&", "c3": "SS"}


def test_ruling_12_twins_may_be_declared_before_or_between_moves() -> None:
    state = GAME.read_position(f"south:3,8,8,- {NOBODY} south 4,2")
    assert {"twins", "e2+4"} <= moves(state)
    assert "twins" in moves(play(state, "e2+4"))


def test_ruling_12_pieces_that_arrived_at_different_times_may_be_twins() -> None:
    state = GAME.read_position(f"south:4,8,5,- {NOBODY} south 4,3")
    assert "twins" in moves(play(state, "e3+4"))


def test_ruling_13_new_twins_move_only_if_neither_has_moved() -> None:
    state = GAME.read_position(f"south:8,8,3,- {NOBODY} south 4,2")
    assert "c5&+4" in moves(play(state, "twins"))
    state = GAME.read_position(f"south:8!,8,3,- {NOBODY} south 2")
    after = play(state, "twins")
    assert GAME.write_position(after).startswith("south:3,-,8&8! ")
    assert moves(after) == {"e2+2"}
    assert forbidden(after, "c5&+2") == ("10", ("c5",))


@pytest.mark.parametrize(
    ("before", "then"),
    [
        ("3,8,8,8!", "3,8!,8&8"),
        ("3,8,8!,8!", "3,8,8&8!"),
        ("3,8,8!,-", "3,-,8&8!"),
    ],
)
def test_ruling_13_unmoved_pieces_are_paired_first(before: str, then: str) -> None:
    state = GAME.read_position(f"south:{before} {NOBODY} south 2")
    assert GAME.write_position(play(state, "twins")).startswith(f"south:{then} ")


def test_ruling_13_no_twins_if_no_throw_could_be_used_afterwards() -> None:
    # As twins the two could not use the 1, and no other piece can.
    state = GAME.read_position(f"south:8,8,24,24! {NOBODY} south 1")
    assert moves(state) == {"c5+1"}
    assert forbidden(state, "twins") == ("13", ())


def test_ruling_13_no_twins_if_fewer_throws_could_be_used_afterwards() -> None:
    state = GAME.read_position(f"south:8,8,24,24 {NOBODY} south 8,8,8,1,2")
    assert moves(play(state, "twins"))
    state = GAME.read_position(f"south:8,8,24,24! {NOBODY} south 1,4")
    assert "twins" in moves(state)
    assert moves(play(state, "twins")) == {"c5&+4+1"}


def test_ruling_13_twins_must_be_declared_first_if_only_they_can_use_the_most_throws() -> None:
    # Single pieces are 16 from the keep each, and 33 points do not split into 16 and 16.
    state = GAME.read_position(f"south:8,8,24!,24! {NOBODY} south 8,8,8,8,1")
    assert moves(state) == {"twins"}
    assert moves(play(state, "twins")) == {"c5&+8+8+8+8+1"}
    assert forbidden(state, "c5+8") == ("13", ("c5",))


def test_ruling_14_four_pieces_may_form_two_pairs_that_both_move() -> None:
    state = play(GAME.read_position(f"south:8,8,8,8 {NOBODY} south 4,2"), "twins", "twins")
    state = play(state, "c5&+4")
    assert GAME.write_position(state).startswith("south:8&8,10&10! ")
    assert moves(state) == {"c5&+2"}


def test_ruling_15_twins_cannot_be_separated_by_choice() -> None:
    state = GAME.read_position(f"south:10&10,-,- {NOBODY} south 4,2")
    assert moves(state) == {"a5&+4+2"}


def test_ruling_16_passing_over_or_entering_captures_nothing() -> None:
    state = GAME.read_position("south:3,-,-,- north:8,12,13,15 south 1,3")
    assert beside(play(state, "in"), "north") == ""
    assert beside(play(state, "in", "e2+3"), "north") == ""


def test_ruling_16_enemies_of_several_seats_are_captured_together() -> None:
    # d5 is place 7 of South's path, 11 of West's, 15 of North's, 3 of East's.
    state = GAME.read_position("south:5,-,-,- west:11,0,-,- north:15,15,0,- east:3,-,-,- south 2")
    after = play(state, "e4+2")
    assert [beside(after, seat) for seat in ("west", "north", "east")] == ["---", "---", "----"]


def test_ruling_17_enemy_twins_protect_everything_on_their_square() -> None:
    state = GAME.read_position("south:5,-,-,- west:11,0,-,- north:15&15,0,- south 2")
    after = play(state, "e4+2")
    assert on_board(after) == {"d5": "SWN&", "c5": "N", "a3": "W"}
    assert turn(after) == "west -"


def test_ruling_18_twins_capture_every_enemy_on_the_square() -> None:
    # b2 is place 16 of South's path, 22 of West's, 20 of North's.
    state = GAME.read_position("south:15&15,-,- west:22,0,-,- north:20,20&20,0 south 3")
    after = play(state, "b1&+3")
    assert beside(after, "west") == "---"
    assert beside(after, "north") == "---"
    assert on_board(after)["b2"] == "S&"


def test_ruling_19_your_own_twins_do_not_protect_an_enemy() -> None:
    # d4 is place 20 of South's path and 16 of North's.
    state = GAME.read_position("south:18,20&20,- north:16,-,-,- south 2")
    after = play(state, "b4+2")
    assert beside(after, "north") == "----"


def test_ruling_20_several_captures_in_a_series_earn_one_extra_turn() -> None:
    state = GAME.read_position("south:3,9,-,- north:15,4,-,- south 4,3")
    state = play(state, "e2+4")
    assert turn(state) == "south 3 again"
    state = play(state, "b5+3")  # to a3, place 4 of North's path
    assert turn(state) == "south -"
    assert turn(play(state, "*1", "*2", "in", "c1+2")) == "north -"


def test_ruling_20_a_capture_in_the_extra_turn_earns_another() -> None:
    state = GAME.read_position("south:3,-,-,- north:13,15,-,- south 2")
    state = play(state, "e2+2")
    assert turn(state) == "south -"
    state = play(state, "*2", "e4+2")
    assert beside(state, "north") == "----"
    assert turn(state) == "south -"


def test_ruling_21_for_twins_the_halved_sum_must_be_exact() -> None:
    state = GAME.read_position(f"south:22&22,24,24 {NOBODY} south 4,1,3")
    assert "d2&+4+1" in moves(state)
    assert forbidden(state, "d2&+4+3") == ("25", ("d2", "c3"))


def test_ruling_22_bearing_off_may_begin_in_the_series_that_brings_the_last_piece() -> None:
    state = GAME.read_position(f"south:22,24,24,24 {NOBODY} south 1,2")
    state = play(state, "d2+2")
    assert moves(state) == {"off"}


def test_ruling_22_a_piece_that_has_moved_is_not_borne_off_in_the_same_series() -> None:
    state = GAME.read_position(f"south:22,23,24,24 {NOBODY} south 1,1,1,1,2")
    state = play(state, "c2+1", "d2+2", "off", "off")
    assert turn(state) == "north -"
    assert beside(state, "south") == "**"


def test_ruling_23_all_others_come_second() -> None:
    state = play(
        GAME.read_position("south:24,*,*,* west:24,*,*,* north:-,-,-,- east:0,-,-,- south 1,2"),
        "off",
    )
    assert ended(state)[0] == (1, 2, 2, 2)
    assert turn(state) == "south -"


def test_ruling_24_a_palace_without_an_owner_is_safe_too() -> None:
    # e3 is East's, which is not in play.
    state = GAME.read_position("south:1,-,-,- north:12,-,-,- south 3")
    assert beside(play(state, "d1+3"), "north") == "---"


def test_the_paths_cover_the_board_in_the_documented_order() -> None:
    assert sorted(PATHS["south"]) == sorted(SQUARES)
    assert " ".join(PATHS["west"][:17]) == ("a3 a2 a1 b1 c1 d1 e1 e2 e3 e4 e5 d5 c5 b5 a5 a4 b4")
