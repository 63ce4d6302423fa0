"""Every benchmark runs, at a scale too small for meaningful figures."""

from __future__ import annotations

import asyncio
import math
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from types import ModuleType

import pytest

from bench import (
    ai,
    chess,
    cluster,
    end_to_end,
    engine,
    farming,
    leaderboards,
    memory,
    million,
    page,
    postgresql,
    practice,
    rated_results,
    rendering,
    scaling,
    start,
    store,
    tournaments,
)
from bench.__main__ import PAGE, figure, line, main, measurements, table, target, write
from bench.loopback import tables
from bench.loopback.program import Program
from bench.row import Row
from playground import interactions
from playground.errors import SAFETY_SECONDS
from tests.databases import in_memory
from tests.end_to_end import forking


def test_measurements_are_found() -> None:
    known = {"ai", "end_to_end", "engine", "farming", "leaderboards", "practice", "rendering"}
    assert known | {"store"} <= set(measurements())


SMALL: tuple[tuple[ModuleType, dict[str, object]], ...] = (
    (ai, {"_GAMES": 1, "_NODES": 100, "_ROUNDS": 1}),
    (cluster, {"GATEWAYS": (1,), "WORKERS": 0, "REST": 0.5, "CALM": 1.0, "SETTLING": 3}),
    (end_to_end, {"PACED_ON": ("SQLite",)}),
    (engine, {"_GAMES": 1, "_ROUNDS": 1}),
    (farming, {"PEOPLE": 30, "MATCHES": 60, "WEEKS": 2, "SEEDS": (1,)}),
    (leaderboards, {"TIMES": 1}),
    (million, {"SERVERS": 16, "MATCHES": 200, "RATE": 2.0, "SECONDS": 10}),
    (memory, {"FEW": 1, "TABLES": 2, "SEATS": 2}),
    (page, {"VIEWERS": 4, "REST": 0.3, "LOADS": 2, "MOVES": 2, "_SETTLING": 0.1}),
    (rated_results, {"RESULTS": 300, "PLAYERS": 60, "SERVERS": 2}),
    (rendering, {"WIDTHS": (200,), "EVERY": 1000}),
    (start, {"STORES": (5,), "TIMES": 1, "MADE": 1, "QUIET": 0.2}),
    (store, {"TURNS": 3, "LOADS": 2}),
    (tournaments, {"TOURNAMENTS": 3, "MOST": 20, "SIZES": (8,)}),
    # A busy machine may answer later than Discord allows; `make bench` is there to measure that.
    (interactions, {"ACKNOWLEDGE_SECONDS": SAFETY_SECONDS}),
    (tables, {"_TIMEOUT": SAFETY_SECONDS}),
)
SHARING = (cluster.run, end_to_end.run, leaderboards.run)
"""They measure on the server of all tests; the others start their own, as `make bench` does."""
SCALED = (chess.run, cluster.run, end_to_end.run, practice.run, scaling.run)


@pytest.fixture
def forked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fork the bot instead of starting it; only real figures need its true memory and start."""
    spawn = Program._spawn

    async def fork(
        arguments: Sequence[str], environment: Mapping[str, str], log: Path
    ) -> forking.Forked | asyncio.subprocess.Process:
        module, *rest = arguments
        if module != "bot":
            return await spawn(arguments, environment, log)
        return await forking.start(rest, environment, forking.ROOT, log)

    monkeypatch.setattr(Program, "_spawn", staticmethod(fork))


@pytest.mark.long
@pytest.mark.usefixtures("kernels", "forked")
@pytest.mark.parametrize("name", measurements())
def test_every_measurement_runs(
    name: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = measurements()[name]
    if run in SHARING:
        server = request.getfixturevalue("postgresql")
        monkeypatch.setattr(postgresql, "started", lambda: nullcontext(server))
    for module, figures in SMALL:
        for figure_of, few in figures.items():
            monkeypatch.setattr(module, figure_of, few)
    if (memory := in_memory()) is not None:  # only real figures need a disk
        monkeypatch.setattr(tempfile, "tempdir", str(memory))
    if run in SCALED:
        run = partial(run, scale=0.02)
    rows = run()
    assert rows
    assert len({row.name for row in rows}) == len(rows)
    for row in rows:
        assert math.isfinite(row.value)
        assert row.name in line(row)


def test_without_a_library_of_the_system_there_is_no_chess_bot_to_compare_with() -> None:
    alone = chess._rows(chess.Found([9.0], [8.0], [30.0], [18.0]), None, "no libcairo")
    assert {line(row).partition(":")[0] for row in alone} == {"beside a chess bot"}
    assert not any("the chess bot" in row.name for row in alone)
    assert alone[0].note == "no libcairo"


def test_a_figure_beyond_its_target_is_marked() -> None:
    slow = Row("a turn", 12.5, "ms", at_most=12.0)
    assert slow.met is False
    assert "✗" in line(slow)
    assert "✗" in table([slow])[-1]
    assert target(slow) == "≤ 12"
    assert Row("turns", 0.6, "×", at_least=0.5).met is True
    assert Row("turns", 0.6, "×").met is None


def test_figures_have_as_many_digits_as_mean_something() -> None:
    assert figure(Row("moves", 74321.9, "/s")) == "74,322 /s"
    assert figure(Row("a turn", 5.777, "ms")) == "5.78 ms"


def test_the_table_takes_the_place_of_the_one_before(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(PAGE.read_text())
    write(page, ["first"])
    write(page, ["second"])
    assert "second" in page.read_text()
    assert "first\n" not in page.read_text()
    assert page.read_text().splitlines()[0] == PAGE.read_text().splitlines()[0]


def test_a_page_without_a_place_for_figures_is_left_alone(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("nothing")
    with pytest.raises(ValueError, match="no place for figures"):
        write(page, ["figures"])
    assert page.read_text() == "nothing"


def test_an_unknown_measurement_is_refused_with_those_there_are(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit):
        main(["weather"])
    assert "end_to_end" in capsys.readouterr().err
