"""Facts that hold in every position of every game."""

from __future__ import annotations

import random
from functools import cache

from hypothesis import given
from hypothesis import strategies as st

from engine.game import CHANCE
from engine.games.thaayam import GAME
from engine.games.thaayam.board import MARKED, PATHS
from engine.games.thaayam.packing import most
from engine.games.thaayam.state import HAND, OFF, PAIR, Act, Advance, Move, Phase, State, pieces
from tests.contract.games import STEADY


@cache
def random_game(players: int, seed: int) -> list[tuple[State, Move, State]]:
    """Return the moves of a random game, or its first 400."""
    state, pick = GAME.initial(players=players), random.Random(seed)
    played: list[tuple[State, Move, State]] = []
    while GAME.outcome(state) is None and len(played) < 400:
        odds = GAME.odds(state)
        moves = list(odds) or list(GAME.legal_moves(state))
        move = pick.choices(moves, [float(odds.get(move, 1)) for move in moves])[0]
        played.append((state, move, GAME.after(state, move)))
        state = played[-1][2]
    return played


GAMES = st.builds(random_game, st.sampled_from(GAME.players), st.integers(1, 4))
"""Whole games are long, so all tests look at the same twelve."""


@STEADY
@given(played=GAMES)
def test_every_seat_always_has_four_pieces(played: list[tuple[State, Move, State]]) -> None:
    for _, _, state in played:
        for side in state.sides:
            assert len(side) + sum(code >= PAIR for code in side) == 4
            assert list(side) == sorted(side)


@STEADY
@given(played=GAMES)
def test_enemies_are_never_captured_on_a_safe_square(
    played: list[tuple[State, Move, State]],
) -> None:
    for before, _, after in played:
        for index, (old, new) in enumerate(zip(before.sides, after.sides, strict=True)):
            if index != before.turn:
                safe = [code for code in old if code != HAND and place(code) in MARKED]
                assert all(new.count(code) == old.count(code) for code in safe)


@STEADY
@given(played=GAMES)
def test_only_landing_on_a_square_captures_an_enemy(
    played: list[tuple[State, Move, State]],
) -> None:
    for before, move, after in played:
        if after.sides == before.sides or not isinstance(move, Advance):
            continue
        seat = before.seat
        points = sum(move.throws) // (2 if move.twins else 1)
        target = PATHS[seat][PATHS[seat].index(move.square) + points]
        for index, enemy in enumerate(before.seats):
            if index == before.turn:
                continue
            gone = before.sides[index]
            for code in set(gone) - {HAND, OFF}:
                if after.sides[index].count(code) < gone.count(code):
                    assert PATHS[enemy][place(code)] == target


@STEADY
@given(played=GAMES)
def test_a_seat_acts_only_if_it_can_use_a_throw(played: list[tuple[State, Move, State]]) -> None:
    for _, _, state in played:
        if state.phase is Phase.MOVE:
            assert GAME.actor(state) == state.seat
            assert GAME.legal_moves(state)
            assert most(state.side, tuple(sorted(state.throws, reverse=True))) > 0
        elif state.phase is not Phase.OVER:
            assert GAME.actor(state) is CHANCE


@STEADY
@given(played=GAMES)
def test_rule_13_every_series_uses_as_many_throws_as_were_usable_at_its_start(
    played: list[tuple[State, Move, State]],
) -> None:
    due = 0
    for before, move, after in played:
        if before.phase is Phase.THROW and after.phase is Phase.MOVE:
            due = most(after.side, tuple(sorted(after.throws, reverse=True)))
        elif before.phase is Phase.MOVE:
            due -= used(move)
            if after.phase is not Phase.MOVE:
                assert due == 0


def used(move: Move) -> int:
    """Return the number of throws a move uses."""
    if isinstance(move, Advance):
        return len(move.throws)
    return 0 if move is Act.TWINS else 1


@STEADY
@given(played=GAMES)
def test_only_the_acting_seat_has_pieces_that_have_moved(
    played: list[tuple[State, Move, State]],
) -> None:
    for _, _, state in played:
        for index, side in enumerate(state.sides):
            if any(piece.moved for piece in pieces(side)):
                assert index == state.turn
                assert state.phase is Phase.MOVE


def place(code: int) -> int:
    return (code - PAIR if code >= PAIR else code) // 2
