"""What a worker process can be asked to do. Everything goes in and comes out as plain data."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

from ai import analysis, opponents
from ai.puzzles import mine

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence


def think(  # noqa: PLR0917 - asked for by their names
    game: str,
    options: Mapping[str, str],
    players: int,
    log: Sequence[str],
    level: int,
    seed: int,
    seconds: float,
) -> dict[str, Any]:
    """Choose a move; see `ai.opponents.think`."""
    thought = opponents.think(game, options, players, log, level=level, seed=seed, seconds=seconds)
    return asdict(thought)


def warm(games: Sequence[str]) -> None:
    """Get ready for games; see `ai.opponents.warm`."""
    for slug in games:
        opponents.warm(slug)


def study(  # noqa: PLR0917 - asked for by their names
    game: str,
    options: Mapping[str, str],
    players: int,
    log: Sequence[str],
    result: Sequence[float],
    seed: int,
    seconds: float,
    puzzles: bool,  # noqa: FBT001 - likewise
) -> dict[str, Any]:
    """Look at a match that has ended, and for puzzles in it; see `ai.analysis` and `ai.puzzles`."""
    found = analysis.analyse(game, options, players, log, result=result, seconds=seconds, seed=seed)
    mined = mine(game, options, players, log, found, seed=seed) if puzzles else ()
    verdicts = [{**asdict(one), "kind": one.kind.value} for one in found.verdicts]
    return {
        "analysis": {**asdict(found), "verdicts": verdicts},
        "puzzles": [asdict(one) for one in mined],
    }


CHORES: Final[Mapping[str, Callable[..., Any]]] = {
    "think": think,
    "study": study,
    "warm": warm,
}
"""All chores by their names."""
