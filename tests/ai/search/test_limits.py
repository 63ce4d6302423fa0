"""A search keeps to its limits and still returns a move."""

from __future__ import annotations

import random
import threading

import numpy as np
import pytest

from ai.games.tablut import FAST
from ai.levels import Level
from ai.search.searcher import Searcher, SearchResult
from engine.games.tablut.playing import START

BOARD = FAST.encode(START)
ENDLESS = 1 << 60


@pytest.fixture(scope="module")
def searcher() -> Searcher:
    """Return a compiled searcher."""
    found = Searcher(FAST)
    found.compile()
    return found


def legal() -> set[int]:
    """Return the legal first moves of the game."""
    out = np.zeros(FAST.most_moves, np.int64)
    return set(out[: FAST.kernels.moves(BOARD, out)].tolist())


@pytest.mark.parametrize("nodes", [0, 1, 2, 57, 1000, 50_000])
def test_the_search_never_exceeds_its_node_limit(searcher: Searcher, nodes: int) -> None:
    found = searcher.search(BOARD, (), Level(60, nodes), random.Random(1))
    assert found.nodes <= max(nodes, 1)
    assert set(found.moves) == legal()
    assert found.moves[found.best] in legal()
    assert found.values[found.best] == max(found.values)


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_the_search_never_exceeds_its_depth_limit(searcher: Searcher, depth: int) -> None:
    found = searcher.search(BOARD, (), Level(depth, ENDLESS), random.Random(1))
    assert found.depth == depth


def test_without_any_time_the_move_with_the_best_evaluation_is_chosen(searcher: Searcher) -> None:
    found = searcher.search(BOARD, (), Level(60, ENDLESS), random.Random(1), seconds=0)
    assert (found.depth, found.nodes) == (0, 1)
    assert found.moves[found.best] in legal()


def test_the_search_stops_when_time_is_up(searcher: Searcher) -> None:
    """Without the stop, this search would take years."""
    answers: list[SearchResult] = []
    level = Level(60, ENDLESS)
    thread = threading.Thread(
        target=lambda: answers.append(searcher.search(BOARD, (), level, random.Random(1), 0.05))
    )
    thread.start()
    thread.join(60)
    (found,) = answers
    assert found.moves[found.best] in legal()


def test_the_same_seed_gives_the_same_answer(searcher: Searcher) -> None:
    for level in FAST.levels:
        few = Level(level.depth, 5_000, level.oversight, level.doubt)
        one, two = (searcher.search(BOARD, (), few, random.Random(3)) for _ in range(2))
        assert one == two


def test_a_level_with_doubt_or_oversight_varies_its_moves(searcher: Searcher) -> None:
    dice = random.Random(3)
    for level in (Level(1, ENDLESS, oversight=0.5), Level(1, ENDLESS, doubt=0.1)):
        played = {searcher.search(BOARD, (), level, dice).best for _ in range(20)}
        assert len(played) > 3


def test_an_overlooked_move_is_never_played_and_valued_no_higher(searcher: Searcher) -> None:
    level = Level(1, ENDLESS, oversight=0.97)
    found = searcher.search(BOARD, (), level, random.Random(2))
    assert set(found.moves) == legal()
    assert found.values[found.best] == max(found.values)
