"""Refusals and legal moves are computed separately, and agree on every move."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import BadNotation, IllegalMove
from engine.games.tablan import GAME
from engine.games.tablan.board import SQUARES
from engine.games.tablan.state import Phase, Split, State, Walk
from tests.contract.games import STEADY, played
from tests.engine.games.tablan.boards import START, forbidden, moves, picture, refused

# Rules quoted from the other document, which alone has them.
BORROWED = {"W3", "W5", "W20", "B3", "B5", "B8"}


@STEADY
@given(data=st.data())
def test_a_move_is_refused_exactly_when_it_is_not_legal(data: st.DataObject) -> None:
    options, steps, _ = data.draw(played(GAME))
    for state in [step.state for step in steps if step.state.phase is Phase.MOVE][-4:]:
        legal = moves(state)
        for origin, target in product(SQUARES, SQUARES):
            refusal = refusal_of(state, Walk(origin, target))
            assert (refusal is None) == (f"{origin}-{target}" in legal)
            if refusal is not None:
                assert refusal.rule.name in BORROWED or (
                    refusal.rule.document == options["rules"][0].upper()
                )
                assert set(refusal.squares) <= set(SQUARES)
                assert refusal.squares


@STEADY
@given(data=st.data())
def test_a_split_is_refused_exactly_when_it_is_impossible_in_that_order(
    data: st.DataObject,
) -> None:
    _, steps, _ = data.draw(played(GAME))
    for state in [step.state for step in steps if step.state.phase is Phase.MOVE][-4:]:
        legal = moves(state)
        walk, half = state.course(state.seat), state.score // 2
        halves = [
            Walk(square, walk[place + half])
            for place, square in enumerate(walk[:-half])
            if square in state.squares(state.seat)
        ]
        taken = 0
        for first, second in product(halves, halves):
            if refusal_of(state, Split(first, second)) is None:
                written = GAME.write(GAME.read(state, GAME.write(Split(first, second))))
                assert written in legal
                taken += written == GAME.write(Split(first, second))
        assert taken == sum("," in text for text in legal)


def refusal_of(state: State, move: Any) -> IllegalMove | None:
    """Return the error for a move, or None if `Game.refuse` finds it legal."""
    return GAME.refuse(state, move)


@pytest.mark.parametrize(
    ("text", "rule", "squares", "words"),
    [
        ("e2-g2", "W10", ("e2",), "White has no man on e2."),
        ("k4-i4", "W10", ("k4",), "The man on k4 is Black's; it is White's turn."),
        ("c1-a1", "W5", ("c1", "a1"), "A man cannot walk back: from c1 its next square is d1."),
        ("c1-k1", "W12", ("k1",), "White's own man stands on k1, and a square holds one man."),
        ("l1-h2", "W10", ("h2", "e2"), "From l1 to h2 it is 5, but the man walks 8 points, to e2."),
        ("l1-i2,k1-i2", "W10", ("i2", "j2"), "half of the 8 points, 4, to j2"),
        ("l1-i2,l1-i2", "W10", ("l1",), "two different men"),
        ("*4", "W13", (), "White has 8 points to play before the next throw."),
    ],
)
def test_a_refusal_says_what_is_wrong_with_that_particular_move(
    text: str, rule: str, squares: tuple[str, ...], words: str
) -> None:
    state = picture(START, "white 8")
    assert forbidden(state, text) == (rule, squares)
    assert words in refused(state, text).sentence


def test_a_text_that_is_not_a_move_gets_an_explanation_not_a_refusal() -> None:
    with pytest.raises(BadNotation, match="two squares, k1-l2"):
        GAME.read(GAME.initial(), "anything")
