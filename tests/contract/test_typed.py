"""However a move is typed, it is understood, or it is among the moves suggested."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import registry
from engine.errors import BadNotation, IllegalMove, UnclearMove
from engine.game import CHANCE
from engine.registry import AnyGame
from engine.typed import suggested, understand
from tests.contract.games import STEADY, Case, played


def spellings(game: AnyGame, state: Any, move: Any) -> Iterator[str]:
    """Yield different ways to write a move."""
    yield game.write(move)
    ways = game.ways(state, move)
    if ways and all(len(way) > 1 for way in ways):
        for between in ("", " ", "-", " - ", " to ", "x", " takes ", "→", " nach ", ", "):
            for joint in (", ", " ", " then ", ";"):
                yield joint.join(between.join(way) for way in ways)
        yield "K" + " to ".join(" to ".join(way) for way in ways)


def candidates(game: AnyGame, state: Any, text: str) -> list[Any]:
    """Return the move understood, or the candidates if several fit."""
    try:
        return [understand(game, state, text)]
    except UnclearMove as unclear:
        return [game.read(state, candidate) for candidate in unclear.candidates]


@STEADY
@given(data=st.data())
def test_every_legal_move_is_understood_in_every_spelling(case: Case, data: st.DataObject) -> None:
    game = case.game
    _, _, state = data.draw(played(game))
    if game.outcome(state) is not None or game.actor(state) is CHANCE:
        return
    moves = list(game.legal_moves(state))
    for move in data.draw(st.lists(st.sampled_from(moves), max_size=2, unique=True)):
        for text in filter(None, dict.fromkeys(spellings(game, state, move))):
            assert move in suggested(game, state, text), text
            for typed in (text, text.upper(), f"  {text.replace(' ', '   ').title()} ! "):
                assert move in candidates(game, state, typed), typed


@STEADY
@given(data=st.data())
def test_notation_means_one_move_even_if_the_squares_are_ambiguous(
    case: Case, data: st.DataObject
) -> None:
    game = case.game
    _, _, state = data.draw(played(game))
    if game.outcome(state) is None:
        for move in list(game.legal_moves(state))[:20]:
            assert understand(game, state, game.write(move).upper()) == move


def understood(slug: str, text: str, position: str = "") -> str:
    """Return the notation of a move typed at the start of a game, or in a position."""
    game = registry.game(slug)
    state = game.read_position(position) if position else game.initial()
    return game.write(understand(game, state, text))


@pytest.mark.parametrize(
    "text", ["e3b3", "E3 B3", "e3 to b3", "e3-b3", "e3xb3", "e3 → b3", "man e3 nach b3!", "e3:b3"]
)
def test_two_squares_are_a_move_whatever_is_typed_between_them(text: str) -> None:
    assert understood("tablut", text) == "e3-b3"


@pytest.mark.parametrize("text", ["D4", "on d4", "build on d4", " d 4 "])
def test_one_square_is_a_move_in_games_that_place_stones(text: str) -> None:
    assert understood("tablaaza", text) == "d4"


SERIES = "south:0,8,-,- north:0,-,-,- south 4,1,2"


@pytest.mark.parametrize(
    ("text", "notation"),
    [
        ("c1 4 2", "c1+4+2"),
        ("C1 + 2 + 4", "c1+4+2"),
        ("enter", "in"),
        ("In!", "in"),
        ("in c1", "in"),
    ],
)
def test_throws_may_be_typed_in_any_order_with_any_separators(text: str, notation: str) -> None:
    assert understood("thaayam", text, SERIES) == notation


def test_squares_reached_by_several_throws_suggest_all_of_them() -> None:
    position = "south:0,3,8,12 north:0,-,-,- south 4,1,3"
    with pytest.raises(UnclearMove) as unclear:
        understood("thaayam", "c1 to e3", position)
    assert set(unclear.value.candidates) == {"c1+4", "c1+3+1"}


def test_a_piece_alone_suggests_where_it_can_go() -> None:
    with pytest.raises(UnclearMove, match="Which one do you mean") as unclear:
        understood("tablut", "e3")
    assert set(unclear.value.candidates) == {f"e3-{f}3" for f in "abcdfghi"}


def test_a_square_alone_suggests_what_can_go_there() -> None:
    with pytest.raises(UnclearMove) as unclear:
        understood("tablut", "b3?")
    assert set(unclear.value.candidates) == {"e3-b3"}


def test_half_of_a_move_suggests_the_other_halves() -> None:
    position = "bbbbbbbbbbbb/............/............/wwwwwwwwwwww white 2"
    with pytest.raises(UnclearMove) as unclear:
        understood("tablan", "l1 to l2", position)
    assert unclear.value.candidates == ("l1-l2,k1-l1",)


def test_an_illegal_move_is_refused_by_its_rule_in_every_spelling() -> None:
    for text in ("e3e5", "E3 to E5", "e3-e5", "e3xe5"):
        with pytest.raises(IllegalMove, match="in the way"):
            understood("tablut", text)


@pytest.mark.parametrize("text", ["", "castle kingside", "🎲", "?!", "7", "x" * 5000])
def test_a_text_that_names_no_square_is_not_a_move(text: str) -> None:
    for slug in registry.games():
        with pytest.raises((BadNotation, IllegalMove)):
            understood(slug, text)


@STEADY
@given(data=st.data())
def test_what_is_no_move_is_answered_with_one_that_can_be_typed(
    case: Case, data: st.DataObject
) -> None:
    game = case.game
    _, _, state = data.draw(played(game))
    if game.outcome(state) is not None or game.actor(state) is CHANCE:
        return
    with pytest.raises(BadNotation, match=r"is not a move\.") as refusal:
        understand(game, state, "?!")
    example = refusal.value.sentence.rpartition("Possible here, for example: ")[2]
    assert game.read(state, example.removesuffix(".")) in game.legal_moves(state)


def test_a_move_typed_in_part_is_completed() -> None:
    game = registry.game("tablut")
    start = game.initial(game.settle())
    for typed in ("e3b", "E3 B", "e3 to b", "e3 to b3"):
        assert [game.write(move) for move in suggested(game, start, typed)] == ["e3-b3"]
    assert set(suggested(game, start, "")) == set(game.legal_moves(start))
