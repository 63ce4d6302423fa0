"""Puzzles are positions with one clearly best move, which a closer look confirms."""

from __future__ import annotations

import random

from ai.analysis import analyse
from ai.puzzles import MAX_PUZZLES, MIN_CHOICES, MIN_EXPECTED, MIN_MARGIN, candidates, mine
from engine import registry
from engine.replay import final

OPTIONS = {"match": "false"}


LOG = (
    "e7-h7 e2-h2 g5-g1 a6-b6 e6-c6 d1-b1 h7-h8 h2-h1 h8-g8 i6-g6 e4-h4 g6-g4 f5-f2 b6-b8 "
    "d5-d2 e8-e6 e5-d5 h1-h4 c5-c3 b1-a1 c6-c8 f9-f3 d2-i2 g4-d4 c8-f8 f3-g3 i2-h2 b8-a8 "
    "c3-c5 e6-e7 d5-d6"
)
"""A game between two beginners who long miss the king's way out."""


def test_one_move_is_clearly_best_and_no_player_is_named() -> None:
    game, log = registry.game("tablut"), LOG.split()
    analysis = analyse("tablut", OPTIONS, 2, log, seconds=0.5)
    found = list(candidates("tablut", OPTIONS, 2, log, analysis, seconds=0.2))
    assert found
    for one in found:
        state = final(game, log[: one.ply - 1], OPTIONS, 2)
        assert game.read(state, one.solution) in game.legal_moves(state)
        assert one.margin >= MIN_MARGIN
        assert one.expected >= MIN_EXPECTED
        assert one.choices == len(game.legal_moves(state)) >= MIN_CHOICES
    puzzles = mine("tablut", OPTIONS, 2, log, analysis, seed=1, seconds=0.2)
    different = list(dict.fromkeys(one.solution for one in found))
    assert [one.solution for one in puzzles] == different[:MAX_PUZZLES]
    for puzzle in puzzles:
        again = game.read_position(puzzle.position, OPTIONS)
        assert game.read(again, puzzle.solution) in game.legal_moves(again)


def test_the_king_takes_the_open_way_out() -> None:
    game, dice = registry.game("tablut"), random.Random(4)
    state, log = game.initial(OPTIONS), list[str]()
    wins: set[str] = set()
    while game.outcome(state) is None:
        moves = game.legal_moves(state)
        wins = {
            game.write(move)
            for move in moves
            if (ended := game.outcome(game.after(state, move))) and ended.ranks[0] == 1
        }
        if len(wins) == 1:
            break
        move = dice.choice(moves)
        log.append(game.write(move))
        state = game.after(state, move)
    assert len(wins) == 1
    analysis = analyse("tablut", OPTIONS, 2, [*log, *wins], seconds=0.5)
    last = analysis.plies[-1]
    assert {last.best} == wins
    assert last.loss == 0
    solutions = {
        one.solution
        for one in candidates("tablut", OPTIONS, 2, [*log, *wins], analysis, seconds=0.2)
        if one.ply == len(log) + 1
    }
    assert solutions <= wins
