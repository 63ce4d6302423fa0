"""Several pictures in one, each in a field of its own below its title."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from typing import Final

from PIL import Image, ImageDraw

from engine.scene import Ink
from render.brush import OVERSIZE
from render.fonts import fitted, lettering
from render.theme import DEFAULT, THEMES, Theme

_GAP: Final = 0.016
"""Between fields, and around them, relative to the width of the sheet."""
_TITLE: Final = 0.044
"""The size of titles, likewise."""
_RADIUS: Final = 0.016
_ROOM: Final = 0.9
"""The width of a title, relative to its field's."""
_COLUMNS: Final = 2


def sheet(pictures: Sequence[tuple[str, bytes]], *, theme: str = DEFAULT, width: int) -> bytes:
    """Return titled PNG files as one, in two columns; each goes to the shorter one.

    Args:
        pictures: at least one title and PNG file.
        theme: the name of a theme.
        width: of the sheet, in pixels.

    Raises:
        KeyError: no theme of that name.
    """
    chosen = THEMES[theme]
    gap, title = round(_GAP * width), round(_TITLE * width)
    columns = min(_COLUMNS, len(pictures))
    field = (width - gap * (columns + 1)) // columns
    boards = [_fitted(png, field - 2 * gap) for _, png in pictures]
    filled: list[list[int]] = [[] for _ in range(columns)]
    ends = [gap] * columns
    for number, board in enumerate(boards):
        column = ends.index(min(ends))
        filled[column].append(number)
        ends[column] += board.height + 2 * title + 2 * gap
    whole = _field((width, max(ends)), chosen, Ink.PAGE, round(_RADIUS * width))
    for column, numbers in enumerate(filled):
        # The last field of a shorter column is higher, so that all end alike.
        top, spare = gap, max(ends) - ends[column]
        for number in numbers:
            board = boards[number]
            more = spare if number == numbers[-1] else 0
            high = board.height + 2 * title + gap + more
            ground = _field((field, high), chosen, Ink.PANEL, round(_RADIUS * width))
            _write(ground, pictures[number][0], title, chosen)
            ground.alpha_composite(board, (gap, 2 * title + more // 2))
            whole.alpha_composite(ground, (gap + column * (field + gap), top))
            top += high + gap
    made = BytesIO()
    whole.quantize(256, method=Image.Quantize.FASTOCTREE).save(made, "PNG", optimize=True)
    return made.getvalue()


def _fitted(png: bytes, width: int) -> Image.Image:
    with Image.open(BytesIO(png)) as picture:
        image = picture.convert("RGBA")
    high = round(width * image.height / image.width)
    return image.resize((width, high), Image.Resampling.LANCZOS)


def _field(size: tuple[int, int], theme: Theme, ink: Ink, radius: int) -> Image.Image:
    """Return a rectangle with round corners in one colour."""
    large = (size[0] * OVERSIZE, size[1] * OVERSIZE)
    mask = Image.new("L", large, 0)
    box = (0, 0, large[0] - 1, large[1] - 1)
    ImageDraw.Draw(mask).rounded_rectangle(box, radius * OVERSIZE, fill=255)
    image = Image.new("RGBA", size, theme.colours[ink])
    image.putalpha(mask.reduce(OVERSIZE))
    return image


def _write(ground: Image.Image, title: str, size: int, theme: Theme) -> None:
    """Write a title in the middle of a field's upper edge."""
    words = fitted(title, size, ground.width * _ROOM, bold=True)
    mask, left, top = lettering(words, size, "mm", bold=True)
    layer = Image.new("RGBA", mask.size, theme.colours[Ink.PAGE_TEXT])
    layer.putalpha(mask)
    ground.alpha_composite(layer, (ground.width // 2 + left, size + top))
