"""Pictures are cut along rows of squares and panels, so that little is recompressed."""

from __future__ import annotations

from engine.scene import Board, Ink, Rect
from render.raster import Frame
from render.strips import cuts


def test_a_panel_beside_the_board_is_its_own_strip() -> None:
    squares = [Rect(x, y, 1, 1, Ink.SQUARE) for y in (2, 3) for x in range(10)]
    panels = [Rect(0.1, 0.1, 9.8, 0.9, Ink.PANEL), Rect(0.1, 5.0, 9.8, 0.9, Ink.PANEL)]
    board = Board(10, 6, (*panels, *squares))
    assert cuts(board, Frame.of(board, 1000)) == (0, 103, 200, 300, 400, 497, 600)


def test_a_frame_around_all_rows_is_not_a_panel() -> None:
    squares = [Rect(x, y, 1, 1, Ink.SQUARE) for y in (2, 3) for x in range(10)]
    board = Board(10, 6, (Rect(0, 1, 10, 4, Ink.FRAME), *squares))
    assert cuts(board, Frame.of(board, 1000)) == (0, 200, 300, 400, 600)
