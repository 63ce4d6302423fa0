"""The fast and slow rules agree, move by move, under every two options together, and more."""

from __future__ import annotations

import random
from itertools import cycle, product

import pytest

from engine.game import CHANCE
from engine.games.tablan import GAME
from tests.engine.games.tablan.slow import WAYS, SlowGame

TWO_BY_TWO = zip(
    product(
        ("alongside", "opposed"),
        ("none", "two"),
        ("free", "furthest-first", "nearest-first"),
    ),
    cycle(product(("one-done", "both-done"), ("draw", "first-finisher"))),
    strict=False,
)
"""All ways to move and, with each value of theirs, all ways to end."""
RARE = [
    ("alongside", "none", "free", "both-done", "first-finisher"),
    ("opposed", "none", "furthest-first", "one-done", "first-finisher"),
    ("opposed", "two", "free", "both-done", "first-finisher"),
    ("opposed", "two", "nearest-first", "one-done", "first-finisher"),
]
"""Their games end as the others' do not: with all men taken, or equal and the first one ahead."""
COMBINATIONS = [
    dict(zip(("course", "unlock", "order", "end", "tie"), values, strict=True))
    for values in (*((*moving, *ending) for moving, ending in TWO_BY_TWO), *RARE)
]


def fates(combination: dict[str, str]) -> str:
    return "-".join(combination.values())


@pytest.mark.parametrize("options", COMBINATIONS, ids=fates)
def test_fast_and_slow_rules_agree_throughout_random_games(options: dict[str, str]) -> None:
    dice = random.Random(fates(options))
    slow, state = SlowGame.new(**options), GAME.initial(options)
    while True:
        written = {GAME.write(move): move for move in GAME.legal_moves(state)}
        assert set(written) == slow.moves()
        line = GAME.write_position(state)
        assert line.removesuffix(" together") == slow.line()
        assert GAME.read_position(line, options) == state
        outcome = GAME.outcome(state)
        assert (outcome is None) == (slow.reason is None)
        if outcome is not None:
            assert outcome.ranks == slow.ranks()
            assert str(slow.reason) in outcome.reason
            break
        names = sorted(written)
        if GAME.actor(state) is CHANCE:
            (chosen,) = dice.choices(names, [WAYS[int(name[1])] for name in names])
        else:
            assert GAME.seat_names[state.seat] == slow.side
            chosen = dice.choice(names)
        slow.play(chosen)
        state = GAME.after(state, written[chosen])
