"""The document, rule by rule."""

from __future__ import annotations

import pytest

from engine.errors import GameOver
from engine.games.tablaaza import GAME
from engine.games.tablaaza.board import GREEN, RED
from tests.engine.games.tablaaza.boards import (
    BEFORE_B6,
    EMPTY,
    LAST_TURN,
    board,
    ended,
    forbidden,
    moves,
    pavilions,
    picture,
    play,
    refused,
    rows_of,
    seat,
)

# ---------------------------------------------------------------- Equipment


def test_rule_equipment_fifty_plots_half_of_them_red_surround_two_lakes() -> None:
    state = GAME.initial()
    assert rows_of(state) == EMPTY.split("/")
    assert len(state.spaces(RED)) == len(state.spaces(GREEN)) == 25


def test_rule_equipment_lakes_cannot_be_built_on() -> None:
    for lake in ("c3", "c4", "c5", "f3", "f4", "f5"):
        assert forbidden(GAME.initial(), lake) == ("Equipment", (lake,))
        assert forbidden(play(GAME.initial(), "d4"), lake) == ("Equipment", (lake,))
    assert "water" in refused(GAME.initial(), "c4").sentence


def test_rule_equipment_both_sides_use_the_same_stones() -> None:
    state = play(GAME.initial(), "d4", "d3")
    assert rows_of(state)[3:5] == ["..~o.~..", "..~o.~.."]


# ---------------------------------------------------------------- Play


def test_rule_play_red_begins_and_the_sides_alternate() -> None:
    state = GAME.initial()
    seats = [seat(state)]
    for text in ("a1", "a2", "h4", "h7"):
        state = play(state, text)
        seats.append(seat(state))
    assert seats == ["red", "green", "red", "green", "red"]


def test_rule_play_red_may_begin_on_any_red_plot() -> None:
    assert " ".join(sorted(moves(GAME.initial()))) == (
        "a1 a3 a5 a7 b2 b4 b6 c1 c7 d2 d4 d6 e1 e3 e5 e7 f2 f6 g1 g3 g5 g7 h2 h4 h6"
    )


def test_rule_play_later_any_vacant_plot_of_your_colour_is_allowed() -> None:
    state = play(GAME.initial(), "a1", "a2", "h4")
    assert " ".join(sorted(moves(state))) == (
        "a4 a6 b1 b3 b5 b7 c2 c6 d1 d3 d5 d7 e2 e4 e6 f1 f7 g2 g4 g6 h1 h3 h5 h7"
    )


def test_rule_play_a_stone_must_go_on_a_plot_of_your_colour() -> None:
    assert forbidden(GAME.initial(), "a2") == ("Play", ("a2",))
    assert refused(GAME.initial(), "a2").sentence == "a2 is a green plot; Red plays on red ones."
    assert forbidden(play(GAME.initial(), "a1"), "a3") == ("Play", ("a3",))


def test_rule_play_two_stones_never_share_a_plot() -> None:
    state = play(GAME.initial(), "a1", "a2")
    assert forbidden(state, "a1") == ("Play", ("a1",))
    assert refused(state, "a1").sentence == "A stone lies on a1 already."


def test_rule_play_passing_is_not_allowed() -> None:
    assert forbidden(GAME.initial(), "pass") == ("Play", ())
    assert refused(GAME.initial(), "pass").sentence.startswith("Nobody may pass: Red has to play")


# ---------------------------------------------------------------- Pavilion


def test_rule_pavilion_rises_when_all_plots_of_the_other_colour_in_row_and_column_are_occupied() -> (
    None
):
    state = play(board(BEFORE_B6, "red"), "b6")
    assert rows_of(state) == [
        "........",
        ".o......",
        "o^~..~..",
        "oo~..~..",
        "..~..~.o",
        ".o......",
        ".......o",
    ]
    assert len(state.spaces(GREEN)) == 21
    assert state.raised(RED) == ("b5",)


def test_rule_pavilion_one_unoccupied_plot_prevents_it() -> None:
    state = board(BEFORE_B6, "red")
    for elsewhere in sorted(moves(state) - {"b6"}):
        assert pavilions(play(state, elsewhere)) == set()


def test_rule_pavilion_squares_beyond_a_lake_do_not_matter() -> None:
    """In b5's row only a5 counts: d5 to h5 lie beyond the water."""
    state = play(board(BEFORE_B6, "red"), "b6")
    assert pavilions(state) == {"b5"}
    assert {"e5", "g5"} <= set(state.spaces(RED))


def test_rule_pavilion_a_plot_with_a_pavilion_cannot_be_played_on() -> None:
    state = play(board(BEFORE_B6, "red"), "b6")
    assert "b5" not in moves(state)
    assert forbidden(state, "b5") == ("Pavilion", ("b5",))
    assert "pavilion stands on b5" in refused(state, "b5").sentence


def test_rule_pavilion_one_stone_may_raise_several() -> None:
    state = board("o a3 a4 a5 b2 b4 g2 h1 h3", "red")
    after = play(state, "b6")
    assert pavilions(after) == {"b3", "b5"}
    move = GAME.read(state, "b6")
    assert GAME.tell(state, move) == (
        "builds on b6 and closes b3 and b5 with pavilions: "
        "no red plot is free in their rows and columns"
    )


def test_rule_pavilion_green_raises_pavilions_on_red_plots() -> None:
    state = board("o a4 a6 b3 b4 b5 g1 h2 h4 h6", "green")
    after = play(state, "a2")
    assert pavilions(after) == {"a3", "a5"}
    assert after.raised(GREEN) == ("a3", "a5")
    assert forbidden(after, "a3") == ("Pavilion", ("a3",))


def test_rule_pavilion_none_rises_on_a_plot_with_a_stone() -> None:
    state = board("o a4 a5 b2 b4 b5 h3", "red")
    assert rows_of(play(state, "b6"))[2] == "oo~..~.."


# ---------------------------------------------------------------- Objective


def test_rule_objective_a_player_without_a_vacant_plot_has_lost() -> None:
    state = play(picture(LAST_TURN, "green"), "c6")
    assert pavilions(state) >= {"c7"}
    assert ended(state) == ((2, 1), "Red has no vacant plot left to build on")
    assert moves(state) == set()
    with pytest.raises(GameOver, match="Red has no vacant plot left to build on"):
        GAME.read(state, "c7")


def test_rule_objective_red_can_also_win_with_the_last_stone() -> None:
    state = picture("oooo^ooo/oooooo.o/^o~^o~oo/oo~oo~.o/o^~oo~o^/ooooo^oo/^ooooo.o", "red")
    assert ended(play(state, "g1")) == ((1, 2), "Green has no vacant plot left to build on")


def test_rule_objective_the_game_continues_while_the_next_player_has_a_plot() -> None:
    assert GAME.outcome(picture(LAST_TURN, "green")) is None


# ---------------------------------------------------------------- Neighbourly


def test_rule_neighbourly_greens_first_stone_is_adjacent_to_reds_or_a_knights_move_away() -> None:
    assert moves(play(GAME.initial(), "a1")) == {"a2", "b1", "b3", "c2"}
    after_d2 = " ".join(sorted(moves(play(GAME.initial(), "d2"))))
    assert after_d2 == "b1 b3 c2 d1 d3 e2 e4 f1"


def test_rule_neighbourly_a_knight_cannot_jump_over_a_lake() -> None:
    state = play(GAME.initial(), "d4")
    for far in ("b3", "b5"):
        assert forbidden(state, far) == ("Neighbourly", (far, "d4"))


def test_rule_neighbourly_the_refusal_lists_the_plots_allowed() -> None:
    state = play(GAME.initial(), "a1")
    assert forbidden(state, "h7") == ("Neighbourly", ("h7", "a1"))
    assert refused(state, "h7").sentence == (
        "Green's first stone goes to a neighbour of a1, and h7 is none: choose a2, b1, b3 or c2."
    )


def test_rule_neighbourly_does_not_apply_to_later_stones() -> None:
    state = play(GAME.initial(), "a1", "a2")
    assert "h2" in moves(state)
    assert "h7" in moves(play(state, "h2"))
