"""Plays computer players against each other and says who is stronger, and how sure that is.

Seats are balanced: every throw of luck is played once with each seat for the player in question.
Games are played on the fast board by the engine's rules; a game that comes to no end is drawn.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from ai.kernels import Board
from ai.position import CHANCE, OVER, inner
from engine import registry

if TYPE_CHECKING:
    from ai.levels import Level
    from ai.position import Fast
    from ai.search.searcher import Searcher

LONGEST: Final = 1000
"""After so many plies a game is drawn."""
_SURE: Final = 1.96
"""Standard deviations of an interval that holds the truth in 95 of 100 cases."""
_THROWS: Final = (0, *(1,) * 4, *(2,) * 6, *(3,) * 4, 4)

Player: TypeAlias = Callable[[Board, Sequence[Board], random.Random], int]
"""Chooses a move in a position, given those before it that can come again."""


@dataclass(frozen=True, slots=True)
class Score:
    """What one player made of games against others."""

    games: int
    points: float
    """A win is 1, a shared one its part."""
    plies: int
    """How many moves and throws all games had together."""

    @property
    def share(self) -> float:
        """The points of a game on average."""
        return self.points / self.games

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's interval of the share, at 95 %."""
        spread = _SURE**2 / self.games
        middle = (self.share + spread / 2) / (1 + spread)
        width = math.sqrt(self.share * (1 - self.share) * spread + spread**2 / 4) / (1 + spread)
        return middle - width, middle + width


def at_random(board: Fast) -> Player:
    """Return a player who plays any legal move."""

    def play(state: Board, _past: Sequence[Board], dice: random.Random) -> int:
        return dice.choice(_legal(board, state))

    return play


def greedy(board: Fast) -> Player:
    """Return a player who takes what is there to be taken, and plays at random otherwise.

    A move that wins at once comes first, then whatever `Kernels.loud` likes best.
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


def searching(searcher: Searcher, level: Level) -> Player:
    """Return a player of a level."""

    def play(state: Board, past: Sequence[Board], dice: random.Random) -> int:
        found = searcher.search(state, past, level, dice)
        return found.moves[found.best]

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
    """Return what one player makes of games in which all other seats are another's.

    Args:
        board: the game.
        one: whose score it is; sits in every seat equally often.
        other: all others.
        games: how many; rounded up to a multiple of the players.
        seed: of all luck.
        players: how many play.
        options: the rules, where not the usual ones.

    """
    start = board.encode(inner(registry.game(board.slug).initial(options, players)))
    points, plies, rounds = 0.0, 0, -(-games // players)
    for number in range(rounds):
        for seat in range(players):
            chairs = [one if seat == chair else other for chair in range(players)]
            results, length = play(board, start, chairs, f"{seed} {number}")
            points += results[seat]
            plies += length
    return Score(rounds * players, points, plies)


def play(
    board: Fast, start: Board, chairs: Sequence[Player], seed: str
) -> tuple[tuple[float, ...], int]:
    """Play a game and return what everybody made of it, and how many plies it had."""
    kernels = board.kernels
    luck = random.Random(f"throws {seed}")  # noqa: S311 - the same throws for every seat
    dice = random.Random(f"moves {seed}")  # noqa: S311 - a game
    state, past = start, list[Board]()
    seen: Counter[int] = Counter()
    drawn = (1 / len(chairs),) * len(chairs)
    for ply in range(LONGEST):
        actor = kernels.actor(state)
        if actor == OVER:
            results = np.zeros(board.seats)
            kernels.result(state, results)
            return tuple(map(float, results[: len(chairs)])), ply
        if board.times:
            key = kernels.key(state)
            seen[key] += 1
            if seen[key] >= board.times:
                return drawn, ply
        into = board.board()
        if actor == CHANCE:
            kernels.throw(state, luck.choice(_THROWS), into)
        else:
            kernels.play(state, chairs[actor](state, past, dice), into)
        if board.times:
            past.append(state)
        state = into
    return drawn, LONGEST


def _legal(board: Fast, state: Board) -> list[int]:
    out = np.zeros(board.most_moves, np.int64)
    return [int(move) for move in out[: board.kernels.moves(state, out)]]
