"""How many clicks a move takes: one for a button, two for a menu (open and choose)."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import pytest

from bot.core.interactions.components import ACTION_ROW, BUTTON
from bot.play.boards.board_message_views import STEP_MARK, step_controls
from engine import registry
from engine.menu import choices
from engine.registry import AnyGame
from tests.contract.games import whole_game

TABLES = [(slug, players) for slug, game in registry.games().items() for players in game.players]


def clicks(game: AnyGame, state: Any, steps: tuple[str, ...]) -> int:
    """Return the number of clicks from a move's board to the move, step by step.

    Of moves with the same effect a menu offers the first.
    """
    chosen: tuple[str, ...] = ()
    made = 0
    while chosen != steps:
        fitting = [
            way
            for way in ways(game, state, chosen)
            if way[1] and (found := tuple(way[1].split(STEP_MARK))) == steps[: len(found)]
        ]
        cost, value = max(fitting, key=lambda way: len(way[1]))
        chosen = tuple(value.split(STEP_MARK))
        made += cost
    return made


@lru_cache(maxsize=20)  # of one position
def ways(game: AnyGame, state: Any, chosen: tuple[str, ...]) -> tuple[tuple[int, str], ...]:
    """Return every choice for a step and the clicks it takes."""
    rows = step_controls(choices(game, state, chosen), chosen, button_id=str, menu_id=str)
    assert len(rows) + sum(len(row["components"]) for row in rows) <= 30, "a message holds 40"
    return tuple(_ways(rows))


def _ways(rows: list[dict[str, Any]]) -> Iterator[tuple[int, str]]:
    for row in rows:
        assert row["type"] == ACTION_ROW
        for control in row["components"]:
            if control["type"] == BUTTON:
                yield 1, control["custom_id"]
            else:
                yield from ((2, option["value"]) for option in control["options"])


@pytest.mark.parametrize(("slug", "players"), TABLES)
def test_no_move_of_a_whole_game_takes_more_than_two_clicks(slug: str, players: int) -> None:
    game = registry.game(slug)
    dice = random.Random(7)
    for seed in range(2):
        played, _ = whole_game(game, f"clicks {seed}", game.settle({}), players)
        for state, move in played:
            if isinstance(game.actor(state), int):
                legal = game.legal_moves(state)
                for made in (move, dice.choice(legal)):
                    effect = game.effect(state, made)
                    one = next(one for one in legal if game.effect(state, one) == effect)
                    assert clicks(game, state, game.steps(one)) <= 2, game.write(one)
