"""Marks on the plots: the last moves, why pavilions rose, what may be chosen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Final

from engine import square_marks
from engine.games.tablaaza.board import colour, corridors
from engine.games.tablaaza.pieces import RADIUS
from engine.games.tablaaza.table import centre
from engine.scene import Disc, Ink, Line, Shape, Sprite, Token

_THREAD: Final = 0.11
"""The width of the line along a corridor."""
_EDGE: Final = 0.06
"""How much wider its dark edge is."""


def threads(raised: Iterable[str], ink: Ink) -> Iterator[Shape]:
    """Yield a line along every corridor through the plots where pavilions rose."""
    lines = dict.fromkeys(
        (centre(run[0]), centre(run[-1])) for plot in raised for run in corridors(plot)
    )
    # All dark edges first, or they would cut the bright lines.
    for points in lines:
        yield Line(points, Ink.LINE, _THREAD + _EDGE)
    for points in lines:
        yield Line(points, ink, _THREAD)


def builders(raised: Iterable[str]) -> tuple[str, ...]:
    """Return the plots whose stones raised the pavilions, each once."""
    return tuple(
        dict.fromkeys(
            other
            for plot in raised
            for run in corridors(plot)
            for other in run
            if colour(other) != colour(plot)
        )
    )


def lit(plots: Iterable[str], ink: Ink) -> Iterator[Token]:
    """Yield a light under each newly built plot."""
    for plot in plots:
        yield Token(square_marks.light(ink), *centre(plot))


def ringed(plots: Iterable[str], ink: Ink) -> Iterator[Token]:
    """Yield a ring round each stone that helped raise a pavilion."""
    for plot in plots:
        yield Token(_ring(ink), *centre(plot))


def framed(plots: Iterable[str], ink: Ink) -> Iterator[Token]:
    """Yield a frame round each plot: where pavilions rose, or where Green must begin."""
    for plot in plots:
        yield Token(square_marks.frame(ink), *centre(plot))


def dotted(plots: Iterable[str]) -> Iterator[Token]:
    """Yield a dot on each plot that may be chosen."""
    for plot in plots:
        yield Token(_dot(), *centre(plot))


@cache
def _ring(ink: Ink) -> Sprite:
    return Sprite((Disc(0, 0, RADIUS + 0.065, Ink.LINE), Disc(0, 0, RADIUS + 0.05, ink)))


@cache
def _dot() -> Sprite:
    return Sprite((Disc(0, 0, 0.13, Ink.LINE), Disc(0, 0, 0.10, Ink.CHOICE)))
