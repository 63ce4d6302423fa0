"""How fast the fast boards are: random games, and positions per second of search.

Processor time of this process is measured, on one thread, and the best of several rounds taken.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from functools import partial
from statistics import median
from typing import Final

from ai.levels import Level
from ai.position import Fast, fast, inner
from ai.search import searchers
from ai.search.playouts import Playouts
from bench.row import Row
from engine import registry
from engine.registry import AnyGame

LUDII: Final = {"tablut": 82_000, "tablan": 74_000, "thaayam": 54_000}
"""Ludii's approximate moves per second in random games on such a machine, on one thread."""
SEARCHED: Final = {"tablut": 1_000_000}
"""Approximate positions per second of the best programs in competitions."""
_ROUNDS: Final = 5
_GAMES: Final = 5_000
_NODES: Final = 300_000


def run() -> list[Row]:
    """Measure every game with a fast board."""
    return [row for slug, game in registry.games().items() for row in _rows(game, fast(slug))]


def _rows(game: AnyGame, board: Fast | None) -> Iterator[Row]:
    if board is None:
        return
    for players in game.players:
        table = f", {players} players" if len(game.players) > 1 else ""
        ludii = LUDII.get(game.slug) if players == game.players[0] else None
        moves, throws = _playouts(game, board, players)
        thrown = f"and {throws:,.0f} throws/s, not counted" if throws else ""
        yield Row(
            f"ai: {game.slug}, random games{table}",
            moves,
            "moves/s",
            "; ".join(note for note in (f"Ludii: {ludii:,}" if ludii else "", thrown) if note),
            at_least=ludii,
        )
        others = SEARCHED.get(game.slug)
        yield Row(
            f"ai: {game.slug}, search{table}",
            _search(game, board, players),
            "nodes/s",
            f"the best programs: {others:,}, as they count" if others else "",
        )


def _playouts(game: AnyGame, board: Fast, players: int) -> tuple[float, float]:
    """Return decisions per second, and the throws per second made on top of them."""
    playouts = Playouts(board)
    start = board.encode(inner(game.initial(None, players)))
    rounds = []
    for _ in range(_ROUNDS):
        begun = time.process_time()
        played = playouts.play(start, _GAMES)
        seconds = time.process_time() - begun
        rounds.append((played.moves / seconds, played.throws / seconds))
    return max(rounds)


def _search(game: AnyGame, board: Fast, players: int) -> float:
    """Search from positions shortly after the start of random games."""
    searchers.load(board.slug)
    searcher = searchers.ready(board.slug, players, 0)
    assert searcher is not None
    positions = [_decision(game, players, seed) for seed in range(_ROUNDS)]

    def search(state: object) -> int:
        found = searcher.search(board.encode(inner(state)), (), Level(60, _NODES), random.Random(1))
        return found.nodes

    return median(_rate(partial(search, state)) for state in positions)


def _decision(game: AnyGame, players: int, seed: int) -> object:
    """Return a position with a choice, at least ten plies into a random game."""
    dice = random.Random(seed)
    state, ply = game.initial(None, players), 0
    while ply < 10 or game.odds(state) or len(game.legal_moves(state)) < 2:
        state = game.after(state, dice.choice(game.legal_moves(state)))
        ply += 1
        if game.outcome(state) is not None:
            state, ply = game.initial(None, players), 0
    return state


def _rate(work: Callable[[], int]) -> float:
    seconds, done = _timed(work)
    return done / seconds


def _timed(work: Callable[[], int]) -> tuple[float, int]:
    start = time.process_time()
    done = work()
    return time.process_time() - start, done
