"""The palettes of a theme: one for all boards, the other for all charts.

A fixed palette makes rasters interchangeable: once quantised, they can be pasted into any picture
of the theme without matching colours again, and frames of a GIF share one table.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product
from threading import Lock
from typing import Final

from PIL import Image

from engine.scene import Ink
from render.texture import TONES, toned
from render.theme import Rgb, Theme

SOLID: Final = 192
"""Maximum opaque colours of a palette; `_BLENDS_APART` ends it sooner."""
CLEAR: Final = (0, 64, 128, 192)
"""The opacities of the page's colour at the end of the palette: they round a picture's corners."""

_SURFACES: Final = (
    Ink.PAGE,
    Ink.PANEL,
    Ink.FRAME,
    Ink.SQUARE,
    Ink.SQUARE_OTHER,
    Ink.SQUARE_HOME,
    Ink.SQUARE_AWAY,
    Ink.SQUARE_RED,
    Ink.SQUARE_GREEN,
    Ink.WATER,
    Ink.SPECIAL,
    Ink.STICK_PLAIN,
)
_SQUARES: Final = (
    Ink.SQUARE,
    Ink.SQUARE_OTHER,
    Ink.SQUARE_HOME,
    Ink.SQUARE_AWAY,
    Ink.SQUARE_RED,
    Ink.SQUARE_GREEN,
)
_MARKS: Final = (Ink.LAST, Ink.CHOICE, Ink.ALERT)
_SEATS: Final = (
    (Ink.SEAT_1, Ink.SEAT_1_EDGE),
    (Ink.SEAT_2, Ink.SEAT_2_EDGE),
    (Ink.SEAT_3, Ink.SEAT_3_EDGE),
    (Ink.SEAT_4, Ink.SEAT_4_EDGE),
)
_MEETINGS: Final = (
    *_SEATS,
    *product((Ink.PAGE_TEXT, Ink.PAGE_QUIET, Ink.CHOICE), (Ink.PANEL, Ink.PAGE)),
    *product((Ink.STICK_PLAIN, Ink.STICK_MARKED), (Ink.PANEL,)),
    *product((Ink.LINE, Ink.SQUARE_HOME, Ink.FRAME_TEXT, Ink.PAGE), (Ink.FRAME,)),
    *product((ink for seat in _SEATS for ink in seat), (Ink.PANEL, Ink.FRAME, *_SQUARES)),
    *product(_MARKS, (Ink.LINE, *_SQUARES)),
    *product((Ink.LINE,), (*_SQUARES, Ink.SPECIAL, Ink.WATER)),
    (Ink.SQUARE_RED, Ink.SQUARE_RED_INLAY),
    (Ink.SQUARE_GREEN, Ink.SQUARE_GREEN_INLAY),
    (Ink.WATER, Ink.WATER_CREST),
    (Ink.PANEL, Ink.PAGE),
    (Ink.STICK_PLAIN, Ink.STICK_MARKED),
    (Ink.ALERT, Ink.ALERT_TEXT),
    (Ink.GOLD, Ink.ENGRAVED),
)
"""Pairs of inks that are adjacent on boards.

Only their blends smooth an edge; a blend of others would sooner or later be the nearest colour to
something unrelated.
"""
_PLOTTED: Final = (Ink.GRID, Ink.CURVE, Ink.BAND, Ink.GOLD, Ink.SILVER, Ink.BRONZE, Ink.ENGRAVED)
_PAPER: Final = (Ink.PAGE, Ink.PANEL)
_CHART_MEETINGS: Final = (
    *product(
        (Ink.PAGE_TEXT, Ink.PAGE_QUIET, Ink.CURVE, Ink.GRID, Ink.BAND, Ink.GOLD),
        (*_PAPER, Ink.BAND),
    ),
    *product((Ink.SILVER, Ink.BRONZE), _PAPER),
    *product((Ink.ENGRAVED,), (Ink.GOLD, Ink.SILVER, Ink.BRONZE)),
    *product((Ink.CURVE,), (Ink.PAGE, Ink.PAGE_QUIET)),
    (Ink.PANEL, Ink.PAGE),
)
"""The same for charts."""
_STEPS: Final = (0.5, 0.25, 0.75)
_APART: Final = 8 * 8
"""Squared distance below which two colours count as one.

Pillow's nearest-colour table is no finer.
"""
_BLENDS_APART: Final = 22 * 22
"""The same for blends: edges need few steps to look smooth, and each more costs bytes."""


@dataclass(frozen=True, slots=True, eq=False)
class Paints:
    """The inks of one kind of picture. Compared by identity."""

    inks: tuple[Ink, ...]
    surfaces: tuple[Ink, ...]
    """Those that may have a texture."""
    meetings: tuple[tuple[Ink, Ink], ...]
    """Adjacent pairs."""


_MEDAL: Final = (Ink.GOLD, Ink.ENGRAVED)
"""On boards, too: the winner's."""
BOARDS: Final = Paints(
    tuple(ink for ink in Ink if ink not in _PLOTTED or ink in _MEDAL), _SURFACES, _MEETINGS
)
CHARTS: Final = Paints(
    (*_PAPER, Ink.PAGE_TEXT, Ink.PAGE_QUIET, *_PLOTTED), (), tuple(dict.fromkeys(_CHART_MEETINGS))
)


class Palette:
    """The colours of one theme, and quantisation to them. Safe to share between threads."""

    def __init__(self, theme: Theme, paints: Paints = BOARDS) -> None:
        self.solid: tuple[Rgb, ...] = _choose(theme, paints)
        page = theme.rgb(Ink.PAGE)
        self.first_clear = len(self.solid)
        self.colours: tuple[Rgb, ...] = (*self.solid, *(page for _ in CLEAR))
        self.opacities = bytes([255] * len(self.solid) + list(CLEAR))
        """One byte per colour, as in PNG's tRNS chunk."""
        flat = [channel for colour in self.colours for channel in colour]
        self.table = bytes(flat)
        self._lock = Lock()
        # Pillow pads a short palette with black; repeating a colour keeps black from being found
        # there under an index that the picture's own table does not have.
        rest = list(self.solid[0]) * (256 - len(self.solid))
        self._guide = Image.new("P", (1, 1))
        self._guide.putpalette([c for colour in self.solid for c in colour] + rest)

    def quantised(self, image: Image.Image) -> Image.Image:
        """Return an RGB image as mode P in the nearest of the solid colours, undithered."""
        with self._lock:  # Pillow's nearest-colour table grows while it is being read
            return image.quantize(palette=self._guide, dither=Image.Dither.NONE)


@cache
def palette(theme: Theme, paints: Paints = BOARDS) -> Palette:
    """Return a theme's palette for a kind of picture, chosen on first use."""
    return Palette(theme, paints)


def _choose(theme: Theme, paints: Paints) -> tuple[Rgb, ...]:
    """Return inks and tones of surfaces first, then the blends farthest from them."""
    chosen: list[Rgb] = []
    for colour in _exact(theme, paints):
        if all(_distance(colour, other) >= _APART for other in chosen):
            chosen.append(colour)
    candidates = {
        blend: min(_distance(blend, c) for c in chosen) for blend in _blends(theme, paints)
    }
    while candidates and len(chosen) < SOLID:
        # Ties go to the first candidate in the order of inks, so the choice is always the same.
        farthest = max(candidates, key=candidates.__getitem__)
        if candidates[farthest] < _BLENDS_APART:
            break
        chosen.append(farthest)
        del candidates[farthest]
        for colour, distance in candidates.items():
            candidates[colour] = min(distance, _distance(colour, farthest))
    return tuple(chosen)


def _exact(theme: Theme, paints: Paints) -> Iterator[Rgb]:
    for ink in paints.inks:
        if theme.colours[ink][3] == 255:
            yield theme.rgb(ink)
    for ink in paints.surfaces:
        for tone in range(-TONES, TONES + 1):
            yield toned(theme.rgb(ink), tone, theme.grain)


def _blends(theme: Theme, paints: Paints) -> Iterator[Rgb]:
    for step in _STEPS:
        for one, other in paints.meetings:
            yield _blend(theme.rgb(one), theme.rgb(other), step)
    for soft, (*colour, opacity) in theme.colours.items():
        if opacity not in {0, 255} and soft in {Ink.SHADOW, Ink.LIGHT}:
            for ink in paints.surfaces:
                for times in (1, 2, 3):
                    share = 1 - (1 - opacity / 255) ** times
                    yield _blend(theme.rgb(ink), (colour[0], colour[1], colour[2]), share)


def _blend(one: Rgb, other: Rgb, share: float) -> Rgb:
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return red, green, blue


def _distance(one: Rgb, other: Rgb) -> int:
    # Written out, because it is called tens of thousands of times before the first picture.
    red, green, blue = one
    other_red, other_green, other_blue = other
    red, green, blue = red - other_red, green - other_green, blue - other_blue
    return red * red + green * green + blue * blue
