"""The fast and slow rules agree, move by move."""

from __future__ import annotations

import random

import pytest

from engine.games.tablaaza import GAME
from tests.engine.games.tablaaza.slow import SlowGame


@pytest.mark.parametrize("seed", range(60))
def test_fast_and_slow_rules_agree_throughout_random_games(seed: int) -> None:
    dice = random.Random(seed)
    slow, state = SlowGame(), GAME.initial()
    while True:
        written = {GAME.write(move): move for move in GAME.legal_moves(state)}
        assert set(written) == slow.moves()
        line = GAME.write_position(state)
        assert line == slow.line()
        assert GAME.read_position(line) == state
        outcome = GAME.outcome(state)
        assert (outcome is None) == (slow.winner() is None)
        if outcome is not None:
            assert outcome.ranks == {"R": (1, 2), "G": (2, 1)}[str(slow.winner())]
            break
        assert GAME.seat_names[state.seat][0].upper() == slow.colour
        chosen = dice.choice(sorted(written))
        slow.play(chosen)
        state = GAME.after(state, written[chosen])
