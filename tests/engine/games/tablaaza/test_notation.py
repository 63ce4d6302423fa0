"""How moves are typed and described."""

from __future__ import annotations

import pytest

from engine.errors import BadNotation
from engine.games.tablaaza import GAME
from engine.menu import choices
from tests.engine.games.tablaaza.boards import BEFORE_B6, board, play, refused


@pytest.mark.parametrize("text", ["d4", "D4", " d4 ", "d 4"])
def test_a_move_is_its_square_in_either_case(text: str) -> None:
    assert GAME.write(GAME.read(GAME.initial(), text)) == "d4"


@pytest.mark.parametrize("text", ["", "d", "4", "d4-d5", "dd4", "d44x", "resign", "stone", "*1"])
def test_a_text_that_is_not_a_square_is_not_a_move(text: str) -> None:
    with pytest.raises(BadNotation, match=r"is not a move\. A move is typed as the square"):
        GAME.read(GAME.initial(), text)


@pytest.mark.parametrize("text", ["i1", "a8", "a0", "z99", "a01"])
def test_the_error_for_a_square_off_the_board_names_the_boards_range(text: str) -> None:
    with pytest.raises(BadNotation, match=f"no square {text}: the board is a1 to h7"):
        GAME.read(GAME.initial(), text)


def test_a_long_text_is_not_echoed_in_full() -> None:
    with pytest.raises(BadNotation) as caught:
        GAME.read(GAME.initial(), "x" * 5000)
    assert len(caught.value.sentence) < 200


def test_every_move_is_one_step_and_all_fit_in_one_menu() -> None:
    offered = choices(GAME, GAME.initial())
    assert len(offered) == 25
    assert all(choice.move is not None and len(choice.steps) == 1 for choice in offered)
    assert [choice.label for choice in offered] == sorted(choice.label for choice in offered)


def test_a_move_is_described_with_the_pavilions_it_raises() -> None:
    state = board(BEFORE_B6, "red")
    texts = {text: GAME.tell(state, GAME.read(state, text)) for text in ("a1", "b6")}
    closed = "builds on b6 and closes b5 with a pavilion: no red plot is free in its row and column"
    assert texts == {"a1": "builds on a1", "b6": closed}


def test_every_refusal_is_a_sentence_about_that_move() -> None:
    after = play(board(BEFORE_B6, "red"), "b6")
    for text in ("b5", "a1", "c4", "h1", "pass"):
        sentence = refused(after, text).sentence
        assert sentence.endswith(".")
        assert text in sentence.lower()
