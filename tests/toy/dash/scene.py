"""The picture of a track: one lane per seat, with two discs."""

from __future__ import annotations

from engine.phrase import say
from engine.scene import Board, Disc, Ink, Rect, Scene, Sprite, Token

INKS = (Ink.SEAT_1, Ink.SEAT_2, Ink.SEAT_3)


def picture(length: int, runners: tuple[tuple[int, int], ...]) -> Scene:
    """Return the lanes with the runners."""
    lanes = tuple(
        Rect(0.5, 0.5 + lane, length + 1, 0.9, fill=Ink.SQUARE, edge=Ink.LINE, edge_width=0.05)
        for lane in range(len(runners))
    )
    tokens = tuple(
        Token(Sprite((Disc(0, 0, 0.2, fill=INKS[lane]),)), 1 + far, 0.75 + lane + 0.4 * number)
        for lane, pair in enumerate(runners)
        for number, far in enumerate(pair)
    )
    text = "\n".join(
        " ".join("ab"[pair.index(far)] if far in pair else "." for far in range(length + 1))
        for pair in runners
    )
    lanes_told = " ".join(f"{a},{b}" for a, b in runners)
    return Scene(
        board=Board(length + 2, len(runners) + 1, lanes),
        tokens=tokens,
        alt=say("Runners on a track of {length}: {lanes}.", length=length, lanes=lanes_told),
        text=text,
    )
