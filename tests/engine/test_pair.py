"""Two games with sides swapped form one match with one result."""

from __future__ import annotations

import random
from typing import Any

import pytest

from engine import registry
from engine.errors import BadPosition
from engine.game import CHANCE, Outcome, Seat
from engine.pair import Leg, Paired, Standing

TABLAN = registry.game("tablan")
MATCH: Paired[Any, Any] = Paired(TABLAN)


def play(options: dict[str, str], seed: int) -> list[tuple[Standing[Any], Any]]:
    """Return the entries of a random match, each with the position before it."""
    choice = random.Random(seed)
    state = MATCH.initial(options)
    entries = []
    while MATCH.outcome(state) is None:
        move = choice.choice(MATCH.legal_moves(state))
        entries.append((state, move))
        state = MATCH.after(state, move)
    entries.append((state, None))
    return entries


def judged(first: Leg, second: Leg) -> Outcome:
    """Return the result of a match from its two games."""
    return MATCH._together(first, second)


def test_a_single_game_is_the_game_itself() -> None:
    entries = play({}, 1)
    state = TABLAN.initial()
    for standing, move in entries:
        assert MATCH.write_position(standing) == TABLAN.write_position(state)
        assert MATCH.outcome(standing) == TABLAN.outcome(state)
        if move is not None:
            assert MATCH.actor(standing) == TABLAN.actor(state)
            assert MATCH.tell(standing, move) == TABLAN.tell(state, move)
            state = TABLAN.after(state, move)


@pytest.mark.parametrize("seed", range(4))
def test_in_the_second_game_the_sides_are_swapped(seed: int) -> None:
    entries = play({"match": "true"}, seed)
    firsts = [e for e in entries if e[0].first is None]
    seconds = [e for e in entries if e[0].first is not None]
    assert firsts
    assert seconds
    for standing, move in seconds[:-1]:
        actor = TABLAN.actor(standing.board)
        if actor is not CHANCE and move is not None:
            assert MATCH.actor(standing) == 1 - actor
    fresh = seconds[0][0]
    assert TABLAN.write_position(fresh.board) == TABLAN.write_position(TABLAN.initial())
    assert MATCH.side(firsts[0][0], Seat(0)) == "white"
    assert MATCH.side(fresh, Seat(0)) == "black"
    assert "The sides are swapped" in MATCH.tell(*firsts[-1])


@pytest.mark.parametrize("seed", range(4))
def test_positions_of_a_match_are_read_back_unchanged(seed: int) -> None:
    for standing, _ in play({"match": "true"}, seed):
        line = MATCH.write_position(standing)
        assert MATCH.read_position(line, dict(standing.options)) == standing


@pytest.mark.parametrize(
    "line",
    [
        "wwww white 2",
        "{start} game=3 moves=0,0",
        "{start} game=1 moves=0,0 first=draw",
        "{start} game=2 moves=0,0",
    ],
)
def test_a_line_that_does_not_say_which_game_it_is_in_is_refused(line: str) -> None:
    start = TABLAN.write_position(TABLAN.initial())
    with pytest.raises(BadPosition, match="game=1"):
        MATCH.read_position(line.format(start=start), {"match": "true"})


def test_winning_both_games_wins_the_match() -> None:
    # Seat 0 wins the first as White and the second as Black.
    assert judged(Leg(Seat(0), 30), Leg(Seat(1), 90)).ranks == (1, 2)
    assert judged(Leg(Seat(1), 30), Leg(Seat(0), 90)).ranks == (2, 1)


def test_a_win_and_a_draw_win_the_match() -> None:
    assert judged(Leg(None, 0), Leg(Seat(0), 50)).ranks == (2, 1)
    assert judged(Leg(Seat(0), 50), Leg(None, 0)).ranks == (1, 2)


def test_if_the_same_side_wins_both_games_fewer_moves_decide() -> None:
    assert judged(Leg(Seat(0), 30), Leg(Seat(0), 31)).ranks == (1, 2)
    assert judged(Leg(Seat(0), 31), Leg(Seat(0), 30)).ranks == (2, 1)
    assert judged(Leg(Seat(1), 30), Leg(Seat(1), 31)).ranks == (2, 1)
    assert judged(Leg(Seat(0), 30), Leg(Seat(0), 30)).drawn


def test_two_draws_are_a_draw() -> None:
    assert judged(Leg(None, 0), Leg(None, 0)).drawn


@pytest.mark.parametrize("seed", range(6))
def test_a_match_is_decided_by_its_two_games(seed: int) -> None:
    entries = play({"match": "true"}, seed)
    last = entries[-1][0]
    result = MATCH.outcome(last)
    assert result is not None
    assert last.first is not None
    ended = TABLAN.outcome(last.board)
    assert ended is not None
    made = [0, 0]
    for standing, move in entries:
        actor = TABLAN.actor(standing.board)
        if move is not None and standing.first is not None and actor is not CHANCE:
            made[actor] += 1
    winner = None if ended.drawn else Seat(ended.ranks.index(1))
    second = Leg(None, 0) if winner is None else Leg(winner, made[winner])
    assert result == judged(last.first, second)


def test_the_picture_says_which_game_it_shows() -> None:
    entries = play({"match": "true"}, 1)
    first, second = entries[5][0], entries[-2][0]
    assert MATCH.scene(first).alt.startswith("First game of two.")
    stage = MATCH.stage(second)
    assert second.first is not None
    assert second.first.winner is not None
    won = MATCH.seat_names[second.first.winner]
    assert stage == f"Second game of two, the {won} won the first in {second.first.moves} moves"
    assert MATCH.scene(second, entries[-40:-2]).alt.startswith(f"{stage}. ")
    assert len(MATCH.scene(second, entries[-40:-2]).alt) <= 1024


def test_a_drawn_first_game_is_mentioned() -> None:
    start = MATCH.initial({"match": "true"})
    drawn = Standing(start.board, start.options, Leg(None, 0), (0, 0))
    assert MATCH.stage(drawn) == "Second game of two, the first was drawn"
    assert MATCH.stage(MATCH.initial()) == ""
