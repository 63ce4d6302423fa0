"""Writes players' names on a picture, where the names of their seats would stand."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Final

from engine.scene import Ink, Scene, Shape, Text
from render.charts.signs import name as fitting
from render.fonts import drawable, extent

_QUIET: Final = 0.78
"""How much smaller a seat is written beside its player's name."""
_SIZES: Final = (1, 0.85, 0.66)
"""How small a name is written, as beside a medal, before it is cut, likewise."""
_GAP: Final = 0.45
"""Between the two, relative to the size of the name."""
_MEASURED: Final = 100
_KEPT: Final = 4096
"""Names kept as they were set: measuring letters takes longer than anything else here."""

Names = tuple[tuple[int, str], ...]
"""Seats, and the names of their players."""


def named(scene: Scene, names: Names) -> Scene:
    """Return a picture with the names of players on it.

    A name is cleaned and cut to its room; where nothing of it can be drawn, the seat's name stays.
    The seats' names stand beside those of their players if there is room on all panels.
    Translate a picture before, and turn it afterwards: the names move with their panels.
    """
    shown = {seat: clean for seat, name in names if (clean := drawable(name))}
    labels = [
        shape
        for shape in scene.above
        if isinstance(shape, Text) and shape.seat is not None and shape.seat in shown
    ]
    if not labels:
        return scene
    both = all(_fits(one, shown[one.seat or 0]) for one in labels)
    above: list[Shape] = []
    for shape in scene.above:
        if isinstance(shape, Text) and shape.seat is not None and shape.seat in shown:
            above += _label(shape, shown[shape.seat], both=both)
        else:
            above.append(shape)
    return replace(scene, above=tuple(above))


@lru_cache(maxsize=_KEPT)
def _label(label: Text, name: str, *, both: bool) -> tuple[Text, ...]:
    """Return a name, and beside it that of the seat if ``both`` have room."""
    width = _width(name, label.size, bold=label.bold)
    share = next((one for one in _SIZES if one * width <= label.room), 1)
    shown = fitting(
        name, label.x, label.y, share * label.size, label.ink, room=label.room, bold=label.bold
    )
    shown = replace(shown, seat=label.seat)
    if not both:
        return (shown,)
    x = label.x + _width(name, label.size, bold=label.bold) + _GAP * label.size
    size = _QUIET * label.size
    return shown, Text(round(x, 4), label.y, label.text, size, Ink.PAGE_QUIET, label.anchor)


@lru_cache(maxsize=_KEPT)
def _fits(label: Text, name: str) -> bool:
    """Return whether there is room for a name and its seat's name."""
    return (
        _width(name, label.size, bold=label.bold)
        + _GAP * label.size
        + _width(label.text, _QUIET * label.size, bold=False)
    ) <= label.room


def _width(text: str, size: float, *, bold: bool) -> float:
    left, _, right, _ = extent(text, _MEASURED, "lm", bold=bold)
    return (right - left) * size / _MEASURED
