"""Finds positions of a match in which one move is clearly best: puzzles for others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from ai import opponents
from ai.levels import LEVELS
from engine import registry
from engine.errors import RulesError
from engine.replay import final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ai.analysis import Analysis, Ply

LEAST_MARGIN: Final = 0.15
"""So much better than any other the best move must be, in parts of a win."""
LEAST_CHOICES: Final = 4
"""So many moves there must be to choose from."""
LEAST_HOPE: Final = 0.3
"""What the best move must promise: nobody likes to find out how to lose slowly."""
MOST: Final = 3
"""So many puzzles come from one match at most."""


@dataclass(frozen=True, slots=True)
class Found:
    """A position in which one move is clearly best."""

    position: str
    """As the game writes it; nothing tells whose match it was."""
    solution: str
    expected: float
    """What the best move promises to who plays it."""
    margin: float
    """By how much less the second best promises."""


def mine(
    slug: str,
    options: Mapping[str, str],
    players: int,
    log: Sequence[str],
    analysis: Analysis,
    *,
    seed: int,
    seconds: float = 1.0,
) -> tuple[Found, ...]:
    """Return the puzzles of a match, each looked at once more by the strongest level.

    Args:
        slug: the game.
        options: as chosen for the match.
        players: how many played.
        log: everything played and thrown.
        analysis: what was found out about it.
        seed: of everything random in it.
        seconds: how long to think about each position that may be one.

    """
    likely = sorted(filter(_likely, analysis.plies), key=lambda ply: -ply.margin)
    found: list[Found] = []
    for ply in likely[: 2 * MOST]:
        if len(found) == MOST:
            break
        before = log[: ply.ply - 1]
        position = _position(slug, options, players, before)
        thought = opponents.think(
            slug, options, players, before, level=LEVELS[-1], seed=seed + ply.ply, seconds=seconds
        )
        values = sorted((value for _, value in thought.others), reverse=True)
        margin = values[0] - values[1]
        if position is None or thought.notation != ply.best or margin < LEAST_MARGIN:
            continue
        found.append(Found(position, thought.notation, values[0], margin))
    return tuple(found)


def _likely(ply: Ply) -> bool:
    """Return whether a decision may make a puzzle."""
    return (
        ply.place is not None
        and ply.best is not None
        and ply.choices >= LEAST_CHOICES
        and ply.margin >= LEAST_MARGIN
        and ply.before[ply.place] >= LEAST_HOPE
    )


def _position(
    slug: str, options: Mapping[str, str], players: int, log: Sequence[str]
) -> str | None:
    """Return a position as a line that tells all that matters, ``None`` where no line does."""
    game: Any = registry.game(slug)
    state = final(game, log, options, players)
    text: str = game.write_position(state)
    try:
        again = game.read_position(text, options)
    except RulesError:
        return None
    moves = [[game.write(move) for move in game.legal_moves(one)] for one in (state, again)]
    return text if sorted(moves[0]) == sorted(moves[1]) else None
