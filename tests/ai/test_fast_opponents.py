"""With a fast board thinking is a search, also in a match of two games, and never waits long."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from ai import opponents
from ai.opponents import think
from engine.games.tablut import GAME
from tests.contract.games import whole_game

if TYPE_CHECKING:
    from pathlib import Path

THINK = """
import json
from ai.opponents import think
thought = think("tablut", {}, 2, [], level=5, seed=1, seconds=1.0)
print(json.dumps([thought.notation, thought.depth]))
"""
COMPILE = """
from ai.games.tablut import FAST
from ai.search.alphabeta import search
from ai.search.searcher import Searcher
Searcher(FAST).compile()
"""
LOAD = f"""{COMPILE}
for kernel in (search, *FAST.kernels):
    assert not kernel.stats.cache_misses, kernel
"""


TWICE = """
from numba import int64
from ai.kernels import kernel, settle

@kernel
def twice(number):
    return 2 * number

settle(twice, int64(int64))
print(sum(twice.stats.cache_misses.values()))
"""


@pytest.fixture(scope="module", autouse=True)
def _warm() -> None:
    opponents.warm("tablut")


def test_whoever_is_warm_searches() -> None:
    thought = think("tablut", {}, 2, [], level=3, seed=1, seconds=60)
    assert thought.depth > 0
    assert thought.nodes > 100


def test_in_the_second_game_of_a_match_seats_keep_their_numbers() -> None:
    """Whoever can win the second game at once, whatever side it is, expects to do so."""
    won = 0
    for seed in range(20):
        steps, _ = whole_game(GAME, f"{seed}", GAME.settle({"match": "true"}), 2)
        log = [GAME.write(step.move) for step in steps]
        last = steps[-1].state
        assert last.swapped
        outcome = GAME._game.outcome(GAME._game.after(last.board, steps[-1].move))
        assert outcome is not None
        if outcome.drawn:
            continue
        seat = GAME.actor(last)
        assert isinstance(seat, int)
        thought = think("tablut", {"match": "true"}, 2, log[:-1], level=4, seed=1, seconds=60)
        assert thought.equity[seat] > 0.99
        won += 1
    assert won > 10


def test_a_draw_by_repetition_is_avoided_by_who_is_ahead_and_seen_coming() -> None:
    """The history in the log counts: what would come up for the third time is worth half."""
    log = ["e3-f3", "e2-f2", "f3-e3", "f2-e2"] * 2
    thought = think("tablut", {}, 2, log[:-1], level=4, seed=1, seconds=60)
    assert dict(thought.others)["f2-e2"] == pytest.approx(0.5, abs=0.01)


def test_while_a_board_is_being_compiled_somebody_else_answers(tmp_path: Path) -> None:
    notation, depth = json.loads(_run(THINK, NUMBA_CACHE_DIR=str(tmp_path)))
    assert depth == 0
    assert GAME.read(GAME.initial(), notation)


def test_what_was_compiled_once_is_only_loaded_by_the_next_process() -> None:
    _run(COMPILE)  # other tests may be compiling the same at this moment
    _run(LOAD)


def test_of_two_processes_that_need_the_same_one_compiles_and_the_other_loads(
    tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    (tmp_path / "twice.py").write_text(TWICE)
    both = [
        subprocess.Popen(
            [sys.executable, "twice.py"],
            cwd=tmp_path,
            env=os.environ
            | {"PYTHONPATH": str(pytestconfig.rootpath), "NUMBA_CACHE_DIR": str(tmp_path)},
            stdout=subprocess.PIPE,
        )
        for _ in range(2)
    ]
    assert sorted(process.communicate()[0] for process in both) == [b"0\n", b"1\n"]


def _run(program: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
