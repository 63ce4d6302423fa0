"""Pictures of tournaments: the table of a round robin or Swiss, the bracket of a knockout."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Final, NamedTuple

from bot.core.interactions.layout import Attached, Page
from bot.features.tournaments.round_text import SHOWN
from bot.features.tournaments.rules.knockout import slots, winner
from bot.features.tournaments.rules.pairing import Record, round_name
from bot.features.tournaments.rules.roster import Roster
from bot.features.tournaments.rules.standings import Standing
from bot.features.tournaments.rules.tie_breaks import figure
from bot.features.tournaments.view import TournamentView
from data.tournaments.tournaments import State
from data.tournaments.values import Format, Pairing, Plan
from render.charts import Bracket, Cell, Slot, TableLine, TournamentTable

FILE: Final = "tournament.png"
NAMELESS: Final[Mapping[int, str]] = MappingProxyType({})


class Picture(NamedTuple):
    """A tournament's picture in a message, if there is one, and whether it calls players by numbers."""

    parts: tuple[Attached, ...] = ()
    numbered: bool = True


def table_or_bracket(
    view: TournamentView,
    standings: Sequence[Standing],
    *,
    page: Page,
    names: Mapping[int, str],
    reader: int = 0,
) -> TournamentTable | Bracket | None:
    """Return the picture for a page of the standings, if any, with the reader highlighted.

    ``names`` are those known, by user id.
    """
    bracket = bracket_of(view.record, names)
    if bracket is not None and view.tournament.state is State.FINISHED and not view.placed(1):
        bracket = _without_champion(bracket)
    if bracket is not None:
        return bracket if page.number == 0 else None
    shown = range(page.start, page.start + page.size)
    return table_of(view.record, standings, names, shown=shown, reader=reader)


def _without_champion(bracket: Bracket) -> Bracket:
    """Return the bracket of a tournament without a winner, whose final was played by nobody."""
    *before, ((one, other),) = bracket.columns
    final = (replace(one, won=False), replace(other, won=False))
    return replace(bracket, columns=(*before, (final,)))


def of_post(view: TournamentView, names: Mapping[int, str]) -> TournamentTable | Bracket | None:
    """Return the picture for a tournament's post; a table only once there is a result."""
    standings = view.standings
    bracket = view.plan.format is Format.KNOCKOUT
    if not bracket and not any(one.played or one.points for one in standings):
        return None
    page = Page.of(0, total=len(standings), size=SHOWN)
    return table_or_bracket(view, standings, page=page, names=names)


_LARGEST = 32
"""Larger brackets start at the round with this many left."""


def table_of(
    played: Record,
    standings: Sequence[Standing],
    names: Mapping[int, str] = NAMELESS,
    *,
    shown: range,
    reader: int,
) -> TournamentTable | None:
    """Return the table of some lines of the standings; ``None`` where there is none.

    Games of more than two have no single opponents, and a knockout has a bracket.
    """
    plan, lines = played.plan, standings[shown.start : shown.stop]
    if plan.seats > 2 or plan.format is Format.KNOCKOUT or not lines:
        return None
    roster = Roster(played.entrants)
    number = {
        roster.place(one.user_id): (line, names.get(one.user_id, ""))
        for line, one in enumerate(standings, 1)
    }
    rounds = roster.as_places(played.pairings)
    last = max((pairing.round for pairing in rounds), default=0)
    by_round = {(place, pairing.round): pairing for pairing in rounds for place in pairing.players}
    return TournamentTable(
        tuple(
            TableLine(
                one.rank,
                number[place][0],
                tuple(
                    _cell(plan, place, by_round.get((place, turn)), number)
                    for turn in range(1, last + 1)
                ),
                figure(one.points),
                one.user_id == reader,
                one.points > 0,
                names.get(one.user_id, ""),
            )
            for one in lines
            for place in (roster.place(one.user_id),)
        ),
        played.title,
    )


def _cell(
    plan: Plan, place: int, pairing: Pairing | None, number: Mapping[int, tuple[int, str]]
) -> Cell:
    if pairing is None:
        return Cell()
    if pairing.bye:
        return Cell(None, "" if plan.format is Format.ROUND_ROBIN else "w")
    other = next(one for one in pairing.players if one != place)
    called, name = number.get(other, (None, ""))
    if pairing.open:
        return Cell(called, "", name)
    mine, theirs = pairing.points(place), pairing.points(other)
    return Cell(called, "w" if mine > theirs else "l" if mine < theirs else "d", name)


def bracket_of(played: Record, names: Mapping[int, str] = NAMELESS) -> Bracket | None:
    """Return the bracket of a single-elimination knockout; ``None`` for other tournaments."""
    if not played.plan.single_elimination:
        return None
    roster = Roster(played.entrants, bytes.fromhex(played.seed))
    rounds = roster.as_places(played.pairings)
    column = slots([place for place in roster.places if roster.began(place)])
    began = list(filter(roster.began, roster.places))
    entered = {
        place: (number, names.get(roster.latest(place).user_id, ""))
        for number, place in enumerate(began, 1)
    }
    columns, headings, turn, last = [], [], 1, (len(column) - 1).bit_length()
    while len(column) > 1:
        now = [pairing for pairing in rounds if pairing.round == turn]
        drawn = [
            _encounter(roster, pair, now, entered)
            for pair in zip(column[::2], column[1::2], strict=True)
        ]
        if len(column) <= _LARGEST:
            columns.append(tuple(slots for slots, _ in drawn))
            headings.append(round_name(played.plan, turn, last))
        column = [passed for _, passed in drawn]
        turn += 1
    return Bracket(tuple(columns), tuple(headings), played.title) if columns else None


def _encounter(
    roster: Roster,
    pair: tuple[int | None, int | None],
    now: Sequence[Pairing],
    entered: Mapping[int, tuple[int, str]],
) -> tuple[tuple[Slot, Slot], int | None]:
    """Return an encounter as drawn, and the place that advanced from it."""
    there = {place for place in pair if place is not None}
    found = next((one for one in now if set(one.players) == there), None)
    passed = winner(roster, found) if found is not None and not found.open else None

    def slot(place: int | None) -> Slot:
        if place is None:
            return Slot()
        played = found is not None and not found.bye and not found.open
        score = figure(found.score(place)) if played and found is not None else ""
        number, name = entered[place]
        return Slot(number, score, place == passed, name)

    return (slot(pair[0]), slot(pair[1])), passed
