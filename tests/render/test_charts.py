"""Charts: like the golden pictures, readable, small, and complete for all data."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta
from itertools import combinations, pairwise

import pytest
from PIL import Image

from engine.scene import Disc, Ink, Line, Polygon, Rect, Scene, Shape, Text, drawn, rows
from render import THEMES, draw_afresh
from render.brush import Brush
from render.charts import (
    History,
    Leaderboard,
    Point,
    Record,
    Row,
    history,
    leaderboard,
    painted,
    signs,
)
from render.geometry import bounds
from tests.render import charts
from tests.render.charts import BEGUN, HISTORIES, LEADERBOARDS, ON_HISTORY, ON_LEADERBOARD, SCENES
from tests.render.similarity import assert_similar, opened, rgb, worst

every_theme = pytest.mark.parametrize("theme", THEMES)
every_chart = pytest.mark.parametrize("name", SCENES)
MOST_APART = 22
"""Maximum mean difference of 16 by 16 pixels from a golden picture, of 255.

A different letter, dot or bar exceeds it; another release of the font library stays below.
"""


# ---------------------------------------------------------------- golden pictures


@every_theme
@pytest.mark.parametrize("name", charts.KEPT)
def test_a_chart_looks_like_its_golden_picture(name: str, theme: str) -> None:
    """`python -m tests.render.charts` repaints them: look at them before you commit them."""
    found = rgb(painted(SCENES[name], theme=theme, width=charts.WIDTH))
    expected = rgb(charts.golden(name, theme).read_bytes())
    assert_similar(found, expected, 1.0, f"{name}-{theme}")
    assert worst(found, expected) <= MOST_APART


@pytest.mark.parametrize(
    ("index", "change"),
    [
        (3, {"form": "wwwdw"}),
        (5, {"rating": 1716}),
        (7, {"margin": 200}),
        (7, {"name": "Иваm"}),
        (9, {"place": 11}),
    ],
)
def test_one_changed_symbol_differs_too_much_from_the_golden_picture(
    index: int, change: dict[str, object]
) -> None:
    board = LEADERBOARDS["full"]
    row = replace(board.rows[index], **change)  # type: ignore[arg-type]
    other = replace(board, rows=(*board.rows[:index], row, *board.rows[index + 1 :]))
    found = rgb(painted(leaderboard(other, ON_LEADERBOARD), width=charts.WIDTH))
    expected = rgb(charts.golden("leaderboard, full", "wood").read_bytes())
    assert worst(found, expected) > MOST_APART


# Each letter is moved to a whole pixel, and in long names that adds up.
@pytest.mark.parametrize("name", [name for name in SCENES if "long names" not in name])
def test_a_chart_looks_like_its_plain_drawing(name: str) -> None:
    found = rgb(painted(SCENES[name], width=charts.WIDTH))
    plain = draw_afresh(SCENES[name], width=charts.WIDTH)
    assert_similar(found, plain, 3.0, f"plain-{name}")


# ---------------------------------------------------------------- files


@every_chart
@pytest.mark.parametrize("width", [800, 400])
def test_a_chart_takes_less_than_30_kilobytes(name: str, width: int) -> None:
    data = painted(SCENES[name], width=width)
    image = opened(data)
    assert image.format == "PNG"
    assert image.width == width
    assert len(data) < 30_000


def test_the_corners_are_transparent() -> None:
    alpha = opened(painted(SCENES["history, long"])).convert("RGBA").getchannel("A")
    width, height = alpha.size
    corners = [(x, y) for x in (0, width - 1) for y in (0, height - 1)]
    assert [alpha.getpixel(corner) for corner in corners] == [0] * 4
    assert alpha.crop((30, 30, width - 30, height - 30)).getextrema() == (255, 255)


def test_the_same_chart_gives_the_same_bytes() -> None:
    first = painted(leaderboard(LEADERBOARDS["mixed"], ON_LEADERBOARD))
    painted(SCENES["history, long"], theme="night")
    assert painted(leaderboard(LEADERBOARDS["mixed"], ON_LEADERBOARD)) == first


def test_an_unknown_theme_and_an_impossible_width_are_refused() -> None:
    with pytest.raises(KeyError):
        painted(SCENES["history, long"], theme="marble")
    with pytest.raises(ValueError, match="pixels"):
        painted(SCENES["history, long"], width=100)


# ---------------------------------------------------------------- layout


@every_chart
def test_nothing_extends_beyond_a_chart(name: str) -> None:
    board = SCENES[name].board
    box = bounds(board.shapes, 100)
    slack = 10
    assert box.left >= -slack
    assert box.top >= -slack
    assert box.right <= board.width * 100 + slack
    assert box.bottom <= board.height * 100 + slack


@every_chart
@pytest.mark.parametrize("width", [400, 800])
def test_no_texts_overlap(name: str, width: int) -> None:
    unit = width // 16
    boxes = [
        (number, one.text, bounds([one], unit))
        for number, text in enumerate(texts(SCENES[name]))
        for one in rows(text)
    ]
    for (number, output, one), (other_number, other_said, other) in combinations(boxes, 2):
        # Ignore the margin that `bounds` adds.
        across = min(one.right, other.right) - max(one.left, other.left) - 6
        down = min(one.bottom, other.bottom) - max(one.top, other.top) - 6
        apart = across <= 0 or down <= 0
        assert apart or number == other_number, (output, other_said)


@pytest.mark.parametrize("name", HISTORIES)
def test_a_curve_and_its_band_stay_within_their_field(name: str) -> None:
    shapes = SCENES[f"history, {name}"].board.shapes
    shown = [
        shape
        for shape in shapes
        if (isinstance(shape, Line) and shape.ink is Ink.CURVE)
        or (isinstance(shape, Polygon) and shape.fill is Ink.BAND)
    ]
    xs = [x for shape in shown for x, _ in shape.points]
    ys = [y for shape in shown for _, y in shape.points]
    field = next(s for s in shapes if isinstance(s, Rect) and s.fill is Ink.PANEL)
    assert field.x <= min(xs) <= max(xs) <= field.x + field.width
    assert field.y <= min(ys) <= max(ys) <= field.y + field.height


@pytest.mark.parametrize("name", ["leaderboard, full", "leaderboard, mixed", "history, long"])
def test_letters_are_large_enough_for_a_phone(name: str) -> None:
    """At a width of 350 points, none is smaller than 10 points, except in symbols."""
    board = SCENES[name].board
    for text in texts(SCENES[name]):
        if text.text not in {"W", "D", "L"}:
            assert text.size * 350 / board.width >= 10, text


def texts(scene: Scene) -> list[Text]:
    return [shape for shape in scene.board.shapes if isinstance(shape, Text)]


# ---------------------------------------------------------------- symbols


def silhouette(shapes: Iterable[Shape]) -> bytes:
    """Return the pixels covered by shapes, in any colour."""
    image = Image.new("RGBA", (100, 100), (0, 0, 0, 0))
    bare = [shape for shape in shapes if not isinstance(shape, Text)]
    Brush(image, THEMES["wood"], 100, (50, 50), 1).draw(bare)
    return image.getchannel("A").point([0] + [255] * 255).tobytes()


def test_medals_differ_in_shape_and_show_the_place() -> None:
    medals = [list(signs.place(place, 0, 0)) for place in (1, 2, 3)]
    assert len({silhouette(medal) for medal in medals}) == 3
    assert [[s.text for s in m if isinstance(s, Text)] for m in medals] == [["1"], ["2"], ["3"]]


def test_wins_draws_and_losses_differ_in_shape_and_show_a_letter() -> None:
    badges = [list(signs.badge(ending, charts.LETTERS, 0, 0)) for ending in "wdl"]
    assert len({silhouette(badge) for badge in badges}) == 3
    assert [[s.text for s in b if isinstance(s, Text)] for b in badges] == [["W"], ["D"], ["L"]]


def test_a_provisional_rating_is_hollow_and_dashed_and_a_legend_says_so() -> None:
    sure, unsure = Row(1, 1500, 100), Row(1, 1500, 100, provisional=True)
    scenes = [leaderboard(Leaderboard((row,)), ON_LEADERBOARD) for row in (sure, unsure)]
    assert [ON_LEADERBOARD.provisional in drawn(scene) for scene in scenes] == [False, True]
    for scene, dashed in zip(scenes, (False, True), strict=True):
        lines = [s for s in scene.board.shapes if isinstance(s, Line) and s.ink is Ink.CURVE]
        assert any(line.dashed for line in lines) is dashed


def test_a_row_without_a_place_shows_its_letter_and_figures_are_right_aligned() -> None:
    board = Leaderboard(
        (Row(1, 1612, 74), Row(None, 987, 310, provisional=True, letter="a")), title="Tablan"
    )
    scene = leaderboard(board, ON_LEADERBOARD)
    by_text = {text.text: text for text in texts(scene)}
    assert by_text["a"].x == by_text["1"].x
    assert by_text["Tablan"].bold
    assert by_text["1612"].x == by_text["987"].x
    assert by_text["1612"].anchor == by_text["987"].anchor == "rm"
    assert [text.text for text in texts(scene) if text.bold and text.size >= 0.6] == ["Tablan"]


def test_the_last_five_games_are_shown_with_the_newest_on_the_right() -> None:
    scene = leaderboard(Leaderboard((Row(4, 1500, 60, "wwwwwlldlw"),)), ON_LEADERBOARD)
    letters = sorted((text.x, text.text) for text in texts(scene) if text.text in {"W", "D", "L"})
    assert "".join(letter for _, letter in letters) == "LLDLW"


def test_fewer_than_five_games_are_right_aligned_too() -> None:
    five, one = (
        max(t.x for t in texts(leaderboard(Leaderboard((row,)), ON_LEADERBOARD)) if t.text == "W")
        for row in (Row(1, 1500, 60, "wwwww"), Row(1, 1500, 60, "w"))
    )
    assert one == five


def test_a_better_player_has_the_dot_further_right() -> None:
    scene = SCENES["leaderboard, full"]
    ticks = sorted(
        (text.x, int(text.text)) for text in texts(scene) if text.y < 1 and text.text.isdigit()
    )
    assert len(ticks) >= 3
    assert all(low < high for (_, low), (_, high) in pairwise(ticks))


def test_figures_are_shown_beside_the_bars() -> None:
    said = list(drawn(SCENES["history, long"]))
    for figure in ("61", "12", "30", "40", "3", "54", "White", "Black"):
        assert figure in said


def test_the_last_and_the_best_rating_are_labelled() -> None:
    chart = HISTORIES["one day"]
    said = list(drawn(SCENES["history, one day"]))
    assert f"{chart.best.rating}" in said
    assert f"{chart.points[-1].rating}" in said
    assert (ON_HISTORY.provisional in said) is chart.points[-1].provisional
    unsure = list(drawn(SCENES["history, one point"]))
    assert ON_HISTORY.provisional in unsure


@pytest.mark.parametrize("name", ["long", "short", "one day", "a year", "settled"])
def test_the_margin_does_not_flatten_the_curve(name: str) -> None:
    shapes = SCENES[f"history, {name}"].board.shapes
    curve = [s for s in shapes if isinstance(s, Line) and s.ink is Ink.CURVE]
    (field,) = [s for s in shapes if isinstance(s, Rect) and s.fill is Ink.PANEL and s.height > 5]
    ys = [y for line in curve for _, y in line.points]
    assert max(ys) - min(ys) >= 0.4 * field.height


def test_the_best_rating_is_not_a_provisional_one_if_there_are_others() -> None:
    lucky = Point(BEGUN, 2000, 333, provisional=True)
    sober = Point(BEGUN + timedelta(days=1), 1600, 90)
    assert History((lucky, sober)).best is sober
    assert History((lucky,)).best is lucky


def test_only_the_provisional_stretch_of_a_curve_is_dashed() -> None:
    def dashed(settled: int) -> list[bool]:
        chart = History(charts.points(20, days=2, settled=settled))
        shapes = history(chart, ON_HISTORY).board.shapes
        lines = [s for s in shapes if isinstance(s, Line) and s.ink is Ink.CURVE]
        return [line.dashed for line in lines]

    assert dashed(0) == [False]
    assert dashed(10) == [True, False]
    assert dashed(20) == [True]


@pytest.mark.parametrize("name", charts.EQUITIES)
def test_every_mistake_has_a_mark_that_covers_no_other(name: str) -> None:
    shapes = SCENES[f"equity, {name}"].board.shapes
    marks = [
        s for s in shapes if isinstance(s, Disc) and s.fill is Ink.PAGE_TEXT and s.radius > 0.3
    ]
    assert len(marks) == len(charts.EQUITIES[name].mistakes)
    for one, other in combinations(marks, 2):
        assert math.hypot(one.x - other.x, one.y - other.y) > one.radius + other.radius


def test_several_curves_differ_in_symbols_and_dashes() -> None:
    """They can be told apart without colours."""
    shapes = SCENES["equity, four"].board.shapes
    assert [s.text for s in texts(SCENES["equity, four"]) if 1 < s.y < 2] == list(charts.SIDES)
    signs_ = [
        s for s in shapes if not isinstance(s, Line | Text) and 100 < bounds([s], 100).bottom < 190
    ]
    assert len({silhouette([_at_the_middle(sign)]) for sign in signs_}) == len(charts.SIDES)
    curves = [s for s in shapes if isinstance(s, Line) and len(s.points) > 2]
    assert [curve.dashed for curve in curves] == [False, True, False, True]


def _at_the_middle(sign: Shape) -> Shape:
    box = bounds([sign], 100)
    across, down = (box.left + box.right) / 200, (box.top + box.bottom) / 200
    match sign:
        case Polygon():
            return replace(sign, points=tuple((x - across, y - down) for x, y in sign.points))
        case Disc() | Rect():
            return replace(sign, x=sign.x - across, y=sign.y - down)
        case _:
            raise AssertionError(sign)


def test_low_curves_are_scaled_up() -> None:
    figures = set(drawn(SCENES["equity, ended early"]))
    assert "50 %" in figures
    assert "75 %" not in figures
    assert "100 %" in set(drawn(SCENES["equity, four"]))


# ---------------------------------------------------------------- invalid data


@pytest.mark.parametrize("number", [0, 11])
def test_a_leaderboard_with_no_rows_or_too_many_is_refused(number: int) -> None:
    with pytest.raises(ValueError, match="1 to 10 rows"):
        Leaderboard(tuple(Row(place, 1500, 60) for place in range(1, number + 1)))


def test_an_impossible_row_is_refused() -> None:
    with pytest.raises(ValueError, match="start at 1"):
        Row(0, 1500, 60)
    with pytest.raises(ValueError, match="not be negative"):
        Row(1, 1500, -1)
    with pytest.raises(ValueError, match="w, d or l"):
        Row(1, 1500, 60, "wx")


def test_an_impossible_history_is_refused() -> None:
    point = Point(BEGUN, 1500, 60)
    with pytest.raises(ValueError, match="at least one point"):
        History(())
    with pytest.raises(ValueError, match="chronological"):
        History((point, replace(point, at=BEGUN - timedelta(seconds=1))))
    with pytest.raises(ValueError, match="margin"):
        History((replace(point, margin=-1),))
    with pytest.raises(ValueError, match="numbers of games"):
        History((point,), (Record("White", 1, -1, 0),))
    with pytest.raises(ValueError, match="at most 10 records"):
        History((point,), (Record("White", 1, 1, 1),) * 11)
