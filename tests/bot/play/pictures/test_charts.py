"""Charts as text and in the reader's language, painted once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from bot.core.i18n import catalogues
from bot.core.i18n.catalogues import ENGLISH
from bot.play.pictures import chart_text
from bot.play.pictures.rendering import BoardStyle, Renderer
from engine.phrase import Tongue, translated, word
from engine.scene import drawn
from render.charts import History, Leaderboard, Point, Record, Row
from tests.pseudolocale import PseudoLocale
from tests.words.reading import untranslated_words

BEGUN = datetime(2025, 11, 30, 22, 15, tzinfo=UTC)

BOARD = Leaderboard(
    (
        Row(1, 1892, 62, "lllllwdl"),
        Row(2, 1880, 95),
        Row(None, 1702, 188, "ww", provisional=True),
        Row(None, 1810, 140, "d", idle=True),
    ),
    Row(27, 1388, 66, "lw", own=True),
)
CURVE = History(
    (
        Point(BEGUN, 1560, 310, provisional=True),
        Point(BEGUN + timedelta(days=20), 1480, 120),
        Point(BEGUN + timedelta(days=40), 1650, 90),
        Point(BEGUN + timedelta(days=90), 1612, 74),
    ),
    (Record(word("seat", "white"), 12, 3, 9),),
)
GERMAN = catalogues.read(catalogues.folders())["de"]
HINDI = catalogues.read(catalogues.folders())["hi"]


@pytest.fixture
def renderer() -> Iterator[Renderer]:
    made = Renderer(width=400)
    yield made
    made.close()


# ---------------------------------------------------------------- as text


def test_a_leaderboards_alt_text_has_every_place_rating_margin_and_game() -> None:
    assert chart_text.alt(BOARD, "Ann") == (
        "Ratings with their margins, and the latest results, newest last. "
        "Place 1: 1892 ± 62, lost, lost, won, drawn, lost. "
        "Place 2: 1880 ± 95. "
        "Provisional: 1702 ± 188 ?, won, won. "
        "Inactive: 1810 ± 140, drawn. "
        "Ann's row, highlighted: Place 27: 1388 ± 66, lost, won."
    )


def test_a_rating_historys_alt_text_has_its_ends_extremes_and_games() -> None:
    assert chart_text.alt(CURVE) == (
        "Rating from 30 Nov 2025 to 28 Feb 2026. "
        "It starts at 1560 ± 310 ? and ends at 1612 ± 74. "
        "Provisional until 20 Dec 2025. "
        "Highest: 1650 ± 90 on 9 Jan 2026. Lowest: 1480 ± 120 on 20 Dec 2025. "
        "white: 12 won, 3 drawn, 9 lost."
    )


def test_single_ratings_single_days_and_provisional_ratings_are_described() -> None:
    first, *later = CURVE.points
    assert chart_text.alt(History((first,))) == "Rating on 30 Nov 2025: 1560 ± 310 ?."
    soon = replace(later[0], at=BEGUN + timedelta(minutes=5))
    assert "on 30 Nov 2025, game by game" in chart_text.alt(History((first, soon)))
    assert "It's provisional throughout." in chart_text.alt(
        History((first, replace(later[0], provisional=True)))
    )
    assert "rovisional" not in chart_text.alt(History(tuple(later)))


def test_alt_texts_fit_discords_limit_however_large_the_figures() -> None:
    rows = tuple(Row(10**9 + n, 10**9, 10**9, "wdlwd", own=True) for n in range(10))
    assert len(chart_text.alt(Leaderboard(rows), "A" * 32)) <= 1024
    records = tuple(Record("a long name " * 9, 10**9, 10**9, 10**9) for _ in range(10))
    assert len(chart_text.alt(History(CURVE.points, records))) <= 1024
    usual = tuple(Row(n, 1892, 140, "wwwww") for n in range(1, 11))
    assert "…" not in chart_text.alt(
        Leaderboard(usual, Row(123, 1388, 266, "lllll", own=True)), "A" * 32
    )


def test_all_words_of_charts_come_from_the_catalogues() -> None:
    for phrase in (chart_text.alt(BOARD, "Ann"), chart_text.alt(CURVE)):
        text = translated(phrase, PseudoLocale())
        assert "⟦" in text
        assert untranslated_words(text, frozenset({"Ann"})) == []
    for shown in (BOARD, CURVE):
        for text in drawn(chart_text.scene(shown, PseudoLocale())):
            assert untranslated_words(text) == []


def test_dates_are_written_in_each_languages_own_way() -> None:
    assert translated(chart_text.day(BEGUN.date()), GERMAN) == "30. Nov. 2025"
    assert translated(chart_text.day(BEGUN.date()), HINDI) == "30 नव॰ 2025"
    assert chart_text.day(BEGUN.date()) == "30 Nov 2025"


# ---------------------------------------------------------------- pictures


@pytest.mark.parametrize(
    ("language", "months"), [(GERMAN, ["Dez\n2025", "Jan\n2026"]), (HINDI, ["दिस॰\n2025"])]
)
def test_a_chart_speaks_the_readers_language_in_its_own_letters(
    language: Tongue, months: list[str]
) -> None:
    texts = {text.replace(".", "") for text in drawn(chart_text.scene(CURVE, language))}
    assert {translated(word("seat", "white"), language), *months} <= texts


def test_a_chart_is_all_in_english_if_the_font_lacks_letters(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Hindi looks like this when its letters are not joined."""
    monkeypatch.setattr("render.fonts._joins", lambda: False)
    assert list(drawn(chart_text.scene(CURVE, HINDI))) == list(
        drawn(chart_text.scene(CURVE, ENGLISH))
    )


async def test_a_chart_is_painted_once_and_cached_by_its_content(renderer: Renderer) -> None:
    first = await renderer.chart(BOARD)
    again = Leaderboard(tuple(replace(row) for row in BOARD.rows), BOARD.apart)
    assert again is not BOARD
    assert await renderer.chart(again) is first
    assert await renderer.chart(Leaderboard(BOARD.rows)) != first
    curve = await renderer.chart(CURVE)
    assert await renderer.chart(replace(CURVE)) is curve


async def test_each_theme_and_language_has_its_own_picture(renderer: Renderer) -> None:
    styles = (
        BoardStyle(),
        BoardStyle(theme="night"),
        BoardStyle(theme="contrast"),
        BoardStyle(locale=GERMAN),
    )
    assert len({await renderer.chart(CURVE, style) for style in styles}) == 4


async def test_only_the_last_few_charts_are_kept(renderer: Renderer) -> None:
    first = await renderer.chart(CURVE)
    for rating in range(1000, 1040):
        await renderer.chart(History((Point(BEGUN, rating, 60),)))
    again = await renderer.chart(CURVE)
    assert again == first
    assert again is not first
