"""The bot's tasks, with less time to think, for tests that need no precision."""

from __future__ import annotations

from typing import Any

from bot.core.workers import tasks


def analyse(*, seconds: float, **arguments: Any) -> dict[str, Any]:
    """Analyse a match in a tenth of the time."""
    return tasks.analyse(seconds=seconds / 10, **arguments)


def think(match: dict[str, Any], *, seconds: float, **effort: Any) -> dict[str, Any]:
    """Choose a move in a tenth of the time."""
    return tasks.think(match, seconds=seconds / 10, **effort)


TASKS = {**tasks.TASKS, "analyse": analyse, "think": think}
