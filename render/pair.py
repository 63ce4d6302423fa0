"""Two pictures in one: side by side, or one above the other if they are wide."""

from __future__ import annotations

from io import BytesIO

from PIL import Image

_WIDE = 1.5
"""From this ratio of width to height, pictures are stacked, or they would be too small."""


def joined(first: bytes, second: bytes, *, width: int) -> bytes:
    """Return two PNG files of one size as one, at most ``width`` wide."""
    with Image.open(BytesIO(first)) as one, Image.open(BytesIO(second)) as other:
        pictures = [one.convert("RGBA"), other.convert("RGBA")]
    wide = pictures[0].width > _WIDE * pictures[0].height
    width = min(width, pictures[0].width) if wide else width
    gap = width // 50
    each = width if wide else (width - gap) // 2
    high = round(each * pictures[0].height / pictures[0].width)
    size = (width, 2 * high + gap) if wide else (width, high)
    whole = Image.new("RGBA", size)
    for picture, at in zip(
        pictures, ((0, 0), (0, high + gap) if wide else (each + gap, 0)), strict=True
    ):
        small = picture.resize((each, high), Image.Resampling.LANCZOS)
        whole.paste(small, at)
    made = BytesIO()
    whole.quantize(256, method=Image.Quantize.FASTOCTREE).save(made, "PNG", optimize=True)
    return made.getvalue()
