"""Writes GIF files whose frames hold only what has changed.

Pillow's own writer compares whole colour pictures; here the painter knows which rows can have
changed, and unchanged pixels in those become transparent, which takes hardly any space.
"""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from struct import pack
from typing import Final

from PIL import Image, ImageFile

from render.palette import Palette

_CLEAR: Final = 255
"""The transparent index, above those of every palette."""
_STAYED: Final = [255] + [0] * 255
"""Turns each index's difference into a mask of unchanged pixels."""
_FOR_EVER: Final = b"\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"
_TABLE_OF_256: Final = 0xF7
_LEFT_AS_IT_IS: Final = 1 << 2
"""Each frame stays and the next is laid on it."""
_LONGEST: Final = 0xFFFF


class Film:
    """Frames to write, each laid on the previous ones."""

    def __init__(self, first: Image.Image, duration: int) -> None:
        """Begin with a picture, shown for ``duration`` milliseconds."""
        self._size = first.size
        self._last = first
        self._frames: list[bytes] = [_pixels(first, (0, 0))]
        self._durations = [duration]

    def add(self, image: Image.Image, rows: Sequence[tuple[int, int]], duration: int) -> None:
        """Add a picture.

        Args:
            image: of the size of the first.
            rows: the ranges in which it can differ from the previous picture.
            duration: in milliseconds.
        """
        changed = self._changed(image, rows)
        self._last = image
        if changed is None:
            self._durations[-1] += duration
        else:
            self._frames.append(changed)
            self._durations.append(duration)

    def written(self, palette: Palette) -> bytes:
        """Return the file, which loops for ever."""
        table = palette.table + bytes(3 * 256 - len(palette.table))
        parts = [b"GIF89a", pack("<HHBBB", *self._size, _TABLE_OF_256, 0, 0), table, _FOR_EVER]
        for frame, duration in zip(self._frames, self._durations, strict=True):
            wait = min(duration // 10, _LONGEST)
            clear = _LEFT_AS_IT_IS | (frame is not self._frames[0])
            parts += pack("<BBBBHBB", 0x21, 0xF9, 4, clear, wait, _CLEAR, 0), frame
        return b"".join((*parts, b";"))

    def _changed(self, image: Image.Image, rows: Sequence[tuple[int, int]]) -> bytes | None:
        """Return a picture's changes, or ``None`` if there are none."""
        if not rows:
            return None
        top, bottom = min(start for start, _ in rows), max(end for _, end in rows)
        within = (0, top, self._size[0], bottom)
        new = image.crop(within)
        # Compares indices, not colours: Pillow's `ImageChops` would treat them as grey values.
        change = new._new(new.im.chop_subtract_modulo(self._last.crop(within).im))  # noqa: SLF001
        box = change.im.getbbox()
        if box is None:
            return None
        new, change = new.crop(box), change.crop(box)
        new.im.paste(_CLEAR, (0, 0, *new.size), change.im.point(_STAYED, "L"))
        return _pixels(new, (box[0], top + box[1]))


def _pixels(image: Image.Image, at: tuple[int, int]) -> bytes:
    """Return an image block with the pixels of a picture, compressed."""
    out = BytesIO()
    out.write(pack("<BHHHHBB", 0x2C, *at, *image.size, 0, 8))
    image.encoderconfig = (8, False)
    ImageFile._save(image, out, [ImageFile._Tile("gif", (0, 0, *image.size), 0, "P")])  # noqa: SLF001
    out.write(b"\0")
    return out.getvalue()
