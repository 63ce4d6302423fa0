"""Scores are counted fairly, and what they prove is said with care."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from ai import strength
from ai.levels import Level
from ai.position import Fast, fast
from ai.search.searcher import Searcher
from ai.strength import Pair
from ai.tournament import Score, at_random, greedy, searching, tournament

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence
    from pathlib import Path

    from ai.kernels import Board
    from ai.tournament import Player


@pytest.fixture(scope="module")
def tablut() -> Fast:
    """Return a fast board that is compiled."""
    board = fast("tablut")
    assert board is not None
    Searcher(board).compile()
    return board


def test_the_interval_is_wilsons() -> None:
    """Figures of the textbook example: 8 of 10."""
    low, high = Score(10, 8, 0).interval
    assert (round(low, 3), round(high, 3)) == (0.490, 0.943)
    assert Score(400, 400, 0).interval[1] == pytest.approx(1)
    assert Score(400, 0, 0).interval[0] == pytest.approx(0)


def test_everybody_plays_every_seat_equally_often(tablut: Fast) -> None:
    seats = []

    def noting(state: Board, past: Sequence[Board], dice: random.Random) -> int:
        if not past or len(past) == 1:
            seats.append(tablut.kernels.actor(state))
        return at_random(tablut)(state, past, dice)

    score = tournament(tablut, noting, at_random(tablut), 10)
    assert score.games == 10
    assert sorted(seats) == [0] * 5 + [1] * 5


def test_a_player_against_itself_makes_half_the_points(tablut: Fast) -> None:
    """With the same luck in both seats, what one wins from one side the other wins too."""
    player = searching(Searcher(tablut), Level(1, 1000))
    assert tournament(tablut, player, player, 6).points == 3


@pytest.mark.parametrize("make", [at_random, greedy])
def test_who_looks_three_moves_ahead_beats_who_does_not(tablut: Fast, make: object) -> None:
    assert callable(make)
    other: Player = make(tablut)
    score = tournament(tablut, searching(Searcher(tablut), Level(3, 50_000)), other, 10)
    assert score.points >= 8


def test_levels_are_rated_by_what_they_make_of_each_other() -> None:
    even, better = Score(400, 200, 9), Score(400, 300, 9)
    scores = {
        Pair("tablut", "2", "1"): better,
        Pair("tablut", "3", "2"): even,
        Pair("tablut", "4", "3"): better,
        Pair("tablut", "5", "4"): even,
        Pair("tablut", "5", "random"): better,
    }
    found = strength.ratings(scores)["tablut"]
    assert found == {"1": 1310, "2": 1500, "3": 1500, "4": 1690, "5": 1690}


def test_results_are_written_for_people_and_for_the_program(tmp_path: Path) -> None:
    page, file = tmp_path / "strength.md", tmp_path / "strength.json"
    page.write_text(strength.PAGE.read_text(encoding="utf-8"), encoding="utf-8")
    scores = {Pair("tablut", str(n + 1), str(n)): Score(400, 300, 40_000) for n in range(1, 5)}
    strength.write(scores, page, file)
    text = page.read_text(encoding="utf-8")
    assert "| Tablut | level 2 | level 1 | 75.0% | 70.5% – 79.0% | 400 | 100 |" in text
    assert json.loads(file.read_text())["tablut"]["3"] == strength.MIDDLE
    strength.write(scores, page, file)
    assert page.read_text(encoding="utf-8") == text


def test_a_page_without_a_place_for_results_is_left_alone(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("nothing")
    with pytest.raises(ValueError, match="place for results"):
        strength.write({}, page, tmp_path / "file.json")
    assert page.read_text() == "nothing"


def test_pairs_are_measured_in_processes_of_their_own(
    capsys: pytest.CaptureFixture[str], tablut: Fast
) -> None:
    scores = strength.measure([tablut.slug], 2, chosen=["1"])
    assert [pair.other for pair in scores] == ["random"]
    assert "tablut: level 1 against random" in capsys.readouterr().out
