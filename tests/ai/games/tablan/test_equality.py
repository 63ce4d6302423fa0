"""The fast board follows the engine's rules, move for move, under all options."""

from __future__ import annotations

import random

import numpy as np
import pytest

from ai.games.tablan import FAST
from ai.games.tablan.translation import decode
from ai.kernels import Board
from ai.position import CHANCE, OVER, shares
from engine import game as interface
from engine.games.tablan import GAME
from engine.games.tablan.state import State
from tests.ai.games.tablan.boards import COMBINATIONS, KERNELS, WAYS, after, board, legal, name_of
from tests.engine.games.tablan.perft_table import Entry, entries

pytestmark = pytest.mark.timeout(600)  # the first one to run may have to compile


def perft(state: Board, depth: int) -> int:
    """Count move sequences as `engine.perft` does."""
    actor = KERNELS.actor(state)
    if actor == OVER:
        return 0
    steps = list(range(5)) if actor == CHANCE else legal(state)
    return len(steps) if depth == 1 else sum(perft(after(state, s), depth - 1) for s in steps)


def assert_same(state: State, fast: Board) -> None:
    """Check that an engine position and a board are equal, and so are their legal moves."""
    np.testing.assert_array_equal(FAST.encode(state), fast)
    assert decode(fast, state.settings) == state
    ended = GAME.outcome(state)
    if ended is not None:
        assert KERNELS.actor(fast) == OVER
        results = np.zeros(2)
        KERNELS.result(fast, results)
        assert tuple(results) == shares(ended)
        return
    actor = GAME.actor(state)
    assert KERNELS.actor(fast) == (CHANCE if actor is interface.CHANCE else actor)
    if actor is not interface.CHANCE:
        written = [FAST.notation(fast, move) for move in legal(fast)]
        assert sorted(written) == sorted(map(GAME.write, GAME.legal_moves(state)))


@pytest.mark.parametrize("entry", entries(), ids=lambda entry: entry.position)
def test_perft_counts_equal_the_engines(entry: Entry) -> None:
    start = board(entry.position, entry.options)
    counted = [perft(start, depth) for depth in range(1, len(entry.counts) + 1)]
    assert counted == list(entry.counts)


@pytest.mark.parametrize("options", COMBINATIONS, ids=name_of)
def test_whole_games_go_the_same_way(options: dict[str, str]) -> None:
    dice = random.Random(name_of(options))
    state = GAME.initial(options)
    fast = FAST.encode(state)
    while True:
        assert_same(state, fast)
        if GAME.outcome(state) is not None:
            break
        if KERNELS.actor(fast) == CHANCE:
            (step,) = dice.choices(range(5), WAYS)
            text = f"*{step}"
        else:
            step = dice.choice(legal(fast))
            text = FAST.notation(fast, step)
        state = GAME.apply(state, GAME.read(state, text))
        fast = after(fast, step)


ENDS = [
    # one move finishes both: capturing Black's last man outside also brings the capturer home
    ("one-done", "draw", "..........b./...........W/............/B........... white 2", "l3-k4"),
    ("both-done", "draw", "..........b./...........W/............/B........... white 2", "l3-k4"),
    (
        "both-done",
        "first-finisher",
        "..........b./...........W/............/B........... white 2",
        "l3-k4",
    ),
    (
        "one-done",
        "first-finisher",
        "..........b./...........W/............/B........... white 2",
        "l3-k4",
    ),
    # the last side to finish, with as many men as the first
    (
        "both-done",
        "first-finisher",
        "............/...........W/............/B........... white 2",
        "l3-k4",
    ),
    # the last man is captured
    ("one-done", "draw", "..........b./...........W/............/............ white 2", "l3-k4"),
    # no side can move: Black has finished, and all three squares for White's last man are held
    (
        "both-done",
        "draw",
        "W...W.....W./..........WW/............/B........... white 2",
        "k3-l4",
    ),
]


@pytest.mark.parametrize(("end", "tie", "line", "move"), ENDS)
def test_rare_endings_are_the_same(end: str, tie: str, line: str, move: str) -> None:
    options = {"end": end, "tie": tie}
    state = GAME.read_position(line, options)
    fast = board(line, options)
    assert_same(state, fast)
    reached = GAME.apply(state, GAME.read(state, move))
    assert GAME.outcome(reached) is not None
    assert_same(reached, after(fast, FAST.read(fast, move)))


def test_notation_is_read_back_and_nonsense_is_not() -> None:
    start = board("bbbbbbbbbbbb/............/............/wwwwwwwwwwww white 2")
    assert all(FAST.read(start, FAST.notation(start, move)) == move for move in legal(start))
    with pytest.raises(ValueError, match="a1-b1"):
        FAST.read(start, "a1-b1")


def test_positions_that_may_continue_differently_have_different_keys() -> None:
    lines = [
        f"{men} {seat} {hand}"
        for men in ("b...........", "B...........")
        for men in (f"{men}/............/............/w..........w", f"{men}/..../")
        if men.count("/") == 3 and len(men) == 51
        for seat in ("white", "black")
        for hand in ("2", "-")
    ]
    boards = [board(line, options) for line in lines for options in COMBINATIONS]
    assert len({int(KERNELS.key(one)) for one in boards}) == len(boards)
