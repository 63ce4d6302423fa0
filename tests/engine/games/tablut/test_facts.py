"""Facts that hold in every game of Tablut, checked on random games."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from engine.games.tablut import GAME
from engine.menu import MAX_OPTIONS, choices
from tests.contract.games import STEADY, whole_game
from tests.engine.games.tablut.boards import Position, at, result, side

seeds = st.integers(1, 25).map(str)
"""The same games for every fact."""


@cache
def positions(seed: str) -> list[Position]:
    """Return every position of a random game, start to end."""
    steps, last = whole_game(GAME, seed, {}, 2)
    return [*(step.state for step in steps), last]


def count(state: Position, letter: str) -> int:
    """Return how many men of a kind are left."""
    return GAME.write_position(state).split()[0].count(letter)


@STEADY
@given(seed=seeds)
def test_only_men_of_the_side_not_moving_are_captured_and_none_comes_back(seed: str) -> None:
    states = positions(seed)
    for before, after in pairwise(states):
        mine, theirs = ("s", "m") if side(before) == "swedes" else ("m", "s")
        assert count(after, mine) == count(before, mine)
        assert count(before, theirs) - count(after, theirs) in {0, 1, 2, 3}


@STEADY
@given(seed=seeds)
def test_there_is_a_king_until_his_capture_ends_the_game(seed: str) -> None:
    for state in positions(seed):
        assert (count(state, "k") == 0) == (result(state) == "muscovites")


@STEADY
@given(seed=seeds)
def test_only_the_king_is_ever_on_the_castle(seed: str) -> None:
    for state in positions(seed):
        assert at(state, "e5") in ".k"


@STEADY
@given(seed=seeds)
def test_each_side_wins_only_by_its_own_move(seed: str) -> None:
    end = positions(seed)[-1]
    if result(end) != "draw":
        assert result(end) != side(end)


@STEADY
@given(seed=seeds)
def test_every_menu_fits_first_the_piece_then_its_target(seed: str) -> None:
    for state in positions(seed)[:-1:25]:
        first = choices(GAME, state)
        assert len(first) <= MAX_OPTIONS
        for choice in first:
            if choice.move is None:
                assert len(choices(GAME, state, choice.steps)) <= MAX_OPTIONS


@STEADY
@given(seed=seeds)
def test_a_position_read_from_its_line_continues_the_same_way(seed: str) -> None:
    """Everything but repetition follows from the line alone."""
    for state in positions(seed):
        if result(state) != "draw":
            again = GAME.read_position(GAME.write_position(state))
            assert GAME.outcome(again) == GAME.outcome(state)
            assert GAME.legal_moves(again) == GAME.legal_moves(state)
