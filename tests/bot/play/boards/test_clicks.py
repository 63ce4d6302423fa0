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
from engine.menu import MAX_MOVE_BUTTONS, Choice, choices
from engine.move_label import Worth
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


def test_the_men_of_a_board_stand_in_even_rows_that_fit_across_a_phone() -> None:
    game = registry.game("tablut")
    rows = step_controls(choices(game, game.initial()), (), button_id=str, menu_id=str)
    labels = [[str(control["label"]) for control in row["components"]] for row in rows]
    assert labels == [["c5", "d5", "e3", "e4"], ["e6", "e7", "f5", "g5"]]


@pytest.mark.parametrize("count", range(6, MAX_MOVE_BUTTONS + 1))
def test_squares_stand_in_as_few_rows_as_fit_and_none_is_left_alone(count: int) -> None:
    entries = [Choice((f"a{n}",), f"a{n}", None) for n in range(1, count + 1)]
    rows = step_controls(entries, (), button_id=str, menu_id=str)
    lengths = [len(row["components"]) for row in rows]
    assert len(lengths) == -(-count // 5)
    assert max(lengths) <= 5
    assert max(lengths) - min(lengths) <= 1
    assert lengths == sorted(lengths, reverse=True)
    assert [one["custom_id"] for row in rows for one in row["components"]] == [
        one.steps[0] for one in entries
    ]


def test_where_a_chosen_man_goes_is_only_a_square_in_every_language() -> None:
    game = registry.game("tablut")
    entries = choices(game, game.initial(), ("e3",), advised=False)
    *rows, _ = step_controls(entries, ("e3",), button_id=str, menu_id=str)
    shown = [button for row in rows for button in row["components"]]
    assert len(rows) == 2
    assert [button["label"] for button in shown] == [
        button["custom_id"].rpartition("-")[2] for button in shown
    ]


def test_long_buttons_do_not_push_short_ones_out_of_line() -> None:
    entries = [
        Choice(("h3",), "Capture on h3: f3 to g3", 1, Worth.TAKES),
        Choice(("a1",), "a1", None),
        Choice(("e5",), "King e5", None),
        *(Choice((f"b{n}",), f"b{n}", None) for n in range(1, 5)),
        Choice(("c1",), "Man c1 to c2", 2),
    ]
    rows = step_controls(entries, (), button_id=str, menu_id=str)
    labels = [[str(control["label"]) for control in row["components"]] for row in rows]
    assert labels == [
        ["Capture on h3: f3 to g3", "King e5 …"],
        ["a1", "b1", "b2", "b3", "b4"],
        ["Man c1 to c2"],
    ]


def test_captures_that_are_many_are_a_menu_above_the_men() -> None:
    captures = [
        Choice((f"{file}1",), f"Capture on {file}3", file, Worth.TAKES, kind="Capture")
        for file in "abcdefg"
    ]
    rows = step_controls([*captures, Choice(("h1",), "h1", None)], (), button_id=str, menu_id=str)
    (menu,), (man,) = (row["components"] for row in rows)
    assert menu["placeholder"] == "Capture (7)"
    assert [option["label"] for option in menu["options"]] == [one.label for one in captures]
    assert man["label"] == "h1"


def test_a_kind_with_a_single_move_is_a_button_of_one_click_and_the_other_kinds_are_menus() -> None:
    game = registry.game("tablan")
    board = "...bbbbbbbbb/.B..BB....../W.WW.......W/.wwwwwww..w. black 8"
    offered = choices(game, game.read_position(board))
    rows = step_controls(offered, (), button_id=str, menu_id=str)
    (capture,), *menus = (row["components"] for row in rows)
    assert capture["type"] == BUTTON
    assert capture["label"].startswith("Capture on l2 from e3 · ")
    assert capture["custom_id"] == "e3-l2"
    assert [str(menu["placeholder"]) for (menu,) in menus] == ["Safe moves (6)", "Other moves (17)"]
    assert len({option["value"] for (menu,) in menus for option in menu["options"]}) == 23
