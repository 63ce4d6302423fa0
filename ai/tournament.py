"""Plays computer players against each other and scores them.

Seats are balanced: the same throws are played once with the player in each seat. Games are played
on the fast board by the engine's rules; a game that does not end is drawn.

In games with throws, each throw's effect on a seat is counted: by the evaluation, how much better its
position is than the mean over all throws. That mean is exact, so the average effect is zero, however
wrong the evaluation; results without it have the same average and vary much less.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

import numpy as np

from ai.kernels import Board, Floats
from ai.levels import Level
from ai.position import CHANCE, CHANCES, OVER, Fast, inner
from ai.reference.uct import Reference
from ai.search.searcher import Searcher
from engine import registry

MAX_PLIES: Final = 1000
"""Longer games are drawn."""
_Z: Final = 1.96
"""Standard deviations of a 95 % confidence interval."""
_THROWS: Final = (0, *(1,) * 4, *(2,) * 6, *(3,) * 4, 4)

Player: TypeAlias = Callable[[Board, Sequence[Board], random.Random], int]
"""Chooses a move in a position, given the earlier ones that may recur."""


@dataclass(frozen=True, slots=True)
class Score:
    """The score of one player against others."""

    games: int
    points: float
    """A win is 1, a shared win a fraction."""
    plies: int
    """Moves and throws of all games together."""
    earned: float = 0.0
    """Points minus the effect of the throws: for one game it may be below 0 or above 1."""
    squares: float = 0.0
    """The sum of the squares of each game's earnings; 0 without throws."""

    @property
    def share(self) -> float:
        """Mean points per game."""
        return self.points / self.games

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % Wilson interval of the share."""
        spread = _Z**2 / self.games
        middle = (self.share + spread / 2) / (1 + spread)
        width = math.sqrt(self.share * (1 - self.share) * spread + spread**2 / 4) / (1 + spread)
        return middle - width, middle + width

    @property
    def without_luck(self) -> tuple[float, float] | None:
        """Return a game's mean earnings and half its 95 % interval, or ``None`` if unknown."""
        if not self.squares or self.games < 2:
            return None
        mean = self.earned / self.games
        variance = (self.squares - self.games * mean**2) / (self.games - 1)
        return mean, _Z * math.sqrt(variance / self.games)


class Played(NamedTuple):
    """A finished game, by seat."""

    results: tuple[float, ...]
    plies: int
    luck: tuple[float, ...]
    """The effect of the throws, summing to 0; all 0 without throws."""


def at_random(board: Fast) -> Player:
    """Return a player of random moves."""

    def play(state: Board, _past: Sequence[Board], dice: random.Random) -> int:
        return dice.choice(_legal(board, state))

    return play


def greedy(board: Fast) -> Player:
    """Return a player that captures if it can and plays at random otherwise.

    A move that wins at once comes first, then the one `Kernels.loud` ranks highest.
    """
    kernels = board.kernels

    def play(state: Board, _past: Sequence[Board], dice: random.Random) -> int:
        moves = _legal(board, state)
        into, results = board.board(), np.zeros(board.seats)
        seat, best, among = kernels.actor(state), -1, list[int]()
        for move in moves:
            kernels.play(state, move, into)
            noise = kernels.loud(state, move)
            if kernels.actor(into) == OVER:
                kernels.result(into, results)
                noise = 1 << 40 if results[seat] == 1 else noise
            if noise > best:
                best, among = noise, []
            if noise == best:
                among.append(move)
        return dice.choice(among)

    return play


def searching(searcher: Searcher, level: Level, seconds: float = math.inf) -> Player:
    """Return a player that searches at a level, with ``seconds`` of processor time per move."""

    def play(state: Board, past: Sequence[Board], dice: random.Random) -> int:
        found = searcher.search(state, past, level, dice, seconds)
        return found.moves[found.best]

    return play


def growing(reference: Reference, seconds: float) -> Player:
    """Return the reference, with ``seconds`` of processor time per move."""

    def play(state: Board, _past: Sequence[Board], dice: random.Random) -> int:
        return reference.choose(state, dice, seconds)

    return play


def tournament(
    board: Fast,
    one: Player,
    other: Player,
    games: int,
    *,
    seed: int = 1,
    players: int = 2,
    options: Mapping[str, str] | None = None,
) -> Score:
    """Return the score of one player in games with another player in all other seats.

    Args:
        board: the game.
        one: the player scored; sits in every seat equally often.
        other: plays all other seats.
        games: number of games, rounded up to a multiple of the seats.
        seed: of all randomness.
        players: number of seats.
        options: the rules, if not the defaults.

    """
    start = board.encode(inner(registry.game(board.slug).initial(options, players)))
    points, plies, rounds = 0.0, 0, -(-games // players)
    earned, squares = 0.0, 0.0
    for number in range(rounds):
        for seat in range(players):
            seated = [one if seat == place else other for place in range(players)]
            played = play(board, start, seated, f"{seed} {number}")
            points += played.results[seat]
            plies += played.plies
            if board.throws:
                fair = played.results[seat] - played.luck[seat]
                earned += fair
                squares += fair**2
    return Score(rounds * players, points, plies, earned, squares)


def play(board: Fast, start: Board, seated: Sequence[Player], seed: str) -> Played:
    """Play a game."""
    kernels = board.kernels
    sticks = random.Random(f"throws {seed}")  # noqa: S311 - the same throws for every seating
    dice = random.Random(f"moves {seed}")  # noqa: S311 - a game
    state, past = start, list[Board]()
    seen: Counter[int] = Counter()
    drawn = (1 / len(seated),) * len(seated)
    luck = np.zeros(board.seats if board.throws else 0)
    for ply in range(MAX_PLIES):
        actor = kernels.actor(state)
        if actor == OVER:
            results = np.zeros(board.seats)
            kernels.result(state, results)
            return Played(tuple(map(float, results[: len(seated)])), ply, _of(seated, luck))
        if board.times:
            key = kernels.key(state)
            seen[key] += 1
            if seen[key] >= board.times:
                return Played(drawn, ply, _of(seated, luck))
        into = board.board()
        if actor == CHANCE:
            kernels.throw(state, sticks.choice(_THROWS), into)
            luck += _gained(board, state, into)
        else:
            legal = _legal(board, state)
            move = legal[0] if len(legal) == 1 else seated[actor](state, past, dice)
            kernels.play(state, move, into)
        if board.times:
            past.append(state)
        state = into
    return Played(drawn, MAX_PLIES, _of(seated, luck))


def _of(seated: Sequence[Player], luck: Floats) -> tuple[float, ...]:
    return tuple(map(float, luck[: len(seated)]))


def _gained(board: Fast, state: Board, after: Board) -> Floats:
    """Return how much better each seat stands after a throw than on average over all throws."""
    other = board.board()
    gained = _value(board, after)
    for plain, chance in enumerate(CHANCES):
        board.kernels.throw(state, plain, other)
        gained -= chance * _value(board, other)
    return gained


def _value(board: Fast, state: Board) -> Floats:
    out = np.zeros(board.seats)
    if board.kernels.actor(state) == OVER:
        board.kernels.result(state, out)
    else:
        board.kernels.evaluate(state, board.weights(), out)
    return out


def _legal(board: Fast, state: Board) -> list[int]:
    out = np.zeros(board.most_moves, np.int64)
    return [int(move) for move in out[: board.kernels.moves(state, out)]]
