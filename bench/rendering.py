"""The cost of a turn's picture from the caches, compared with drawing it from scratch.

The pictures are the positions of whole games, as players see them one after the other. A first game
warms the painter, as an evening of play does; the figures are of further games, so each picture is
a new position on warm caches, never the same one twice. Both ways take turns.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from io import BytesIO
from random import Random
from statistics import median
from typing import Any

from bench.row import Row
from engine.game import CHANCE
from engine.registry import game
from engine.scene import Scene
from render import Painter, draw_afresh
from render.charts import (
    History,
    HistoryWords,
    Leaderboard,
    LeaderboardWords,
    Letters,
    Point,
    Record,
    history,
    leaderboard,
    painted,
)
from render.charts import (
    Row as Place,
)

GAME = "tablan"
WIDTHS = (800, 1000)
WANTED = {800: (None, 1.2, 24.0), 1000: (12.0, None, 30.0)}
"""A picture's limits by width: milliseconds, milliseconds of processor time, and KB."""
WARM, MEASURED = 1, 2
"""The seeds of the warm-up game and of the measured one."""
CHARTS = 25
"""How often a chart is painted."""
CHART_KB = 30.0
"""Its maximum size at most bots' width."""
EVERY = 4
"""One picture in this many is also drawn from scratch, which is slow."""


def run() -> list[Row]:
    """Measure and return the figures."""
    return [row for width in WIDTHS for row in (*_at(width), *_charts(width))]


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

    milliseconds, size = median(ms for ms, _ in turns), median(size for _, size in turns) / 1000
    slow, large = median(ms for ms, _ in afresh), median(size for _, size in afresh) / 1000
    spent = median(busy)
    late = sorted(ms for ms, _ in turns)[len(turns) * 95 // 100]
    note = f"median of {len(turns)} new positions, caches warm"
    ms, processor, kb = WANTED.get(width, (None, None, None))
    yield Row(f"rendering: a turn at {width} px", milliseconds, "ms", note, at_most=ms)
    yield Row(
        f"rendering: a turn at {width} px, processor",
        spent,
        "ms",
        "whatever else runs here",
        at_most=processor,
    )
    yield Row(f"rendering: a turn at {width} px, 95th percentile", late, "ms", "at most")
    yield Row(f"rendering: a turn at {width} px, size", size, "KB", "median", at_most=kb)
    most = max(size for _, size in turns) / 1000
    yield Row(f"rendering: a turn at {width} px, largest", most, "KB", "of all")
    note = f"median of {len(afresh)}, supersampled, RGB PNG"
    yield Row(f"rendering: drawn from scratch at {width} px", slow, "ms", note)
    yield Row(f"rendering: drawn from scratch at {width} px, size", large, "KB", "median")
    yield Row(
        f"rendering: from scratch against a turn at {width} px", slow / milliseconds, "×", "time"
    )
    yield Row(
        f"rendering: from scratch against a turn at {width} px, size", large / size, "×", "bytes"
    )
    yield Row(f"rendering: the first picture at {width} px", first, "ms", "nothing cached yet")


def _charts(width: int) -> Iterator[Row]:
    """Yield the cost of rating charts, which are not cached."""
    begun, words = datetime(2025, 1, 1, tzinfo=UTC), Letters("W", "D", "L")
    shown = {
        "a leaderboard": leaderboard(
            Leaderboard(
                tuple(
                    Place(place, 1900 - 37 * place, 60 + place, "wdlwl") for place in range(1, 11)
                ),
                Place(27, 1388, 66, "lwdlw", own=True),
            ),
            LeaderboardWords(words, "Last 5", "provisional", "inactive"),
        ),
        "a rating over time": history(
            History(
                tuple(
                    Point(begun + timedelta(days=day), 1500 + day * 37 % 90 + day, 300 - day)
                    for day in range(200)
                ),
                (Record("White", 61, 12, 30), Record("Black", 40, 3, 54)),
            ),
            HistoryWords(words, lambda tick: f"{tick.day:%b}", "provisional"),
        ),
    }
    for name, scene in shown.items():
        painted(scene, width=width)
        times = [_timed(lambda scene=scene: painted(scene, width=width)) for _ in range(CHARTS)]  # type: ignore[misc]
        milliseconds, size = median(ms for ms, _ in times), times[0][1] / 1000
        note = f"median of {CHARTS}, drawn from nothing"
        yield Row(f"rendering: {name} at {width} px", milliseconds, "ms", note)
        most = CHART_KB if width == WIDTHS[0] else None
        yield Row(f"rendering: {name} at {width} px, size", size, "KB", at_most=most)


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
    """Return a picture's milliseconds and bytes."""
    started = time.perf_counter()
    data = paint()
    return (time.perf_counter() - started) * 1000, len(data)
