"""Rare endings, notation and keys of Tablan's fast board; tests/ai/test_equality.py has the games."""

from __future__ import annotations

from itertools import product

import pytest

from ai.games.tablan import FAST
from ai.games.tablan.translation import decode
from engine.games.tablan import GAME
from tests.ai.games.tablan.boards import BOARDS, COMBINATIONS, KERNELS, after, board, legal, name_of
from tests.contract.games import whole_game

pytestmark = pytest.mark.timeout(600)  # the first one to run may have to compile


@pytest.mark.parametrize("options", COMBINATIONS, ids=name_of)
def test_a_board_is_the_position_again(options: dict[str, str]) -> None:
    steps, end = whole_game(GAME, name_of(options), options, 2)
    for state in (*(step.state for step in steps), end):
        assert decode(FAST.encode(state), state.settings) == state


BOTH = "..........b./...........W/............/B........... white 2"
"""One move finishes both: capturing Black's last man outside also brings the capturer home."""
ENDS = [
    *(
        (*way, BOTH, "l3-k4")
        for way in product(("one-done", "both-done"), ("draw", "first-finisher"))
    ),
    # the last side to finish, with as many men as the first
    ("both-done", "first-finisher", BOTH.replace("b", ".", 1), "l3-k4"),
    # the last man is captured
    ("one-done", "draw", BOTH.replace("B", "."), "l3-k4"),
    # no side can move: Black has finished, and all three squares for White's last man are held
    ("both-done", "draw", "W...W.....W./..........WW/............/B........... white 2", "k3-l4"),
]


@pytest.mark.parametrize(("end", "tie", "line", "move"), ENDS)
def test_rare_endings_are_the_same(end: str, tie: str, line: str, move: str) -> None:
    options = {"end": end, "tie": tie}
    state = GAME.read_position(line, options)
    fast = board(line, options)
    BOARDS.assert_same(state, fast)
    reached = GAME.apply(state, GAME.read(state, move))
    assert GAME.outcome(reached) is not None
    BOARDS.assert_same(reached, after(fast, FAST.read(fast, move)))


def test_notation_that_is_nonsense_is_refused() -> None:
    start = board("bbbbbbbbbbbb/............/............/wwwwwwwwwwww white 2")
    assert len(legal(start)) == 3
    with pytest.raises(ValueError, match="a1-b1"):
        FAST.read(start, "a1-b1")


def test_positions_that_may_continue_differently_have_different_keys() -> None:
    lines = [
        f"{man}.........../............/............/w..........w {seat} {hand}"
        for man, seat, hand in product("bB", ("white", "black"), "2-")
    ]
    boards = [board(line, options) for line in lines for options in COMBINATIONS]
    assert len({int(KERNELS.key(one)) for one in boards}) == len(boards)
