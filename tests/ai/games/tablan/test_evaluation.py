"""The evaluation is the same for both seats, and an immediate win is seen."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from ai.games.tablan import FAST, weights
from ai.games.tablan.board import ACROSS, INTRUDERS, across
from ai.games.tablan.train import COMMAND, RECORD, SEED, SIZE, WEIGHTS, initial_weights, train
from ai.kernels import Board
from ai.levels import Level
from ai.search.searcher import Searcher
from ai.tournament import at_random, greedy, searching, tournament
from tests.ai.games.tablan.boards import (
    COMBINATIONS,
    KERNELS,
    board,
    mirrored,
    name_of,
    random_game,
)

pytestmark = pytest.mark.timeout(600)  # the first one to run may have to compile

GLANCE = Level(0, 1_000_000)
"""Looks at the positions right after each move, and no further."""
RULES = ("walker", "bell")
BELL = {"rules": "bell"}
NEAREST = {"order": "nearest-first"}


def worth(state: Board) -> list[float]:
    """Return each seat's expected result."""
    out = np.zeros(2)
    KERNELS.evaluate(state, weights(), out)
    return [float(value) for value in out]


@pytest.mark.parametrize("options", COMBINATIONS, ids=name_of)
def test_chances_sum_to_one_and_swap_with_the_seats(options: dict[str, str]) -> None:
    for state in random_game(options, name_of(options)):
        white, black = worth(state)
        assert white + black == pytest.approx(1, abs=1e-12)
        assert 0 <= white <= 1
        assert worth(mirrored(state)) == [black, white]


def test_both_seats_have_the_same_tables() -> None:
    """Both seats must have the same tables, for the evaluation to treat them alike."""
    for tables in (ACROSS, INTRUDERS):
        np.testing.assert_array_equal(tables[:, 0], tables[:, 1])
    for options, table in enumerate(ACROSS):
        assert [across(options, 1 << place) for place in range(48)] == [1 << to for to in table[0]]


@pytest.mark.parametrize("rules", RULES)
def test_more_men_and_men_further_ahead_are_worth_more(rules: str) -> None:
    start = "bbbbbbbbbbbb/............/............/wwwwwwwwwwww white -"
    fewer = "bbbbb..bbb.b/............/............/wwwwwwwwwwww white -"
    even, ahead = (worth(board(line, {"rules": rules}))[0] for line in (start, fewer))
    assert even == pytest.approx(0.5, abs=0.05)
    assert even < ahead


AT_ONCE = [
    (".....BW....W/BB.......WW./.BB...B...../.B.......... white 12", {}, "k3-h4,j3-i4"),
    (".......W.W.W/.....W....../.BW........./B...B....... white 2", {}, "f3-g3,c2-b2"),
    ("............/...B....B.../...W.B..B.../............ black 2", {}, "f2-d2"),
    ("....W.....WW/.........W.W/............/.....BB..B.B white 12", BELL, "l3-g4,j3-i4"),
    ("...........W/.........W.W/............/........B... white 8", BELL, "l3-i4,j3-k4"),
    ("..........WW/B.......W.../......BB..../BBB......... black 8", NEAREST, "a3-i3"),
]
"""Positions in which exactly one move wins at once."""


@pytest.fixture(scope="module")
def searcher() -> Searcher:
    made = Searcher(FAST)
    made.compile()
    return made


def values(searcher: Searcher, line: str, depth: int, options: dict[str, str]) -> dict[str, float]:
    state = board(line, options)
    found = searcher.search(state, (), Level(depth, 300_000, broad=depth), random.Random(1))
    return {
        FAST.notation(state, move): value
        for move, value in zip(found.moves, found.values, strict=True)
    }


@pytest.mark.parametrize("depth", [0, 1, 2])
@pytest.mark.parametrize(("line", "options", "move"), AT_ONCE)
def test_an_immediate_win_is_seen_and_taken(
    searcher: Searcher, line: str, options: dict[str, str], move: str, depth: int
) -> None:
    figures = values(searcher, line, depth, options)
    assert figures[move] == pytest.approx(1, abs=1e-3)
    assert all(value < figures[move] for text, value in figures.items() if text != move)


@pytest.mark.parametrize("rules", RULES)
def test_without_any_search_it_beats_random_and_greedy_play(searcher: Searcher, rules: str) -> None:
    """This is far weaker than any searching level; luck alone would score half the points."""
    player = searching(searcher, GLANCE)
    for rival, share in ((at_random(FAST), 0.8), (greedy(FAST), 0.5)):
        score = tournament(FAST, player, rival, 30, seed=3, options={"rules": rules})
        assert score.interval[0] > share - 0.05


def test_training_again_with_the_same_seed_gives_the_same_weights(tmp_path: Path) -> None:
    learnt = []
    for name in ("one", "two"):
        train(5, (6, 4), tmp_path / f"{name}.npy", tmp_path / f"{name}.txt")
        learnt.append(np.load(tmp_path / f"{name}.npy"))
    np.testing.assert_array_equal(*learnt)
    assert not np.array_equal(learnt[0], initial_weights(5))


def test_the_weights_record_how_they_were_trained() -> None:
    assert len(weights()) == SIZE
    assert WEIGHTS.stat().st_size < 200_000
    text = RECORD.read_text()
    assert COMMAND in text
    assert f"seed: {SEED}" in text
