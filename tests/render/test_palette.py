"""The fixed palette of a theme."""

from __future__ import annotations

import pytest
from PIL import Image

from engine.scene import Ink
from render.palette import BOARDS, CHARTS, CLEAR, Paints, Palette, palette
from render.theme import THEMES, Theme

every_theme = pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
every_kind = pytest.mark.parametrize("paints", [BOARDS, CHARTS], ids=["boards", "charts"])


def test_every_ink_is_used_somewhere() -> None:
    assert {*BOARDS.inks, *CHARTS.inks} == set(Ink)


@every_theme
@every_kind
def test_a_palette_fits_in_a_byte_and_has_no_duplicate_colours(
    theme: Theme, paints: Paints
) -> None:
    chosen = palette(theme, paints)
    assert len(chosen.colours) <= 256
    assert len(set(chosen.solid)) == len(chosen.solid)
    assert len(chosen.opacities) == len(chosen.colours) == len(chosen.table) // 3


@every_theme
@every_kind
def test_every_solid_ink_is_in_it_or_indistinguishable_from_a_colour_in_it(
    theme: Theme, paints: Paints
) -> None:
    for ink in paints.inks:
        *colour, opacity = theme.colours[ink]
        if opacity == 255:
            nearest = min(
                max(abs(a - b) for a, b in zip(colour, solid, strict=True))
                for solid in palette(theme, paints).solid
            )
            assert nearest <= 4, ink


@every_theme
@every_kind
def test_building_it_again_gives_the_same_palette(theme: Theme, paints: Paints) -> None:
    assert Palette(theme, paints).colours == Palette(theme, paints).colours


@every_theme
@every_kind
def test_each_palette_colour_maps_to_itself(theme: Theme, paints: Paints) -> None:
    chosen = palette(theme, paints)
    strip = Image.new("RGB", (len(chosen.solid), 1))
    strip.putdata(chosen.solid)
    assert list(chosen.quantised(strip).tobytes()) == list(range(len(chosen.solid)))


@every_theme
def test_transparent_entries_have_the_page_colour_and_are_never_matched(theme: Theme) -> None:
    chosen = palette(theme)
    page = theme.rgb(Ink.PAGE)
    assert chosen.colours[chosen.first_clear :] == (page,) * len(CLEAR)
    black = Image.new("RGB", (1, 1), (0, 0, 0))
    for image in (Image.new("RGB", (1, 1), page), black):
        assert chosen.quantised(image).getpixel((0, 0)) < chosen.first_clear  # type: ignore[operator]
