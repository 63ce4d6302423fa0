"""The texts of charts: labels on the picture, and the same in words instead of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from typing import Final, TypeAlias

from babel import Locale
from babel.dates import format_skeleton

from bot.core.i18n.catalogues import ENGLISH, English, TranslatedLanguage
from bot.core.interactions.layout import MAX_ALT
from engine.phrase import Phrase, Tongue, concat, lines, say, shortened, translated, word
from engine.scene import Scene, drawn
from render import charts, drawable, writable
from render.charts import (
    FORM,
    Bracket,
    Cell,
    DayTick,
    Equity,
    Grain,
    History,
    Leaderboard,
    Point,
    Row,
    TableLine,
    TournamentTable,
    margin,
)

TextChart: TypeAlias = Leaderboard | History | TournamentTable | Bracket
"""A chart whose description needs only what it shows."""
Chart: TypeAlias = TextChart | Equity

_ENGLISH: Final = Locale("en", "GB")
_GRAINS: Final = {Grain.DAY: "MMMd", Grain.MONTH: "MMM", Grain.YEAR: "y"}


# ---------------------------------------------------------------- on the picture


def scene(chart: Chart, locale: Tongue) -> Scene:
    """Return a chart's picture in a language, or all in English if the fonts lack letters."""
    labelled = _labelled(chart, locale)
    return labelled if all(map(writable, drawn(labelled))) else _labelled(chart, ENGLISH)


def _labelled(chart: Chart, locale: Tongue) -> Scene:
    def label(phrase: Phrase) -> str:
        return translated(phrase, locale)

    letters = charts.Letters(
        won=label(word("one letter: a game was won", "W")),
        drawn=label(word("one letter: a game was drawn", "D")),
        lost=label(word("one letter: a game was lost", "L")),
    )
    match chart:
        case Leaderboard():
            ranks = charts.LeaderboardWords(
                letters,
                # Translators: a column heading over each player's last five results; very short.
                last=label(say("Last {n}", n=FORM)),
                # Translators: a legend: the sign next to a rating that is still uncertain.
                provisional=label(say("provisional")),
                # Translators: a legend: the sign next to players who have paused.
                idle=label(say("inactive")),
            )
            return charts.leaderboard(chart, ranks)
        case History():
            axes = charts.HistoryWords(
                letters,
                lambda tick: _tick(tick, locale),
                provisional=label(say("provisional")),
            )
            records = tuple(
                replace(one, name=translated(one.name, locale)) for one in chart.records
            )
            return charts.history(replace(chart, records=records), axes)
        case Equity():
            match_words = charts.EquityWords(
                # Translators: the title of the chart of a match.
                title=label(say("Win chance")),
                # Translators: an axis label: the number of moves; very short.
                across=label(say("Moves")),
            )
            sides = tuple(translated(side, locale) for side in chart.sides)
            return charts.equity(replace(chart, sides=sides), match_words)
    rounds = charts.TournamentWords(
        # Translators: a column heading over the points in a tournament's table; very short.
        points=label(say("Points")),
        endings=tuple((ending, label(phrase)) for ending, phrase in _ENDINGS.items()),
        round=lambda number: label(say("Round {round}", round=number)),
    )
    if isinstance(chart, Bracket):
        headings = tuple(translated(name, locale) for name in chart.headings)
        return charts.bracket(replace(chart, headings=headings))
    return charts.tournament_table(chart, rounds)


def _tick(tick: DayTick, locale: Tongue) -> str:
    date = _day(tick.day, _GRAINS[tick.grain], locale)
    # The year goes below: there is no room for it beside the day.
    return f"{date}\n{_day(tick.day, 'y', locale)}" if tick.with_year else date


def day(when: date) -> Phrase:
    """Return a day as each language writes it: 3 Jan 2026."""

    def into(locale: Tongue) -> str:
        return _day(when, "yMMMd", locale)

    return Phrase(format_skeleton("yMMMd", when, locale=_ENGLISH), into)


def _day(when: date, skeleton: str, locale: Tongue) -> str:
    match locale:
        case TranslatedLanguage():
            return format_skeleton(skeleton, when, locale=locale.locale)
        case English():
            return format_skeleton(skeleton, when, locale=_ENGLISH)
        case _:
            # Languages unknown to Babel have no month names.
            return f"{when.year}" if skeleton == "y" else when.isoformat()


# ---------------------------------------------------------------- instead of the picture


def alt(chart: TextChart, reader: str = "") -> Phrase:
    """Return a description of a chart; ``reader`` names the marked row of a leaderboard."""
    match chart:
        case Leaderboard():
            begin = say("Ratings with their margins, and the latest results, newest last.")
            parts = [begin, *(_row(row, reader) for row in chart.all)]
        case History():
            parts = list(_history(chart))
        case TournamentTable():
            begin = say(
                "The tournament's table. Players are numbered in the order of the standings."
            )
            parts = [begin, *map(_line, chart.lines)]
        case Bracket():
            parts = [say("The knockout bracket. Numbers are seeds."), *_columns(chart)]
    return shortened(lines(parts, " "), MAX_ALT)


def _row(row: Row, reader: str) -> Phrase:
    description = _standing(row)
    if not row.own:
        return description
    # Translators: the highlighted row of a leaderboard; row is a sentence, player a name.
    return say("{player}'s row, highlighted: {row}", player=reader, row=description)


def _standing(row: Row) -> Phrase:
    name = drawable(row.name)
    shown = [
        *([name] if name else []),
        _rating(row),
        *(_ENDINGS[ending] for ending in row.form[-FORM:]),
    ]
    rating = lines(shown, ", ")
    if row.place is not None:
        # Translators: rating is a name, a figure with its margin, then the last results:
        # "Olive, 1612 ± 74, won, lost, won".
        return say("Place {place}: {rating}.", place=row.place, rating=rating)
    letter = f"{row.letter}. " if row.letter else ""
    if row.idle:
        return concat(letter, say("Inactive: {rating}.", rating=rating))
    return concat(letter, say("Provisional: {rating}.", rating=rating))


_ENDINGS: Final = {
    "w": word("how a game ended", "won"),
    "d": word("how a game ended", "drawn"),
    "l": word("how a game ended", "lost"),
}


def _history(chart: History) -> Iterator[Phrase]:
    first, last = chart.points[0], chart.points[-1]
    if len(chart.points) == 1:
        yield say("Rating on {day}: {rating}.", day=_on(last), rating=_rating(last))
    else:
        yield (
            say("Rating on {day}, game by game.", day=_on(last))
            if chart.in_one_day
            else say("Rating from {first} to {last}.", first=_on(first), last=_on(last))
        )
        yield say(
            "It starts at {first} and ends at {last}.", first=_rating(first), last=_rating(last)
        )
        best, lowest = chart.best, chart.lowest
        settled = next((point for point in chart.points if not point.provisional), None)
        if settled is None:
            yield say("It's provisional throughout.")
        elif settled is not first:
            yield say("Provisional until {day}.", day=_on(settled))
        yield say("Highest: {rating} on {day}.", rating=_rating(best), day=_on(best))
        yield say("Lowest: {rating} on {day}.", rating=_rating(lowest), day=_on(lowest))
    for record in chart.records:
        yield say(
            # Translators: name is a game, or a side in a game.
            "{name}: {won} won, {drawn} drawn, {lost} lost.",
            name=record.name,
            won=record.won,
            drawn=record.drawn,
            lost=record.lost,
        )


def _line(line: TableLine) -> Phrase:
    body = lines([_met(cell) for cell in line.rounds if cell.opponent or cell.ending], ", ")
    return say(
        # Translators: rounds is a list such as "won against 3, drawn against 5, bye".
        "Place {place}: number {number}. Points: {points} ({rounds}).",
        place=line.place,
        number=_called(line.number, line.name),
        points=line.points,
        rounds=body or "–",
    )


def _met(cell: Cell) -> Phrase:
    if cell.opponent is None:
        return say("bye")
    if not cell.ending:
        return say("plays against {number}", number=cell.opponent)
    return say(
        # Translators: ending is won, drawn or lost; number is the opponent's.
        "{ending} against {number}",
        ending=_ENDINGS[cell.ending],
        number=cell.opponent,
    )


def _columns(chart: Bracket) -> Iterator[Phrase]:
    for column, heading in zip(chart.columns, chart.headings, strict=True):
        if any(one.number is not None and other.number is not None for one, other in column):
            yield concat(heading, ":")
        for one, other in column:
            if one.number is None or other.number is None:
                continue
            if not one.won and not other.won:
                yield say(
                    "{one} plays against {other}.",
                    one=_called(one.number, one.name),
                    other=_called(other.number, other.name),
                )
                continue
            best, beaten = (one, other) if one.won else (other, one)
            yield say(
                "{winner} goes on against {loser}, {won} to {lost}.",
                winner=_called(best.number, best.name),
                loser=_called(beaten.number, beaten.name),
                won=best.score or "–",
                lost=beaten.score or "–",
            )


def _called(number: int | None, name: str) -> str:
    shown = drawable(name)
    return f"{number} ({shown})" if shown else f"{number}"


def _on(point: Point) -> Phrase:
    return day(point.at.date())


def _rating(point: Row | Point) -> str:
    return f"{point.rating} {margin(point.margin, provisional=point.provisional)}"
