"""RULES.md's decisions where the document is silent; each test carries the ruling's number."""

from __future__ import annotations

import pytest

from engine.games.tablut import GAME
from tests.engine.games.tablut.boards import (
    at,
    board,
    description,
    forbidden,
    moves,
    play,
    reason,
    result,
)


def test_ruling_1_the_castle_cannot_be_passed_while_the_king_is_on_it() -> None:
    state = board("k e5, s b5 e4 e6 f5, m a1 a9 i1", "swedes")
    assert forbidden(state, "b5-g5") == ("4", ("e5", "b5", "g5"))
    assert "b5-d5" in moves(state)


def test_ruling_2_the_king_may_return_to_his_castle_and_cross_it() -> None:
    state = board("k e7, s d7 f7, m a1 e2 e9 i1", "swedes")
    assert {"e7-e5", "e7-e3"} <= moves(state)


@pytest.mark.parametrize("side", ["swedes", "muscovites"])
def test_ruling_3_the_empty_castle_captures_nothing(side: str) -> None:
    own, enemy = ("s", "m") if side == "swedes" else ("m", "s")
    state = board(
        f"k c8, s b8 c7, m a1 d8 i1, {enemy} d5, {own} c3",
        side,
    )
    assert at(play(state, "c3-c5"), "d5") == enemy


def test_ruling_4_the_king_takes_part_only_in_captures_by_rule_9() -> None:
    state = board("k e7, s d7 e3 f7, m a1 e6 i1", "swedes")
    after = play(state, "e3-e4")
    assert at(after, "e6") == "m"


WALK_IN = "k e5, s d5 i9, m d4 e3 f4 i1 i2 i5"


def test_ruling_5_the_king_may_move_to_an_enclosed_square() -> None:
    after = play(board(WALK_IN, "swedes"), "e5-e4")
    assert at(after, "e4") == "k"
    assert result(after) is None


def test_ruling_5_and_stays_free_until_an_attacker_moves_next_to_him() -> None:
    state = play(board(WALK_IN, "swedes"), "e5-e4")
    elsewhere = play(state, "i2-h2")
    assert at(elsewhere, "e4") == "k"
    away_and_back = play(state, "f4-f3", "d5-d6")
    assert result(away_and_back) is None
    after = play(away_and_back, "f3-f4")
    assert result(after) == "muscovites"


def test_ruling_6_one_move_captures_up_to_three_men() -> None:
    state = board("k g3, s b6 e4 e8 h6, m a1 a9 c6 e7 g6 i1 i3", "swedes")
    assert description(state, "e4-e6").startswith("e4 to e6, takes ")
    after = play(state, "e4-e6")
    assert [at(after, name) for name in ("e7", "d6", "c6", "g6")] == [".", ".", "m", "m"]
    near = board("k g3, s c6 e4 e8 g6, m a1 a9 d6 e7 f6 i1 i3", "swedes")
    assert description(near, "e4-e6").startswith("e4 to e6, takes d6, f6 and e7")
    after = play(near, "e4-e6")
    assert [at(after, name) for name in ("e7", "d6", "f6")] == [".", ".", "."]


def test_ruling_6_one_move_captures_men_and_the_king() -> None:
    state = board("k c7, s c5 e1, m a1 b7 c4 c8 d7 e6", "muscovites")
    assert (
        description(state, "e6-c6")
        == "e6 to c6, takes c5 and the king on c7: attackers on all four sides of him"
    )
    assert result(play(state, "e6-c6")) == "muscovites"


def test_ruling_7_beside_the_castle_a_fourth_attacker_is_never_needed() -> None:
    state = board("k d5, s i2, m c5 d3 d6", "muscovites")
    assert result(play(state, "d3-d4")) == "muscovites"


def test_ruling_7_a_defender_on_one_of_the_three_sides_saves_him() -> None:
    state = board("k d5, s c5 i2, m d3 d6", "muscovites")
    assert result(play(state, "d3-d4")) is None


def test_ruling_8_the_attacker_must_move_to_the_far_side() -> None:
    """A man already there captures nothing when the third attacker arrives."""
    state = board("k c6, s a1 d6, m a7 b6 c2 c5 e6", "muscovites")
    arrived = play(state, "a7-c7")
    assert at(arrived, "d6") == "s"
    assert result(arrived) is None
    again = play(arrived, "a1-b1", "e6-e7", "b1-a1", "e7-e6")
    assert at(again, "d6") == "."


def test_ruling_8_the_castle_does_not_count_as_a_third_attacker() -> None:
    state = board("k e6, s a1 f6, m d6 e7 g3", "muscovites")
    assert at(play(state, "g3-g6"), "f6") == "s"


def test_ruling_9_after_rule_9_a_later_move_captures_the_king() -> None:
    state = board("k c6, s a1 d6, m b6 c5 c7 e2", "muscovites")
    after = play(state, "e2-e6")
    assert [at(after, "d6"), at(after, "c6")] == [".", "k"]
    assert result(after) is None
    assert result(play(after, "a1-b1", "e6-d6")) == "muscovites"


def test_ruling_10_a_way_to_the_edge_may_cross_the_castle() -> None:
    state = board("k d5, s c4, m a1 c5 d3 d9 i1", "swedes")
    assert description(state, "c4-c3") == "c4 to c3: the king has a way out, to i5 (“raichi”)"
    assert "open to the king: i5" in GAME.scene(play(state, "c4-c3")).alt


def test_ruling_11_raichi_is_announced_when_another_man_opens_the_way() -> None:
    state = board("k e5, s f5, m a5 e2 e9 i1", "swedes")
    assert description(state, "f5-f6") == "f5 to f6: the king has a way out, to i5 (“raichi”)"


def test_ruling_11_nothing_is_announced_after_a_muscovite_move() -> None:
    state = board("k e5, s i1, m a5 e2 e9 g5", "muscovites")
    assert description(state, "g5-g6") == "g5 to g6"


TWO_WAYS_BY_A_MUSCOVITE = "k e5, s i1, m a5 e2 e8 g5"


def test_ruling_12_two_ways_after_a_muscovite_move_are_not_tuichu() -> None:
    state = play(board(TWO_WAYS_BY_A_MUSCOVITE, "muscovites"), "g5-g6")
    state = play(state, "i1-i2", "e8-d8")
    assert result(state) is None
    assert {"e5-e9", "e5-i5"} <= moves(state)


THREE_WAYS = "k d5, s d1, m d6 f6 i1"
TWO_WAYS = THREE_WAYS.replace("m d6", "m c5 d6")
"""Beside the castle: open east across it, and south once d1 has moved; attackers west and north."""


def test_ruling_12_no_tuichu_while_an_attacker_can_still_capture_the_king_beside_the_castle() -> (
    None
):
    state = board("k d5, s d1, m c5 d6 h4", "swedes")
    after = play(state, "d1-c1")
    assert result(after) is None
    assert description(state, "d1-c1") == "d1 to c1: the king has a way out, to i5 or d1 (“raichi”)"
    assert "open to the king: i5 and d1" in GAME.scene(after).alt
    assert result(play(after, "h4-d4")) == "muscovites"
    assert result(play(after, "h4-h3", "d5-i5")) == "swedes"


def test_ruling_12_tuichu_if_no_attacker_can_get_close_enough() -> None:
    after = play(board(TWO_WAYS, "swedes"), "d1-c1")
    assert result(after) == "swedes"
    assert reason(after) == "the king has more ways to the edge than one move can block"


def test_ruling_12_three_ways_are_tuichu_even_beside_the_castle() -> None:
    after = play(board(THREE_WAYS, "swedes"), "d1-c1")
    assert result(after) == "swedes"


def test_ruling_13_reaching_the_edge_wins_before_anything_else() -> None:
    """The king reaches the edge with attackers on his three other sides."""
    state = board("k e5, s i2, m a4 a6 e1 e9", "swedes")
    after = play(state, "e5-a5")
    assert result(after) == "swedes"
    assert reason(after) == "the king has reached the edge"
    assert description(state, "e5-a5") == "king e5 to a5"


def test_ruling_14_a_position_includes_the_side_to_move_and_counts_from_the_last_capture() -> None:
    line = GAME.write_position(play(GAME.initial(), "e7-f7", "e8-f8", "f7-e7"))
    state = GAME.read_position(line)
    assert result(play(state, "f8-e8", "e7-f7", "e8-f8", "f7-e7")) is None
    twice = play(state, *("f8-e8", "e7-f7", "e8-f8", "f7-e7") * 2)
    assert result(twice) == "draw"


def test_ruling_14_a_line_carries_no_history() -> None:
    state = play(GAME.initial(), *("e7-f7", "e8-f8", "f7-e7", "f8-e8"))
    again = GAME.read_position(GAME.write_position(state))
    assert again == state == GAME.initial()
    assert result(play(again, *("e7-f7", "e8-f8", "f7-e7", "f8-e8"))) is None
    assert result(play(state, *("e7-f7", "e8-f8", "f7-e7", "f8-e8"))) == "draw"


def test_ruling_15_swedes_without_a_move_draw() -> None:
    state = board("k e5, s e4 f5, m a5 d4 d5 e3 e6 f4 f6 g5", "muscovites")
    after = play(state, "a5-a6")
    assert result(after) == "draw"
    assert reason(after) == "the Swedes have no move"


def test_ruling_15_tuichu_takes_precedence_over_a_draw_for_lack_of_moves() -> None:
    shut = "k e5, s a8 b9 e1 i4, m a9"
    after = play(board(shut, "swedes"), "i4-h4")
    assert result(after) == "swedes"


def test_ruling_15_muscovites_with_no_men_left_have_lost() -> None:
    state = board("k e5, s b7 d2 d5 e3 e4 f5, m c7", "swedes")
    after = play(state, "d5-d7")
    assert result(after) == "swedes"
    assert reason(after) == "the Muscovites have lost their last man"


def test_ruling_17_a_single_attacker_plays_on() -> None:
    state = board("k e5, s d5 e4 e6 f5, m a1", "muscovites")
    assert result(play(state, "a1-a2")) is None
