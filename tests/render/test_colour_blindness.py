"""The seats can be told apart with any kind of colour blindness."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import pytest

from engine.scene import Ink
from render.theme import THEMES, Rgb, contrast

# Viénot, Brettel and Mollon (1999), on linear red, green and blue.
_SIGHTS: Final[dict[str, tuple[Sequence[float], ...]]] = {
    "protanopia": ((0.11238, 0.88762, 0.0), (0.11238, 0.88762, 0.0), (0.00401, -0.00401, 1.0)),
    "deuteranopia": ((0.29275, 0.70725, 0.0), (0.29275, 0.70725, 0.0), (-0.02234, 0.02234, 1.0)),
    "no colour at all": ((0.2126, 0.7152, 0.0722),) * 3,
}
sights = pytest.mark.parametrize("sight", _SIGHTS)


def simulated(colour: Rgb, sight: str) -> Rgb:
    """Return a colour as seen without one kind of cone."""
    linear = [(channel / 255) ** 2.2 for channel in colour]
    rows = _SIGHTS[sight]
    mixed = [sum(a * b for a, b in zip(row, linear, strict=True)) for row in rows]
    red, green, blue = (round(255 * min(max(part, 0.0), 1.0) ** (1 / 2.2)) for part in mixed)
    return red, green, blue


def seen_contrast(one: Ink, other: Ink, sight: str, theme: str = "contrast") -> float:
    chosen = THEMES[theme]
    return contrast(simulated(chosen.rgb(one), sight), simulated(chosen.rgb(other), sight))


def test_the_simulation_makes_red_and_green_of_equal_brightness_look_alike() -> None:
    assert simulated((255, 255, 255), "deuteranopia") == (255, 255, 255)
    assert simulated((0, 0, 0), "protanopia") == (0, 0, 0)
    red, green, _ = simulated((200, 30, 30), "deuteranopia")
    assert red == green


@sights
@pytest.mark.parametrize("theme", THEMES)
def test_the_first_two_seats_men_differ_in_brightness_with_any_vision(
    theme: str, sight: str
) -> None:
    assert seen_contrast(Ink.SEAT_1, Ink.SEAT_2, sight, theme) >= 3


@sights
def test_each_seats_men_have_an_outline_and_a_symbol_of_different_brightness(sight: str) -> None:
    for fill, edge in (
        (Ink.SEAT_1, Ink.SEAT_1_EDGE),
        (Ink.SEAT_2, Ink.SEAT_2_EDGE),
        (Ink.SEAT_3, Ink.SEAT_3_EDGE),
        (Ink.SEAT_4, Ink.SEAT_4_EDGE),
    ):
        assert seen_contrast(fill, edge, sight) >= 7, fill


@sights
def test_red_and_green_squares_differ_in_brightness_and_pattern(sight: str) -> None:
    assert seen_contrast(Ink.SQUARE_RED, Ink.SQUARE_GREEN, sight) >= 2
    assert seen_contrast(Ink.SQUARE_RED, Ink.SQUARE_RED_INLAY, sight) >= 1.5
    assert seen_contrast(Ink.SQUARE_GREEN, Ink.SQUARE_GREEN_INLAY, sight) >= 1.5


@sights
def test_choices_and_last_moves_look_different(sight: str) -> None:
    assert seen_contrast(Ink.CHOICE, Ink.LAST, sight) >= 3
