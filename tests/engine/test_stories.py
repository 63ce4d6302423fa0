"""The story of a game: what decided it, told from its log alone."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any

import pytest

from engine import registry
from engine.game import Entry
from engine.games.thaayam.state import HAND
from engine.replay import resume
from engine.turns import START
from tests.contract.games import whole_game
from tests.engine.games.tablaaza import boards as tablaaza
from tests.engine.games.tablan import boards as tablan
from tests.engine.games.tablut import boards as tablut


def told(slug: str, state: Any, *log: str) -> str:
    """Return the story of some moves from a position on."""
    game = registry.game(slug)
    played, count, entries = list(resume(game, state, log)), START, []
    for one in played:
        count = count.then(game.actor(one.before))
        entries.append(Entry(one.before, one.move, count.turns))
    return game.story(entries, played[-1].after)


def whole(
    slug: str, seed: object, players: int = 2, **options: str
) -> tuple[list[Entry[Any, Any]], Any]:
    """Return a random game and the position at its end."""
    game = registry.game(slug)
    steps, end = whole_game(game, f"story {seed}", game.settle(options), players)
    count, entries = START, []
    for step in steps:
        count = count.then(game.actor(step.state))
        entries.append(Entry(step.state, step.move, count.turns))
    return entries, end


# ------------------------------------------------------------------ Tablut


def test_the_king_walks_out_where_the_muscovites_let_him_through() -> None:
    state = tablut.board("k e5, s e6 e4 h5 d1, m b5 a2", "muscovites")
    assert told("tablut", state, "b5-b9", "e5-a5") == (
        "The king walked out to a5 on move 2, by the only way that was open. The Muscovites let "
        "him through on move 1, with b5-b9."
    )


def test_the_king_walks_out_where_the_swedes_opened_a_way_and_nobody_shut_it() -> None:
    state = tablut.board("k e5, s e6 e4 h5 d5, m a2", "swedes")
    assert told("tablut", state, "d5-d6", "a2-a3", "e5-a5") == (
        "The king walked out to a5 on move 3, by the only way that was open. The Swedes opened "
        "the way on move 1, with d5-d6, and nobody shut it."
    )


def test_a_king_with_more_ways_out_than_can_be_shut_had_one_shut_before() -> None:
    state = tablut.board("k e5, s e6 e4 h5, m a4", "muscovites")
    assert told("tablut", state, "a4-a5", "e5-d5") == (
        "On move 2 the king's ways out led to d9 and d1. The king's way out had been shut once "
        "before. Taken by then: 15 Muscovites and 5 Swedes."
    )


def test_a_king_who_is_taken_is_told_with_how_and_who_else_was_taken() -> None:
    state = tablut.board("k c6, m b6 d6 c7 c3", "muscovites")
    assert told("tablut", state, "c3-c5") == (
        "The king was taken on c6 on move 1: attackers on all four sides of him. The king never "
        "had a way out. Taken by then: 12 Muscovites and 8 Swedes."
    )


def test_of_two_games_with_sides_swapped_the_second_is_told() -> None:
    for seed in range(3):
        entries, end = whole("tablut", seed, match="true")
        game = registry.game("tablut")
        assert end.swapped
        assert game.story(entries, end).startswith("In the second game: ")
        second = next(n for n, one in enumerate(entries) if one.before.swapped)
        first = game.story(entries[:second], entries[second - 1].before)
        assert not first.startswith("In the second game")


# ------------------------------------------------------------------ Tablaaza, Tablan, Thaayam


@pytest.mark.parametrize("seed", range(6))
def test_in_tablaaza_the_last_to_build_is_told_with_their_room_and_the_hardest_blow(
    seed: int,
) -> None:
    entries, end = whole("tablaaza", seed)
    game = registry.game("tablaaza")
    text = game.story(entries, end)
    winner, loser = (game.seat_names[seat].capitalize() for seat in (1 - end.seat, end.seat))
    room = len(end.spaces(1 - end.seat))
    assert text.startswith(f"{winner} still had {room}" if room else f"{winner} built on the last")
    assert loser in text
    later = [*(one.before for one in entries[1:]), end]
    most = max(
        len(after.raised(1 - end.seat)) - len(one.before.raised(1 - end.seat))
        for one, after in zip(entries, later, strict=True)
    )
    assert (f"it closed {most} plots" in text) == (most > 1)
    assert ("Pavilions: Red" in text) == (most < 2)


def test_in_tablaaza_a_game_given_up_is_told_by_its_pavilions() -> None:
    assert told("tablaaza", tablaaza.board(tablaaza.BEFORE_B6, "red"), "b6") == (
        "Pavilions: Red 1, Green 0."
    )


def test_in_tablan_whoever_had_fewer_men_won_the_race_home() -> None:
    assert told("tablan", tablan.board("W a2, B b1 b3", "white 2"), "a2-b3") == (
        "Each side had 1 man left, and Black won the race home."
    )


@pytest.mark.parametrize("seed", range(6))
def test_in_tablan_the_lead_and_the_longest_run_are_those_of_the_log(seed: int) -> None:
    entries, end = whole("tablan", seed)
    text = registry.game("tablan").story(entries, end)
    white, black = (mask.bit_count() for mask in end.men)
    seats = [
        one.before.seat
        for one in entries
        if one.before.score and "-" in "".join(registry.game("tablan").steps(one.move))
    ]
    best = run = 1
    for one, other in pairwise(seats):
        run = run + 1 if one == other else 1
        best = max(best, run)
    assert (f"{best} moves in a row" in text) == (best >= 4)
    ranks = registry.game("tablan").outcome(end).ranks  # type: ignore[union-attr]
    if ranks != (1, 1):
        own, others = (white, black) if ranks[0] == 1 else (black, white)
        assert ("won the race home" in text) == (own <= others)
        assert (f"{own} men left against {others}" in text) == (1 < own < others)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("players", [2, 3, 4])
def test_in_thaayam_as_many_are_sent_back_as_had_to_enter_again(seed: int, players: int) -> None:
    entries, end = whole("thaayam", seed, players)
    game = registry.game("thaayam")
    text = game.story(entries, end)
    assert text.startswith(f"{game.seat_names[end.seat].capitalize()} was ")
    entered = Counter(one.before.seat for one in entries if game.write(one.move) == "in")
    for seat, side in zip(end.seats, end.sides, strict=True):
        back = entered[seat] - (4 - side.count(HAND))
        assert (f"{game.seat_names[seat].capitalize()} {back}×" in text) == bool(back), text
