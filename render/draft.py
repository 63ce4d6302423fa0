"""Pictures of what has not been played: tinted, and labelled with what they are.

The label is a strip below the board. It belongs to the board, so painters know it by identity.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from engine.scene import Board, Ink, Rect, Scene, Text

_HIGH: Final = 0.062
"""The height of the strip, relative to the board's width."""
_SIZE: Final = 0.56
"""The height of its words, relative to its own."""
_KEPT: Final = 64

_boards: dict[tuple[int, str], tuple[Board, Board]] = {}
"""Boards and the same ones with a label, by the first one's identity and the label."""


def labelled(scene: Scene, words: str) -> Scene:
    """Return a picture with a label below its board; use the theme's draft beside it."""
    board = scene.board
    held = _boards.get((id(board), words))
    if held is None or held[0] is not board:
        if len(_boards) >= _KEPT:
            _boards.clear()
        held = _boards[id(board), words] = (board, _labelled(board, words))
    return replace(scene, board=held[1])


def _labelled(board: Board, words: str) -> Board:
    high = board.width * _HIGH
    margin = 0.15 * high
    top, width = board.height, board.width - 2 * margin
    strip = Rect(margin, top, width, high - margin, Ink.PAGE_TEXT, radius=0.25 * high)
    middle = top + (high - margin) / 2
    label = Text(
        *(board.width / 2, middle, words, _SIZE * high, Ink.PAGE),
        bold=True,
        room=width - high,
    )
    return replace(board, height=top + high, shapes=(*board.shapes, strip, label))
