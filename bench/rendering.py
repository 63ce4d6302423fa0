"""What a turn's picture costs from the caches, against the same picture drawn afresh.

The pictures are the positions of whole games, as players see them one after the other. A first
game warms the painter, as an evening of play does; the figures are of further games, so a new
position on warm caches is what is measured, never one picture twice. Both ways take turns.
"""

from __future__ import annotations

import time
from io import BytesIO
from random import Random
from statistics import median
from typing import TYPE_CHECKING, Any

from bench.row import Row
from engine.game import CHANCE
from engine.registry import game
from render import Painter, draw_afresh

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from engine.scene import Scene

GAME = "tablan"
WIDTHS = (800, 1000)
WANTED = {1000: (12.0, 30.0)}
"""How many milliseconds and KB a picture may take, by its width."""
WARM, MEASURED = 1, 2
"""The seeds of the game that warms the caches and of the one that is measured."""
EVERY = 4
"""Every how many pictures one is drawn afresh, too: it is slow."""


def run() -> list[Row]:
    """Measure and return the figures."""
    return [row for width in WIDTHS for row in _at(width)]


def _at(width: int) -> Iterator[Row]:
    painter = Painter()
    started = time.perf_counter()
    painter.png(next(_scenes(WARM)), width=width)
    first = (time.perf_counter() - started) * 1000
    for scene in _scenes(WARM):
        painter.png(scene, width=width)

    turns: list[tuple[float, int]] = []
    afresh: list[tuple[float, int]] = []
    busy: list[float] = []
    for number, scene in enumerate(_scenes(MEASURED)):
        began = time.thread_time()
        turns.append(_timed(lambda scene=scene: painter.png(scene, width=width)))  # type: ignore[misc]
        busy.append((time.thread_time() - began) * 1000)
        if number % EVERY == 0:
            afresh.append(_timed(lambda scene=scene: _afresh(scene, width)))  # type: ignore[misc]

    took, size = median(ms for ms, _ in turns), median(size for _, size in turns) / 1000
    slow, large = median(ms for ms, _ in afresh), median(size for _, size in afresh) / 1000
    spent = median(busy)
    late = sorted(ms for ms, _ in turns)[len(turns) * 95 // 100]
    note = f"median of {len(turns)} new positions, caches warm"
    ms, kb = WANTED.get(width, (None, None))
    yield Row(f"rendering: a turn at {width} px", took, "ms", note, at_most=ms)
    yield Row(f"rendering: a turn at {width} px, processor", spent, "ms", "whatever else runs here")
    yield Row(f"rendering: a turn at {width} px, 95 of 100", late, "ms", "at most")
    yield Row(f"rendering: a turn at {width} px, size", size, "KB", "median", at_most=kb)
    most = max(size for _, size in turns) / 1000
    yield Row(f"rendering: a turn at {width} px, largest", most, "KB", "of all")
    note = f"median of {len(afresh)}, supersampled, RGB PNG"
    yield Row(f"rendering: drawn afresh at {width} px", slow, "ms", note)
    yield Row(f"rendering: drawn afresh at {width} px, size", large, "KB", "median")
    yield Row(f"rendering: afresh against a turn at {width} px", slow / took, "×", "time")
    yield Row(f"rendering: afresh against a turn at {width} px, size", large / size, "×", "bytes")
    yield Row(f"rendering: the first picture at {width} px", first, "ms", "nothing cached yet")


def _scenes(seed: int) -> Iterator[Scene]:
    """Yield the pictures that players see in a game of random moves."""
    rules, luck = game(GAME), Random(seed)
    state = rules.initial()
    last: list[tuple[Any, Any]] = []
    while rules.outcome(state) is None:
        if rules.actor(state) is not CHANCE:
            yield rules.scene(state, last)
            last = []
        odds = rules.odds(state)
        moves = list(odds) or list(rules.legal_moves(state))
        move = luck.choices(moves, [float(odds.get(move, 1)) for move in moves])[0]
        last.append((state, move))
        state = rules.after(state, move)
    yield rules.scene(state, last)


def _afresh(scene: Scene, width: int) -> bytes:
    out = BytesIO()
    draw_afresh(scene, width=width).save(out, "PNG")
    return out.getvalue()


def _timed(paint: Callable[[], bytes]) -> tuple[float, int]:
    """Return how many milliseconds a picture took and how many bytes it has."""
    started = time.perf_counter()
    data = paint()
    return (time.perf_counter() - started) * 1000, len(data)
