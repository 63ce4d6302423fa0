"""Position lines: how they are written and read, and why invalid ones are refused."""

from __future__ import annotations

import pytest

from engine.errors import BadPosition
from engine.games.tablaaza import GAME
from engine.games.tablaaza.board import PLOTS
from tests.engine.games.tablaaza.boards import EMPTY, moves, play


@pytest.mark.parametrize(
    "line",
    [
        f"{EMPTY} red",
        "......../......../..~..~../..~o.~../..~..~../......../........ green",
        "......../......../..~..~../..~o.~../..~o.~../......../........ red",
        "......../.o....../o^~..~../oo~..~../..~..~.o/.o....../.......o green",
        "^o^ooooo/oooooooo/oo~oo~oo/o^~o^~^o/^o~oo~o^/oooooo^o/oooooooo red",
    ],
)
def test_a_position_is_written_as_read(line: str) -> None:
    assert GAME.write_position(GAME.read_position(line)) == line


def test_the_first_line_is_the_starting_position() -> None:
    assert GAME.read_position(f"{EMPTY} red") == GAME.initial()
    assert GAME.read_position(f" {EMPTY}  RED ") == GAME.initial()


@pytest.mark.parametrize("plot", PLOTS[:25])
def test_with_one_stone_on_the_board_green_must_reply_to_it(plot: str) -> None:
    state = play(GAME.initial(), plot)
    line = GAME.write_position(state)
    assert line.endswith(" green")
    assert len(moves(GAME.read_position(line))) == len(moves(state)) < 10


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("", "two parts"),
        (EMPTY, "two parts"),
        (f"{EMPTY} red -", "two parts"),
        (f"{EMPTY} white", "“white” is not a seat: write red or green"),
        ("......../........ red", "7 rows of 8"),
        (f"{EMPTY}/........ red", "7 rows of 8"),
        (f"{EMPTY.replace('~', '.', 1)}. red", "7 rows of 8"),
        (EMPTY.replace("~", ".", 1) + " red", "“.” cannot stand on c5: ~ marks the lakes"),
        ("~" + EMPTY[1:] + " red", "“~” cannot stand on a7"),
        (EMPTY.replace("~", "o", 1) + " red", "“o” cannot stand on c5"),
        ("x" + EMPTY[1:] + " red", "“x” on a7 means nothing"),
        (f"{EMPTY} green", "one stone more than Green: here it is 0 to 0"),
        ("o" + EMPTY[1:] + " red", "as many stones as Green: here it is 1 to 0"),
        (".o" + EMPTY[2:] + " green", "here it is 0 to 1"),
        ("o.o" + EMPTY[3:] + " red", "here it is 2 to 0"),
        (
            "......../......../o^~..~../oo~..~../..~..~.o/.o....../........ green",
            "pavilion on b5 needs stones .* also on b6",
        ),
        (
            "......../.o....../o.~..~../oo~..~../..~..~.o/.o....../.......o green",
            "b5 cannot be vacant: stones lie on a5 b2 b4 b6",
        ),
        (
            "......../......../..~..~../..~..~../..~..~../......../o......o red",
            "No green stone is a neighbour",
        ),
        (
            "oooooooo/oooooooo/oo~oo~oo/oo~oo~oo/oo~oo~oo/oooooooo/oooooooo red",
            "cannot fill the board",
        ),
    ],
)
def test_an_impossible_position_is_refused_with_the_reason(line: str, why: str) -> None:
    with pytest.raises(BadPosition, match=why):
        GAME.read_position(line)


def test_a_single_stone_must_be_red_with_green_to_move() -> None:
    for seat in ("red", "green"):
        with pytest.raises(BadPosition):
            GAME.read_position(
                f"......../......../..~..~../..~..~../..~..~../o......./........ {seat}"
            )
