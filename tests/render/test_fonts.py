"""People's names in pictures: cleaned, in their scripts' fonts, and cut to their room."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from render import fonts
from render.fonts import MAX_MARKS, drawable, extent, fitted, lettering, runs, writable
from tests.render.charts import LONG_NAMES, NAMES


@pytest.mark.parametrize(
    ("name", "drawn"),
    [
        ("Olive", "Olive"),
        ("山田 太郎", "山田 太郎"),
        ("김철수", "김철수"),
        ("محمد علي", "محمد علي"),
        ("אורי כהן", "אורי כהן"),
        ("नरेन्द्र मोदी", "नरेन्द्र मोदी"),
        ("สมชาย ใจดี", "สมชาย ใจดี"),
        ("Đặng Hữu Phúc", "Đặng Hữu Phúc"),
        ("ქართული", "ქართული"),
    ],
)
def test_names_of_every_script_are_drawn_as_they_are(name: str, drawn: str) -> None:
    assert drawable(name) == drawn
    assert writable(drawn)


@pytest.mark.parametrize(
    ("name", "drawn"),
    [
        ("Ben 🔥", "Ben"),
        ("🔥Ben🔥Ten", "BenTen"),
        ("𝓐𝓵𝓲𝓬𝓮", "Alice"),
        ("ｆｕｌｌ", "full"),
        ("Mia\u202etxt", "Miatxt"),
        ("a\u200bb", "ab"),
        ("Bell\x07", "Bell"),
        ("two\nlines", "two lines"),
        ("𓂀 Nile", "Nile"),
    ],
)
def test_what_cannot_be_drawn_or_would_mislead_is_left_out(name: str, drawn: str) -> None:
    assert drawable(name) == drawn


@pytest.mark.parametrize("name", ["", "🔥🔥", "\u200b\u2800", "𓂀", "\u0301\u0301"])
def test_nothing_remains_of_a_name_without_letters(name: str) -> None:
    assert drawable(name) == ""


def test_heaped_accents_are_thinned_out() -> None:
    drawn = drawable("Z" + "\u0322\u0337\u0358\u035c" * 8 + "algo")
    accents = [sign for sign in drawn if unicodedata.combining(sign)]
    assert drawn[0] == "Z"
    assert drawn[-4:] == "algo"
    assert len(accents) <= MAX_MARKS


@given(st.text(max_size=40))
def test_any_name_can_be_drawn_once_it_is_cleaned(name: str) -> None:
    drawn = drawable(name)
    assert drawable(drawn) == drawn
    assert writable(drawn)
    if drawn:
        mask, _, _ = lettering(drawn, 20, "lm", bold=False)
        assert mask.width <= 20 * 10 * len(drawn)


@pytest.mark.parametrize("name", [*LONG_NAMES, *NAMES])
@pytest.mark.parametrize("bold", [False, True])
def test_a_name_is_cut_to_its_room(name: str, *, bold: bool) -> None:
    drawn = drawable(name) or "x"
    cut = fitted(drawn, 0.5, 1.6, bold=bold)
    left, _, right, _ = extent(cut, 50, "lm", bold=bold)
    assert right - left <= 1.6 * 100 + 2
    assert cut == drawn or (cut.endswith("…") and drawn.startswith(cut[:-1].rstrip()))


def test_a_cut_takes_no_letter_from_its_accents() -> None:
    for name in LONG_NAMES:
        for room in (1.0, 1.4, 2.2, 3.1):
            cut = fitted(name, 0.5, room)
            rest = name[len(cut) - 1 :].lstrip() if cut != name else "x"
            assert unicodedata.category(rest[0])[0] != "M", (name, cut)


def test_a_name_with_enough_room_is_not_cut() -> None:
    assert fitted("Bartholomew", 0.5, 20) == "Bartholomew"


def test_a_mixed_name_is_set_in_several_fonts_from_left_to_right() -> None:
    assert [part for part, _ in runs("Ali 王")] == ["Ali ", "王"]
    assert [part for part, _ in runs("محمد 王")] == ["王", "محمد "]
    assert len({font for _, font in runs("Ali 王 محمد")}) == 3


def test_figures_and_spaces_stay_in_their_neighbours_font() -> None:
    assert len(runs("नाम 42")) == 1
    assert len(runs("Иван 42!")) == 1


def test_the_runs_of_a_mixed_name_touch_neither_their_anchor_nor_each_other() -> None:
    whole = extent("Ali 王", 40, "lm", bold=False)
    parts = [extent(part, 40, "lm", bold=False) for part, _ in runs("Ali 王")]
    assert whole[0] >= -2
    assert whole[2] - whole[0] >= sum(right - left for left, _, right, _ in parts) - 4
    right = extent("Ali 王", 40, "rm", bold=False)
    assert right[2] <= 2
    assert right[2] - right[0] == pytest.approx(whole[2] - whole[0], abs=2)


def test_scripts_that_need_shaping_are_left_out_without_raqm(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("render.fonts._joins", lambda: False)
    kept = (drawable, fonts.runs, fonts._font_of)
    for one in kept:
        one.cache_clear()
    try:
        assert drawable("नरेन्द्र") == ""
        assert drawable("山田") == "山田"
    finally:
        for one in kept:
            one.cache_clear()
