"""Finds positions of a match in which one move is clearly best: puzzles for others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from ai.analysis import looks_at, rate
from engine import registry
from engine.errors import RulesError
from engine.replay import final

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ai.analysis import Analysis, Ply

LEAST_MARGIN: Final = 0.15
"""So much better than any other the best move must be, in parts of a win."""
LEAST_CHOICES: Final = 4
"""So many moves there must be to choose from."""
LEAST_HOPE: Final = 0.3
"""What the best move must promise: nobody likes to find out how to lose slowly."""
_GLANCES: Final = 24
"""So many decisions of one match are looked at once more."""
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


@dataclass(frozen=True, slots=True)
class Candidate:
    """A decision of a match in which one move was clearly best, whatever was played."""

    ply: int
    """Of the entry that was played there, counted from 1."""
    solution: str
    expected: float
    """What the best move promises to who plays it."""
    margin: float
    """By how much less the second best promises, by the look that says least of two."""
    choices: int
    """How many legal moves there are."""


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
    """Return the puzzles of a match.

    Args:
        slug: the game.
        options: as chosen for the match.
        players: how many played.
        log: everything played and thrown.
        analysis: what was found out about it.
        seed: of random games, where the game has no fast board.
        seconds: how long to think about each position that may be one, roughly.

    """
    found: list[Found] = []
    for one in candidates(slug, options, players, log, analysis, seed=seed, seconds=seconds):
        if one.solution in {puzzle.solution for puzzle in found}:
            continue  # what went unseen for several turns makes one puzzle
        position = _position(slug, options, players, log[: one.ply - 1])
        if position is not None:
            found.append(Found(position, one.solution, one.expected, one.margin))
        if len(found) == MOST:
            break
    return tuple(found)


def candidates(
    slug: str,
    options: Mapping[str, str],
    players: int,
    log: Sequence[str],
    analysis: Analysis,
    *,
    seed: int = 0,
    seconds: float = 1.0,
) -> Iterator[Candidate]:
    """Yield decisions in which one move is clearly best, those that look clearest first.

    Those that may be such are looked at once more for the best and the second best move alike,
    and what then looks clear a third time, much deeper. Only what both looks say counts: the same
    move, and the smaller margin.

    Args:
        slug: the game.
        options: as chosen for the match.
        players: how many played.
        log: everything played and thrown.
        analysis: what was found out about it.
        seed: of random games, where the game has no fast board.
        seconds: how long to think about each, roughly.

    """
    game = registry.game(slug)
    start = game.initial(options, players)
    # A close look takes as many positions as eight others.
    looks = looks_at(game, players, start, int(rate(slug) * seconds) // 10, seed)
    likely = sorted(filter(_likely, analysis.plies), key=lambda ply: -ply.margin)[:_GLANCES]
    glanced = []
    for ply in likely:
        state = final(game, log[: ply.ply - 1], options, players)
        glance = looks.choice(state)
        if glance.margin >= LEAST_MARGIN and glance.expected >= LEAST_HOPE:
            glanced.append((glance, ply.ply, state))
    glanced.sort(key=lambda found: (-found[0].margin, found[1]))
    for glance, ply_number, state in glanced[: 2 * MOST]:
        deep = looks.choice(state, closely=True)
        margin = min(glance.margin, deep.margin)
        if deep.best == glance.best and margin >= LEAST_MARGIN and deep.expected >= LEAST_HOPE:
            yield Candidate(ply_number, deep.best, deep.expected, margin, deep.choices)


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
