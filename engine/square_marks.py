"""Marks on a square of side 1, which mean the same in all games: lit, to be chosen, captured."""

from __future__ import annotations

from functools import cache

from engine.scene import Disc, Ink, Line, Rect, Sprite


@cache
def light(ink: Ink) -> Sprite:
    """Return the light under a square that a move went to."""
    return Sprite((Rect(-0.475, -0.475, 0.95, 0.95, ink, radius=0.08),))


@cache
def frame(ink: Ink = Ink.CHOICE) -> Sprite:
    """Return the frame round a square, of one to be chosen if in no other ink."""
    return Sprite(
        (
            Rect(-0.48, -0.48, 0.96, 0.96, None, Ink.LINE, 0.11, radius=0.1),
            Rect(-0.465, -0.465, 0.93, 0.93, None, ink, 0.075, radius=0.09),
        )
    )


@cache
def cross() -> Sprite:
    """Return the badge on a square where a man was captured."""
    long = 0.065
    return Sprite(
        (
            Disc(0, 0, 0.16, Ink.ALERT, Ink.ALERT_TEXT, 0.03),
            Line(((-long, -long), (long, long)), Ink.ALERT_TEXT, 0.045),
            Line(((-long, long), (long, -long)), Ink.ALERT_TEXT, 0.045),
        )
    )
