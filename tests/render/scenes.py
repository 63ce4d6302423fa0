"""A made-up board with everything a scene can hold, so that no test here needs a game."""

from __future__ import annotations

from random import Random
from typing import Final

from engine.scene import (
    Board,
    Disc,
    Ink,
    Line,
    Polygon,
    Rect,
    Scene,
    Sprite,
    Text,
    Texture,
    Token,
)

COLUMNS: Final = 12
ROWS: Final = 5

ROUND: Final = Sprite(
    (
        Disc(0.02, 0.04, 0.4, Ink.SHADOW),
        Disc(0, 0, 0.38, Ink.SEAT_1, Ink.SEAT_1_EDGE, 0.04),
        Disc(0, 0, 0.2, edge=Ink.SEAT_1_EDGE, edge_width=0.04),
    )
)
SQUARE: Final = Sprite(
    (
        Rect(-0.35, -0.35, 0.7, 0.7, Ink.SEAT_2, Ink.SEAT_2_EDGE, 0.04, 0.08),
        Polygon(((0, -0.2), (0.2, 0.2), (-0.2, 0.2)), Ink.SEAT_2_EDGE, Ink.ALERT, 0.03),
        Text(0, 0.05, "7", 0.4, Ink.SEAT_1),
    )
)


def board() -> Board:
    """Return a board of many squares in all textures."""
    squares = [
        Rect(1 + x, 1 + y, 0.96, 0.96, ink, texture=stuff, radius=0.05)
        for y, (ink, stuff) in enumerate(
            (
                (Ink.SQUARE_AWAY, Texture.WOOD),
                (Ink.SQUARE, Texture.CLOTH),
                (Ink.WATER, Texture.FLAT),
                (Ink.SPECIAL, Texture.CLOTH),
                (Ink.SQUARE_HOME, Texture.WOOD),
            )
        )
        for x in range(COLUMNS)
    ]
    letters = [Text(1.5 + x, 6.5, "abcdefghijkl"[x], 0.5, Ink.FRAME_TEXT) for x in range(COLUMNS)]
    frame = Rect(0.3, 0.3, 13.4, 6.5, Ink.FRAME, texture=Texture.WOOD, radius=0.2)
    return Board(14, 7.1, (frame, *squares, *letters))


def scene(seed: int = 1, men: int = 20) -> Scene:
    """Return a picture with this many men and some marks, different for each seed."""
    luck = Random(seed)
    places = luck.sample([(1.48 + x, 1.48 + y) for x in range(COLUMNS) for y in range(ROWS)], men)
    tokens = tuple(
        Token(ROUND if index % 2 else SQUARE, x, y) for index, (x, y) in enumerate(places)
    )
    (ax, ay), (bx, by) = places[0], places[1]
    return Scene(
        board=board(),
        tokens=tokens,
        below=(
            Rect(ax - 0.45, ay - 0.45, 0.9, 0.9, Ink.LAST, Ink.CHOICE, 0.06, 0.1),
            Line(((ax, ay), (ax, by), (bx, by)), Ink.CHOICE, 0.1, dashed=True),
        ),
        above=(
            Line(((ax, ay), (bx, by)), Ink.ALERT, 0.1, arrow=True),
            Disc(bx, by, 0.45, edge=Ink.LAST, edge_width=0.06),
            Text(7, 0.65, f"picture {seed}", 0.5, Ink.PAGE_TEXT, "mm", bold=True),
        ),
    )
