"""The expected results of positions are compared with actual results."""

from __future__ import annotations

from pathlib import Path

import pytest

from ai import calibration
from ai.calibration import (
    HEAD,
    LEFT,
    PLACE,
    Told,
    by_distance,
    by_value,
    mean,
    measure,
    table,
)
from ai.calibration.rollouts import Rollouts
from ai.position import fast
from ai.rating_fit import PAGE
from ai.strength import Setting
from engine import registry

TABLAAZA = Setting("tablaaza")


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limit all thinking to moments: the values need not be right here."""
    monkeypatch.setattr(calibration, "PLAYED", 150)
    monkeypatch.setattr(calibration, "LOOKED", 2_000)
    monkeypatch.setattr(calibration, "PLAYED_ON", 6)


def test_one_decision_of_each_game_is_sampled_with_its_result() -> None:
    found = measure(TABLAAZA, 5)
    assert len(found) == 5
    assert {one.made for one in found} == {0.0, 1.0}, "Tablaaza has no draws"
    assert all(0 <= one.expected <= 1 for one in found)
    assert len({one.left for one in found}) > 3
    assert found == measure(TABLAAZA, 5)
    assert found != measure(TABLAAZA, 5, seed=2)


def test_means_have_an_interval() -> None:
    told = [Told(0.7, 1.0, 3)] * 7 + [Told(0.7, 0.0, 3)] * 3
    found = mean(told)
    assert found is not None
    assert (found.number, found.made) == (10, 0.7)
    assert found.expected == pytest.approx(0.7)
    assert found.margin == pytest.approx(1.96 * (0.21 * 10 / 9) ** 0.5 / 10**0.5)
    assert mean(told[:1]) is None


def test_bins_follow_the_expected_result_and_the_distance_to_the_end() -> None:
    told = [Told(0.05, 0, 1), Told(0.1, 1, 2), Told(1.0, 1, 7), Told(0.9, 1, 100)]
    curve = by_value(told)
    assert [one and one.number for one in curve] == [2, None, None, None, 2]
    assert [one and one.number for one in by_distance(told)] == [2, None, None, None]
    assert len(by_distance(told)) == len(LEFT)
    assert table(TABLAAZA, told) == [
        "| tablaaza | 0 to 20 | 2 | 7.5 | 50.0 | +42.5 ± 93.1 |",
        "| tablaaza | 80 to 100 | 2 | 95.0 | 100.0 | +5.0 ± 9.8 |",
        "| tablaaza | 0 to 4 left | 2 | 7.5 | 50.0 | +42.5 ± 93.1 |",
    ]


def test_results_are_written_to_the_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "strength.md"
    page.write_text(PAGE.read_text("utf-8"), "utf-8")
    calibration.tell([TABLAAZA], 6, write=True, page=page)
    output = capsys.readouterr().out
    assert output.startswith("\n".join(HEAD))
    head, rows = output.splitlines()[:2], output.splitlines()[2:]
    text = page.read_text("utf-8")
    assert all(row in text.splitlines() for row in (*head, *rows))
    curves = text.partition(PLACE[0])[2].partition(PLACE[1])[0]
    assert curves.count("| tablaaza | ") == len(rows), "the old rows are replaced"
    assert "| tablan bell | 0 to 20 | " in page.read_text("utf-8"), "other rows are kept"
    assert "## Ratings" in page.read_text("utf-8")


def test_in_games_with_throws_many_games_are_played_out() -> None:
    found = measure(Setting("thaayam", players=3), 3)
    assert all(0 <= one.made <= 1 for one in found)
    board = fast("tablan")
    assert board is not None
    start = board.encode(registry.game("tablan").initial({"rules": "bell"}))
    white, black = Rollouts(board).results(start, 300, 4)
    assert white + black == pytest.approx(1)
    assert white == pytest.approx(0.5, abs=0.1)
