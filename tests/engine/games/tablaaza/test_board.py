"""The board computed from a few lines of data matches the lists in the rulings."""

from __future__ import annotations

from itertools import pairwise

import pytest

from engine.games.tablaaza import GAME
from engine.games.tablaaza.board import (
    BITS,
    GREEN,
    NEEDS,
    OF,
    PLOTS,
    RED,
    WATER,
    colour,
    corridors,
    named,
    place,
)
from tests.engine.games.tablaaza.boards import moves, play

NEIGHBOURLY = {
    "a1": "a2 b1 b3 c2",
    "a3": "a2 a4 b1 b3 b5 c2",
    "a5": "a4 a6 b3 b5 b7 c6",
    "a7": "a6 b5 b7 c6",
    "b2": "a2 a4 b1 b3 c2 d1 d3",
    "b4": "a2 a4 a6 b3 b5 c2 c6",
    "b6": "a4 a6 b5 b7 c6 d5 d7",
    "c1": "a2 b1 b3 c2 d1 d3 e2",
    "c7": "a6 b5 b7 c6 d5 d7 e6",
    "d2": "b1 b3 c2 d1 d3 e2 e4 f1",
    "d4": "c2 c6 d3 d5 e2 e4 e6",
    "d6": "b5 b7 c6 d5 d7 e4 e6 f7",
    "e1": "c2 d1 d3 e2 f1 g2",
    "e3": "c2 d1 d3 d5 e2 e4 f1 g2",
    "e5": "c6 d3 d5 d7 e4 e6 f7 g6",
    "e7": "c6 d5 d7 e6 f7 g6",
    "f2": "d1 d3 e2 e4 f1 g2 g4 h1 h3",
    "f6": "d5 d7 e4 e6 f7 g4 g6 h5 h7",
    "g1": "e2 f1 g2 h1 h3",
    "g3": "e2 f1 g2 g4 h1 h3 h5",
    "g5": "e6 f7 g4 g6 h3 h5 h7",
    "g7": "e6 f7 g6 h5 h7",
    "h2": "f1 g2 g4 h1 h3",
    "h4": "g2 g4 g6 h3 h5",
    "h6": "f7 g4 g6 h5 h7",
}


@pytest.mark.parametrize("red", NEIGHBOURLY)
def test_ruling_1_3_greens_reply_to_every_first_stone_goes_to_these_plots(red: str) -> None:
    assert moves(play(GAME.initial(), red)) == set(NEIGHBOURLY[red].split())


def test_the_table_of_replies_has_every_red_plot() -> None:
    assert set(NEIGHBOURLY) == moves(GAME.initial())


def test_rotating_the_board_by_half_a_turn_swaps_red_and_green() -> None:
    for plot in PLOTS:
        column, row = place(plot)
        turned = "abcdefgh"[7 - column] + str(7 - row)
        assert colour(turned) == 1 - colour(plot)


def test_adjacent_plots_differ_in_colour() -> None:
    for plot in PLOTS:
        for run in corridors(plot):
            for one, two in pairwise(run):
                assert colour(one) != colour(two)


def test_every_plot_has_a_row_and_a_column_and_the_shortest_has_two_plots() -> None:
    lengths = {len(run) for plot in PLOTS for run in corridors(plot)}
    assert all(len(corridors(plot)) == 2 for plot in PLOTS)
    assert min(lengths) == 2


def test_corridors_end_at_lakes_and_edges() -> None:
    assert corridors("b5") == (("a5", "b5"), ("b1", "b2", "b3", "b4", "b5", "b6", "b7"))
    assert corridors("e4") == (("d4", "e4"), ("e1", "e2", "e3", "e4", "e5", "e6", "e7"))
    assert corridors("c7") == (
        ("a7", "b7", "c7", "d7", "e7", "f7", "g7", "h7"),
        ("c6", "c7"),
    )


def test_a_pavilion_needs_at_least_four_stones_and_twelve_plots_need_no_more() -> None:
    sizes = {plot: NEEDS[BITS[plot]].bit_count() for plot in PLOTS}
    assert min(sizes.values()) == 4
    cheapest = sorted(plot for plot, size in sizes.items() if size == 4)
    assert " ".join(cheapest) == "a3 a5 b3 b5 d3 d5 e3 e5 g3 g5 h3 h5"
    assert named(NEEDS[BITS["b5"]]) == ("a5", "b2", "b4", "b6")


def test_the_plots_are_split_between_the_colours_and_exclude_the_lakes() -> None:
    assert OF[RED] & OF[GREEN] == 0
    assert len(PLOTS) == 50
    assert not WATER & set(PLOTS)
    assert {"c3", "c4", "c5", "f3", "f4", "f5"} == WATER
