"""Wood and cloth, from a fixed random sequence: the same on every machine, without a file.

A texture is a grid of tones, whole steps lighter or darker than the colour of its surface. Few
tones and few different tiles keep a picture small: PNG finds the same rows again and again.
"""

from __future__ import annotations

from functools import lru_cache
from random import Random
from typing import Final

from PIL import Image

from engine.scene import Texture
from render.theme import Rgb

TONES: Final = 1
"""Steps from the surface's colour to the darkest and to the lightest tone."""
VARIANTS: Final = 2
"""Different pieces of the same texture and size."""

_GRAIN: Final = 0.035
"""The height of a streak of grain in board units."""
_STREAK: Final = 4.0
"""Its length."""

_MIN_CHANGE: Final = 3.5
"""How far even a black surface changes with each tone: a share of nothing would be invisible."""


def toned(colour: Rgb, tone: int, grain: float) -> Rgb:
    """Return a colour made lighter by ``tone`` steps (darker below 0)."""
    step = tone / TONES
    shift = _MIN_CHANGE * step if grain else 0
    red, green, blue = (
        min(255, max(0, round(channel * (1 + step * grain) + shift))) for channel in colour
    )
    return red, green, blue


@lru_cache(maxsize=64)
def tones(texture: Texture, width: int, height: int, unit: int, variant: int) -> Image.Image:
    """Return a grid of tones as an image of mode L, tone 0 written as ``TONES``."""
    if texture is Texture.CLOTH:
        return _cloth(width, height, unit)
    return _wood(width, height, unit, variant)


def surface(grid: Image.Image, colour: Rgb, grain: float) -> Image.Image:
    """Return a grid of tones as an RGB image in tones of a colour."""
    image = grid.convert("P")
    steps = range(-TONES, TONES + 1)
    image.putpalette([channel for tone in steps for channel in toned(colour, tone, grain)])
    return image.convert("RGB")


def _wood(width: int, height: int, unit: int, variant: int) -> Image.Image:
    """Long soft streaks with finer ones in them, drifting a little up and down."""
    luck = Random(f"wood {variant}")  # noqa: S311 - a pattern, not a secret
    broad = _noise(luck, width, height, unit * _STREAK * 2.2, unit * _GRAIN * 2.6)
    fine = _noise(luck, width, height, unit * _STREAK, unit * _GRAIN)
    mixed = Image.blend(broad, fine, 0.5)
    return mixed.point([_tone(value) for value in range(256)])


def _noise(luck: Random, width: int, height: int, across: float, down: float) -> Image.Image:
    columns, rows = max(2, round(width / across) + 1), max(2, round(height / down) + 1)
    seeds = Image.frombytes("L", (columns, rows), luck.randbytes(columns * rows))
    return seeds.resize((width, height), Image.Resampling.BICUBIC)


def _tone(value: int) -> int:
    return (value >= 84) + (value >= 172)


def _cloth(width: int, height: int, unit: int) -> Image.Image:
    """A plain weave: threads over and under, two or three pixels wide."""
    thread = max(1, round(unit / 30))
    over = Image.new("L", (thread * 2, thread * 2), TONES)
    over.paste(TONES + 1, (0, 0, thread, thread))
    over.paste(TONES - 1, (thread, thread, thread * 2, thread * 2))
    woven = Image.new("L", (width, height), TONES)
    for x in range(0, width, thread * 2):
        woven.paste(over, (x, 0))
    row = woven.crop((0, 0, width, thread * 2))
    for y in range(0, height, thread * 2):
        woven.paste(row, (0, y))
    return woven
