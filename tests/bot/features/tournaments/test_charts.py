"""The table and the bracket of a tournament, as pictures and in words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.core.i18n.catalogues import ENGLISH
from bot.features.tournaments.chart_views import bracket_of, table_of
from bot.features.tournaments.rules.pairing import round_in_line, round_name
from bot.features.tournaments.rules.standings import standings
from bot.play.pictures import chart_text
from data.tournaments.values import Format, Game, Pairing, Plan
from engine.scene import drawn
from render.charts import Bracket, Cell, Slot, TableLine, TournamentTable
from tests.bot.features.tournaments.rules.field import SEED, met, people, record, round_after, whole

SWISS = Plan(Format.SWISS)
CUP = Plan(Format.KNOCKOUT)


def test_a_line_names_opponents_by_their_place_in_the_standings() -> None:
    played = [
        met(1, 1, 1, 2, 1), Pairing(1, 2, (3,)),
        met(2, 1, 3, 1, 0.5), Pairing(2, 2, (2,)),
        Pairing(3, 1, (2, 3), (Game((2, 3)),)),
    ]  # fmt: skip
    found = standings(SWISS, people(3), played)
    assert [one.user_id for one in found] == [1, 3, 2]
    made = table_of(
        record(SWISS, people(3), played, title="Spring"), found, shown=range(3), reader=3
    )
    assert made is not None
    assert [(line.place, line.number, line.points, line.own) for line in made.lines] == [
        (1, 1, "1½", False),
        (2, 2, "1½", True),
        (3, 3, "1", False),
    ]
    assert made.lines[0].rounds == (Cell(3, "w"), Cell(2, "d"), Cell())
    assert made.lines[1].rounds == (Cell(None, "w"), Cell(1, "d"), Cell(3))
    phrase = chart_text.alt(made)
    assert "Place 1: number 1. Points: 1½ (won against 3, drawn against 2)." in phrase
    assert "Place 2: number 2. Points: 1½ (bye, drawn against 1, plays against 3)." in phrase
    assert {"#1", "#2", "#3", "1½", "Spring", "Points"} <= set(
        drawn(chart_text.scene(made, ENGLISH))
    )


def test_only_points_make_a_medal() -> None:
    played = [met(1, 1, 1, 2, 1)]
    for rounds, medals in (([], [False] * 3), (played, [True, False, False])):
        found = standings(SWISS, people(3), rounds)
        made = table_of(record(SWISS, people(3), rounds), found, shown=range(3), reader=0)
        assert made is not None
        assert [line.medal for line in made.lines] == medals


def test_later_pages_show_their_own_lines() -> None:
    played = whole(SWISS, people(16))
    found = standings(SWISS, people(16), played)
    made = table_of(record(SWISS, people(16), played), found, shown=range(10, 16), reader=0)
    assert made is not None
    assert [line.number for line in made.lines] == [11, 12, 13, 14, 15, 16]


def test_knockouts_and_larger_tables_have_no_cross_table() -> None:
    for plan in (CUP, replace(SWISS, seats=4)):
        found = standings(plan, people(4), [])
        assert table_of(record(plan, people(4), []), found, shown=range(4), reader=0) is None
    assert bracket_of(record(SWISS, people(4), [], seed=SEED.hex())) is None
    assert bracket_of(record(replace(CUP, lives=2), people(4), [], seed=SEED.hex())) is None


def test_a_bracket_shows_seeds_and_who_advanced() -> None:
    entrants = people(5)
    played = round_after(CUP, entrants, [])
    made = bracket_of(record(CUP, entrants, played, seed=SEED.hex(), title="Cup"))
    assert made is not None
    first, second, final = made.columns
    assert first[0] == (Slot(1, "", won=True), Slot())
    assert first[1] == (Slot(4, "1", won=True), Slot(5, "0"))
    assert second == ((Slot(1), Slot(4)), (Slot(2), Slot(3)))
    assert final == ((Slot(), Slot()),)
    phrase = chart_text.alt(made)
    assert "4 goes on against 5, 1 to 0." in phrase
    assert "1 plays against 4." in phrase
    shown = set(drawn(chart_text.scene(made, ENGLISH)))
    assert {"#1", "#5", "Cup", "Quarter-final", "Semi-final", "Final"} <= shown
    assert "Semi-final: 1 plays against 4." in phrase, "columns are named as in the picture"
    assert "Final:" not in phrase.replace("Semi-final:", ""), "nobody is in it yet"


def test_the_rounds_of_a_knockout_are_called_by_what_they_decide_and_others_are_numbered() -> None:
    def names(plan: Plan, rounds: int) -> list[str]:
        return [round_name(plan, number, rounds) for number in range(1, rounds + 1)]

    assert names(CUP, 1) == ["Final"]
    assert names(CUP, 2) == ["Semi-final", "Final"]
    assert names(CUP, 5) == ["Round 1", "Round 2", "Quarter-final", "Semi-final", "Final"]
    for plan in (SWISS, replace(CUP, lives=2), Plan(Format.ROUND_ROBIN)):
        assert names(plan, 2) == ["Round 1", "Round 2"]
    assert [round_in_line(CUP, number, 4) for number in (1, 2, 3, 4)] == [
        "round 1",
        "the quarter-final",
        "the semi-final",
        "the final",
    ]


def test_names_stand_in_tables_and_brackets_and_in_their_descriptions() -> None:
    entrants, names = people(5), {4: "Dan 🔥", 5: "山田", 1: "🔥"}
    played = round_after(CUP, entrants, [])
    bracket = bracket_of(record(CUP, entrants, played, seed=SEED.hex()), names)
    assert bracket is not None
    said = chart_text.alt(bracket)
    assert "4 (Dan) goes on against 5 (山田), 1 to 0." in said
    assert "1 plays against 4 (Dan)." in said, "nothing of an emoji can be drawn"
    shown = set(drawn(chart_text.scene(bracket, ENGLISH)))
    assert {"Dan", "山田", "#1", "#2"} <= shown
    assert not {"#4", "#5"} & shown
    rounds = [met(1, 1, 1, 2, 1)]
    found = standings(SWISS, people(2), rounds)
    table = table_of(record(SWISS, people(2), rounds), found, {1: "Ann"}, shown=range(2), reader=0)
    assert table is not None
    assert "Place 1: number 1 (Ann). Points: 1 (won against 2)." in chart_text.alt(table)
    assert {"Ann", "#2", "won", "lost"} <= set(drawn(chart_text.scene(table, ENGLISH)))


def test_few_rounds_of_people_with_names_need_no_numbers() -> None:
    names = {1: "Ann", 2: "Ben", 3: "Maximiliane"}
    rounds = [met(1, 1, 1, 2, 1), met(2, 1, 3, 1, 0.5), Pairing(3, 1, (2, 3), (Game((2, 3)),))]

    def made(names: dict[int, str], played: list[Pairing]) -> tuple[TournamentTable, set[str]]:
        found = standings(SWISS, people(3), played)
        table = table_of(record(SWISS, people(3), played), found, names, shown=range(3), reader=0)
        assert table is not None
        return table, set(drawn(chart_text.scene(table, ENGLISH)))

    table, shown = made(names, rounds)
    assert not table.numbered
    assert {"Ann", "Ben", "Maximiliane", "Round 1", "Round 3"} <= shown
    assert not {"#", "#2"} & shown, "no number stands for anybody"
    assert any(word.startswith("Max") and word.endswith("…") for word in shown), "cut to its room"
    longer = [*rounds, met(4, 1, 1, 2, 1), met(5, 1, 1, 2, 1)]
    for known, played in (({**names, 2: "🔥"}, rounds), ({1: "Ann"}, rounds), (names, longer)):
        table, shown = made(known, played)
        assert table.numbered, "somebody has no name, or there is no room"
        assert {"#", "1", "2", "3"} <= shown
    cup = round_after(CUP, people(4), [])
    for known, numbered in ((dict.fromkeys(range(1, 5), "Ann"), False), ({1: "Ann"}, True)):
        bracket = bracket_of(record(CUP, people(4), cup, seed=SEED.hex()), known)
        assert bracket is not None
        assert bracket.numbered is numbered


def test_the_bracket_of_a_large_field_starts_with_its_later_rounds() -> None:
    entrants = people(100)
    made = bracket_of(record(CUP, entrants, whole(CUP, entrants), seed=SEED.hex()))
    assert made is not None
    assert [len(column) for column in made.columns] == [16, 8, 4, 2, 1]
    assert made.columns[-1] == ((Slot(1, "1", won=True), Slot(2, "0")),)


def test_a_drawn_encounter_shows_who_advanced() -> None:
    entrants = people(2)
    games = Game((1, 2), (0.5, 0.5)), Game((2, 1), (0.5, 0.5))
    made = bracket_of(record(CUP, entrants, [Pairing(1, 1, (1, 2), games)], seed=SEED.hex()))
    assert made is not None
    assert made.columns == (((Slot(1, "1", won=True), Slot(2, "1")),),)


def test_pictures_that_cannot_be_drawn_are_refused() -> None:
    line = TableLine(1, 1, (), "0")
    for lines in ((), (line,) * 11):
        with pytest.raises(ValueError, match="1 to 10 lines"):
            TournamentTable(lines)
    pair = (Slot(), Slot())
    with pytest.raises(ValueError, match="1 to 5 columns"):
        Bracket((), ())
    with pytest.raises(ValueError, match="twice as many"):
        Bracket(((pair,), (pair,)), ("", ""))
