"""How much two pictures differ; both are kept for inspection if it is too much."""

from __future__ import annotations

from collections.abc import Iterable
from io import BytesIO
from pathlib import Path
from typing import Final

from PIL import Image, ImageChops, ImageStat

FAILED: Final = Path(__file__).parent / "failed"


def opened(data: bytes) -> Image.Image:
    """Return an encoded picture, fully decoded."""
    image = Image.open(BytesIO(data))
    image.load()
    return image


def rgb(data: bytes) -> Image.Image:
    """Return an encoded picture in RGB."""
    return opened(data).convert("RGBA").convert("RGB")


def difference(one: Image.Image, other: Image.Image) -> float:
    """Return the mean difference of the pixels' channels, from 0 to 255."""
    assert one.size == other.size
    means: Iterable[float] = ImageStat.Stat(ImageChops.difference(one, other)).mean
    return sum(means) / 3


def assert_similar(one: Image.Image, other: Image.Image, most: float, name: str) -> None:
    """Fail if the pictures differ by more than ``most``; keep both in ``tests/render/failed/``."""
    found = difference(one, other)
    if found > most:
        FAILED.mkdir(exist_ok=True)
        for image, side in ((one, "painted"), (other, "expected")):
            image.save(FAILED / f"{name}-{side}.png")
    assert found <= most, f"{name} differs by {found:.2f}, see {FAILED}/"


def worst(one: Image.Image, other: Image.Image, side: int = 16) -> float:
    """Return the largest mean difference over squares of ``side`` pixels."""
    assert one.size == other.size
    apart = ImageChops.difference(one, other).convert("L").reduce(side)
    _, most = apart.getextrema()
    assert isinstance(most, (int, float))
    return most
