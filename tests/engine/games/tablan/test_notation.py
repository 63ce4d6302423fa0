"""How moves are typed."""

from __future__ import annotations

import pytest

from engine.errors import BadNotation, IllegalMove
from engine.games.tablan import GAME
from tests.engine.games.tablan.boards import play

STARTED = play(GAME.initial(), "*1")


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("k1-l2", "k1-l2"),
        ("K1 - L2", "k1-l2"),
        (" k1l2 ", "k1-l2"),
        ("k1–l2", "k1-l2"),
        ("L1-L2, K1-L1", "l1-l2,k1-l1"),
        ("l1-l2 k1-l1", "l1-l2,k1-l1"),
    ],
)
def test_case_spaces_and_dashes_do_not_matter(typed: str, written: str) -> None:
    assert GAME.write(GAME.read(STARTED, typed)) == written


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("", "is not a move"),
        ("hello", "is not a move"),
        ("k1", "is not a move"),
        ("k1-l2,", "is not a move"),
        ("k1-l2,l1-l2,a1-b1", "is not a move"),
        ("k0-l2", "no square k0"),
        ("k1-m2", "no square m2"),
        ("k1-l22", "no square l22"),
        ("*5", "0 to 4"),
        ("*", "is not a move"),
        ("k١-l2", "is not a move"),
    ],
)
def test_the_error_for_an_invalid_move_explains_how_to_type_one(typed: str, why: str) -> None:
    with pytest.raises(BadNotation, match=why):
        GAME.read(STARTED, typed)


def test_a_throw_is_written_as_its_plain_sides() -> None:
    assert [GAME.write(throw) for throw in GAME.legal_moves(GAME.initial())] == [
        "*0",
        "*1",
        "*2",
        "*3",
        "*4",
    ]


def test_a_split_is_chosen_man_by_man() -> None:
    move = GAME.read(STARTED, "l1-l2,k1-l1")
    assert GAME.steps(move) == ("l1-l2", ",k1-l1")


def test_playing_an_illegal_move_is_refused_like_typing_it() -> None:
    other = play(STARTED, "k1-l2", "*1")
    move = GAME.read(other, "i1-k1")
    with pytest.raises(IllegalMove):
        GAME.apply(STARTED, move)
