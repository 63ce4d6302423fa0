"""Writes scenes as SVG, for pages on which a board is touched.

Colours are CSS variables, so the same text serves every theme: set `variables` on an ancestor. What
never changes during a game is a text of its own, to be sent once and kept by its key. Tokens, marks
and labels are written for each turn. Lengths are board units throughout.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from html import escape
from re import compile as pattern
from typing import Final

from engine.scene import (
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
    Texture,
    Token,
    rows,
)
from render import fonts
from render.geometry import CORNER, DASH, Point, arrow, drawn, letters, written
from render.theme import ALL, DEFAULT, Theme

_SEATS: Final = {Ink.SEAT_1: 1, Ink.SEAT_2: 2, Ink.SEAT_3: 3, Ink.SEAT_4: 4}
_MEASURED: Final = 200
"""Pixels in a board unit when letters are measured."""
_FORBIDDEN: Final = pattern("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What no XML document may contain, not even escaped."""
_ANCHORS: Final = {"l": "start", "m": "middle", "r": "end"}
_FONT: Final = (
    "font-family=\"var(--board-font,'Source Sans 3','Source Sans Pro',system-ui,sans-serif)\""
)
"""The font of the painted pictures, if the reader has it."""


@dataclass(frozen=True, slots=True)
class StaticPart:
    """What stays the same throughout a game."""

    view: str
    """The document's `viewBox`."""
    board: str
    """The board, below everything else."""
    squares: str
    """An invisible button on each square, above everything else.

    Each has `data-square`, its name, and its centre as `data-x` and `data-y`. None is in the tab
    order: the page moves the focus among them.
    """
    key: str
    """Identifies the text: the same in every process."""


def svg(scene: Scene, *, theme: str = DEFAULT) -> str:
    """Return a scene as a complete document, its alt text as its title.

    Raises:
        KeyError: no theme of that name.
    """
    part = static_part(scene.board)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{part.view}" role="group">'
        f"<title>{_safe(scene.alt)}</title>"
        f"<style>:root{{{variables(ALL[theme])}}}</style>"
        f"{part.board}{moving_part(scene)}{part.squares}</svg>"
    )


def variables(theme: Theme) -> str:
    """Return a theme's colours, and the strength of its textures, as CSS declarations."""
    colours = ";".join(f"{_name(ink)}:#{_hex(theme, ink)}" for ink in Ink)
    return f"{colours};--ink-grain:{_figure(1.2 * theme.grain)}"


@lru_cache(maxsize=64)
def static_part(board: Board) -> StaticPart:
    """Return what stays the same throughout a game."""
    width, height = _figure(board.width), _figure(board.height)
    page = Rect(0, 0, board.width, board.height, Ink.PAGE, radius=CORNER)
    ground = f"{_TEXTURES}{_body((page, *board.shapes))}"
    side = _figure(board.side)
    targets = "".join(
        f'<rect x="{_figure(x - board.side / 2)}" y="{_figure(y - board.side / 2)}" width="{side}"'
        f' height="{side}" data-square="{_safe(name)}" data-x="{_figure(x)}" data-y="{_figure(y)}"'
        f' role="button" tabindex="-1"><title>{_safe(name)}</title></rect>'
        for name, x, y in board.squares
    )
    shown = f'<g class="board" aria-hidden="true" {_FONT}>{ground}</g>'
    squares = f'<g class="squares" fill="none" pointer-events="fill">{targets}</g>'
    view = f"0 0 {width} {height}"
    key = sha256(f"{view}{shown}{squares}".encode()).hexdigest()[:16]
    return StaticPart(view, shown, squares, key)


def moving_part(scene: Scene) -> str:
    """Return the marks below the tokens, the tokens, and the marks and labels above them.

    A token has `data-kind`, the same for tokens that look alike. A man has `data-seat`, the number
    of its seat's colour, and what is not a mark has `data-man`. What stands on a square has `data-square`. A token that stays keeps its
    `data-token`; one that moves gets another, so a page pairs them by kind. Tokens are placed by
    `x` and `y`, which leaves `transform` to animations.
    """
    places = [(name, x, y) for name, x, y in scene.board.squares]
    looks = dict.fromkeys(_look(token.sprite) for token in scene.tokens)
    sprites = "".join(f'<g id="man-{look.kind}">{look.body}</g>' for look in looks)
    seen = Counter[str]()
    tokens = "".join(_token(token, places, scene.board.side, seen) for token in scene.tokens)
    return (
        f'<g class="moving" aria-hidden="true" {_FONT}><defs>{sprites}</defs>'
        f'<g class="below">{_each(scene.below)}</g><g class="tokens">{tokens}</g>'
        f'<g class="above">{_each(scene.above)}</g></g>'
    )


# ------------------------------------------------------------------ tokens


@dataclass(frozen=True, slots=True)
class _Look:
    """How tokens of one sprite are written."""

    body: str
    kind: str
    seat: int | None
    """The number of its seat's colour, if it is a man."""


def _token(
    token: Token, places: Iterable[tuple[str, float, float]], side: float, seen: Counter[str]
) -> str:
    look = _look(token.sprite)
    square = _square(token.x, token.y, places, side)
    identity = f"{square or f'{_figure(token.x)},{_figure(token.y)}'}-{look.kind}"
    seen[identity] += 1
    on = f' data-square="{_safe(square)}"' if square else ""
    of = f' data-seat="{look.seat}"' if look.seat else ""
    of += ' data-man=""' if token.sprite.name else ""
    return (
        f'<use href="#man-{look.kind}" x="{_figure(token.x)}" y="{_figure(token.y)}" class="token"'
        f' data-token="{_safe(identity)}-{seen[identity]}" data-kind="{look.kind}"{of}{on}/>'
    )


def _square(
    x: float, y: float, places: Iterable[tuple[str, float, float]], side: float
) -> str | None:
    """Return the name of the square that a point lies on, if any."""
    reach = side / 2
    return next(
        (name for name, at, down in places if abs(x - at) <= reach and abs(y - down) <= reach),
        None,
    )


@lru_cache(maxsize=1024)
def _look(sprite: Sprite) -> _Look:
    body = _body(sprite.shapes)
    fills = (shape.fill for shape in sprite.shapes if isinstance(shape, (Rect, Disc, Polygon)))
    seat = next((_SEATS[fill] for fill in fills if fill in _SEATS), None)
    return _Look(body, sha256(body.encode()).hexdigest()[:8], seat)


# ------------------------------------------------------------------ shapes


def _body(shapes: Sequence[Shape]) -> str:
    """Return a board's or sprite's shapes, texts on top."""
    return _each((*drawn(shapes), *written(shapes)))


def _each(shapes: Iterable[Shape]) -> str:
    return "".join(part for shape in shapes for part in _shape(shape))


def _shape(shape: Shape) -> Iterator[str]:
    match shape:
        case Rect():
            yield from _rect(shape)
        case Disc(x, y, radius):
            # As in the other pictures, edges lie inside rectangles and circles.
            inner = radius - (shape.edge_width / 2 if shape.edge else 0)
            yield f'<circle cx="{_figure(x)}" cy="{_figure(y)}" r="{_figure(inner)}"{_paint(shape)}/>'
        case Polygon(points):
            yield f'<polygon points="{_points(points)}"{_paint(shape)}/>'
        case Line():
            yield from _line(shape)
        case Text():
            yield from map(_text, rows(shape))


def _rect(rect: Rect) -> Iterator[str]:
    inset = rect.edge_width / 2 if rect.edge else 0
    radius = rect.radius - inset
    box = (
        f'x="{_figure(rect.x + inset)}" y="{_figure(rect.y + inset)}"'
        f' width="{_figure(rect.width - 2 * inset)}" height="{_figure(rect.height - 2 * inset)}"'
        + (f' rx="{_figure(radius)}"' if radius > 0 else "")
    )
    yield f"<rect {box}{_paint(rect)}/>"
    if rect.fill and rect.texture is not Texture.FLAT:
        yield f'<rect {box} fill="url(#board-{rect.texture.value})" opacity="var(--ink-grain)"/>'


def _line(line: Line) -> Iterator[str]:
    points: Sequence[Point] = line.points
    if line.arrow:
        points, head = arrow(points, line.width)
        yield f'<polygon points="{_points(head)}" fill="{_colour(line.ink)}"/>'
    dash = _figure(DASH * line.width)
    dashed = f' stroke-dasharray="{dash}"' if line.dashed else ""
    yield (
        f'<polyline points="{_points(points)}" fill="none" stroke="{_colour(line.ink)}"'
        f' stroke-width="{_figure(line.width)}" stroke-linecap="round" stroke-linejoin="round"'
        f"{dashed}/>"
    )


@lru_cache(maxsize=1024)
def _text(row: Text) -> str:
    """Return a line of text; measuring one takes longer than writing all else of a turn."""
    if not row.text:
        return ""
    pixels = letters(row, _MEASURED)
    size = pixels / _MEASURED
    low = row.y + fonts.baseline(_MEASURED, row.anchor) * size / _MEASURED
    # The reader's font may be wider or narrower than the one that the picture was laid out with.
    length = fonts.advance(row.text, pixels) / _MEASURED
    fit = f' textLength="{_figure(length)}" lengthAdjust="spacingAndGlyphs"'
    thick = f' stroke="{_colour(row.ink)}" stroke-width="{_figure(2 * fonts.BOLD * size)}"'
    return (
        f'<text x="{_figure(row.x)}" y="{_figure(low)}" text-anchor="{_ANCHORS[row.anchor[0]]}"'
        f' font-size="{_figure(size * fonts.enlarged(row.text))}" font-weight="600"'
        f' fill="{_colour(row.ink)}"{thick if row.bold else ""}{fit}>'
        f"{_safe(row.text)}</text>"
    )


def _paint(shape: Rect | Disc | Polygon) -> str:
    fill = _colour(shape.fill) if shape.fill else "none"
    if not shape.edge:
        return f' fill="{fill}"'
    round_joins = ' stroke-linejoin="round"' if isinstance(shape, Polygon) else ""
    return (
        f' fill="{fill}" stroke="{_colour(shape.edge)}"'
        f' stroke-width="{_figure(shape.edge_width)}"{round_joins}'
    )


# ------------------------------------------------------------------ words and figures


def _safe(text: str) -> str:
    """Return text as it may stand in an element or an attribute."""
    return escape(_FORBIDDEN.sub("", text))


def _figure(number: float) -> str:
    """Return a number without needless digits."""
    return f"{round(number, 3) + 0.0:.3f}".rstrip("0").rstrip(".")


def _points(points: Iterable[Point]) -> str:
    return " ".join(f"{_figure(x)},{_figure(y)}" for x, y in points)


def _name(ink: Ink) -> str:
    return f"--ink-{ink.name.lower().replace('_', '-')}"


def _colour(ink: Ink) -> str:
    return f"var({_name(ink)})"


def _hex(theme: Theme, ink: Ink) -> str:
    colour = theme.colours[ink]
    return bytes(colour if colour[3] < 255 else colour[:3]).hex()


# ------------------------------------------------------------------ textures


def _grained() -> str:
    """Return the patterns of textures: streaks and threads, a little darker and lighter."""
    streaks = "".join(
        f'<rect x="{number * 23 % 40 / 10}" y="{_figure(number * 0.06)}" width="{2 + number % 3}"'
        f' height="0.05" rx="0.025" fill="#{"000" if number % 2 else "fff"}"/>'
        for number in range(34)
    )
    return (
        '<defs><pattern id="board-wood" width="6.3" height="2.04" patternUnits="userSpaceOnUse">'
        f'{streaks}</pattern><pattern id="board-cloth" width="0.07" height="0.07"'
        ' patternUnits="userSpaceOnUse"><rect width="0.035" height="0.035" fill="#fff"/>'
        '<rect x="0.035" y="0.035" width="0.035" height="0.035"/></pattern></defs>'
    )


_TEXTURES: Final = _grained()
