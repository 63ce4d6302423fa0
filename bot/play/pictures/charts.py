"""Charts in the reader's language, if the fonts have its letters."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bot.core.i18n.catalogues import ENGLISH
from bot.play.pictures import chart_text as words
from engine.phrase import translated
from engine.scene import drawn
from render import writable
from render.charts import (
    Bracket,
    Equity,
    History,
    Leaderboard,
    TournamentTable,
    bracket,
    equity,
    history,
    leaderboard,
    tournament_table,
)

if TYPE_CHECKING:
    from typing import TypeAlias

    from engine.phrase import Tongue
    from engine.scene import Scene

    Chart: TypeAlias = Leaderboard | History | Equity | TournamentTable | Bracket


def chart(chart: Chart, locale: Tongue) -> Scene:
    """Return a chart's picture in a language, or all in English if the fonts lack letters."""
    scene = _translated(chart, locale)
    return scene if all(map(writable, drawn(scene))) else _translated(chart, ENGLISH)


def _translated(chart: Chart, locale: Tongue) -> Scene:
    if isinstance(chart, Leaderboard):
        return leaderboard(chart, words.on_leaderboard(locale))
    if isinstance(chart, Equity):
        sides = tuple(translated(side, locale) for side in chart.sides)
        return equity(replace(chart, sides=sides), words.on_equity(locale))
    if isinstance(chart, TournamentTable):
        return tournament_table(chart, words.on_tournament(locale))
    if isinstance(chart, Bracket):
        return bracket(chart, words.on_tournament(locale))
    records = tuple(
        replace(record, name=translated(record.name, locale)) for record in chart.records
    )
    return history(replace(chart, records=records), words.on_history(locale))
