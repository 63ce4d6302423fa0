"""How fast the rules are: random games of every game, and replaying a log of 300 entries.

Processor time of this process is measured, and the best of several rounds taken, so that other load
on the machine does not count.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import count, islice
from typing import Any, NamedTuple

from bench.row import Row
from engine import registry
from engine.game import CHANCE
from engine.registry import AnyGame
from engine.replay import final
from engine.replay import replay as replayed

PLIES = 300
_ROUNDS = 5
_GAMES = 60
_BEARABLE_MS = 50.0


class Playouts(NamedTuple):
    """Random games of one game."""

    per_second: float
    """Moves and throws per second."""
    plies: float
    """The average length of a game."""


class Replay(NamedTuple):
    """A log of `PLIES` entries, or of the longest game tried if games are shorter."""

    plies: int
    seconds: float
    """Replaying it: every entry is read, checked and played."""
    reading: float
    """Reading the notation of the same entries, for comparison."""


def run() -> list[Row]:
    """Measure every game."""
    return [row for game in registry.games().values() for row in _rows(game)]


def playouts(game: AnyGame, players: int) -> Playouts:
    """Play random games to the end and return the best of several rounds."""
    lengths: list[int] = []

    def play() -> None:
        dice = random.Random(1)
        lengths[:] = [sum(1 for _ in _random_game(game, dice, players)) for _ in range(_GAMES)]

    seconds = _best(play)
    return Playouts(sum(lengths) / seconds, sum(lengths) / _GAMES)


def replay(game: AnyGame) -> Replay:
    """Replay a log, and read it without playing it; return the best of several rounds of each."""
    log = _long_log(game)
    entries = [(entry.before, text) for entry, text in zip(replayed(game, log), log, strict=True)]

    def read() -> None:
        for state, text in entries:
            game.parse(state, text)

    return Replay(len(log), _best(lambda: final(game, log)), _best(read))


def _rows(game: AnyGame) -> Iterator[Row]:
    for players in game.players:
        played = playouts(game, players)
        yield Row(
            f"engine: {game.slug}, random games{_table(game, players)}",
            played.per_second,
            "plies/s",
            f"moves and throws in games of {played.plies:.0f} plies",
        )
    measured = replay(game)
    yield Row(
        f"engine: {game.slug}, replay of {measured.plies} plies",
        measured.seconds * 1000,
        "ms",
        "from notation to the last position, every entry checked",
        at_most=_BEARABLE_MS,
    )
    yield Row(
        f"engine: {game.slug}, replay against reading alone",
        measured.seconds / measured.reading,
        "×",
        "the same log parsed into moves but not played",
    )


def _table(game: AnyGame, players: int) -> str:
    return f", {players} players" if len(game.players) > 1 else ""


def _best(measured: Callable[[], object]) -> float:
    rounds = []
    for _ in range(_ROUNDS):
        start = time.process_time()
        measured()
        rounds.append(time.process_time() - start)
    return min(rounds)


def _random_game(game: AnyGame, dice: random.Random, players: int) -> Iterator[Any]:
    state = game.initial(None, players)
    odds: Mapping[Any, Fraction] = {}
    lots: list[Any] = []
    while game.outcome(state) is None:
        among = game.legal_moves(state)
        if game.actor(state) is CHANCE:
            if game.odds(state) is not odds:
                odds = game.odds(state)
                lots = _lots(odds)
            among = lots
        move = among[int(dice.random() * len(among))]
        yield move
        state = game.after(state, move)


def _lots(odds: Mapping[Any, Fraction]) -> list[Any]:
    """Return the throws, each repeated in proportion to its chance, for fast drawing."""
    parts = math.lcm(*(chance.denominator for chance in odds.values()))
    return [throw for throw, chance in odds.items() for _ in range(int(chance * parts))]


def _long_log(game: AnyGame) -> list[str]:
    """Return the first entries of a random game that is long enough, or of the longest tried."""
    longest: list[str] = []
    for seed in islice(count(), 100):
        moves = list(islice(_random_game(game, random.Random(seed), game.players[0]), PLIES))
        if len(moves) > len(longest):
            longest = [game.write(move) for move in moves]
        if len(longest) == PLIES:
            break
    return longest
