"""The picture of Tablaaza shows and describes everything a player needs."""

from __future__ import annotations

from itertools import combinations

import pytest
from PIL import Image, ImageChops, ImageStat

from engine.game import Seat
from engine.games.tablaaza import GAME
from engine.games.tablaaza.board import BITS, GREEN, PLOTS, RED
from engine.games.tablaaza.pieces import pavilion, plot, stone
from engine.games.tablaaza.table import centre, panel_left
from engine.scene import Board, Disc, Ink, Line, Polygon, Rect, Scene, Sprite, Text, Token
from render import THEMES, Painter
from render.theme import contrast
from tests.engine.acts import decisions
from tests.engine.games.tablaaza.boards import (
    BEFORE_B6,
    LAST_TURN,
    board,
    pavilions,
    picture,
    play,
    played,
)
from tests.render.similarity import difference, rgb

every_theme = pytest.mark.parametrize("theme", THEMES)


def plots_of(scene: Scene, sprite: Sprite) -> set[str]:
    """Return the plots on which a sprite is drawn."""
    places = {centre(plot): plot for plot in PLOTS}
    return {places[token.x, token.y] for token in scene.tokens if token.sprite == sprite}


def marked(scene: Scene, ink: Ink, kind: type[Rect | Disc]) -> set[str]:
    """Return the plots with a mark of this colour under or around them."""
    places = {centre(plot): plot for plot in PLOTS}
    return {
        places[token.x, token.y]
        for token in scene.tokens
        for shape in token.sprite.shapes
        if isinstance(shape, kind) and ink in {shape.fill, shape.edge}
    }


def texts(scene: Scene) -> list[str]:
    return [shape.text for shape in scene.above if isinstance(shape, Text)]


def threads(scene: Scene) -> set[tuple[tuple[float, float], ...]]:
    """Return the bright lines drawn along corridors."""
    return {s.points for s in scene.below if isinstance(s, Line) and s.ink is Ink.LAST}


# ---------------------------------------------------------------- plots and pieces


def _plot(painter: Painter, seat: Seat, theme: str) -> Image.Image:
    shapes = Sprite(tuple(plot(seat)))
    scene = Scene(Board(1.2, 1.2, ()), (Token(shapes, 0.6, 0.6),))
    return rgb(painter.png(scene, theme=theme, width=240)).convert("L").crop((30, 30, 210, 210))


@every_theme
def test_red_and_green_plots_differ_in_pattern_and_not_just_hue(
    painter: Painter, theme: str
) -> None:
    """Each differs from the other in grey, even with its own mean brightness removed."""
    patterns = []
    for seat in (RED, GREEN):
        grey = _plot(painter, seat, theme)
        mean = ImageStat.Stat(grey).mean[0]
        patterns.append(grey.point([max(0, min(255, round(v - mean + 128))) for v in range(256)]))
    assert ImageStat.Stat(ImageChops.difference(*patterns)).mean[0] > 3


@every_theme
def test_a_vacant_plot_a_stone_and_a_pavilion_look_different(painter: Painter, theme: str) -> None:
    looks = []
    for sprite in (None, stone(), pavilion(RED)):
        tokens = () if sprite is None else (Token(sprite, 0.6, 0.6),)
        ground = Board(1.2, 1.2, (Rect(0, 0, 1.2, 1.2, Ink.SQUARE_RED),))
        looks.append(rgb(painter.png(Scene(ground, tokens), theme=theme, width=240)))
    for one, other in combinations(looks, 2):
        assert difference(one, other) > 15


@every_theme
def test_a_pavilions_roof_shows_its_owner_without_colour(painter: Painter, theme: str) -> None:
    roofs = []
    for seat in (RED, GREEN):
        points = next(
            shape.points
            for shape in pavilion(seat).shapes
            if isinstance(shape, Polygon) and shape.fill is not Ink.SEAT_1_EDGE
        )
        alone = Scene(
            Board(1.2, 1.2, ()), (Token(Sprite((Polygon(points, Ink.ALERT),)), 0.6, 0.6),)
        )
        page = rgb(painter.png(Scene(Board(1.2, 1.2, ()), ()), theme=theme, width=240))
        image = rgb(painter.png(alone, theme=theme, width=240))
        seen = ImageChops.difference(image, page).convert("L")
        roofs.append(seen.point([0] * 20 + [255] * 236))
    area = ImageStat.Stat(roofs[0]).mean[0]
    assert ImageStat.Stat(ImageChops.difference(*roofs)).mean[0] > 0.2 * area
    state = play(board(BEFORE_B6, "red"), "b6")
    assert plots_of(GAME.scene(state), pavilion(RED)) == {"b5"}
    assert plots_of(GAME.scene(state), pavilion(GREEN)) == set()


@every_theme
def test_a_stone_is_visible_on_both_grounds(theme: str) -> None:
    """Either its face or the rim next to it has a contrast of 3 to the plot."""
    colours = THEMES[theme]
    for ground in (Ink.SQUARE_RED, Ink.SQUARE_GREEN):
        inks = (Ink.STICK_PLAIN, Ink.SEAT_2)
        assert max(contrast(colours.rgb(ink), colours.rgb(ground)) for ink in inks) >= 3


def test_stones_and_pavilions_are_drawn_where_the_position_has_them() -> None:
    for state, last in decisions("tablaaza", "pieces"):
        scene = GAME.scene(state, last)
        held = {plot for plot in PLOTS if state.stones & BITS[plot]}
        assert plots_of(scene, stone()) == held
        shown = [plots_of(scene, pavilion(seat)) for seat in (RED, GREEN)]
        assert shown[0] | shown[1] == pavilions(state)
        assert [shown[0], shown[1]] == [set(state.raised(seat)) for seat in (RED, GREEN)]


# ---------------------------------------------------------------- marks


def test_the_last_stone_is_highlighted() -> None:
    state, last = played(GAME.initial(), "d4")
    assert marked(GAME.scene(state, last), Ink.LAST, Rect) == {"d4"}
    assert marked(GAME.scene(state), Ink.LAST, Rect) == set()


def test_the_corridors_that_raised_a_pavilion_are_drawn_in_that_turn_only() -> None:
    state, last = played(board(BEFORE_B6, "red"), "b6")
    scene = GAME.scene(state, last)
    assert threads(scene) == {
        (centre("a5"), centre("b5")),
        (centre("b1"), centre("b7")),
    }
    assert marked(scene, Ink.LAST, Disc) == {"a5", "b2", "b4", "b6"}
    assert marked(scene, Ink.LAST, Rect) == {"b5", "b6"}
    later, last = played(state, "a2")
    assert threads(GAME.scene(later, last)) == set()


def test_no_corridor_is_drawn_if_nothing_rose() -> None:
    state, last = played(board(BEFORE_B6, "red"), "a1")
    scene = GAME.scene(state, last)
    assert threads(scene) == set()
    assert marked(scene, Ink.LAST, Disc) == set()


def test_the_plots_for_greens_first_stone_are_framed() -> None:
    state, last = played(GAME.initial(), "a1")
    scene = GAME.scene(state, last)
    assert marked(scene, Ink.CHOICE, Rect) == {"a2", "b1", "b3", "c2"}
    later, last = played(state, "a2")
    assert marked(GAME.scene(later, last), Ink.CHOICE, Rect) == set()


def test_every_plot_that_can_be_chosen_has_a_dot() -> None:
    for state, last in decisions("tablaaza", "dots"):
        able = {GAME.write(move) for move in GAME.legal_moves(state)}
        assert marked(GAME.scene(state, last), Ink.CHOICE, Disc) == able


def test_a_chosen_plot_shows_the_stone_before_it_is_played() -> None:
    state = play(GAME.initial(), "a1")
    scene = GAME.scene(state, (), ("b3",))
    assert plots_of(scene, stone()) == {"a1", "b3"}
    assert marked(scene, Ink.CHOICE, Rect) == {"b3"}
    assert marked(scene, Ink.CHOICE, Disc) == set()


# ---------------------------------------------------------------- panels


def test_the_panels_count_the_plots_left_and_the_pavilions_raised() -> None:
    state, last = played(board(BEFORE_B6, "red"), "b6")
    figures: dict[bool, list[str]] = {True: [], False: []}
    for shape in GAME.scene(state, last).above:
        if isinstance(shape, Text):
            figures[shape.x < panel_left(GREEN)].append(shape.text)
    assert figures == {
        True: ["Red", "21", "1"],
        False: ["Green", "to play", "21", "0"],
    }


def test_the_panel_of_the_seat_to_move_is_framed_and_none_at_the_end() -> None:
    for seat in (RED, GREEN):
        state = GAME.initial() if seat == RED else play(GAME.initial(), "a1")
        frames = [
            s for s in GAME.scene(state).below if isinstance(s, Rect) and s.edge is Ink.CHOICE
        ]
        assert [frame.x for frame in frames] == [panel_left(seat)]
        assert "to play" in texts(GAME.scene(state))
    over = GAME.scene(play(picture(LAST_TURN, "green"), "c6"))
    assert not [s for s in over.below if isinstance(s, Rect)]
    assert "wins" in texts(over)


# ---------------------------------------------------------------- descriptions


@pytest.mark.parametrize("seed", ["one", "two"])
def test_the_description_names_every_plot_once_and_fits_discords_limit(seed: str) -> None:
    for state, last in decisions("tablaaza", seed):
        alt = GAME.scene(state, last).alt
        assert 0 < len(alt) <= 1024
        facts = alt.split(" Last: ")[0].split("Red has", 1)[-1]
        words = facts.replace(".", " ").replace(":", " ").split()
        if GAME.outcome(state) is None:
            assert sorted(word for word in words if word in PLOTS) == sorted(PLOTS)


def test_the_description_mentions_pavilions_lakes_and_the_last_move() -> None:
    state, last = played(board(BEFORE_B6, "red"), "b6")
    alt = GAME.scene(state, last).alt
    assert alt.startswith("Green is to play. Red has 21 plots: a1 a3 a7")
    assert "Green has 21 plots:" in alt
    assert "Pavilions raised by Red: b5." in alt
    assert "Lakes: c3 to c5 and f3 to f5." in alt
    assert alt.endswith(
        "Last: Red builds on b6 and closes b5 with a pavilion: "
        "no red plot is free in its row and column."
    )


def test_the_description_lists_greens_possible_replies() -> None:
    assert "Green may build on a2, b1, b3 or c2." in GAME.scene(play(GAME.initial(), "a1")).alt


def test_a_finished_game_says_who_won_and_why() -> None:
    scene = GAME.scene(play(picture(LAST_TURN, "green"), "c6"))
    assert scene.alt.startswith("Green has won: Red has no vacant plot left to build on.")
    assert "Green has won" in scene.text


def test_the_text_board_has_coordinates_rows_of_equal_length_and_the_counts() -> None:
    state = play(board(BEFORE_B6, "red"), "b6")
    lines = GAME.scene(state).text.splitlines()
    assert lines[0].split() == lines[8].split() == list("abcdefgh")
    assert [line.split()[0] for line in lines[1:8]] == list("7654321")
    assert "".join(lines[3].split()[1:-1]) == "o^~gr~rg"
    assert len({len(line) for line in lines[1:8]}) == 1
    assert "Green is to play." in lines
    assert "Red: plots left 21, pavilions raised 1" in lines
    assert "Green: plots left 21, pavilions raised 0" in lines
