"""Writes PNG files of palette images, strip by strip.

Pillow's own writer would do, but zlib-ng compresses as well in half the time. Like Pillow's, this
one releases the interpreter lock while compressing, which is nearly all it does.

Strips are compressed independently, so that a strip compressed before goes into the next file as it
is. This makes files one per cent larger.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from struct import pack
from typing import Final

from PIL import Image
from zlib_ng import zlib_ng

from render.palette import Palette

LEVEL: Final = 5
"""zlib-ng's effort. Players download the result.

4 takes a tenth less time for a picture and writes a tenth more, which is too much for full boards;
2 takes a quarter less and writes a quarter more.
"""

_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_EIGHT_BITS: Final = 8
_PALETTE: Final = 3
_HEADER: Final = b"\x78\x5e"
"""The start of a zlib stream."""
_LAST: Final = b"\x03\x00"
"""An empty last block, which ends it."""
_RAW: Final = -15
"""zlib's code for a raw stream with the largest window."""
_BASE: Final = 65521
"""The modulus of Adler's checksum."""


@dataclass(frozen=True, slots=True)
class Strip:
    """Some rows of a picture, compressed."""

    data: bytes
    """Whole blocks that refer to nothing before them and end on a byte boundary."""
    checksum: int
    """Adler's, of the rows with their filters."""
    length: int
    """The number of bytes of the rows with their filters."""


def packed(rows: Image.Image, level: int = LEVEL) -> Strip:
    """Return rows of mode P, compressed at a level."""
    width, _ = rows.size
    # Each row of a PNG begins with its filter's number; 0 is none. Pillow pads with zeros at the
    # ends of rows, which is the same but for the first and the last byte.
    padded = rows.tobytes("raw", "P", width + 1)
    plain = b"\0" + padded[:-1]
    packer = zlib_ng.compressobj(level, zlib_ng.DEFLATED, _RAW)
    data = packer.compress(plain) + packer.flush(zlib_ng.Z_SYNC_FLUSH)
    return Strip(data, zlib_ng.adler32(plain), len(plain))


def png(size: tuple[int, int], strips: Iterable[Strip], palette: Palette) -> bytes:
    """Return a PNG of strips, one below the other, in a palette's colours and opacities."""
    header = pack(">IIBBBBB", *size, _EIGHT_BITS, _PALETTE, 0, 0, 0)
    parts, checksum = [_HEADER], 1
    for one in strips:
        parts.append(one.data)
        checksum = _joined(checksum, one)
    parts += _LAST, pack(">I", checksum)
    return b"".join(
        (
            _SIGNATURE,
            _chunk(b"IHDR", header),
            _chunk(b"PLTE", palette.table),
            _chunk(b"tRNS", palette.opacities),
            _chunk(b"IDAT", b"".join(parts)),
            _chunk(b"IEND", b""),
        )
    )


def _joined(checksum: int, following: Strip) -> int:
    """Return Adler's checksum of some bytes and a strip, from the checksums of both."""
    low, high = checksum & 0xFFFF, checksum >> 16
    more_low, more_high = following.checksum & 0xFFFF, following.checksum >> 16
    high = (high + more_high + following.length * (low - 1)) % _BASE
    return high << 16 | (low + more_low - 1) % _BASE


def _chunk(name: bytes, body: bytes) -> bytes:
    return pack(">I", len(body)) + name + body + pack(">I", zlib_ng.crc32(name + body))
