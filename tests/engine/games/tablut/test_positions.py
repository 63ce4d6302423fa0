"""Position lines: how they are read, and why impossible ones are refused."""

from __future__ import annotations

import pytest

from engine.errors import BadNotation, BadPosition
from engine.games.tablut import GAME
from tests.engine.games.tablut.boards import board, play, reason, result, rows

START = "...mmm.../....m..../....s..../m...s...m/mmsskssmm/m...s...m/....s..../....m..../...mmm..."


def why(line: str) -> str:
    """Return the error message for a line."""
    with pytest.raises(BadPosition) as caught:
        GAME.read_position(line)
    return caught.value.sentence


def test_the_first_line_is_the_starting_position() -> None:
    assert GAME.read_position(f"{START} swedes") == GAME.initial()
    assert GAME.read_position(f"  {START}   SWEDES ") == GAME.initial()


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ("", "two parts"),
        (START, "two parts"),
        (f"{START} swedes 3", "two parts"),
        (f"{START} white", "not a side"),
        (f"{START[:-2]} swedes", "9 rows of 9"),
        (f"{START}/......... swedes", "9 rows of 9"),
        (f"{START.replace('k', 'q')} swedes", "“q” on e5 means nothing"),
        (f"{START.replace('k', 'K')} swedes", "“K” on e5 means nothing"),
        (f"{START.replace('k', 's')} swedes", "Nobody but the king"),
        (f"{START.replace('...mmm...', 'm..mmm...', 1)} swedes", "17 Muscovites; 16 is the most"),
        (f"{START.replace('....s....', '...ss....', 1)} swedes", "9 Swedes besides the king"),
        (f"{START.replace('....s....', '...ks....', 1)} swedes", "2 kings; 1 is the most"),
    ],
)
def test_a_text_that_is_not_a_board_is_refused(line: str, part: str) -> None:
    assert part in why(line)


def test_a_king_on_the_edge_means_the_swedes_have_won() -> None:
    state = board("k a5, m c9 i9", "muscovites")
    assert result(state) == "swedes"
    assert reason(state) == "the king has reached the edge"
    assert GAME.legal_moves(state) == []


def test_a_king_on_the_edge_has_just_come_from_inside() -> None:
    assert "last move" in why(f"{rows('k a5, m c9')} swedes")
    assert "only edge squares lead there" in why(f"{rows('k a1, m c9')} muscovites")
    assert "by way of b5" in why(f"{rows('k a5, m b5')} muscovites")
    assert "by way of e8" in why(f"{rows('k e9, m c9, s e8')} muscovites")


def test_a_captured_king_means_the_muscovites_have_won() -> None:
    four = board("m c4 c6 b5 d5, s i1", "swedes")
    assert result(four) == "muscovites"
    assert reason(four) == "the king is taken"
    three = board("m e7 d6 f6, s i1", "swedes")
    assert result(three) == "muscovites"
    castle = board("m e4 e6 d5 f5, s i1", "swedes")
    assert result(castle) == "muscovites"


def test_a_king_is_captured_by_muscovites_around_an_empty_square_with_swedes_to_move() -> None:
    assert "has just been taken" in why(f"{rows('m c4 c6 b5 d5')} muscovites")
    assert "nowhere" in why(f"{rows('m c4 c6 b5 d7, s i1')} swedes")
    assert "nowhere" in why(f"{rows('m c4 c6 b5 d5, s c5')} swedes")
    assert "nowhere" in why(f"{rows('m a4 a6 b5, s i1')} swedes")


def test_a_surrounded_king_is_no_longer_on_the_board() -> None:
    for seat in ("swedes", "muscovites"):
        assert "all four sides" in why(f"{rows('k c5, m c4 c6 b5 d5')} {seat}")


def test_a_king_enclosed_beside_the_castle_may_have_moved_there() -> None:
    for seat in ("swedes", "muscovites"):
        line = f"{rows('k e4, m e3 d4 f4')} {seat}"
        assert result(GAME.read_position(line)) is None


def test_tuichu_and_a_lack_of_moves_are_read_as_finished_games() -> None:
    tuichu = board("k d5, m b5", "muscovites")
    assert result(tuichu) == "swedes"
    assert result(board("k d5, m b5", "swedes")) is None
    stuck = f"{rows('k e5, s e4 e6 d5 f5 a2 b1, m a1')} muscovites"
    assert result(GAME.read_position(stuck)) == "draw"


def test_without_muscovites_the_swedes_have_just_captured_the_last() -> None:
    taken = board("k e5, s b2 d2", "muscovites")
    assert result(taken) == "swedes"
    assert "their last move" in why(f"{rows('k e5, s b2 d2')} swedes")
    assert "no two stand one square apart" in why(f"{rows('k e5, s b2 d3')} muscovites")
    assert "no two stand one square apart" in why(f"{rows('k e6, s e4')} muscovites")


def test_the_starting_position_may_have_muscovites_to_move() -> None:
    """A man can lose a tempo: it may return to its square in three moves along a line."""
    state = play(GAME.initial(), "e7-f7", "e8-f8", "f7-g7", "f8-e8", "g7-e7")
    assert GAME.write_position(state) == f"{START} muscovites"


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("", "is not a move"),
        ("e7", "is not a move"),
        ("e7e9", "is not a move"),
        ("e7-e9-e7", "is not a move"),
        ("j1-j2", "There is no square j1"),
        ("e7-e0", "There is no square e0"),
        ("e7-e10", "There is no square e10"),
        ("*3", "is not a move"),
    ],
)
def test_an_invalid_move_is_refused_with_an_example(text: str, part: str) -> None:
    with pytest.raises(BadNotation, match=part.replace("*", r"\*")) as caught:
        GAME.read(GAME.initial(), text)
    assert "e7-e9" in caught.value.sentence


def test_a_move_has_two_steps_the_man_and_his_target() -> None:
    state = GAME.initial()
    move = GAME.read(state, "E7 - H7")
    assert GAME.steps(move) == ("e7", "-h7")
    assert GAME.write(move) == "e7-h7"
