"""Scores are counted fairly, and their significance is stated with care."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from distributed import LocalCluster

from ai import rating_fit, strength
from ai.kernels import Board
from ai.levels import Level
from ai.position import Fast, fast
from ai.ratings import Rating, measured
from ai.search.searcher import Searcher
from ai.strength import Pair, Part, Setting
from ai.tournament import Player, Score, at_random, greedy, play, searching, tournament
from engine import registry


@pytest.fixture(scope="module")
def tablut() -> Fast:
    """Return a compiled fast board."""
    board = fast("tablut")
    assert board is not None
    Searcher(board).compile()
    return board


def test_the_interval_is_wilsons() -> None:
    """The figures of the textbook example: 8 of 10."""
    low, high = Score(10, 8, 0).interval
    assert (round(low, 3), round(high, 3)) == (0.490, 0.943)
    assert Score(400, 400, 0).interval[1] == pytest.approx(1)
    assert Score(400, 0, 0).interval[0] == pytest.approx(0)


def test_each_player_plays_every_seat_equally_often(tablut: Fast) -> None:
    seats = []

    def noting(state: Board, past: Sequence[Board], dice: random.Random) -> int:
        if not past or len(past) == 1:
            seats.append(tablut.kernels.actor(state))
        return at_random(tablut)(state, past, dice)

    score = tournament(tablut, noting, at_random(tablut), 10)
    assert score.games == 10
    assert sorted(seats) == [0] * 5 + [1] * 5


def test_luck_sums_to_zero_and_the_score_can_be_freed_of_it() -> None:
    board = fast("tablan")
    assert board is not None
    board.compile()
    start = board.encode(registry.game("tablan").initial({}, 2))
    games = [play(board, start, [at_random(board)] * 2, str(number)) for number in range(4)]
    for game in games:
        assert sum(game.luck) == pytest.approx(0)
        assert any(game.luck)
    searcher = Searcher(board, table=1 << 10)
    searcher.compile()
    good, doubting = (searching(searcher, Level(0, 1000, doubt=doubt)) for doubt in (0.0, 0.01))
    score = tournament(board, good, doubting, 40)
    assert score.without_luck is not None
    mean, margin = score.without_luck
    assert margin < (score.interval[1] - score.interval[0]) / 4, "little is left to chance"
    assert abs(mean - score.share) < score.interval[1] - score.interval[0]


def test_without_throws_there_is_no_luck(tablut: Fast) -> None:
    assert tournament(tablut, at_random(tablut), at_random(tablut), 2).without_luck is None


def test_a_player_against_itself_scores_half_the_points(tablut: Fast) -> None:
    """With the same luck in both seats, each game won from one side is lost from the other."""
    player = searching(Searcher(tablut), Level(1, 1000))
    assert tournament(tablut, player, player, 6).points == 3


@pytest.mark.parametrize("make", [at_random, greedy])
def test_looking_three_moves_ahead_beats_not_looking(tablut: Fast, make: object) -> None:
    assert callable(make)
    other: Player = make(tablut)
    score = tournament(tablut, searching(Searcher(tablut), Level(3, 50_000)), other, 10)
    assert score.points >= 8


TABLUT = Setting("tablut")


def test_levels_are_rated_by_their_results_against_each_other() -> None:
    even, better = Score(400, 200, 9), Score(400, 300, 9)
    scores = {
        Pair(TABLUT, "2", "1"): better,
        Pair(TABLUT, "3", "2"): even,
        Pair(TABLUT, "4", "3"): better,
        Pair(TABLUT, "5", "4"): even,
        Pair(TABLUT, "1", "random"): even,
    }
    found = rating_fit.ratings(scores)["tablut"]
    # On the scale of people's ratings, three to one is 235.7 * ln 3 points
    apart = 258
    assert {name: rating.points for name, rating in found.items()} == {
        "random": 1500 - apart,
        "1": 1500 - apart,
        "2": 1500,
        "3": 1500,
        "4": 1500 + apart,
        "5": 1500 + apart,
    }
    assert found["3"].margin == 0
    assert 0 < found["4"].margin < found["5"].margin


def test_all_games_of_a_player_count_towards_its_rating() -> None:
    """A second opponent with the same evidence leaves the rating as it is, but more certain."""
    better, even = Score(400, 300, 9), Score(400, 200, 9)
    one = {Pair(TABLUT, "4", "3"): better}
    two = {**one, Pair(TABLUT, "3", "greedy"): even, Pair(TABLUT, "4", "greedy"): better}
    points = [rating_fit.ratings(scores)["tablut"]["4"].points for scores in (one, two)]
    assert points[0] == pytest.approx(points[1], abs=2)


def test_a_level_not_connected_to_level_3_is_not_rated() -> None:
    scores = {Pair(TABLUT, "5", "4"): Score(400, 300, 9)}
    assert rating_fit.ratings(scores) == {}
    four = Setting("thaayam", players=4)
    assert rating_fit.ratings({Pair(four, "5", "3"): Score(400, 300, 9)}) == {}


def test_every_rule_set_is_measured() -> None:
    names = [setting.name for setting in strength.settings(registry.games())]
    assert {"tablan walker", "tablan bell", "tablut", "tablaaza", "thaayam"} <= set(names)
    assert "thaayam 4 players" in names
    for setting in strength.SETTINGS:
        game = registry.game(setting.slug)
        assert game.initial(dict(setting.options), setting.players)
    assert strength.settings(["new"]) == [Setting("new")]


def test_each_level_plays_the_one_below_and_the_best_also_those_that_do_not_search() -> None:
    found = {(pair.one, pair.other) for pair in strength.pairs(TABLUT)}
    assert {("2", "1"), ("3", "2"), ("4", "3"), ("5", "4")} <= found
    assert {("1", "random"), ("5", "random"), ("5", "greedy")} <= found


def test_results_are_written_as_a_page_and_as_data(tmp_path: Path) -> None:
    page, file = tmp_path / "strength.md", tmp_path / "strength.json"
    page.write_text(rating_fit.PAGE.read_text(encoding="utf-8"), encoding="utf-8")
    score = Score(400, 300, 40_000)
    scores = {Pair(TABLUT, str(n + 1), str(n)): (score, 0.5 if n == 4 else 0) for n in range(1, 5)}
    rating_fit.write(scores, page, file)
    text = page.read_text(encoding="utf-8")
    assert "| Tablut | level 2 | level 1 | 75.0% | 70.5% – 79.0% |  | 400 | 100 |  |" in text
    assert "| Tablut | level 5 | level 4 | 75.0% | 70.5% – 79.0% |  | 400 | 100 | 0.5 |" in text
    thrown = Score(400, 300, 9, 280, 280)
    assert rating_fit.row(Pair(TABLUT, "5", "4"), thrown, 1).split(" | ")[5] == "70.0% ± 4.5"
    plain = json.loads(file.read_text())["tablut"]
    assert plain["3"] == {"points": rating_fit.MIDDLE, "margin": 0}
    assert measured("tablut", file)["3"] == Rating(rating_fit.MIDDLE, 0)
    assert measured("thaayam", file) == {}
    assert measured("tablut", tmp_path / "nowhere.json") == {}
    rating_fit.write(scores, page, file)
    assert page.read_text(encoding="utf-8") == text
    rating_fit.write({Pair(TABLUT, "5", "reference c=0.7"): (score, 0.1)}, page, file)
    more = page.read_text(encoding="utf-8")
    assert (
        "| Tablut | level 5 | reference c=0.7 | 75.0% | 70.5% – 79.0% |  | 400 | 100 | 0.1 |"
        in more
    )
    assert text.partition("\n## Ratings")[2] in more, "the rest is unchanged"
    assert json.loads(file.read_text())["tablut"] == plain


def test_a_page_without_a_place_for_results_is_left_unchanged(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("nothing")
    for other in ("4", "reference"):
        scores = {Pair(TABLUT, "5", other): (Score(400, 300, 9), 1.0)}
        with pytest.raises(ValueError, match="place for results"):
            rating_fit.write(scores, page, tmp_path / "file.json")
    assert page.read_text() == "nothing"


def test_writing_no_results_removes_none_from_the_page(tmp_path: Path) -> None:
    page, file = tmp_path / "strength.md", tmp_path / "strength.json"
    text = rating_fit.PAGE.read_text(encoding="utf-8")
    page.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match="no results"):
        rating_fit.write({}, page, file)
    assert page.read_text(encoding="utf-8") == text
    assert not file.exists()
    rating_fit.write({Pair(TABLUT, "5", "reference"): (Score(200, 200, 9), 0.1)}, page, file)
    tables = page.read_text(encoding="utf-8").partition(rating_fit.PLACE[0])[2]
    assert tables.partition(rating_fit.PLACE[1])[0] in text, "no levels have played again"
    assert not file.exists()


def test_the_page_matches_the_saved_games() -> None:
    scores = strength.saved(rating_fit.GAMES)
    outside = {pair: text for pair, text in scores.items() if pair.other.startswith("reference")}
    page = rating_fit.PAGE.read_text(encoding="utf-8")
    text = page.partition(rating_fit.REFERENCE_PLACE[0])[2]
    text = text.partition(rating_fit.REFERENCE_PLACE[1])[0]
    assert set(rating_fit._scores(outside)) <= set(text.splitlines())


def test_a_measurement_continues_where_it_stopped(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], tablut: Fast
) -> None:
    """Two games run in a separate process; saved games are not replayed."""
    file = tmp_path / "parts.jsonl"
    wanted = [Pair(TABLUT, "1", "random")]
    found = strength.measure(wanted, 2, file=file)
    assert found[wanted[0]].games == 2
    assert "tablut: level 1 against random" in capsys.readouterr().out
    rows = file.read_text().splitlines()
    assert len(rows) == 1
    faked = json.loads(rows[0]) | {"points": 1.5, "plies": 99}
    file.write_text(json.dumps(faked) + "\n")
    assert strength.measure(wanted, 2, file=file)[wanted[0]] == Score(2, 1.5, 99)
    assert strength.saved(file) == {wanted[0]: (Score(2, 1.5, 99), 0.0)}
    file.write_text(json.dumps(faked | {"sources": "others"}) + "\n")
    assert strength.saved(file) == {}


def test_remote_workers_play_if_they_have_the_same_sources(tablut: Fast) -> None:
    pair = Pair(TABLUT, "1", "random")
    with LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=":0") as cluster:
        found = strength.measure([pair], 2, scheduler=cluster.scheduler_address)
    part = Part(pair, 0, 2, 0.0)
    assert found == {pair: strength._played(part, strength.sources(pair))}
    assert found[pair].games == 2
    with pytest.raises(ValueError, match="other sources"):
        strength._played(part, "of another version")
