"""Players make legal moves, repeatable with the same seed, and in time."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from typing import Any

import pytest

from ai.levels import LEVELS
from ai.opponents import think, warm
from engine.errors import BadOption, BadRecord, GameOver
from engine.game import CHANCE
from engine.registry import AnyGame
from tests.contract.games import whole_game


def logs(game: AnyGame, seed: str) -> Iterator[tuple[int, list[str], Any]]:
    """For each number of players, yield a log that ends before a decision, and the position."""
    for players in game.players:
        steps, _ = whole_game(game, seed, game.settle(), players)
        decisions = [n for n, step in enumerate(steps) if game.actor(step.state) is not CHANCE]
        ply = random.Random(seed).choice(decisions)
        yield players, [game.write(step.move) for step in steps[:ply]], steps[ply].state


@pytest.mark.parametrize("level", LEVELS)
def test_the_move_is_legal_and_comes_with_its_values(game: AnyGame, level: int) -> None:
    for players, log, state in logs(game, f"{level}"):
        thought = think(game.slug, {}, players, log, level=level, seed=1, seconds=0.1)
        move = game.read(state, thought.notation)
        assert game.write(move) == thought.notation
        assert len(thought.equity) == players
        assert math.isclose(sum(thought.equity), 1, abs_tol=1e-6)
        assert all(-1e-9 <= value <= 1 + 1e-9 for value in thought.equity)
        figures = dict(thought.others)
        assert set(figures) == {game.write(move) for move in game.legal_moves(state)}
        assert [value for _, value in thought.others] == sorted(figures.values(), reverse=True)


@pytest.mark.timeout(600)  # if nothing is compiled yet
def test_the_same_seed_gives_the_same_move(game: AnyGame) -> None:
    warm(game.slug)  # while it compiles, the opponent for any game answers instead
    for players, log, _ in logs(game, "same"):
        for level in (1, 2):
            one, two = (
                think(game.slug, {}, players, log, level=level, seed=7, seconds=60)
                for _ in range(2)
            )
            assert one == two


def test_a_move_is_returned_even_without_any_time(game: AnyGame) -> None:
    for players, log, state in logs(game, "late"):
        thought = think(game.slug, {}, players, log, level=5, seed=1, seconds=0)
        assert game.read(state, thought.notation) in game.legal_moves(state)


def test_there_are_five_levels(game: AnyGame) -> None:
    for level in (0, 6):
        with pytest.raises(ValueError, match="level"):
            think(game.slug, {}, game.players[0], [], level=level, seed=1)


def test_a_finished_game_has_no_move(game: AnyGame) -> None:
    steps, _ = whole_game(game, "over", game.settle(), game.players[0])
    log = [game.write(step.move) for step in steps]
    with pytest.raises(GameOver):
        think(game.slug, {}, game.players[0], log, level=1, seed=1)


def test_a_throw_is_not_a_decision(game: AnyGame) -> None:
    if game.actor(game.initial()) is not CHANCE:
        pytest.skip("a game without a throw at the beginning")
    with pytest.raises(ValueError, match="chance"):
        think(game.slug, {}, game.players[0], [], level=1, seed=1)


def test_a_log_that_cannot_be_replayed_is_refused(game: AnyGame) -> None:
    with pytest.raises(BadRecord):
        think(game.slug, {}, game.players[0], ["nonsense"], level=1, seed=1)


def test_an_unknown_game_is_refused() -> None:
    with pytest.raises(BadOption):
        think("nothing", {}, 2, [], level=1, seed=1)
