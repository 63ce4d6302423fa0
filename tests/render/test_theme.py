"""Colours: every role has one, and colours that must differ do."""

from __future__ import annotations

import pytest

from engine.scene import Ink
from render.theme import ALL, DEFAULT, THEMES, Theme, contrast

every_theme = pytest.mark.parametrize("theme", ALL.values(), ids=ALL)
SQUARES = (
    Ink.SQUARE,
    Ink.SQUARE_OTHER,
    Ink.SQUARE_HOME,
    Ink.SQUARE_AWAY,
    Ink.SQUARE_RED,
    Ink.SQUARE_GREEN,
)
SEATS = (
    (Ink.SEAT_1, Ink.SEAT_1_EDGE),
    (Ink.SEAT_2, Ink.SEAT_2_EDGE),
    (Ink.SEAT_3, Ink.SEAT_3_EDGE),
    (Ink.SEAT_4, Ink.SEAT_4_EDGE),
)


def test_there_are_wooden_dark_and_high_contrast_themes_and_wood_is_the_default() -> None:
    assert set(THEMES) == {"wood", "night", "contrast"}
    assert DEFAULT == "wood"


@every_theme
def test_every_ink_has_a_colour(theme: Theme) -> None:
    assert set(theme.colours) == set(Ink)


@every_theme
def test_text_is_readable_on_the_page_the_panels_and_the_frame(theme: Theme) -> None:
    for ink, ground, least in (
        (Ink.PAGE_TEXT, Ink.PAGE, 7),
        (Ink.PAGE_TEXT, Ink.PANEL, 7),
        (Ink.PAGE_QUIET, Ink.PANEL, 4.5),
        (Ink.FRAME_TEXT, Ink.FRAME, 7),
        (Ink.ALERT_TEXT, Ink.ALERT, 3),
        (Ink.PAGE, Ink.CURVE, 4.5),
        (Ink.PAGE, Ink.PAGE_QUIET, 4.5),
        (Ink.ENGRAVED, Ink.GOLD, 4.5),
        (Ink.ENGRAVED, Ink.SILVER, 4.5),
        (Ink.ENGRAVED, Ink.BRONZE, 4.5),
    ):
        assert contrast(theme.rgb(ink), theme.rgb(ground)) >= least, (ink, ground)


@every_theme
def test_the_first_two_seats_differ_in_brightness_alone(theme: Theme) -> None:
    assert contrast(theme.rgb(Ink.SEAT_1), theme.rgb(Ink.SEAT_2)) >= 10


@every_theme
def test_each_seats_men_stand_out_from_every_square_by_fill_or_edge(theme: Theme) -> None:
    for fill, edge in SEATS:
        for square in (*SQUARES, Ink.SPECIAL):
            ground = theme.rgb(square)
            best = max(contrast(theme.rgb(ink), ground) for ink in (fill, edge))
            assert best >= 3, (fill, square, best)


@every_theme
def test_red_and_green_squares_differ_in_brightness_and_carry_a_pattern(theme: Theme) -> None:
    red, green = theme.rgb(Ink.SQUARE_RED), theme.rgb(Ink.SQUARE_GREEN)
    assert contrast(red, green) >= 1.5
    assert contrast(red, theme.rgb(Ink.SQUARE_RED_INLAY)) >= 1.3
    assert contrast(green, theme.rgb(Ink.SQUARE_GREEN_INLAY)) >= 1.3


@every_theme
def test_the_inlay_of_a_man_stands_out_from_it(theme: Theme) -> None:
    for fill, edge in SEATS:
        assert contrast(theme.rgb(fill), theme.rgb(edge)) >= 4.5, fill


@every_theme
def test_marks_stand_out_from_their_dark_outline(theme: Theme) -> None:
    for mark in (Ink.LAST, Ink.CHOICE):
        assert contrast(theme.rgb(mark), theme.rgb(Ink.LINE)) >= 3, mark


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)  # a chart is no draft
def test_a_curve_stands_out_from_its_background(theme: Theme) -> None:
    curve, band = theme.rgb(Ink.CURVE), theme.rgb(Ink.BAND)
    for ground in (Ink.PAGE, Ink.PANEL, Ink.BAND, Ink.GRID):
        assert contrast(curve, theme.rgb(ground)) >= 3, ground
    assert contrast(theme.rgb(Ink.PAGE_TEXT), band) >= 4.5
    assert contrast(band, theme.rgb(Ink.PANEL)) >= 1.15
    assert contrast(theme.rgb(Ink.GRID), theme.rgb(Ink.PANEL)) >= 1.15


@every_theme
def test_the_two_sides_of_a_stick_differ_in_brightness(theme: Theme) -> None:
    assert contrast(theme.rgb(Ink.STICK_PLAIN), theme.rgb(Ink.STICK_MARKED)) >= 3


def test_in_the_contrast_theme_men_stand_out_strongly_and_nothing_has_texture() -> None:
    theme = THEMES["contrast"]
    assert theme.grain == 0
    assert contrast(theme.rgb(Ink.SEAT_1), theme.rgb(Ink.SEAT_2)) == pytest.approx(21)


def test_contrast_is_calculated_as_in_wcag() -> None:
    assert contrast((0, 0, 0), (255, 255, 255)) == pytest.approx(21)
    assert contrast((119, 119, 119), (255, 255, 255)) == pytest.approx(4.48, abs=0.01)
