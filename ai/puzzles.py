"""Finds puzzles in a match: positions in which one move is clearly best."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from ai.analysis import Analysis, Ply, evaluator_for, rate
from engine import registry
from engine.errors import RulesError
from engine.replay import final

MIN_MARGIN: Final = 0.15
"""Margin of the best move over the second best, in parts of a win."""
MIN_CHOICES: Final = 4
"""Number of legal moves."""
MIN_EXPECTED: Final = 0.3
"""Expected result of the best move: losing slowly makes no good puzzle."""
_MAX_CANDIDATES: Final = 24
"""Decisions of a match that are re-evaluated."""
MAX_PUZZLES: Final = 3
"""Puzzles from one match."""


@dataclass(frozen=True, slots=True)
class Found:
    """A position in which one move is clearly best."""

    position: str
    """In the notation of the game; does not reveal the match."""
    solution: str
    expected: float
    """The mover's expected result with the best move."""
    margin: float
    """The best move's gain over the second best."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A decision in which one move was clearly best, played or not."""

    ply: int
    """The entry of that decision, counted from 1."""
    solution: str
    expected: float
    """The mover's expected result with the best move."""
    margin: float
    """Its gain over the second best, the smaller of two evaluations."""
    choices: int
    """Number of legal moves."""


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
        log: all moves and throws.
        analysis: of the match.
        seed: of playouts, for a game without a fast board.
        seconds: computing time for each candidate, roughly.

    """
    found: list[Found] = []
    for one in candidates(slug, options, players, log, analysis, seed=seed, seconds=seconds):
        if one.solution in {puzzle.solution for puzzle in found}:
            continue  # an opportunity missed for several turns makes one puzzle
        game = registry.game(slug)
        state = final(game, log[: one.ply - 1], options, players)
        position = reread(game, state, options)
        if position is not None:
            found.append(Found(position, one.solution, one.expected, one.margin))
        if len(found) == MAX_PUZZLES:
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
    """Yield decisions in which one move is clearly best, the clearest first.

    Likely ones are evaluated again, for the best and the second best move alike, and the clear
    ones a third time, much deeper. Both evaluations must agree on the move; the smaller margin
    counts.

    Args:
        slug: the game.
        options: as chosen for the match.
        players: how many played.
        log: all moves and throws.
        analysis: of the match.
        seed: of playouts, for a game without a fast board.
        seconds: computing time for each, roughly.

    """
    game = registry.game(slug)
    start = game.initial(options, players)
    # A deep evaluation takes as many positions as eight others.
    evaluator = evaluator_for(game, players, start, int(rate(slug) * seconds) // 10, seed)
    likely = sorted(filter(_likely, analysis.plies), key=lambda ply: -ply.margin)[:_MAX_CANDIDATES]
    shallow_ones = []
    for ply in likely:
        state = final(game, log[: ply.ply - 1], options, players)
        shallow = evaluator.best_move(state)
        if shallow.margin >= MIN_MARGIN and shallow.expected >= MIN_EXPECTED:
            shallow_ones.append((shallow, ply.ply, state))
    shallow_ones.sort(key=lambda one: (-one[0].margin, one[1]))
    for shallow, ply_number, state in shallow_ones[: 2 * MAX_PUZZLES]:
        deep = evaluator.best_move(state, deep=True)
        margin = min(shallow.margin, deep.margin)
        if deep.move == shallow.move and margin >= MIN_MARGIN and deep.expected >= MIN_EXPECTED:
            yield Candidate(ply_number, deep.move, deep.expected, margin, deep.choices)


def _likely(ply: Ply) -> bool:
    """Return whether a decision may make a puzzle."""
    return (
        ply.place is not None
        and ply.best is not None
        and ply.choices >= MIN_CHOICES
        and ply.margin >= MIN_MARGIN
        and ply.before[ply.place] >= MIN_EXPECTED
    )


def reread(game: Any, state: Any, options: Mapping[str, str]) -> str | None:
    """Return a position in notation, or ``None`` if that would change its legal moves."""
    text: str = game.write_position(state)
    try:
        again = game.read_position(text, options)
    except RulesError:
        return None
    moves = [[game.write(move) for move in game.legal_moves(one)] for one in (state, again)]
    return text if sorted(moves[0]) == sorted(moves[1]) else None
