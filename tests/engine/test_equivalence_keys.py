"""Positions in which the same advice would help share a line, whatever their labels."""

from __future__ import annotations

import random

from engine import registry


def key(slug: str, line: str, **options: str) -> str:
    """Return the equivalence key of a position."""
    game = registry.game(slug)
    return game.equivalence_key(game.read_position(line, options))


def after_some_moves(slug: str) -> str:
    """Return a position in which no piece is on its starting square."""
    game, dice = registry.game(slug), random.Random(7)
    state = game.initial()
    for _ in range(9):
        state = game.after(state, dice.choice(list(game.legal_moves(state))))
    return game.write_position(state)


def test_a_match_of_two_games_is_like_a_single_game() -> None:
    line = registry.game("tablut").write_position(registry.game("tablut").initial())
    single = key("tablut", line)
    for game in ("game=1 moves=5,5", "game=2 moves=0,3 first=draw", "game=2 moves=9,9 first=0,34"):
        assert key("tablut", f"{line} {game}", match="true") == single


def test_tablut_is_alike_in_all_eight_orientations() -> None:
    board, seat = after_some_moves("tablut").split()
    rows, one = board.split("/"), key("tablut", f"{board} {seat}")
    views = set()
    for way in (rows, ["".join(column) for column in zip(*rows, strict=True)]):
        mirrored = [row[::-1] for row in way]
        views |= {"/".join(view) for view in (way, way[::-1], mirrored, mirrored[::-1])}
    assert len(views) == 8
    assert {key("tablut", f"{view} {seat}") for view in views} == {one}


def test_tablaaza_is_alike_upside_down() -> None:
    board, seat = after_some_moves("tablaaza").split()
    turned = "/".join(board.split("/")[::-1])
    assert turned != board
    assert key("tablaaza", f"{board} {seat}") == key("tablaaza", f"{turned} {seat}")


def test_tablan_is_alike_from_either_side_and_under_either_leaflet() -> None:
    walker = "bbbbbbbbbbbb/............/.....W....../wwwwwwwwwww. white 8"
    text = key("tablan", walker)
    exchanged = "bbbbbbbbbbb./.....B....../............/wwwwwwwwwwww black 8"
    assert key("tablan", exchanged) == text
    assert key("tablan", walker, rules="bell") == text
    assert key("tablan", walker.replace("white 8", "white 2")) != text


def test_thaayam_is_alike_with_seats_swapped_and_throws_reordered() -> None:
    one = key("thaayam", "south:3,24,-,- north:7,12,-,- north 4,8,2")
    assert key("thaayam", "south:7,12,-,- north:3,24,-,- south 8,4,2") == one
    assert key("thaayam", "south:7,12,-,- north:3,24,-,- north 8,4,2") != one
