"""Typed text as it may be shown: nothing in it hides, reverses or overflows other text.

Everything that people type and others see passes here: names, words, reasons, notes, and the names
of people and servers where the bot repeats them. What languages need stays: joiners between Indic,
Arabic and Sinhala letters and in emojis, the selector that makes an emoji of a sign, and marks.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from typing import Final

MAX_MARKS: Final = 4
"""Marks on one letter: more, as in "Zalgo" text, run into the lines around it."""
_MAX_READ: Final = 8000
"""Characters read of a text: more than any field takes."""

_JOINERS: Final = "\u200c\u200d"
_SELECTORS: Final = "\ufe0e\ufe0f"
_FLAG: Final = "\U0001f3f4"
"""The black flag, which invisible tags turn into the flag of a region."""
_INVISIBLE: Final = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\U0001d159"
    + "".join(map(chr, (*range(0x180B, 0x1810), *range(0xFE00, 0xFE0E))))
    + "".join(map(chr, range(0xE0100, 0xE01F0)))
)
"""Letters, marks and signs that show nothing, though their categories say otherwise."""


def one_line(typed: str) -> str:
    """Return typed text as one line; empty if nothing visible remains."""
    return " ".join(_shown(" ".join(typed[:_MAX_READ].split())).split())


def paragraphs(typed: str) -> str:
    """Return typed text with its line breaks; empty if nothing visible remains."""
    ends = typed[:_MAX_READ].replace("\r\n", "\n").replace("\r", "\n")
    return "\n".join(map(_shown, ends.split("\n"))).strip()


def _shown(line: str) -> str:
    text = list(_without_invisible(unicodedata.normalize("NFC", line)))
    kept: list[str] = []
    marks = 0
    for at, sign in enumerate(text):
        before, after = kept[-1] if kept else " ", text[at + 1] if at + 1 < len(text) else " "
        if unicodedata.category(sign)[0] == "M" and sign not in _SELECTORS:
            marks += 1
        elif sign not in _JOINERS:
            marks = 0
        if _stays(sign, before, after, marks):
            kept.append(sign)
    return (
        unicodedata.normalize("NFC", "".join(kept)).rstrip() if any(map(_is_visible, kept)) else ""
    )


def _without_invisible(text: str) -> Iterator[str]:
    """Yield all but control characters and the like, and signs that show nothing on their own."""
    flag = False
    for sign in text:
        kind = unicodedata.category(sign)[0]
        flag = sign == _FLAG or (flag and _is_tag(sign))
        if kind == "Z":
            yield " "
        elif flag or sign in _JOINERS or (kind != "C" and sign not in _INVISIBLE):
            yield sign


def _stays(sign: str, before: str, after: str, marks: int) -> bool:
    """Return whether a sign is kept, given what is kept before it and what follows."""
    if sign in _JOINERS:
        return _joins(before, after)
    if sign in _SELECTORS:
        return before not in _SELECTORS and _is_visible(before)
    return unicodedata.category(sign)[0] != "M" or (marks <= MAX_MARKS and before != " ")


def _joins(before: str, after: str) -> bool:
    """Return whether a joiner between two signs changes how they look, in a script or an emoji."""
    left, right = unicodedata.category(before), unicodedata.category(after)
    if left[0] == "M" and before not in _SELECTORS:
        return True  # it may end a word after a virama
    return (left in {"Lo", "So", "Sk"} or before in _SELECTORS) and right in {
        "Lo",
        "Mc",
        "Mn",
        "So",
    }


def _is_visible(sign: str) -> bool:
    return unicodedata.category(sign)[0] in "LNPS" and sign not in _INVISIBLE


def _is_tag(sign: str) -> bool:
    return "\U000e0020" <= sign <= "\U000e007f"
