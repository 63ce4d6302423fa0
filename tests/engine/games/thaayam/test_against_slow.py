"""The fast and slow rules agree, move by move."""

from __future__ import annotations

import random

import pytest

from engine.game import CHANCE
from engine.games.thaayam import GAME
from tests.engine.games.thaayam.slow import WAYS, SlowGame

FAIR = WAYS
LUCKY = {0: 3, 1: 8, 2: 2, 3: 2, 4: 2}
"""Long series with many ones, so that many throws are in hand at once."""


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize(("ways", "games"), [(FAIR, 2), (LUCKY, 1)], ids=["fair", "lucky"])
def test_fast_and_slow_rules_agree_throughout_random_games(
    players: int, ways: dict[int, int], games: int
) -> None:
    dice = random.Random(f"{players} {ways}")
    most = 3 if players < 4 else 2
    for _ in range(games):
        slow, state = SlowGame.new(players), GAME.initial(players=players)
        while True:
            written = {GAME.write(move): move for move in GAME.legal_moves(state)}
            assert set(written) == slow.moves(), slow.line()
            line = GAME.write_position(state)
            assert line == slow.line()
            assert GAME.read_position(line) == state
            outcome = GAME.outcome(state)
            assert (outcome is None) == (slow.winner is None)
            if outcome is not None:
                assert slow.seats[outcome.ranks.index(1)] == slow.winner
                break
            names = sorted(written)
            if GAME.actor(state) is CHANCE:
                # Very long series would take the slow rules minutes.
                weights = FAIR if len(slow.hand) > most else ways
                (chosen,) = dice.choices(names, [weights[int(name[1])] for name in names])
            else:
                assert GAME.seat_names[state.seat] == slow.seat
                chosen = dice.choice(names)
            slow = slow.play(chosen)
            state = GAME.after(state, written[chosen])
