"""A sheet shows every picture whole, below its title, in two columns."""

from __future__ import annotations

from io import BytesIO

import pytest
from PIL import Image

from render import THEMES
from render.sheet import sheet

WIDTH = 400
COLOURS = ("red", "lime", "blue", "yellow", "magenta")


def picture(colour: str, width: int, height: int) -> bytes:
    made = BytesIO()
    Image.new("RGB", (width, height), colour).save(made, "PNG")
    return made.getvalue()


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("number", [1, 2, 4, 5])
def test_all_pictures_are_there_in_full(theme: str, number: int) -> None:
    sizes = [(800, 800), (800, 400), (800, 700), (800, 560), (800, 760)]
    pictures = [
        (f"Game {colour}", picture(colour, *size))
        for colour, size in list(zip(COLOURS, sizes, strict=True))[:number]
    ]
    with Image.open(BytesIO(sheet(pictures, theme=theme, width=WIDTH))) as made:
        image = made.convert("RGBA").convert("RGB")
    assert image.width == WIDTH
    for (_, png), size in zip(pictures, sizes, strict=False):
        with Image.open(BytesIO(png)) as one:
            pure = one.getpixel((0, 0))
        assert isinstance(pure, tuple)
        near = [
            (x, y)
            for x in range(image.width)
            for y in range(image.height)
            if sum(abs(a - b) for a, b in zip(_at(image, x, y), pure, strict=True)) < 60
        ]
        xs, ys = [x for x, _ in near], [y for _, y in near]
        shape = (max(xs) - min(xs) + 1) / (max(ys) - min(ys) + 1)
        assert shape == pytest.approx(size[0] / size[1], rel=0.05)


def test_the_corners_are_clear_and_an_endless_title_is_cut() -> None:
    made = sheet([("W" * 300, picture("red", 10, 10))], width=WIDTH)
    with Image.open(BytesIO(made)) as image:
        pixel = image.convert("RGBA").getpixel((0, 0))
    assert isinstance(pixel, tuple)
    assert pixel[3] < 64


def _at(image: Image.Image, x: int, y: int) -> tuple[int, ...]:
    pixel = image.getpixel((x, y))
    assert isinstance(pixel, tuple)
    return pixel
