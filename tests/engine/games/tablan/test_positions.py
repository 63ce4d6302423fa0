"""Position lines: how they are written and read, and why invalid ones are refused."""

from __future__ import annotations

import pytest

from engine.errors import BadPosition
from engine.games.tablan import GAME
from engine.games.tablan.state import WHITE
from tests.engine.games.tablan.boards import START


@pytest.mark.parametrize(
    "line",
    [
        f"{START} white start",
        f"{START} black start",
        f"{START} white 2",
        "bbbbbbbbbbbb/............/...........W/wwwwwwwwww.w white -",
        "b..B...W..../..........W./.B........../w..B........ black 12",
        "...........W/............/............/w.B......... white -",
    ],
)
def test_a_position_is_written_as_read(line: str) -> None:
    assert GAME.write_position(GAME.read_position(line)) == line


def test_the_first_line_is_the_starting_position() -> None:
    assert GAME.read_position(f"{START} white start") == GAME.initial()


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("", "three parts"),
        (START, "three parts"),
        (f"{START} white 2 again", "three parts"),
        (f"{START} red 2", "not a seat"),
        (f"{START} white 3", "not a score"),
        (f"{START} white two", "not a score"),
        ("bbbb/wwww white 2", "4 rows of 12"),
        ("bbbbbbbbbbbb/............/wwwwwwwwwwww white 2", "4 rows of 12"),
        (START.replace("b", "x", 1) + " white 2", "“x” on a4 is not a man"),
        ("bbbbbbbbbbbb/............/w.........../.wwwwwwwwwww white 2", "not in its home row"),
        ("bbbbbbbbbbbb/............/W.........../wwwwwwwwwwww white 2", "more than 12"),
        ("............/............/............/............ white -", "no man"),
        ("bbbbbbbbbbbb/............/...........W/wwwwwwwwwww. white start", "no man has moved"),
        ("b..........W/..........W./............/............ white 2", "cannot use the 2"),
        ("b..........W/............/............/............ white 2", "game is over"),
        ("b..........W/............/............/............ white start", "game is over"),
        (f"{START} white - together", "both seats have finished"),
    ],
)
def test_an_impossible_position_is_refused_with_the_reason(line: str, why: str) -> None:
    with pytest.raises(BadPosition, match=why):
        GAME.read_position(line)


def test_a_finished_side_is_never_to_act() -> None:
    line = "b..........W/............/............/............ {} -"
    state = GAME.read_position(line.format("black"), {"end": "both-done"})
    assert state.finished(WHITE)
    with pytest.raises(BadPosition, match="White has finished"):
        GAME.read_position(line.format("white"), {"end": "both-done"})


def test_under_bell_an_unmoved_man_cannot_use_an_eight() -> None:
    assert GAME.read_position(f"{START} white 8").score == 8
    with pytest.raises(BadPosition, match="cannot use the 8"):
        GAME.read_position(f"{START} white 8", {"rules": "bell"})
