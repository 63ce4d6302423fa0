"""Thinking ends when its processor time is used up, or after too much real time."""

from __future__ import annotations

import random
import threading
import time

import pytest

from ai.levels import UNLIMITED, Level
from ai.position import fast, inner
from ai.search.searcher import Searcher
from ai.search.time_limit import TimeLimit
from engine import registry

DEEP = Level(60, UNLIMITED, broad=2)


@pytest.mark.parametrize("slug", registry.games())
def test_all_the_processor_time_is_used_and_no_more(slug: str) -> None:
    board = fast(slug)
    assert board is not None
    searcher, dice = Searcher(board), random.Random(1)
    searcher.compile()
    state = board.encode(inner(registry.game(slug).initial()))
    while board.kernels.actor(state) < 0:
        into = board.board()
        board.kernels.throw(state, dice.randrange(5), into)
        state = into
    if len(searcher._legal(state)) == 1:
        return
    begun = time.process_time()
    found = searcher.search(state, (), DEEP, dice, 0.3)
    assert 0.29 < time.process_time() - begun < 1.0
    assert found.nodes > 1000
    assert found.depth > 0


def test_waiting_without_using_the_processor_ends_too() -> None:
    calls = list[bool]()
    limit = TimeLimit(60, 0.05)
    with limit.part(1, lambda: calls.append(True)):
        while not calls:
            pass


def test_a_share_of_the_time_left_can_be_used_and_the_rest_remains() -> None:
    """Half of the time for one search, then all the rest for another."""
    stopped = list[float]()
    begun = time.process_time()
    limit = TimeLimit(0.2)
    for share in (0.5, 1):
        done = threading.Event()
        with limit.part(share, done.set):
            while not done.is_set():
                pass
        stopped.append(time.process_time() - begun)
    assert 0.1 <= stopped[0] < 0.2 <= stopped[1]


def test_nothing_runs_when_no_time_is_left() -> None:
    calls = list[bool]()
    with TimeLimit(0).part(1, lambda: calls.append(True)):
        assert calls
