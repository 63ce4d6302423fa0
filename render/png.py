"""Writes PNG files of palette images.

Pillow's own writer would do, but zlib-ng compresses as well in half the time. Like Pillow's, this
one gives other threads the interpreter while it compresses, which is nearly all it does.
"""

from __future__ import annotations

from struct import pack
from typing import TYPE_CHECKING, Final

from PIL import Image
from zlib_ng import zlib_ng

if TYPE_CHECKING:
    from render.palette import Palette

LEVEL: Final = 5
"""How hard zlib-ng tries: 4 takes a fifth less time and writes a tenth more."""

_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_EIGHT_BITS: Final = 8
_PALETTE: Final = 3


def png(image: Image.Image, palette: Palette) -> bytes:
    """Return an image of mode P as a PNG with the palette's colours and opacities."""
    width, height = image.size
    # Every row of a PNG begins with the number of its filter, and 0 is none: a column of zeros
    # in front of the picture writes them all at once.
    rows = Image.new("P", (width + 1, height), 0)
    rows.paste(image, (1, 0))
    header = pack(">IIBBBBB", width, height, _EIGHT_BITS, _PALETTE, 0, 0, 0)
    return b"".join(
        (
            _SIGNATURE,
            _chunk(b"IHDR", header),
            _chunk(b"PLTE", palette.table),
            _chunk(b"tRNS", palette.opacities),
            _chunk(b"IDAT", zlib_ng.compress(rows.tobytes(), LEVEL)),
            _chunk(b"IEND", b""),
        )
    )


def _chunk(name: bytes, body: bytes) -> bytes:
    return pack(">I", len(body)) + name + body + pack(">I", zlib_ng.crc32(name + body))
