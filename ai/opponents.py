"""Chooses moves for computer opponents: plain data in, plain data out.

It may run in a worker process. The same arguments give the same move as long as time suffices:
levels are limited by the number of positions, and time is only a hard limit beyond that.
"""

from __future__ import annotations

import random
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from ai import monte_carlo
from ai.levels import GENERIC, LEVELS
from ai.position import inner, swapped
from ai.search import searchers
from engine import registry
from engine.errors import GameOver
from engine.game import CHANCE
from engine.phrase import say
from engine.replay import final

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ai.search.searcher import Searcher

PATIENCE: Final = 2.0
"""Maximum seconds to wait for a fast board that is still compiling."""


@dataclass(frozen=True, slots=True)
class Thought:
    """A chosen move and the values of all moves."""

    notation: str
    equity: tuple[float, ...]
    """Expected results in turn order after the move, summing to 1."""
    depth: int
    """Depth of the last complete iteration, in turns; 0 for playouts."""
    nodes: int
    """Positions searched."""
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
        seconds: hard time limit; the best move found by then is returned.
        clock: source of the time.

    Raises:
        GameOver: the game has ended.
        ValueError: chance acts, or there is no such level.
        RulesError: unknown game or options, or a log that cannot be replayed.

    """
    if level not in LEVELS:
        raise ValueError(f"there is no level {level}")
    until = clock() + seconds
    game = registry.game(slug)
    state = final(game, log, options, players)
    ended = game.outcome(state)
    if ended is not None:
        raise GameOver(say("The game is over: {reason}.", reason=ended.reason))
    if game.actor(state) is CHANCE:
        raise ValueError("chance acts: there is nothing to decide")
    dice = random.Random(seed)  # noqa: S311 - a game, no secret
    searcher = searchers.ready(slug, players, min(PATIENCE, (until - clock()) / 2))
    if searcher is not None:
        return _searched(searcher, state, level, dice, until - clock())
    found = monte_carlo.choose(
        game, players, state, GENERIC[level - 1], dice, lambda: clock() >= until
    )
    notation = [game.write(move) for move in found.moves]
    return Thought(
        notation[found.best], found.equity, 0, found.nodes, _sorted(notation, found.values)
    )


def _searched(
    searcher: Searcher, state: Any, level: int, dice: random.Random, seconds: float
) -> Thought:
    fast, position = searcher.fast, inner(state)
    board = fast.encode(position)
    found = searcher.search(
        board, fast.past(position), fast.levels[level - 1], dice, max(seconds, 0)
    )
    notation = [fast.notation(board, move) for move in found.moves]
    equity = found.equity[::-1] if swapped(state) else found.equity
    return Thought(
        notation[found.best], equity, found.depth, found.nodes, _sorted(notation, found.values)
    )


def _sorted(notation: Sequence[str], values: Sequence[float]) -> tuple[tuple[str, float], ...]:
    return tuple(sorted(zip(notation, values, strict=True), key=lambda other: -other[1]))


def warm(slug: str) -> None:
    """Compile or load the kernels of a game; the very first time takes a minute."""
    searchers.load(slug)
