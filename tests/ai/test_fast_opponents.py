"""With a fast board, players search, also in a match of two games, and are never kept waiting."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ai import opponents
from ai.levels import LEVELS
from ai.opponents import think
from ai.position import shares
from ai.search import searchers
from engine import registry
from engine.game import CHANCE
from engine.games.tablut import GAME
from tests.contract.games import whole_game

THINK = """
import json
from ai.opponents import think
thought = think("tablut", {}, 2, [], level=5, seed=1, seconds=1.0)
print(json.dumps([thought.notation, thought.depth, thought.nodes, thought.evaluated]))
"""
FIRST = """
import json, sys
from ai import opponents
opponents.PATIENCE = opponents.HURRY = 100.0  # on a machine that runs other tests, too
for slug, log in json.load(sys.stdin):
    for seed in range(2):
        thought = opponents.think(slug, {}, 2, log, level=5, seed=seed, seconds=0.1)
        others = dict(thought.others)
        print(json.dumps([thought.notation, thought.depth, thought.evaluated, others]))
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


def test_with_compiled_kernels_players_search() -> None:
    thought = think("tablut", {}, 2, [], level=3, seed=1, seconds=60)
    assert thought.depth > 0
    assert thought.nodes > 100


def test_seats_keep_their_numbers_in_the_second_game_of_a_match() -> None:
    """A player able to win the second game at once, on either side, knows its value."""
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
        ended = GAME.outcome(GAME.after(last, steps[-1].move))
        assert ended is not None
        assert thought.equity == pytest.approx(shares(ended))
        assert dict(thought.others)[thought.notation] == thought.equity[seat]
        won += 1
    assert won > 10


def test_the_loser_of_the_first_game_does_not_win_the_match_by_leading_in_the_second() -> None:
    """The moves are those of a single game; only their value differs."""
    ahead = 0
    for seed in range(20):
        steps, _ = whole_game(GAME, f"{seed}", GAME.settle({"match": "true"}), 2)
        log = [GAME.write(step.move) for step in steps]
        begin = next(n for n, step in enumerate(steps) if step.state.swapped)
        ply = len(steps) - 3
        state = steps[max(ply, 0)].state
        if ply < begin or state.first is None or state.first.winner is None:
            continue
        seat = GAME.actor(state)
        assert isinstance(seat, int)
        alone = think("tablut", {}, 2, log[begin:ply], level=4, seed=1, seconds=60)
        both = think("tablut", {"match": "true"}, 2, log[:ply], level=4, seed=1, seconds=60)
        assert both.notation == alone.notation
        if GAME.outcome(GAME.after(state, GAME.read(state, both.notation))) is not None:
            continue
        here = alone.equity[1 - seat]
        if seat == state.first.winner:
            assert both.equity[seat] >= (1 + here) / 2 - 1e-9
        else:
            assert both.equity[seat] <= here / 2 + 1e-9
            ahead += here > 0.8
    assert ahead


def test_the_winner_of_the_first_game_has_not_won_the_match() -> None:
    asked = set()
    for seed in range(40):
        steps, _ = whole_game(GAME, f"{seed}", GAME.settle({"match": "true"}), 2)
        log = [GAME.write(step.move) for step in steps]
        end = next(n for n, step in enumerate(steps) if step.state.swapped) - 1
        before, ended = steps[end].state, steps[end + 1].state.first
        seat = GAME.actor(before)
        assert isinstance(seat, int)
        if ended is None or ended.winner != seat or seat in asked:
            continue
        asked.add(seat)
        thought = think("tablut", {"match": "true"}, 2, log[:end], level=5, seed=1, seconds=1.0)
        # The player with the better side is about to have it in the second game, or has had it.
        assert thought.equity[seat] == pytest.approx(0.63 if seat == 0 else 0.87, abs=0.03)
    assert asked == {0, 1}


def test_a_draw_by_repetition_is_foreseen_and_avoided_by_the_player_ahead() -> None:
    """The log's history counts: a third repetition is worth half."""
    log = ["e3-f3", "e2-f2", "f3-e3", "f2-e2"] * 2
    thought = think("tablut", {}, 2, log[:-1], level=4, seed=1, seconds=60)
    assert dict(thought.others)["f2-e2"] == pytest.approx(0.5, abs=0.01)


def test_while_a_board_compiles_the_general_opponent_moves(tmp_path: Path) -> None:
    """It returns a move to play, after all the thinking time, but no advice."""
    notation, depth, nodes, evaluated = json.loads(_run(THINK, NUMBA_CACHE_DIR=str(tmp_path)))
    assert depth == 0
    assert nodes > 300
    assert not evaluated
    assert GAME.read(GAME.initial(), notation)


def test_the_first_move_of_a_process_is_as_good_as_the_next() -> None:
    asked = []
    for slug in registry.games():
        game = registry.game(slug)
        steps, _ = whole_game(game, "first", game.settle(), 2)
        ply = next(
            n
            for n, step in enumerate(steps)
            if n > 9
            and len(game.legal_moves(step.state)) > 5
            and game.actor(step.state) is not CHANCE
        )
        asked.append((slug, [game.write(step.move) for step in steps[:ply]]))
    thoughts = [json.loads(line) for line in _run(FIRST, json.dumps(asked)).splitlines()]
    for (slug, _), first, second in zip(asked, thoughts[::2], thoughts[1::2], strict=True):
        values = second[3]
        assert values[first[0]] > max(values.values()) - 0.05, slug
        for _, depth, evaluated, _ in (first, second):
            assert depth > 0, slug
            assert evaluated, slug


def test_loading_a_board_takes_no_thinking_time(monkeypatch: pytest.MonkeyPatch) -> None:
    now, waited = [0.0], []

    def ready(slug: str, players: int, seconds: float) -> None:
        waited.append(seconds)
        now[0] += 3.0

    monkeypatch.setattr(searchers, "ready", ready)
    thought = think("tablut", {}, 2, [], level=2, seed=1, clock=lambda: now[0])
    assert thought.nodes > 0
    assert waited == [opponents.PATIENCE]


def test_a_board_on_disk_is_waited_for_but_only_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    waited = list[float]()

    class Stuck:
        def join(self, seconds: float) -> None:
            waited.append(seconds)

    monkeypatch.setattr(searchers, "_LOADED", set())
    monkeypatch.setattr(searchers, "_IN_VAIN", set())
    monkeypatch.setattr(searchers, "_thread", lambda _: Stuck())
    assert searchers.ready("tablut", 2, 7.0) is None
    assert searchers.ready("tablut", 2, 7.0) is None
    assert waited == [7.0]


def test_a_board_not_on_disk_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searchers, "_LOADED", set())
    monkeypatch.setattr(searchers, "_thread", lambda _: None)
    monkeypatch.setattr(searchers, "has_machine_code", lambda _: False)
    assert searchers.ready("tablut", 2, 7.0) is None


def test_an_unevaluated_move_says_so_and_is_not_always_the_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(searchers, "ready", lambda *_: None)
    thoughts = [think("tablut", {}, 2, [], level=5, seed=seed, seconds=0) for seed in range(5)]
    assert not any(thought.evaluated for thought in thoughts)
    assert len({thought.notation for thought in thoughts}) > 1
    assert {value for thought in thoughts for _, value in thought.others} == {0.5}


@pytest.mark.parametrize("level", LEVELS)
def test_any_of_several_equal_moves_may_be_chosen(level: int) -> None:
    """At the start of Tablaaza, all plots of a kind are equal: none is always chosen."""
    thoughts = [
        think("tablaaza", {}, 2, [], level=level, seed=seed, seconds=0.0) for seed in range(12)
    ]
    assert len({thought.notation for thought in thoughts}) > 3


def test_without_a_board_only_moves_played_out_are_chosen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With 65 moves or more, a weak level plays out only a few of them."""
    monkeypatch.setattr(searchers, "ready", lambda *_: None)
    for seed in range(5):
        thought = think("tablut", {}, 2, [], level=1, seed=seed, seconds=60)
        assert dict(thought.others)[thought.notation] != 0.5


def test_compiled_kernels_are_reported_and_only_loaded_by_the_next_process(
    tmp_path: Path,
) -> None:
    """The fixture compiled them in this process."""
    report = "from ai.kernels import not_compiled; print(not_compiled())"
    assert "tablut" not in _run(f"{LOAD}\n{report}")
    assert "tablut" in _run(report, NUMBA_CACHE_DIR=str(tmp_path))


def test_if_two_processes_need_a_kernel_one_compiles_it_and_the_other_loads_it(
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


def _run(program: str, given: str = "", **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", program],
        input=given,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
