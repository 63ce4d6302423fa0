"""All games with their test folders: the program's, and the toy."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from hypothesis import settings
from hypothesis import strategies as st

from engine import registry
from engine.game import CHANCE
from engine.registry import AnyGame
from tests.toy import FOLDER, SLUG, dropped_in

_TESTS = Path(__file__).parents[1] / "engine" / "games"

STEADY = settings(derandomize=True, database=None, deadline=None, max_examples=25)
"""Use the same examples in every run."""
SEEDS = st.integers(0, 2**64 - 1)
"""What random games are played with."""


class Case(NamedTuple):
    """A game and the folder of its test data."""

    game: AnyGame
    folder: Path

    def __repr__(self) -> str:
        return self.game.slug


@cache
def cases() -> tuple[Case, ...]:
    """Return the program's games and the toy."""
    found = [Case(game, _TESTS / slug) for slug, game in registry.games().items()]
    with dropped_in() as toy:
        found.append(Case(toy, FOLDER / SLUG))
    return tuple(found)


class Step(NamedTuple):
    """A position and the move made in it."""

    state: Any
    move: Any


@st.composite
def played(draw: st.DrawFn, game: AnyGame) -> tuple[dict[str, str], list[Step], Any]:
    """Return settled options, a game's first moves, and the position they lead to.

    Hypothesis picks the options, the players, how many moves are made, and their seed.
    """
    chosen = {o.name: draw(st.sampled_from(o.values)) for o in game.options if draw(st.booleans())}
    options = game.settle(chosen)
    state = game.initial(options, draw(st.sampled_from(game.players)))
    steps: list[Step] = []
    # One draw each move would let Hypothesis shrink them too, at a third of the tests' time.
    pick = random.Random(draw(SEEDS))
    for _ in range(draw(st.integers(0, 150))):
        moves = game.legal_moves(state)
        if not moves:
            break
        move = moves[pick.randrange(len(moves))]
        steps.append(Step(state, move))
        state = game.after(state, move)
    return options, steps, state


def whole_game(
    game: AnyGame, seed: str, options: dict[str, str], players: int, most: int | None = None
) -> tuple[list[Step], Any]:
    """Return a random game, or its first moves, with throws drawn by their odds."""
    dice = random.Random(seed)
    state = game.initial(options, players)
    steps: list[Step] = []
    while game.outcome(state) is None and len(steps) != most:
        moves: list[Any] = list(game.legal_moves(state))
        if game.actor(state) is CHANCE:
            odds = game.odds(state)
            (move,) = dice.choices(list(odds), [float(chance) for chance in odds.values()])
        else:
            move = dice.choice(moves)
        steps.append(Step(state, move))
        state = game.after(state, move)
    return steps, state
