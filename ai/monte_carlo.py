"""A computer opponent for any game, from its rules alone: flat Monte Carlo search.

Moves that win at once are played, moves that let the next seat win at once are avoided. For the
others, random playouts estimate the result, more of them for promising moves (UCB1).
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from ai.levels import Level, chosen, seen
from ai.position import shares
from engine.game import CHANCE
from engine.registry import AnyGame

MAX_MOVES: Final = 400
"""Longer playouts are drawn."""
_EXPLORATION: Final = 0.4
_PRIOR: Final = 2
"""Drawn playouts assumed for every move: few playouts prove little."""
_STOP_INTERVAL: Final = 24
"""Plies between two checks of the time."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The result of a search."""

    moves: tuple[Any, ...]
    """The legal moves."""
    values: tuple[float, ...]
    """For each, the expected result of the seat to act."""
    best: int
    """The index of the chosen move."""
    equity: tuple[float, ...]
    """Expected results by place in turn order, with that move."""
    nodes: int
    """Moves made in playouts."""
    evaluated: bool
    """Whether the chosen move's value comes from playouts, or is known for certain."""


@dataclass(slots=True)
class _Arm:
    """A move and the results of its playouts."""

    number: int
    after: Any
    results: list[float]
    games: int = 0

    def mean(self, place: int) -> float:
        return self.shares()[place]

    def shares(self) -> tuple[float, ...]:
        """Return the expected results by place, the prior included."""
        even = _PRIOR / len(self.results)
        return tuple((result + even) / (self.games + _PRIOR) for result in self.results)

    def upper_bound(self, place: int, total: int) -> float:
        if not self.games:
            return math.inf
        return self.mean(place) + _EXPLORATION * math.sqrt(math.log(total + 1) / self.games)

    def add(self, results: tuple[float, ...]) -> None:
        self.games += 1
        for place, result in enumerate(results):
            self.results[place] += result


class Playouts:
    """Random playouts within a budget of moves and time."""

    def __init__(
        self, game: AnyGame, players: int, dice: random.Random, nodes: int, stop: Callable[[], bool]
    ) -> None:
        """Allow ``nodes`` moves; ``stop`` tells whether time is up."""
        self.game = game
        self.players = players
        self.left = nodes
        self._dice = dice
        self._stop = stop

    @property
    def spent(self) -> bool:
        """Whether the budget of moves or time is used up."""
        return self.left <= 0 or self._stop()

    def after(self, state: Any, move: Any) -> Any:
        """Return the position after a move; count the move."""
        self.left -= 1
        return self.game.after(state, move)

    def throw(self, state: Any) -> Any:
        """Draw a throw by the odds."""
        odds = self.game.odds(state)
        return self._dice.choices(list(odds), [float(chance) for chance in odds.values()])[0]

    def play(self, state: Any) -> tuple[float, ...] | None:
        """Play a random game; return the results by place, or ``None`` if time ran out."""
        for ply in range(MAX_MOVES):
            ended = self.game.outcome(state)
            if ended is not None:
                return shares(ended)
            if ply % _STOP_INTERVAL == 0 and ply and self._stop():
                return None
            if self.game.actor(state) is CHANCE:
                move = self.throw(state)
            else:
                move = self._dice.choice(self.game.legal_moves(state))
            state = self.after(state, move)
        return (1 / self.players,) * self.players


def choose(  # noqa: PLR0917 -- called in few places
    game: AnyGame,
    players: int,
    state: Any,
    level: Level,
    dice: random.Random,
    stop: Callable[[], bool],
) -> Choice:
    """Choose a move for the seat to act.

    Args:
        game: its rules.
        players: number of players.
        state: a position in which a seat acts.
        level: strength, and the budget of moves in playouts.
        dice: source of all randomness.
        stop: whether time is up; the estimates so far then decide.

    """
    moves = tuple(game.legal_moves(state))
    place = game.seats(players).index(game.actor(state))
    budget = Playouts(game, players, dice, level.nodes, stop)
    looked = seen(range(len(moves)), level, dice)
    dice.shuffle(looked)  # if time runs out early, the moves tried are not just the first ones
    arms = [_Arm(n, budget.after(state, moves[n]), [0.0] * players) for n in looked]
    certain = _certain(budget, arms, place, deep=level.depth > 1)
    open_arms = [arm for arm in arms if arm.number not in certain]
    while open_arms and not budget.spent:
        total = sum(arm.games for arm in open_arms)
        arm = max(open_arms, key=lambda arm: arm.upper_bound(place, total))
        results = budget.play(arm.after)
        if results is None:
            break
        arm.add(results)
    known = [arm for arm in arms if arm.games or arm.number in certain]
    if len(known) < len(arms) and not any(arm.games or certain[arm.number] for arm in known):
        untried = [arm.number for arm in arms if arm not in known]
        return _guess(moves, dice.choice(untried), certain, players, level.nodes - budget.left)
    values = [_value(arm, certain, place) for arm in known]
    number = chosen(values, level, dice)
    told = [0.0] * len(moves)
    for arm, value in zip(known, values, strict=True):
        told[arm.number] = value
    arm = known[number]
    equity = _equity(arm, values[number], place, players)
    return Choice(moves, tuple(told), arm.number, equity, level.nodes - budget.left, evaluated=True)


def _guess(
    moves: tuple[Any, ...], number: int, certain: dict[int, float], players: int, nodes: int
) -> Choice:
    """Return a guessed move, as time ran out before the first playout."""
    even = 1 / players
    values = tuple(certain.get(n, even) for n in range(len(moves)))
    return Choice(moves, values, number, (even,) * players, nodes, evaluated=False)


def _certain(budget: Playouts, arms: list[_Arm], place: int, *, deep: bool) -> dict[int, float]:
    """Return the moves with a known result: the game ends, or one reply wins."""
    game = budget.game
    found: dict[int, float] = {}
    for arm in arms:
        ended = game.outcome(arm.after)
        if ended is not None:
            found[arm.number] = shares(ended)[place]
    if not deep or 1.0 in found.values():
        return found
    for arm in arms:
        if arm.number in found or game.actor(arm.after) is CHANCE:
            continue
        if game.seats(budget.players).index(game.actor(arm.after)) == place:
            continue
        for answer in game.legal_moves(arm.after):
            if budget.spent:
                return found
            ended = game.outcome(budget.after(arm.after, answer))
            if ended is not None and shares(ended)[place] == 0:
                found[arm.number] = 0.0
                break
    return found


def _value(arm: _Arm, certain: dict[int, float], place: int) -> float:
    if arm.number in certain:
        return certain[arm.number]
    return arm.mean(place)


def _equity(arm: _Arm, value: float, place: int, players: int) -> tuple[float, ...]:
    """Return the expected results by place, given the mover's."""
    if arm.mean(place) == value:
        return arm.shares()
    rest = (1 - value) / (players - 1)
    return tuple(value if other == place else rest for other in range(players))
