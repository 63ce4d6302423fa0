"""Arrows, rings and crosses lie on the right squares, turned or not, and are visible."""

from __future__ import annotations

import pytest

from engine.games.tablan import GAME as TABLAN
from engine.games.thaayam import GAME as THAAYAM
from engine.overlay import Arrow, Cross, Kind, Ring, along, overlaid
from engine.scene import Disc, Ink, Line, Polygon
from engine.turning import turned
from render import THEMES, Painter
from render.theme import contrast
from tests.render.similarity import rgb


def test_marks_are_on_their_squares_and_turn_with_the_board() -> None:
    scene = TABLAN.scene(TABLAN.initial())
    marked = overlaid(
        scene, (Arrow("a1", "c1"), Ring("l4", Kind.WRONG), Cross("b2"), Arrow("d1", "z9"))
    )
    places = {name: (x, y) for name, x, y in scene.board.squares}
    added = marked.above[len(scene.above) :]
    arrow, ring, cross = added[2], added[5], added[10]
    assert isinstance(arrow, Polygon)
    tip = max(arrow.points)
    assert abs(tip[0] - places["c1"][0]) < 0.1
    assert tip[1] == pytest.approx(places["c1"][1])
    assert isinstance(ring, Disc)
    assert (ring.x, ring.y) == places["l4"]
    assert isinstance(cross, Disc)
    assert cross.x > places["b2"][0]
    # The turned board's squares show where the marks went.
    around = turned(marked, 2)
    ring = around.above[len(scene.above) + 5]
    there = {name: (x, y) for name, x, y in around.board.squares}
    assert isinstance(ring, Disc)
    assert (ring.x, ring.y) == pytest.approx(there["l4"])


@pytest.mark.parametrize("theme", THEMES)
def test_a_mark_stands_out_from_men_and_board(theme: str) -> None:
    """One of its two adjacent outlines differs from any ground."""
    colours = THEMES[theme]
    grounds = [ink for ink in Ink if ink.name.startswith(("SQUARE", "SEAT"))]
    for ground in grounds:
        outlines = (Ink.PAGE, Ink.PAGE_TEXT)
        assert max(contrast(colours.rgb(ink), colours.rgb(ground)) for ink in outlines) >= 3
    scene = TABLAN.scene(TABLAN.initial())
    painter = Painter()
    plain = painter.png(scene, theme=theme, width=400)
    shown = painter.png(overlaid(scene, (Arrow("a1", "d3"),)), theme=theme, width=400)
    assert rgb(plain).tobytes() != rgb(shown).tobytes()


def test_games_say_where_a_move_starts_and_ends() -> None:
    state = THAAYAM.read_position("south:3,-,-,- north:-,-,-,- south 4,1,2")
    ways = {THAAYAM.write(move): THAAYAM.ways(state, move) for move in THAAYAM.legal_moves(state)}
    assert ways["in"] == (("c1",),)
    assert ways["e2+4"] == (("e2", "d5"),)
    assert ways["e2+4+2+1"] == (("e2", "a5"),)
    row = "bbbbbbbbbbbb/............/............/wwwwwwwwwwww white 2"
    men = TABLAN.read_position(row)
    both = TABLAN.read(men, "l1-l2,k1-l1")
    assert TABLAN.ways(men, both) == (("l1", "l2"), ("k1", "l1"))


@pytest.mark.parametrize("kind", Kind)
def test_an_arrow_goes_round_where_the_piece_does(kind: Kind) -> None:
    """Straight from c1 to c5 it would cross the keep, where the piece never comes."""
    state = THAAYAM.read_position("south:0,-,-,- north:-,-,-,- south 8,3")
    routes = THAAYAM.routes(state, THAAYAM.parse(state, "c1+8"))
    assert routes == (("c1", "d1", "e1", "e2", "e3", "e4", "e5", "d5", "c5"),)
    scene = THAAYAM.scene(state)
    marked = overlaid(scene, along(routes, kind))
    places = {name: (x, y) for name, x, y in scene.board.squares}
    shafts = [shape for shape in marked.above[len(scene.above) :] if isinstance(shape, Line)]
    bent = [shaft for shaft in shafts if len(shaft.points) > 2]
    assert [shaft.ink for shaft in bent] == [Ink.PAGE_TEXT, Ink.PAGE, kind.value]
    for shaft in bent:
        assert shaft.points[1:-1] == (places["e1"], places["e5"])
    crossed = any(shaft.ink is Ink.ALERT_TEXT for shaft in shafts)
    assert crossed is (kind is Kind.WRONG)


def test_two_men_of_a_move_each_have_their_route() -> None:
    men = TABLAN.read_position("bbbbbb....../............/............/wwwwwwwwwwww black 12")
    routes = TABLAN.routes(men, TABLAN.read(men, "c4-d3,f4-a3"))
    assert routes == (
        ("c4", "b4", "a4", "a3", "b3", "c3", "d3"),
        ("f4", "e4", "d4", "c4", "b4", "a4", "a3"),
    )
    scene = TABLAN.scene(men)
    marked = overlaid(scene, along(routes))
    shafts = [shape for shape in marked.above[len(scene.above) :] if isinstance(shape, Line)]
    places = {name: (x, y) for name, x, y in scene.board.squares}
    assert [shaft.points[1:-1] for shaft in shafts[2::3]] == [
        (places["a4"], places["a3"]),
        (places["a4"],),
    ]
