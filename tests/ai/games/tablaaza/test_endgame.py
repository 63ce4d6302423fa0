"""With few vacant plots left the winner is known, and the search plays accordingly."""

from __future__ import annotations

import random
from functools import cache

import numpy as np
import pytest

from ai.games.tablaaza import FAST, endgame, fast
from ai.games.tablaaza.evaluation import evaluate
from ai.levels import Level
from ai.search.alphabeta import CONTROL, LIMIT
from ai.search.searcher import Searcher
from engine.games.tablaaza.board import FILES, PLOTS


@cache
def wins(position: tuple[int, int, int]) -> bool:
    """Return whether the player to move wins, by trying everything."""
    state = np.array(position, np.int32)
    out, into = np.empty(fast.MOST_MOVES, np.int64), np.empty_like(state)
    for move in out[: fast.moves(state, out)]:
        fast.play(state, int(move), into)
        red, green, seat = map(int, into)
        if not wins((red, green, seat)):
            return True
    return False


def late_position(dice: random.Random, vacant: int) -> tuple[int, int, int]:
    """Return a position of a random game with this many vacant plots."""
    out = np.empty(fast.MOST_MOVES, np.int64)
    while True:
        state = np.array((fast.FULL, fast.FULL, 0), np.int32)
        while fast.actor(state) >= 0:
            red, green, seat = map(int, state)
            if red.bit_count() + green.bit_count() == vacant:
                return red, green, seat
            into = np.empty_like(state)
            fast.play(state, int(dice.choice(out[: fast.moves(state, out)])), into)
            state = into


@pytest.mark.parametrize("vacant", [6, 8, 10, 12])
def test_the_winner_is_the_one_found_by_exhaustive_search(vacant: int) -> None:
    dice = random.Random(vacant)
    table, control = np.zeros(1 << 12, np.uint64), np.zeros(CONTROL, np.int64)
    for _ in range(10):
        red, green, seat = late_position(dice, vacant)
        control[LIMIT] = 1 << 40
        own, other = (green, red) if seat else (red, green)
        assert endgame.wins(own, other, seat, table, control) == wins((red, green, seat))


def test_an_insufficient_budget_is_reported() -> None:
    red, green, seat = late_position(random.Random(3), 22)
    own, other = (green, red) if seat else (red, green)
    control = np.zeros(CONTROL, np.int64)
    control[LIMIT] = 10
    table = np.zeros(1 << 12, np.uint64)
    assert endgame.wins(own, other, seat, table, control) == endgame.UNKNOWN


def test_the_search_wins_every_won_position() -> None:
    dice = random.Random(9)
    searcher, level = Searcher(FAST), Level(60, 200_000)
    for _ in range(6):
        red, green, seat = late_position(dice, 12)
        state = np.array((red, green, seat), np.int32)
        found = searcher.search(state, [], level, dice)
        into = np.empty_like(state)
        fast.play(state, found.moves[found.best], into)
        after = tuple(map(int, into))
        assert wins((after[0], after[1], after[2])) != wins((red, green, seat))


def mirrored(plots: int, first: int) -> int:
    """Return plots of one colour as plots of the other, on the mirrored board."""
    names = [PLOTS[first + bit] for bit in range(fast.HALF) if plots >> bit & 1]
    swapped = [FILES[::-1][FILES.index(name[0])] + name[1:] for name in names]
    return sum(1 << PLOTS.index(name) % fast.HALF for name in swapped)


def test_mirroring_the_board_swaps_the_sides_chances() -> None:
    dice = random.Random(4)
    for vacant in range(10, 44, 3):
        red, green, seat = late_position(dice, vacant)
        here, there = np.zeros(2), np.zeros(2)
        evaluate(np.array((red, green, seat), np.int32), FAST.weights(), here)
        other = (mirrored(green, fast.HALF), mirrored(red, 0), 1 - seat)
        evaluate(np.array(other, np.int32), FAST.weights(), there)
        assert here.sum() == pytest.approx(1)
        assert here == pytest.approx(there[::-1])
