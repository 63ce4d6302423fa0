"""Pictures turned towards a player, and pictures without the names of files and ranks.

The playing area turns about its centre: everything in it moves, but letters and men stay upright.
The rest of the page stays as it is, except that panels along their seat's edge swap places with
those opposite. Turning the same board or sprite again returns the same object, as painters know
them by identity.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from typing import Final, TypeAlias

from engine.scene import (
    Area,
    Board,
    Disc,
    Ink,
    Line,
    Polygon,
    Rect,
    Scene,
    Shape,
    Sprite,
    Text,
    Token,
    moved,
)

Point: TypeAlias = tuple[float, float]
_Box: TypeAlias = tuple[float, float, float, float]

_WHOLE: Final = 4
"""Quarters in a whole turn."""
_HALF: Final = 2
_KEPT: Final = 64
_DIGITS: Final = 6

_boards: dict[tuple[int, int], tuple[Board, Board]] = {}
"""Boards and their results, by the first one's identity and the rotation.

Hashing a board is slow. `_WHOLE` stands for one without coordinates.
"""


def turned(scene: Scene, quarter_turns: int) -> Scene:
    """Return a picture with its playing area turned counterclockwise.

    A board without an area stays as it is. Alt text and text have no directions, so they stay too.
    """
    area, quarter_turns = scene.board.area, quarter_turns % _WHOLE
    if not quarter_turns or area is None:
        return scene
    return replace(
        scene,
        board=_board(scene.board, area, quarter_turns),
        tokens=tuple(_token(token, area, quarter_turns) for token in scene.tokens),
        below=tuple(_shape(shape, area, quarter_turns) for shape in scene.below),
        above=tuple(_shape(shape, area, quarter_turns) for shape in scene.above),
    )


def without_coordinates(scene: Scene) -> Scene:
    """Return a picture without the names of files and ranks."""
    key, held = (id(scene.board), _WHOLE), _held(scene.board, _WHOLE)
    if held is None:
        shapes = tuple(shape for shape in scene.board.shapes if not _is_coordinate(shape))
        held = _hold(key, scene.board, replace(scene.board, shapes=shapes))
    return replace(scene, board=held)


def _held(board: Board, quarter_turns: int) -> Board | None:
    known = _boards.get((id(board), quarter_turns))
    return known[1] if known is not None and known[0] is board else None


def _hold(key: tuple[int, int], board: Board, became: Board) -> Board:
    if len(_boards) >= _KEPT:
        _boards.clear()
    _boards[key] = (board, became)
    return became


def _board(board: Board, area: Area, quarter_turns: int) -> Board:
    held = _held(board, quarter_turns)
    if held is None:
        margins = {_margin(shape, area) for shape in board.shapes if _is_coordinate(shape)}
        shapes = (
            _coordinate(_shape(shape, area, quarter_turns), area, margins)
            if _is_coordinate(shape)
            else _shape(shape, area, quarter_turns)
            for shape in board.shapes
        )
        squares = tuple(
            (name, *_turn((x, y), area.middle, quarter_turns)) for name, x, y in board.squares
        )
        became = replace(board, shapes=tuple(shapes), squares=squares)
        held = _hold((id(board), quarter_turns), board, became)
    return held


def _token(token: Token, area: Area, quarter_turns: int) -> Token:
    sprite = token.sprite
    if sprite.turns and _in((token.x, token.y), area.frame):
        sprite = _sprite(sprite, quarter_turns)
    x, y = _place((token.x, token.y), area, quarter_turns)
    return replace(token, sprite=sprite, x=x, y=y)


@lru_cache(maxsize=512)
def _sprite(sprite: Sprite, quarter_turns: int) -> Sprite:
    return replace(
        sprite, shapes=tuple(_about(shape, (0.0, 0.0), quarter_turns) for shape in sprite.shapes)
    )


def _shape(shape: Shape, area: Area, quarter_turns: int) -> Shape:
    """Return a shape of the page in its place once the area is turned."""
    middle = _middle(shape)
    if not _in(middle, area.frame):
        x, y = _place(middle, area, quarter_turns)
        return shape if (x, y) == middle else moved(shape, x - middle[0], y - middle[1])
    # The frame and its shadow do not turn with their contents.
    if isinstance(shape, Rect) and shape.width >= area.frame[2]:
        return shape
    return _about(shape, area.middle, quarter_turns)


def _place(point: Point, area: Area, quarter_turns: int) -> Point:
    """Return where a point ends up: in the area, on a panel or elsewhere on the page."""
    if _in(point, area.frame):
        return _turn(point, area.middle, quarter_turns)
    if quarter_turns == _HALF:
        for x, y, width, height in area.panels:
            if _in(point, (x, y, width, height)):
                here = (x + width / 2, y + height / 2)
                other = _nearest(_turn(here, area.middle, _HALF), area.panels)
                return (
                    round(point[0] + other[0] + other[2] / 2 - here[0], _DIGITS),
                    round(point[1] + other[1] + other[3] / 2 - here[1], _DIGITS),
                )
    return point


def _nearest(point: Point, boxes: Iterable[_Box]) -> _Box:
    def distance(box: _Box) -> float:
        return abs(box[0] + box[2] / 2 - point[0]) + abs(box[1] + box[3] / 2 - point[1])

    return min(boxes, key=distance)


def _about(shape: Shape, middle: Point, quarter_turns: int) -> Shape:
    """Return a shape turned about a point; a text only moves."""
    match shape:
        case Disc() | Text():
            x, y = _turn((shape.x, shape.y), middle, quarter_turns)
            return replace(shape, x=x, y=y)
        case Rect():
            one = _turn((shape.x, shape.y), middle, quarter_turns)
            far = _turn((shape.x + shape.width, shape.y + shape.height), middle, quarter_turns)
            width, height = shape.width, shape.height
            if quarter_turns % _HALF:
                width, height = height, width
            return replace(
                shape, x=min(one[0], far[0]), y=min(one[1], far[1]), width=width, height=height
            )
        case Polygon() | Line():
            return replace(
                shape, points=tuple(_turn(point, middle, quarter_turns) for point in shape.points)
            )


def _turn(point: Point, middle: Point, quarter_turns: int) -> Point:
    dx, dy = point[0] - middle[0], point[1] - middle[1]
    for _ in range(quarter_turns):
        dx, dy = dy, -dx
    return round(middle[0] + dx, _DIGITS), round(middle[1] + dy, _DIGITS)


# ------------------------------------------------------------------ coordinates


def _is_coordinate(shape: Shape) -> bool:
    return isinstance(shape, Text) and shape.ink is Ink.FRAME_TEXT


def _margin(shape: Shape, area: Area) -> tuple[int, int]:
    """Return a coordinate's side of the centre, as a step to the right and down."""
    x, y = _middle(shape)
    # Relative to the frame, not the squares: a rank is as far left as the frame is wide.
    across = (x - area.middle[0]) / area.frame[2]
    down = (y - area.middle[1]) / area.frame[3]
    if abs(across) > abs(down):
        return (1 if across > 0 else -1), 0
    return 0, (1 if down > 0 else -1)


def _coordinate(shape: Shape, area: Area, margins: set[tuple[int, int]]) -> Shape:
    """Return a turned coordinate on a side of the board that has coordinates."""
    assert isinstance(shape, Text)
    side = _margin(shape, area)
    if side in margins:
        return shape
    if side[0]:
        return replace(shape, x=round(2 * area.middle[0] - shape.x, _DIGITS))
    return replace(shape, y=round(2 * area.middle[1] - shape.y, _DIGITS))


def _middle(shape: Shape) -> Point:
    match shape:
        case Rect():
            return shape.x + shape.width / 2, shape.y + shape.height / 2
        case Disc() | Text():
            return shape.x, shape.y
        case Polygon() | Line():
            xs, ys = zip(*shape.points, strict=True)
            return (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2


def _in(point: Point, box: _Box) -> bool:
    return box[0] <= point[0] <= box[0] + box[2] and box[1] <= point[1] <= box[1] + box[3]
