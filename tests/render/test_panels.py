"""The words and figures beside a board keep clear of each other, however long and in any language."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from random import Random
from typing import Any, Final

import pytest

from bot.core.i18n.catalogues import ENGLISH, folders, read
from engine.game import CHANCE, Seat
from engine.registry import games
from engine.scene import Disc, Line, Polygon, Rect, Scene, Shape, Text, rows, translated
from render.fonts import writable
from render.geometry import extent, letters
from render.names import named

UNIT: Final = 60.0
"""Pixels in a unit of the board, as in the bot's pictures."""
TONGUES: Final = {"en": ENGLISH, **read(folders())}
TABLES: Final = [(slug, players) for slug, game in games().items() for players in game.players]
MOST: Final = {
    "tablan": (
        "WWWWWWWWWWW./..........W./.....B....../............ white 2",
        "............/......W...../.B........../.BBBBBBBBBBB black 2",
        "WWWWWWWWWWWW/............/............/............ black -",
    )
}
"""By game, positions with the longest figures."""

NAMES: Final = ((0, "Bartholomew Featherstonehaugh"), (1, "W" * 32), (2, "Anna"), (3, "Q"))
"""Players with names of all lengths."""

_GAP: Final = 0.06

Box = tuple[float, float, float, float]


@pytest.mark.parametrize(("slug", "players"), TABLES)
def test_nothing_beside_a_board_overlaps(slug: str, players: int) -> None:
    for scene in [*_extremes(slug), *_scenes(slug, players, 5), *_scenes(slug, players, 6)]:
        for code, tongue in TONGUES.items():
            for names in ((), NAMES):
                shown = named(translated(scene, tongue, writable), names)
                for (one, first), (other, second) in combinations(_boxes(shown), 2):
                    if isinstance(one, str) or isinstance(other, str):
                        assert not _meet(first, second), (slug, code, one, other)


def _extremes(slug: str) -> Iterator[Scene]:
    game = games()[slug]
    for line in MOST.get(slug, ()):
        state: Any = game.read_position(line)
        throw, other = (
            max(game.odds(game.initial()), key=game.write),
            replace(state, seat=Seat(1 - state.seat)),
        )
        yield game.scene(state, [(state, throw), (other, throw)])


def _scenes(slug: str, players: int, seed: int) -> Iterator[Scene]:
    game, luck = games()[slug], Random(seed)
    state: Any = game.initial(players=players)
    last: list[tuple[Any, Any]] = []
    number = 0
    while game.outcome(state) is None:
        if game.actor(state) is not CHANCE:
            if number % 12 == 0:
                yield game.scene(state, last)
            number, last = number + 1, []
        move = luck.choice(list(game.legal_moves(state)))
        last.append((state, move))
        state = game.after(state, move)
    yield game.scene(state, last)


def _boxes(scene: Scene) -> list[tuple[object, Box]]:
    """Return the texts beside the board and their boxes, and the tokens there and theirs."""
    found: list[tuple[object, Box]] = []
    for shape in (*scene.board.shapes, *scene.below, *scene.above):
        if isinstance(shape, Text):
            found += [(row.text, _box(row)) for row in rows(shape) if row.text]
    for token in scene.tokens:
        boxes = [_box(shape) for shape in token.sprite.shapes]
        left, top = min(box[0] for box in boxes), min(box[1] for box in boxes)
        right, bottom = max(box[2] for box in boxes), max(box[3] for box in boxes)
        found.append((token, (left + token.x, top + token.y, right + token.x, bottom + token.y)))
    return [one for one in found if not _on_board(scene, one[1])]


def _on_board(scene: Scene, box: Box) -> bool:
    assert scene.board.area is not None
    left, top, width, height = scene.board.area.frame
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return left <= x <= left + width and top <= y <= top + height


def _box(shape: Shape) -> Box:
    match shape:
        case Text():
            size = letters(shape, UNIT)
            left, top, right, bottom = (edge / UNIT for edge in extent(shape, size))
            return shape.x + left, shape.y + top, shape.x + right, shape.y + bottom
        case Rect():
            return shape.x, shape.y, shape.x + shape.width, shape.y + shape.height
        case Disc():
            return _around([(shape.x, shape.y)], shape.radius)
        case Polygon():
            return _around(shape.points, 0)
        case Line():
            return _around(shape.points, shape.width / 2)


def _around(points: Any, more: float) -> Box:
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs) - more, min(ys) - more, max(xs) + more, max(ys) + more


def _meet(one: Box, other: Box) -> bool:
    """Return whether two boxes have no gap between them; lines may touch, as letters rarely do."""
    beside = one[0] < other[2] + _GAP and other[0] < one[2] + _GAP
    return beside and one[1] < other[3] - _GAP and other[1] < one[3] - _GAP
