"""A picture as data: a few primitives, lengths in board units, colours by role.

A square of a board is usually one unit. Games describe; ``render`` paints. Nothing here knows a
game, a pixel or a colour value.

A :class:`Scene` is split by how often things change. ``board`` never changes during a game: it is
hashable and the key under which its raster is cached. ``tokens`` move, but their looks repeat: a
:class:`Sprite` is rastered once and pasted. ``marks`` are redrawn for each picture, so keep them
few.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final, TypeAlias

from engine.phrase import Phrase, Tongue
from engine.phrase import translated as said


class Ink(Enum):
    """A colour's role. Every theme of the renderer gives each one a colour."""

    PAGE = "page"  # around the board
    PAGE_TEXT = "page text"  # words on the page
    PAGE_QUIET = "quiet page text"  # less important words
    PANEL = "panel"  # a part of the page set off from the rest
    FRAME = "frame"  # the board's own border
    FRAME_TEXT = "frame text"  # coordinates on the border
    SQUARE = "square"
    SQUARE_OTHER = "other square"  # the second kind of square, where a game has two
    SQUARE_HOME = "home square"  # the first seat's squares
    SQUARE_AWAY = "away square"  # the second seat's squares
    SQUARE_RED = "red square"  # for games whose text says which squares are red and green
    SQUARE_RED_INLAY = "pattern of a red square"
    SQUARE_GREEN = "green square"
    SQUARE_GREEN_INLAY = "pattern of a green square"
    LINE = "line"  # between squares, inlays
    WATER = "water"
    WATER_CREST = "crest of a wave"
    SPECIAL = "special"  # castle, keep, palace, pavilion
    SEAT_1 = "seat 1"
    SEAT_1_EDGE = "seat 1 edge"
    SEAT_2 = "seat 2"
    SEAT_2_EDGE = "seat 2 edge"
    SEAT_3 = "seat 3"
    SEAT_3_EDGE = "seat 3 edge"
    SEAT_4 = "seat 4"
    SEAT_4_EDGE = "seat 4 edge"
    LAST = "last"  # the last move
    CHOICE = "choice"  # current choices
    ALERT = "alert"  # captures, threats
    ALERT_TEXT = "alert text"  # a sign on it
    STICK_PLAIN = "plain side of a stick"
    STICK_MARKED = "marked side of a stick"
    SHADOW = "shadow"  # translucent; layers of it add up
    LIGHT = "light"  # translucent, too: where light falls on something
    GRID = "grid of a chart"  # fine lines behind what a chart shows
    CURVE = "curve"  # what a chart shows
    BAND = "band"  # its uncertainty
    GOLD = "gold"  # the first three places
    SILVER = "silver"
    BRONZE = "bronze"
    ENGRAVED = "engraved"  # figures on them

    # Members are singletons, and pictures are looked up by their parts: Enum's own hash would be
    # the slowest step.
    __hash__ = object.__hash__


class Texture(Enum):
    """The pattern of a large surface."""

    FLAT = "flat"
    WOOD = "wood"
    CLOTH = "cloth"

    __hash__ = object.__hash__


@dataclass(frozen=True, slots=True)
class Rect:
    """A rectangle with its top left corner at (x, y); y grows downwards."""

    x: float
    y: float
    width: float
    height: float
    fill: Ink | None = None
    edge: Ink | None = None
    edge_width: float = 0.0
    radius: float = 0.0
    texture: Texture = Texture.FLAT


@dataclass(frozen=True, slots=True)
class Disc:
    """A filled circle, a ring, or both."""

    x: float
    y: float
    radius: float
    fill: Ink | None = None
    edge: Ink | None = None
    edge_width: float = 0.0


@dataclass(frozen=True, slots=True)
class Polygon:
    """A closed shape with straight sides."""

    points: tuple[tuple[float, float], ...]
    fill: Ink | None = None
    edge: Ink | None = None
    edge_width: float = 0.0


@dataclass(frozen=True, slots=True)
class Line:
    """A line through points, with round ends and an optional arrow head at its end.

    The head's tip is the last point.
    """

    points: tuple[tuple[float, float], ...]
    ink: Ink
    width: float
    arrow: bool = False
    dashed: bool = False


@dataclass(frozen=True, slots=True)
class Text:
    """A short text: a coordinate, a figure, the name of a seat or a person.

    It lies on top of the other shapes of its board or sprite. Text with line breaks is set as
    several lines, centred as a block where a single line would be.
    """

    x: float
    y: float
    text: str
    size: float
    ink: Ink
    anchor: str = "mm"
    """Pillow's two letters: l, m, r and a (ascender), m, s (baseline), d (descender)."""
    bold: bool = False
    room: float = 0.0
    """Maximum width: longer lines are set smaller. 0 for no limit."""
    seat: int | None = None
    """The seat whose name this is; its player's name may be written instead."""


Shape: TypeAlias = Rect | Disc | Polygon | Line | Text


def rows(text: Text) -> tuple[Text, ...]:
    """Return the lines of a text, each as a separate text."""
    written = text.text.split("\n")
    if len(written) == 1:
        return (text,)
    step = 1.05 * text.size
    top = text.y - step * (len(written) - 1) / 2
    return tuple(
        replace(text, text=line, y=round(top + step * index, 6))
        for index, line in enumerate(written)
    )


def moved(shape: Shape, dx: float, dy: float) -> Shape:
    """Return the shape moved to the right by ``dx`` and down by ``dy``."""
    match shape:
        case Rect() | Disc() | Text():
            return replace(shape, x=round(shape.x + dx, 6), y=round(shape.y + dy, 6))
        case Polygon() | Line():
            points = tuple((round(x + dx, 6), round(y + dy, 6)) for x, y in shape.points)
            return replace(shape, points=points)


@dataclass(frozen=True, slots=True)
class Area:
    """A board's playing area, which `engine.turning` turns. All boxes: x, y, width, height."""

    frame: tuple[float, float, float, float]
    """Its contents turn."""
    middle: tuple[float, float]
    """They turn about this point, the centre of the squares."""
    panels: tuple[tuple[float, float, float, float], ...] = ()
    """Panels along their seat's edge: opposite ones swap places when the board turns by half."""


@dataclass(frozen=True, slots=True)
class Board:
    """The part of a picture that stays the same throughout a game."""

    width: float
    height: float
    shapes: tuple[Shape, ...]
    """Painted in this order on the page."""
    area: Area | None = None
    """The part that turns, if any."""
    squares: tuple[tuple[str, float, float], ...] = ()
    """The squares by their names in moves, with their centres: see `engine.overlay`."""
    side: float = 1.0
    """The length of a square's side."""


@dataclass(frozen=True, slots=True)
class Sprite:
    """The look of a token, centred on (0, 0)."""

    shapes: tuple[Shape, ...]
    turns: bool = False
    """Whether it points somewhere on the board and so turns with it; others stay upright."""
    name: str = ""
    """What stands there, for who cannot see it: "king"; empty for a mark."""


@dataclass(frozen=True, slots=True)
class Token:
    """A movable object: a man, a stone, a stick."""

    sprite: Sprite
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Scene:
    """One picture: the board, then the marks below the tokens, the tokens, the marks above."""

    board: Board
    tokens: tuple[Token, ...]
    below: tuple[Shape, ...] = ()
    above: tuple[Shape, ...] = ()
    alt: str = ""
    """The position in words, complete enough to play from; at most 1024 characters."""
    text: str = ""
    """The position as lines of characters of equal width."""


def standing(scene: Scene) -> dict[str, tuple[str, ...]]:
    """Return the names of what stands on each square; squares with nothing on them have none."""
    reach = scene.board.side / 2
    named = [token for token in scene.tokens if token.sprite.name]
    found = {
        square: tuple(
            token.sprite.name
            for token in named
            if abs(token.x - x) <= reach and abs(token.y - y) <= reach
        )
        for square, x, y in scene.board.squares
    }
    return {square: names for square, names in found.items() if names}


def without_choices(scene: Scene) -> Scene:
    """Return a picture for someone who has nothing to choose: no square or man is marked for it."""
    kept = tuple(token for token in scene.tokens if not _marks_choice(token.sprite))
    return replace(scene, tokens=kept)


def _marks_choice(sprite: Sprite) -> bool:
    return not sprite.name and any(Ink.CHOICE in _inks(shape) for shape in sprite.shapes)


def _inks(shape: Shape) -> tuple[Ink | None, ...]:
    match shape:
        case Rect() | Disc() | Polygon():
            return (shape.fill, shape.edge)
        case Line() | Text():
            return (shape.ink,)


# ---------------------------------------------------------------- pictures in other languages

_MAX_BOARDS: Final = 256
_BOARDS: dict[tuple[int, int], tuple[Board, Tongue, Board]] = {}
"""Boards in a language, by the identities of both, which are kept alive here."""


def translated(
    scene: Scene, tongue: Tongue, writable: Callable[[str], bool] | None = None
) -> Scene:
    """Return a picture with all its words in a language.

    A board's translation is the same object each time, as the painter recognises it by identity.

    Args:
        scene: the picture.
        tongue: the language.
        writable: tells whether the painter has glyphs for a text. If it is `False` for any text of
            a picture, all drawn text stays in English; the description does not.
    """
    other = _translated(scene, tongue)
    if writable is None or all(map(writable, drawn(other))):
        return other
    return replace(scene, alt=other.alt, text=other.text)


def drawn(scene: Scene) -> Iterator[str]:
    """Yield all words and figures written on a picture."""
    sprites = (token.sprite.shapes for token in scene.tokens)
    for shapes in (scene.board.shapes, scene.below, scene.above, *sprites):
        for shape in shapes:
            if isinstance(shape, Text):
                yield shape.text


def _translated(scene: Scene, tongue: Tongue) -> Scene:
    return Scene(
        board=_board(scene.board, tongue),
        tokens=tuple(_token(token, tongue) for token in scene.tokens),
        below=_shapes(scene.below, tongue),
        above=_shapes(scene.above, tongue),
        alt=said(scene.alt, tongue),
        text=said(scene.text, tongue),
    )


def _board(board: Board, tongue: Tongue) -> Board:
    key = id(board), id(tongue)
    kept = _BOARDS.get(key)
    if kept is not None:
        return kept[2]
    other = replace(board, shapes=_shapes(board.shapes, tongue))
    if len(_BOARDS) >= _MAX_BOARDS:
        _BOARDS.clear()
    _BOARDS[key] = (board, tongue, other)
    return other


def _token(token: Token, tongue: Tongue) -> Token:
    shapes = _shapes(token.sprite.shapes, tongue)
    return (
        token
        if shapes is token.sprite.shapes
        else replace(token, sprite=replace(token.sprite, shapes=shapes))
    )


def _shapes(shapes: tuple[Shape, ...], tongue: Tongue) -> tuple[Shape, ...]:
    """Return shapes with their words in a language; the same tuple if there are no words."""
    if not any(isinstance(shape, Text) and isinstance(shape.text, Phrase) for shape in shapes):
        return shapes
    return tuple(
        replace(shape, text=said(shape.text, tongue)) if isinstance(shape, Text) else shape
        for shape in shapes
    )
