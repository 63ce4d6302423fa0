"""The evaluation: chances sum to 1, and like positions of different seats are worth the same."""

from __future__ import annotations

import random

import numpy as np
import pytest

from ai.games.thaayam import FAST, fast
from ai.games.thaayam.translation import encode
from ai.kernels import Board
from ai.position import CHANCE, CHANCES, OVER
from engine.games.thaayam import GAME


def valued(state: Board) -> list[float]:
    out = np.full(4, np.nan)
    FAST.kernels.evaluate(state, FAST.weights(), out)
    return out.tolist()


def positions(players: int, games: int) -> list[Board]:
    """Return all positions of random games."""
    rng = random.Random(players)
    found, out = [], np.empty(fast.MOST_MOVES, np.int64)
    for _ in range(games):
        state = np.empty(fast.SIZE, np.int32)
        fast.begin(players, state)
        while fast.actor(state) != OVER:
            found.append(state)
            into = np.empty_like(state)
            if fast.actor(state) == CHANCE:
                fast.throw(state, rng.choices(range(5), CHANCES)[0], into)
            else:
                fast.play(state, int(rng.choice(out[: fast.moves(state, out)])), into)
            state = into
    return found


@pytest.mark.parametrize("players", [2, 3, 4])
def test_chances_sum_to_one_and_absent_seats_have_none(players: int) -> None:
    for state in positions(players, 3):
        out = valued(state)
        assert sum(out) == pytest.approx(1)
        assert all(chance >= 0 for chance in out)
        assert not any(out[players:])


@pytest.mark.parametrize("players", [2, 4])
def test_moving_everyone_on_by_a_seat_moves_their_chances_too(players: int) -> None:
    for state in positions(players, 3):
        turned = state.copy()
        turned[:players] = np.roll(state[:players], 1)
        turned[fast.TURN] = (state[fast.TURN] + 1) % players
        if state[fast.PHASE] != fast.START:
            assert valued(turned) == pytest.approx(
                [*np.roll(valued(state)[:players], 1), *[0] * (4 - players)], abs=1e-5
            )


def test_a_seat_about_to_win_has_a_high_chance() -> None:
    ahead = encode(GAME.read_position("south:24,*,*,* north:-,-,-,- south -"))
    assert valued(ahead)[0] > 0.9
    behind = encode(GAME.read_position("south:-,-,-,- north:24,*,*,* north -"))
    assert valued(behind)[1] > 0.9


def test_throws_in_hand_count() -> None:
    winning = encode(GAME.read_position("south:24,*,*,* north:24,*,*,* south 1,2"))
    assert valued(winning)[0] == 1
