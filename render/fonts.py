"""Lettering: text in the fonts of its scripts, measured, cut to its room, and drawn.

A text is split into runs of one font each. Letters choose their script's font; figures, spaces and
punctuation stay in the font of what is before them, if it has them. Within a run Raqm joins, orders
and turns letters as their script requires.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from importlib.resources import files
from math import floor
from typing import Final

import noto_cjk_sans_jp_regular as cjk
from font_source_sans_pro import font_files_otf
from PIL import Image, ImageDraw, ImageFont, features

from engine.plain_text import one_line

BOLD: Final = 0.02
"""How much a bold letter is thickened on each side, relative to its size: the font is light."""
WEIGHT: Final = 600.0
"""The weight of fonts that have several."""
MAX_MARKS: Final = 2
"""Accents drawn on a letter: more would run into the lines around it."""
_NO_LETTER: Final = "\U0010fffe"
"""A character missing from every font: drawn as the font's replacement glyph."""
_TRIED: Final = 24
"""The size at which letters are drawn to test for a glyph."""
_MEASURED: Final = 100
"""The size at which names are measured."""
_CUT: Final = "…"
_JOINERS: Final = "\u200c\u200d"

_NOTO: Final = files("manimgx_fonts")
_EUROPEAN: Final = font_files_otf["SourceSansProSemibold"]
_CHINESE: Final = str(cjk.FONT_PATH)
_ENLARGED: Final = {_EUROPEAN: 1.1}
"""How much a font must be enlarged to look as large as the others."""


def _noto(script: str = "") -> str:
    return str(_NOTO / f"NotoSans{script}[wght].ttf")


_SCRIPTS: Final = (
    *("ARABIC", "ARMENIAN", "BENGALI", "DEVANAGARI", "ETHIOPIC", "GEORGIAN", "GUJARATI"),
    *("GURMUKHI", "HEBREW", "KANNADA", "KHMER", "LAO", "MALAYALAM", "MYANMAR", "ORIYA"),
    *("SINHALA", "TAMIL", "TELUGU", "THAI"),
)
_FONTS: Final = {
    **{script: _noto(script.title()) for script in _SCRIPTS},
    **dict.fromkeys(("CJK", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO"), _CHINESE),
}
"""The font of each script, by the first word of its letters' names in Unicode."""
_COMMON: Final = (_EUROPEAN, _noto(), _CHINESE, _noto("Symbols"))
"""The fonts for all else, in the order in which they are tried."""
_UNJOINED: Final = frozenset(
    (*_COMMON, *map(_noto, ("Armenian", "Ethiopic", "Georgian"))),
)
"""The fonts whose letters may stand side by side as they are."""


# ---------------------------------------------------------------- which font


@lru_cache(maxsize=256)
def runs(text: str) -> tuple[tuple[str, str], ...]:
    """Return the parts of a line and each one's font file, from left to right."""
    if text.isascii():
        return ((text, _EUROPEAN),)
    parts: list[tuple[str, str]] = []
    for sign in text:
        before = parts[-1][1] if parts else ""
        font = before if before and _stays(sign, before) else _font_of(sign) or before or _EUROPEAN
        if font == before:
            parts[-1] = parts[-1][0] + sign, font
        else:
            parts.append((sign, font))
    return tuple(reversed(parts) if _is_right_to_left(text) else parts)


def writable(text: str) -> bool:
    """Return whether a text has all its glyphs and can be shaped as its scripts require."""
    return text.isascii() or all(
        sign.isspace() or sign in _JOINERS or _has(sign, font)
        for part, font in runs(text)
        for sign in part
    )


def _stays(sign: str, font: str) -> bool:
    """Return whether a sign stays in the font of what is before it."""
    kind = unicodedata.category(sign)[0]
    return kind == "M" or sign in _JOINERS or (kind != "L" and _has(sign, font))


@lru_cache(maxsize=4096)
def _font_of(sign: str) -> str:
    """Return the file of the font that a sign is written in, empty if none has it."""
    script = unicodedata.name(sign, " ").split(maxsplit=1)[:1]
    own = [_FONTS[word] for word in script if word in _FONTS]
    return next((font for font in (*own, *_COMMON) if _has(sign, font)), "")


def _has(sign: str, font: str) -> bool:
    # Without Raqm the signs of most scripts would stand side by side, unreadable.
    return (font in _UNJOINED or _joins()) and _has_glyph(sign, font)


@lru_cache(maxsize=4096)
def _has_glyph(sign: str, font: str) -> bool:
    return sign.isspace() or _glyph(sign, font) != _glyph(_NO_LETTER, font)


def _glyph(sign: str, font: str) -> bytes:
    return bytes(_opened(font, _TRIED).getmask(sign))


@lru_cache(maxsize=1)
def _joins() -> bool:
    return features.check_feature("raqm") is True


def _is_right_to_left(text: str) -> bool:
    kinds = map(unicodedata.bidirectional, text)
    return next((kind for kind in kinds if kind in {"L", "R", "AL"}), "L") != "L"


@lru_cache(maxsize=64)
def _opened(font: str, size: int) -> ImageFont.FreeTypeFont:
    opened = ImageFont.truetype(font, round(size * _ENLARGED.get(font, 1.0)))
    if font not in {_EUROPEAN, _CHINESE}:
        opened.set_variation_by_axes([WEIGHT])
    return opened


# ---------------------------------------------------------------- names


@lru_cache(maxsize=4096)
def drawable(name: str) -> str:
    """Return a person's name as it can be drawn; empty if nothing of it can.

    Ornamental letters become plain ones, and emojis, heaped accents and signs without a glyph go.
    """
    kept: list[str] = []
    marks = 0
    for sign in one_line(unicodedata.normalize("NFKC", name)):
        marks = marks + 1 if unicodedata.combining(sign) else 0
        if sign in _JOINERS or unicodedata.category(sign)[0] == "M":
            font = runs("".join(kept))[-1][1] if "".join(kept).strip() else ""
            if font and marks <= MAX_MARKS and (sign in _JOINERS or _has(sign, font)):
                kept.append(sign)
        elif sign.isspace() or _font_of(sign):
            kept.append(sign)
    return one_line("".join(kept))


@lru_cache(maxsize=1024)
def fitted(name: str, size: float, room: float, *, bold: bool = False) -> str:
    """Return a name that fits into its room, cut if need be; ``size`` and ``room`` in any one unit."""

    def fits(text: str) -> bool:
        left, _, right, _ = extent(text, _MEASURED, "ls", bold=bold)
        return (right - left) * size <= room * _MEASURED

    if fits(name):
        return name
    ends = [
        end
        for end in range(1, len(name))
        if unicodedata.category(name[end])[0] != "M"
        and name[end] not in _JOINERS
        and name[end - 1] not in _JOINERS
    ]
    while len(ends) > 1 and not fits(name[: ends[-1]].rstrip() + _CUT):
        ends.pop()
    return name[: ends[-1]].rstrip() + _CUT if ends else name


# ---------------------------------------------------------------- measured and drawn


@lru_cache(maxsize=1024)
def extent(text: str, size: int, anchor: str, *, bold: bool) -> tuple[float, float, float, float]:
    """Return left, top, right and bottom of a line in pixels, from its anchor."""
    # Figures and letters recur constantly, and measuring them takes as long as drawing them.
    stroke = BOLD * size if bold else 0
    lefts, tops, rights, bottoms = zip(
        *(
            (x + box[0], y + box[1], x + box[2], y + box[3])
            for part, font, x, y, at in _placed(text, size, anchor)
            for box in [font.getbbox(part, anchor=at, stroke_width=stroke)]
        ),
        strict=True,
    )
    return min(lefts), min(tops), max(rights), max(bottoms)


def advance(text: str, size: int) -> float:
    """Return how far a line of text reaches, in pixels."""
    return sum(_opened(font, size).getlength(part) for part, font in runs(text))


def baseline(size: int, anchor: str) -> float:
    """Return how far below its anchor a line's baseline lies, in pixels."""
    usual = _opened(_EUROPEAN, size)
    return usual.getbbox("x", anchor=f"l{anchor[1]}")[1] - usual.getbbox("x", anchor="ls")[1]


def enlarged(text: str) -> float:
    """Return how much larger than its size a text's font is set to look as large as others."""
    return _ENLARGED.get(runs(text)[0][1], 1.0)


def lettering(text: str, size: int, anchor: str, *, bold: bool) -> tuple[Image.Image, int, int]:
    """Return a line as a mask, and its left and top in pixels from its anchor."""
    stroke = BOLD * size if bold else 0
    left, top, right, bottom = extent(text, size, anchor, bold=bold)
    left, top = floor(left) - 2, floor(top) - 2
    mask = Image.new("L", (int(right) - left + 3, int(bottom) - top + 3), 0)
    pen = ImageDraw.Draw(mask)
    for part, font, x, y, at in _placed(text, size, anchor):
        pen.text((x - left, y - top), part, fill=255, font=font, anchor=at, stroke_width=stroke)
    return mask, left, top


def _placed(
    text: str, size: int, anchor: str
) -> Iterator[tuple[str, ImageFont.FreeTypeFont, float, float, str]]:
    """Yield each run with its font, its place from the line's anchor, and its own anchor there."""
    parts = [(part, _opened(font, size)) for part, font in runs(text)]
    if runs(text)[-1][1] == _EUROPEAN and len(parts) == 1:
        yield *parts[0], 0.0, 0.0, anchor
        return
    # All stand on one baseline: that of the European letters.
    under = baseline(size, anchor)
    lengths = [font.getlength(part) for part, font in parts]
    x = -sum(lengths) * {"l": 0.0, "m": 0.5, "r": 1.0}[anchor[0]]
    for (part, font), length in zip(parts, lengths, strict=True):
        yield part, font, x, under, "ls"
        x += length
