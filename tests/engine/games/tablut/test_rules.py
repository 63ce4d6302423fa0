"""Every numbered rule of the document, on boards set up by hand."""

from __future__ import annotations

from engine.game import Seat
from engine.games.tablut import GAME
from tests.engine.games.tablut.boards import (
    OPEN,
    PROPPED,
    THREE,
    at,
    board,
    description,
    forbidden,
    moves,
    play,
    reason,
    refused,
    result,
    side,
)

# ---------------------------------------------------------------- 1 to 3: the beginning


def test_rule_1_a_board_of_nine_by_nine_a_king_eight_defenders_and_sixteen_attackers() -> None:
    drawn = GAME.write_position(GAME.initial()).split()[0]
    assert [len(row) for row in drawn.split("/")] == [9] * 9
    assert [drawn.count(letter) for letter in "ksm"] == [1, 8, 16]
    assert GAME.seat_names == ("swedes", "muscovites")
    assert GAME.players == range(2, 3)


def test_rule_2_the_men_start_in_a_cross_and_in_four_groups_on_the_edges() -> None:
    assert GAME.write_position(GAME.initial()) == (
        "...mmm.../....m..../....s..../m...s...m/mmsskssmm/m...s...m/....s..../....m..../...mmm..."
        " swedes"
    )


def test_rule_3_the_swedes_move_first_and_the_sides_alternate() -> None:
    state = GAME.initial()
    sides = [side(state)]
    for text in ("e7-g7", "e8-f8", "g7-h7"):
        state = play(state, text)
        sides.append(side(state))
    assert sides == ["swedes", "muscovites", "swedes", "muscovites"]


def test_rule_3_only_the_side_to_move_may_move() -> None:
    assert forbidden(GAME.initial(), "a4-b4") == ("3", ("a4",))
    after = play(GAME.initial(), "e7-g7")
    for text in ("g7-h7", "e5-e6"):
        assert forbidden(after, text) == ("3", (text[:2],))
    assert refused(after, "e5-e6").sentence == "It's the Muscovites' turn, and on e5 is the king."


# ---------------------------------------------------------------- 4 and 5: moving

ALONE = "k c4, s f4 g7, m i1 i4 i9"


def test_rule_4_a_man_moves_any_distance_along_a_row_or_column() -> None:
    targets = sorted(text[3:] for text in moves(board(ALONE, "swedes")) if text[:2] == "g7")
    assert " ".join(targets) == ("a7 b7 c7 d7 e7 f7 g1 g2 g3 g4 g5 g6 g8 g9 h7 i7")


def test_rule_4_the_king_moves_like_any_man() -> None:
    targets = sorted(text[3:] for text in moves(board(ALONE, "swedes")) if text[:2] == "c4")
    assert " ".join(targets) == ("a4 b4 c1 c2 c3 c5 c6 c7 c8 c9 d4 e4")


def test_rule_4_there_are_56_opening_moves_and_muscovites_would_have_80() -> None:
    line = GAME.write_position(GAME.initial())
    assert len(moves(GAME.initial())) == 56
    assert len(moves(GAME.read_position(line.replace("swedes", "muscovites")))) == 80


def test_rule_4_men_never_move_diagonally_or_out_of_line() -> None:
    assert forbidden(GAME.initial(), "e7-f8") == ("4", ("e7", "f8"))
    assert forbidden(GAME.initial(), "e7-g8") == ("4", ("e7", "g8"))
    assert "aren't in the same row or column" in refused(GAME.initial(), "e7-f8").sentence


def test_rule_4_men_never_jump_over_a_piece() -> None:
    assert forbidden(board(ALONE, "swedes"), "f4-b4") == ("4", ("c4", "f4", "b4"))
    assert forbidden(GAME.initial(), "c5-a5")[0] == "4"
    assert forbidden(GAME.initial(), "d5-d9") == ("4", ("d9",))
    assert refused(GAME.initial(), "e7-e9").sentence == (
        "A Muscovite on e8 is in the way from e7 to e9."
    )


def test_rule_4_men_never_land_on_a_piece_of_either_side() -> None:
    assert forbidden(GAME.initial(), "e7-e8") == ("4", ("e8",))
    assert forbidden(GAME.initial(), "e7-e6") == ("4", ("e6",))
    assert forbidden(GAME.initial(), "e4-e5") == ("4", ("e5",))
    assert refused(GAME.initial(), "e4-e5").sentence == "e5 is not empty: the king stands there."


def test_rule_4_a_move_needs_a_piece_and_a_different_square() -> None:
    assert forbidden(GAME.initial(), "b2-b4") == ("4", ("b2",))
    assert forbidden(GAME.initial(), "e7-e7") == ("4", ("e7",))


ACROSS = "k g7, s c5 f7 g8 h7, m e1 e9 i2 i5"


def test_rule_5_only_the_king_may_land_on_the_castle() -> None:
    assert forbidden(board(ACROSS, "swedes"), "c5-e5") == ("5", ("e5",))
    assert forbidden(board(ACROSS, "muscovites"), "e1-e5") == ("5", ("e5",))
    assert refused(board(ACROSS, "swedes"), "c5-e5").sentence == (
        "Only the king may stop on the castle, e5."
    )


def test_rule_5_any_man_may_pass_over_the_empty_castle() -> None:
    assert {"c5-d5", "c5-f5", "c5-h5"} <= moves(board(ACROSS, "swedes"))
    assert {"e1-e4", "e1-e6", "e1-e8"} <= moves(board(ACROSS, "muscovites"))


def test_rule_5_the_king_on_his_castle_blocks_the_way_like_any_piece() -> None:
    state = board(ACROSS.replace("k g7", "k e5"), "swedes")
    assert forbidden(state, "c5-f5") == ("4", ("e5", "c5", "f5"))


def test_rule_5_the_king_may_return_to_the_castle() -> None:
    state = play(board(ACROSS, "swedes"), "g7-g5", "i2-i3", "g5-e5")
    assert at(state, "e5") == "k"


# ---------------------------------------------------------------- 6 and 10: taking men


def test_rule_6_a_muscovite_between_two_swedes_is_captured() -> None:
    state = board("k e5, s b7 d2, m a1 a9 c7 i1", "swedes")
    assert description(state, "d2-d7").startswith("d2 to d7, takes c7")
    assert at(play(state, "d2-d7"), "c7") == "."


def test_rule_6_a_swede_between_two_muscovites_is_captured_in_a_column_too() -> None:
    state = board("k e5, s d5 d7 e4 f5, m a6 d8 i1", "muscovites")
    assert description(state, "a6-d6") == "a6 to d6, takes d7"
    assert at(play(state, "a6-d6"), "d7") == "."


def test_rule_6_there_are_no_diagonal_captures() -> None:
    state = board("k e5, s c7 d5 e4 f5, m a6 a9 d8 i1", "muscovites")
    assert at(play(state, "a6-b6"), "c7") == "s"


def test_rule_6_men_on_the_edge_are_captured_only_along_it() -> None:
    state = board("k e5, s a9 c8, m b9 i1", "swedes")
    assert at(play(state, "c8-c9"), "b9") == "."
    assert at(play(state, "c8-b8"), "b9") == "m"


KING_NEAR = "k d7, s f5, m a1 a9 e7 i1"


def test_rule_6_the_king_cannot_be_the_second_man_in_a_capture() -> None:
    assert at(play(board(KING_NEAR, "swedes"), "f5-f7"), "e7") == "m"


def test_rule_6_the_king_captures_nothing_by_moving() -> None:
    state = board("k d6, s f7, m a1 a9 e1 e7 i1", "swedes")
    assert at(play(state, "d6-d7"), "e7") == "m"


# ---------------------------------------------------------------- 7 to 9: the king


def test_rule_7_attackers_on_all_four_sides_capture_the_king() -> None:
    state = board(THREE, "muscovites")
    assert (
        description(state, "c3-c5")
        == "c3 to c5, takes the king on c6: attackers on all four sides of him"
    )
    after = play(state, "c3-c5")
    assert result(after) == "muscovites"
    assert at(after, "c6") == "."
    assert "k" not in GAME.write_position(after).split()[0]


def test_rule_7_away_from_the_castle_three_sides_are_not_enough() -> None:
    after = play(board(THREE, "muscovites"), "c3-c4")
    assert result(after) is None


def test_rule_7_on_the_castle_too_it_takes_four() -> None:
    state = board("k e5, s i2, m d5 e3 e6 f5", "muscovites")
    assert result(play(state, "e3-e2")) is None
    assert result(play(state, "e3-e4")) == "muscovites"


def test_rule_8_beside_the_castle_three_are_enough() -> None:
    state = board("k e6, s i2, m b6 d6 e7 f4", "muscovites")
    assert (
        description(state, "f4-f6")
        == "f4 to f6, takes the king on e6: attackers on three sides and his empty castle"
    )
    assert result(play(state, "f4-f6")) == "muscovites"
    assert result(play(state, "f4-f3")) is None


def test_rule_9_a_defender_between_the_king_and_an_attacker_is_captured() -> None:
    state = board(PROPPED, "muscovites")
    assert description(state, "e1-e6") == "e1 to e6, takes d6"
    after = play(state, "e1-e6")
    assert at(after, "d6") == "."
    assert at(after, "c6") == "k"
    assert result(after) is None


def test_rule_9_takes_three_attackers_around_the_king() -> None:
    after = play(board(PROPPED.replace("b6 ", ""), "muscovites"), "e1-e6")
    assert at(after, "d6") == "s"


def test_rule_9_also_applies_to_the_king_on_his_castle() -> None:
    state = board("k e5, s a1 f5, m d5 e4 e6 g7", "muscovites")
    after = play(state, "g7-g5")
    assert at(after, "f5") == "."
    assert at(after, "e5") == "k"


def test_rule_10_moving_between_two_enemies_is_safe() -> None:
    state = board("k e5, s b7 d5 d7 e4 f5, m a1 a9 c3 i1", "muscovites")
    after = play(state, "c3-c7")
    assert at(after, "c7") == "m"
    assert at(play(after, "d7-d8", "a1-a2", "d8-d7"), "c7") == "."


def test_rule_10_also_applies_to_a_defender_between_two_attackers() -> None:
    state = board("k e5, s c3 d5 e4 f5, m a1 a9 b7 d7 i1", "swedes")
    after = play(state, "c3-c7")
    assert at(after, "c7") == "s"
    assert at(play(after, "a1-a2"), "c7") == "s"


# ---------------------------------------------------------------- 11 to 14: the end


def test_rule_11_the_king_on_the_edge_has_won() -> None:
    state = play(board(OPEN, "swedes"), "e5-a5")
    assert result(state) == "swedes"
    assert reason(state) == "the king has reached the edge"
    assert moves(state) == set()


def test_rule_11_raichi_is_announced_when_a_way_to_the_edge_is_open() -> None:
    assert (
        description(board(OPEN, "swedes"), "h5-h7")
        == "h5 to h7: nothing can stop the king, who gets out at i5 or a5 (“tuichu”)"
    )
    assert (
        description(board(OPEN, "swedes"), "h5-g5")
        == "h5 to g5: the king has a way out, to a5 (“raichi”)"
    )
    after = play(board(OPEN, "swedes"), "h5-g5")
    assert result(after) is None
    assert "The edge is open to the king: a5 (“raichi”)." in GAME.scene(after).alt


def test_rule_11_raichi_restricts_no_move() -> None:
    after = play(board(OPEN, "swedes"), "h5-g5", "c6-c5")
    assert result(after) is None
    assert "raichi" not in GAME.scene(after).alt


def test_rule_12_two_ways_to_the_edge_win_at_once() -> None:
    after = play(board(OPEN, "swedes"), "h5-h4")
    assert result(after) == "swedes"
    assert reason(after) == "the king has more ways to the edge than one move can block"
    assert (
        description(board(OPEN, "swedes"), "h5-h4")
        == "h5 to h4: nothing can stop the king, who gets out at i5 or a5 (“tuichu”)"
    )


def test_rule_13_the_muscovites_win_by_capturing_the_king() -> None:
    after = play(board(THREE, "muscovites"), "c3-c5")
    assert result(after) == "muscovites"
    assert reason(after) == "the king is taken"
    assert moves(after) == set()


def test_rule_14_the_third_occurrence_of_a_position_is_a_draw() -> None:
    """The starting position counts as its first occurrence."""
    state = GAME.initial()
    there_and_back = ("e7-f7", "e8-f8", "f7-e7", "f8-e8")
    state = play(state, *there_and_back)
    assert result(state) is None
    state = play(state, *there_and_back[:3])
    assert result(state) is None
    state = play(state, there_and_back[3])
    assert result(state) == "draw"
    assert reason(state) == "the same position has come up three times"
    assert moves(state) == set()


def test_rule_14_a_side_without_a_move_draws() -> None:
    shut = board("k e5, s a8 b9 d5 e4 e7 g2, m a9", "swedes")
    after = play(shut, "g2-g5")
    assert result(after) == "draw"
    assert reason(after) == "the Muscovites have no move"
    assert moves(after) == set()


def test_rule_14_players_may_agree_to_a_draw() -> None:
    assert GAME.agreed_draw == "14"
    assert GAME.unequal_sides


def test_a_match_of_two_games_swaps_the_sides() -> None:
    state = GAME.initial({"match": "true"})
    assert GAME.side(state, Seat(0)) == "swedes"
    for text in ("e7-f7", "e8-f8", "f7-e7", "f8-e8") * 2:
        state = GAME.apply(state, GAME.read(state, text))
    assert GAME.outcome(state) is None
    assert GAME.side(state, Seat(0)) == "muscovites"
    assert GAME.actor(state) == Seat(1)
