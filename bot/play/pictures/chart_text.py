"""Labels of charts, and their descriptions in words."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Final

from babel import Locale
from babel.dates import format_skeleton

from bot.core.i18n.catalogues import English, TranslatedLanguage
from bot.core.interactions.rendering import MAX_ALT
from engine.phrase import Phrase, Tongue, glued, lines, say, shortened, translated, word
from render.charts import (
    FORM,
    Bracket,
    Cell,
    DayTick,
    EquityWords,
    Grain,
    History,
    HistoryWords,
    Leaderboard,
    LeaderboardWords,
    Letters,
    Point,
    Row,
    TableLine,
    TournamentTable,
    TournamentWords,
    margin,
)

_ENGLISH: Final = Locale("en", "GB")
_GRAINS: Final = {Grain.DAY: "MMMd", Grain.MONTH: "MMM", Grain.YEAR: "y"}


# ---------------------------------------------------------------- on the picture


def on_leaderboard(locale: Tongue) -> LeaderboardWords:
    """Return the labels of a leaderboard in a language."""
    return LeaderboardWords(
        _letters(locale),
        # Translators: a column heading over each player's last five results; very short.
        last=translated(say("Last {n}", n=FORM), locale),
        # Translators: a legend: the sign next to a rating that is still uncertain.
        provisional=translated(say("provisional"), locale),
        # Translators: a legend: the sign next to players who have paused.
        idle=translated(say("inactive"), locale),
    )


def on_history(locale: Tongue) -> HistoryWords:
    """Return the labels of a rating history in a language."""
    return HistoryWords(
        _letters(locale),
        lambda tick: _tick(tick, locale),
        # Translators: axis labels of a chart; very short.
        rating=translated(say("Rating"), locale),
        day=translated(say("Date"), locale),
    )


def on_equity(locale: Tongue) -> EquityWords:
    """Return the title and axis label of a match's chart in a language."""
    return EquityWords(
        # Translators: the title of the chart of a match.
        title=translated(say("Win chance"), locale),
        # Translators: an axis label: the number of moves; very short.
        across=translated(say("Moves"), locale),
    )


def on_tournament(locale: Tongue) -> TournamentWords:
    """Return the labels of a table or a bracket in a language."""
    return TournamentWords(
        # Translators: a column heading over the points in a tournament's table; very short.
        points=translated(say("Points"), locale),
        # Translators: the last round of a knockout; very short.
        final=translated(say("Final"), locale),
    )


def _letters(locale: Tongue) -> Letters:
    return Letters(
        won=translated(word("one letter: a game was won", "W"), locale),
        drawn=translated(word("one letter: a game was drawn", "D"), locale),
        lost=translated(word("one letter: a game was lost", "L"), locale),
    )


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


def leaderboard(chart: Leaderboard, reader: str) -> Phrase:
    """Return a description of a leaderboard's picture; ``reader`` names the marked row."""
    begin = say("Ratings with their margins, and the latest results, newest last.")
    return shortened(lines((begin, *(_row(row, reader) for row in chart.all)), " "), MAX_ALT)


def _row(row: Row, reader: str) -> Phrase:
    description = _standing(row)
    if not row.own:
        return description
    # Translators: the highlighted row of a leaderboard; row is a sentence, player a name.
    return say("{player}'s row, highlighted: {row}", player=reader, row=description)


def _standing(row: Row) -> Phrase:
    shown = [_rating(row), *(_ENDINGS[ending] for ending in row.form[-FORM:])]
    rating = lines(shown, ", ")
    if row.place is not None:
        # Translators: rating is a figure with its margin, then the last results:
        # "1612 ± 74, won, lost, won".
        return say("Place {place}: {rating}.", place=row.place, rating=rating)
    letter = f"{row.letter}. " if row.letter else ""
    if row.idle:
        return glued(letter, say("Inactive: {rating}.", rating=rating))
    return glued(letter, say("Provisional: {rating}.", rating=rating))


_ENDINGS: Final = {
    "w": word("how a game ended", "won"),
    "d": word("how a game ended", "drawn"),
    "l": word("how a game ended", "lost"),
}


def history(chart: History) -> Phrase:
    """Return a description of the picture of a rating over time."""
    return shortened(lines(_history(chart), " "), MAX_ALT)


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


def tournament(chart: TournamentTable) -> Phrase:
    """Return a description of a tournament's table."""
    begin = say("The tournament's table. Players are numbered in the order of the standings.")
    return shortened(lines((begin, *map(_line, chart.lines)), " "), MAX_ALT)


def _line(line: TableLine) -> Phrase:
    body = lines([_met(cell) for cell in line.rounds if cell.opponent or cell.ending], ", ")
    return say(
        # Translators: rounds is a list such as "won against 3, drawn against 5, bye".
        "Place {place}: number {number}. Points: {points} ({rounds}).",
        place=line.place,
        number=line.number,
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


def bracket(chart: Bracket) -> Phrase:
    """Return a description of a knockout's bracket."""
    begin = say("The knockout bracket. Numbers are seeds.")
    return shortened(lines((begin, *_columns(chart)), " "), MAX_ALT)


def _columns(chart: Bracket) -> Iterator[Phrase]:
    for column in chart.columns:
        for one, other in column:
            if one.number is None or other.number is None:
                continue
            if not one.won and not other.won:
                yield say("{one} plays against {other}.", one=one.number, other=other.number)
                continue
            best, beaten = (one, other) if one.won else (other, one)
            yield say(
                "{winner} goes on against {loser}, {won} to {lost}.",
                winner=best.number,
                loser=beaten.number,
                won=best.score or "–",
                lost=beaten.score or "–",
            )


def _on(point: Point) -> Phrase:
    return day(point.at.date())


def _rating(point: Row | Point) -> str:
    return f"{point.rating} {margin(point.margin, provisional=point.provisional)}"
