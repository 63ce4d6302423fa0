"""Chooses moves for computer opponents: plain data in, plain data out.

It may run in a worker process. Levels 1 to 4 are limited by the number of positions: the same
arguments give the same move as long as time suffices. Level 5 uses all of its time.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from ai import levels, monte_carlo
from ai.evaluators.two_games import match_results
from ai.levels import GENERIC, LEVELS
from ai.position import Fast, fast, inner, shares
from ai.search import searchers
from ai.search.searcher import Searcher
from engine import registry
from engine.errors import GameOver
from engine.game import CHANCE
from engine.pair import Standing
from engine.phrase import say
from engine.registry import AnyGame
from engine.replay import final

PATIENCE: Final = levels.PATIENCE
_WINS: Final = 0.99
"""A move with at least this result may end the game at once."""
HURRY: Final = 4.0
"""Maximum elapsed time of a thought, as a multiple of its processor time, on a busy machine."""


@dataclass(frozen=True, slots=True)
class Thought:
    """A chosen move and the values of all moves."""

    notation: str
    equity: tuple[float, ...]
    """Expected results in turn order after the move, summing to 1."""
    depth: int
    """Depth of the last complete iteration, in turns; 0 for playouts."""
    nodes: int
    """Positions searched, or moves made in playouts."""
    evaluated: bool
    """Whether it is worth storing and reporting.

    It is not if time ran out before any move was evaluated, the move then being any legal one; nor
    if the game's board was not loaded in time, so that a few random games had to do.
    """
    others: tuple[tuple[str, float], ...]
    """All moves with the expected result of the seat to act, best first.

    The chosen move is among them. Other values may come from a shallower search.
    """


def think(
    slug: str,
    options: Mapping[str, str],
    players: int,
    log: Sequence[str],
    *,
    level: int,
    seed: int,
    seconds: float = 1.0,
    clock: Callable[[], float] = time.monotonic,
) -> Thought:
    """Choose a move for the seat to act.

    Args:
        slug: the game.
        options: of the match.
        players: number of players.
        log: all moves and throws so far.
        level: 1 to 5.
        seed: of all randomness.
        seconds: limit of processor time, counted once the board is loaded and the log replayed;
            the best move found by then is returned, after `HURRY` times as long at the latest. The
            first call may take `PATIENCE` seconds more.
        clock: source of the time where there is no board.

    Raises:
        GameOver: the game has ended.
        ValueError: chance acts, or there is no such level.
        RulesError: unknown game or options, or a log that cannot be replayed.

    """
    if level not in LEVELS:
        raise ValueError(f"there is no level {level}")
    game = registry.game(slug)
    state = final(game, log, options, players)
    ended = game.outcome(state)
    if ended is not None:
        raise GameOver(say("The game is over: {reason}.", reason=ended.reason))
    if game.actor(state) is CHANCE:
        raise ValueError("chance acts: there is nothing to decide")
    dice = random.Random(seed)  # noqa: S311 - a game, no secret
    searcher = searchers.ready(slug, players, PATIENCE)
    if searcher is not None:
        thought = _searched(searcher, state, level, dice, seconds)
        if isinstance(state, Standing) and state.paired:
            start = inner(game.initial(options))
            return _of_match(game, state, thought, _static(searcher.fast, start)[1])
        return thought
    until = clock() + seconds
    found = monte_carlo.choose(
        game, players, state, GENERIC[level - 1], dice, lambda: clock() >= until
    )
    notation = [game.write(move) for move in found.moves]
    return Thought(
        notation[found.best],
        found.equity,
        0,
        found.nodes,
        evaluated=found.evaluated and fast(slug) is None,
        others=_sorted(notation, found.values),
    )


def _searched(
    searcher: Searcher, state: Any, level: int, dice: random.Random, seconds: float
) -> Thought:
    known, position = searcher.fast, inner(state)
    board = known.encode(position)
    found = searcher.search(
        board, known.past(position), known.levels[level - 1], dice, seconds, HURRY * seconds
    )
    notation = [known.notation(board, move) for move in found.moves]
    return Thought(
        notation[found.best],
        found.equity,
        found.depth,
        found.nodes,
        evaluated=True,  # by the static evaluation, however short the time
        others=_sorted(notation, found.values),
    )


def _static(board: Fast, position: Any) -> tuple[float, ...]:
    """Return the static evaluation of a position in which a seat acts."""
    out = np.zeros(board.seats)
    board.kernels.evaluate(board.encode(position), board.weights(), out)
    return tuple(map(float, out))


def _of_match(game: AnyGame, state: Standing[Any], thought: Thought, later: float) -> Thought:
    """Convert a thought on the current game to one on the match of two games.

    The chosen move stays, as do the better ones better: what wins a game is no worse for the match.

    Args:
        game: the game.
        state: of the match.
        thought: on the game in progress, its results those of the sides.
        later: the expected result of the second side at the start of a game.

    """
    scale, seat = match_results(state, later), game.actor(state)
    assert seat is not CHANCE
    side = 1 - seat if state.swapped else seat

    def result(notation: str, value: float) -> float:
        if state.swapped and value > _WINS:
            ended = game.outcome(game.after(state, game.read(state, notation)))
            if ended is not None:
                return shares(ended)[seat]
        return scale((value, 1 - value) if side == 0 else (1 - value, value))[seat]

    names, values = zip(
        *((name, result(name, value)) for name, value in thought.others), strict=True
    )
    mine = values[names.index(thought.notation)]
    equity = (mine, 1 - mine) if seat == 0 else (1 - mine, mine)
    return replace(thought, equity=equity, others=_sorted(names, values))


def _sorted(notation: Sequence[str], values: Sequence[float]) -> tuple[tuple[str, float], ...]:
    return tuple(sorted(zip(notation, values, strict=True), key=lambda other: -other[1]))


def warm(slug: str) -> None:
    """Compile or load a game's kernels; the very first time takes a minute."""
    searchers.load(slug)
