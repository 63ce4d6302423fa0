"""The tasks of worker processes. Arguments and results are plain data."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final

from ai import analysis, opponents
from ai.puzzles import mine
from bot.core.workers import report


def think(match: Mapping[str, Any], **effort: Any) -> dict[str, Any]:
    """Choose a move; see `ai.opponents.think`."""
    return asdict(opponents.think(**match, **effort))


def warm_up(games: Sequence[str]) -> None:
    """Compile what these games need; see `ai.opponents.warm`."""
    for slug in games:
        opponents.warm(slug)


def analyse(
    match: Mapping[str, Any], *, result: Sequence[float], seed: int, seconds: float, puzzles: bool
) -> dict[str, Any]:
    """Analyse a finished match and look for puzzles in it; see `ai.analysis` and `ai.puzzles`."""
    found = analysis.analyse(**match, result=result, seconds=seconds, seed=seed, report=report)
    mined = mine(**match, analysis=found, seed=seed) if puzzles else ()
    return {"analysis": asdict(found), "puzzles": [asdict(one) for one in mined]}


TASKS: Final[Mapping[str, Callable[..., Any]]] = {
    "think": think,
    "analyse": analyse,
    "warm_up": warm_up,
}
"""All tasks by name."""
