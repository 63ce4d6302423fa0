"""Forced wins are found: each of these positions has exactly one winning move."""

from __future__ import annotations

import random

import pytest

from ai.games.tablut import FAST
from ai.levels import Level
from ai.position import inner
from ai.search.searcher import Searcher
from engine.games.tablut import GAME

ONE = [
    ("m.......m/........./........./.m.m.m.../..s....../.mskm..../m.m....../........./m..m.....", "swedes", "d4-d2"),
    ("........./......msm/.....skm./......m../......mmm/........./........./........./........s", "swedes", "f7-f8"),
    ("........./........./........./....m..../......smm/.....mkmm/.....sms./.....m.m./.........", "swedes", "g5-f5"),
    ("........./........./........m/..m.....m/.mm....../..mkm..../..mm...../....s..../.........", "muscovites", "c5-d5"),
    ("...s...../........./m......../........./.....mm../....mk.../.....m.../........m/m........", "muscovites", "g5-g4"),
    (".m......m/....mmm../.....km../....smm../.....m.m./........./........./........m/.........", "muscovites", "e8-e7"),
]  # fmt: skip
"""Tuichu in one move by the Swedes, and the capture of the king in one by the Muscovites."""

TWO = [
    ("...m...../........./........./....m..../...s...../m.mkm..../...s...../...m...../m........", "swedes", "d5-d8"),
    ("......m../......sm./.....sks./......mm./.....m.../........./........./........./.........", "swedes", "f7-f6"),
    ("m......../..sm...../..mk.m.../...m...../mm......./........./........./........./....m...m", "swedes", "d7-e7"),
    (".s.m...../..m....../....m..../..mkm..../..mm...../........./........./........./m..m....m", "swedes", "d6-d8"),
    (".......m./........./........./....sm.../....km.../...mm..../..m....../........./m........", "muscovites", "d4-d5"),
    ("......m../....m..../..m....../........./.....mm../.....mks./.......m./........./......m.m", "muscovites", "g1-g3"),
    ("........./m...mmm../...skm.../...mms.../........./........./........./........./.........", "muscovites", "g8-g6"),
    ("........./...m...../...mks.../...mmm.../........./........./........./........./m.......m", "muscovites", "d8-e8"),
    ("........m/........./.....m.../.....mkmm/......sm./....m..../........./........./.........", "muscovites", "f7-g7"),
]  # fmt: skip
"""A win by the second move, whatever the reply."""


@pytest.mark.parametrize(("men", "side", "move"), ONE)
@pytest.mark.parametrize("depth", [1, 4, 40])
def test_a_win_in_one_move_is_played(men: str, side: str, move: str, depth: int) -> None:
    assert played(f"{men} {side}", depth) == (move, True)


@pytest.mark.parametrize(("men", "side", "move"), TWO)
@pytest.mark.parametrize("depth", [3, 40])
def test_a_win_in_two_moves_is_played(men: str, side: str, move: str, depth: int) -> None:
    assert played(f"{men} {side}", depth) == (move, True)


def played(line: str, depth: int) -> tuple[str, bool]:
    """Return the chosen move, and whether it is known to win."""
    searcher = Searcher(FAST)
    searcher.compile()
    board = FAST.encode(inner(GAME.read_position(line)))
    found = searcher.search(board, (), Level(depth, 300_000), random.Random(1))
    return FAST.notation(board, found.moves[found.best]), found.values[found.best] > 0.9985
