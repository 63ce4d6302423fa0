"""Typed text shows what it says, and only that; what languages and emojis need stays."""

from __future__ import annotations

import unicodedata

import pytest

from engine.luck import word_of
from engine.plain_text import MAX_MARKS, one_line, paragraphs

NOTHING = (
    "",
    " \t\u00a0\u2003\u3000",
    "\u3164",
    "\u2800\u2800",
    "\uffa0\u115f\u1160",
    "\ufe0f",
    "\ufe0f\ufe0f\u200d",
    "\u200b\u200c\u200d\u2060\ufeff",
    "\u202e\u2066\u2069",
    "\u2028\u2029",
    "\u0301\u0301",
    "\u00ad\u034f\u061c\u180e\u17b4",
    "\U000e0041\U000e0042",
    "\U000e0100",
    "\U0001d159",
    "\x00\x1b\x7f\x85",
    "\ud800",
)
LEGITIMATE = (
    "क्‍ष",  # ZWJ after a virama
    "क्‍",  # the same at the end of a word
    "ශ්‍රී",
    "می‌خواهم",
    "العربية",
    "עִבְרִית",
    "Tiếng Việt",
    "ไทย น้ำ",
    "བཀྲ་ཤིས",
    "한국어",
    "日本語 が",
    "👩‍👩‍👧‍👦",
    "👩🏽‍🚀",
    "❤️‍🔥",
    "☎️ ♟️",
    "1️⃣ #️⃣",
    "🏴󠁧󠁢󠁥󠁮󠁧󠁿",
    "🇸🇪",
    "Żółć — “x” …",
)


@pytest.mark.parametrize("typed", NOTHING)
def test_what_shows_nothing_is_nothing(typed: str) -> None:
    assert one_line(typed) == ""
    assert paragraphs(typed) == ""
    assert word_of(typed) == ""


@pytest.mark.parametrize("typed", LEGITIMATE)
def test_what_languages_and_emojis_need_stays(typed: str) -> None:
    expected = unicodedata.normalize("NFC", typed)
    assert one_line(typed) == expected
    assert paragraphs(typed) == expected
    assert one_line(one_line(typed)) == expected


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("Cup\u202etxet", "Cuptxet"),
        ("one\u2028two\u2029three", "one two three"),
        ("a\u200bb\ufeffc", "abc"),
        ("ad\u200cm\u200din", "admin"),  # nothing to join between Latin letters
        ("Win\u3164ner", "Winner"),
        ("a\x1b[31mred", "a[31mred"),
        ("  much \n\t space ", "much space"),
        ("Ann\ufe0f\ufe0f", "Ann\ufe0f"),
        ("\u0301Ann", "Ann"),
        ("🏴x\U000e0067", "🏴x"),
    ],
)
def test_what_hides_or_reverses_is_removed(typed: str, shown: str) -> None:
    assert one_line(typed) == shown


def test_marks_on_a_letter_are_bounded() -> None:
    shown = one_line("Z" + "\u0335\u0321\u0350\u0363" * 20 + "algo")
    assert shown.startswith("Z")
    assert shown.endswith("algo")
    assert sum(unicodedata.category(sign) == "Mn" for sign in shown) <= MAX_MARKS
    joined = one_line("a" + "\u0335\u200d" * 50)
    assert sum(unicodedata.category(sign) == "Mn" for sign in joined) <= MAX_MARKS


def test_paragraphs_keep_their_line_breaks() -> None:
    assert paragraphs("one\r\n\r\n  - two\u202e\rthree\x00\n") == "one\n\n  - two\nthree"
