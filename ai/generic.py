"""An opponent for any game, over the engine's interface alone: values from random games.

It knows nothing of a game but its rules. Moves that win at once are played, moves that let the
next seat win at once are shunned, and among the others random games decide, more of them for the
moves that look better.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from ai.levels import chosen, seen
from ai.position import shares
from engine.game import CHANCE

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

    from ai.levels import Level
    from engine.registry import AnyGame

LONGEST: Final = 400
"""After so many moves a random game is left as undecided."""
_CURIOSITY: Final = 0.4
_DOUBT: Final = 2
"""How many games are thought of as won by nobody in particular: few games prove little."""
_GLANCES: Final = 24
"""How many plies between two looks at the clock."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What the generic opponent makes of a position."""

    moves: tuple[Any, ...]
    """The legal moves."""
    values: tuple[float, ...]
    """For each the expected result of the seat to act."""
    best: int
    """Which of them it plays."""
    equity: tuple[float, ...]
    """The expected result of each place in turn order when that move is played."""
    nodes: int
    """How many moves were made to find out."""


@dataclass(slots=True)
class _Arm:
    """One move and what random games after it came to."""

    number: int
    after: Any
    results: list[float]
    games: int = 0

    def mean(self, place: int) -> float:
        return self.shares()[place]

    def shares(self) -> tuple[float, ...]:
        """Return what each place may expect, by the random games and a little doubt in them."""
        even = _DOUBT / len(self.results)
        return tuple((result + even) / (self.games + _DOUBT) for result in self.results)

    def hope(self, place: int, total: int) -> float:
        if not self.games:
            return math.inf
        return self.mean(place) + _CURIOSITY * math.sqrt(math.log(total + 1) / self.games)

    def add(self, results: tuple[float, ...]) -> None:
        self.games += 1
        for place, result in enumerate(results):
            self.results[place] += result


class Playouts:
    """Random games of one game, with a budget of moves and a time to stop at."""

    def __init__(
        self, game: AnyGame, players: int, dice: random.Random, nodes: int, stop: Callable[[], bool]
    ) -> None:
        """Count moves up to ``nodes``; ``stop`` is asked now and then whether time is up."""
        self.game = game
        self.players = players
        self.left = nodes
        self._dice = dice
        self._stop = stop

    @property
    def spent(self) -> bool:
        """Whether the budget or the time is used up."""
        return self.left <= 0 or self._stop()

    def after(self, state: Any, move: Any) -> Any:
        """Return the position after a move, counting it."""
        self.left -= 1
        return self.game.after(state, move)

    def throw(self, state: Any) -> Any:
        """Return one throw, by its odds."""
        odds = self.game.odds(state)
        return self._dice.choices(list(odds), [float(chance) for chance in odds.values()])[0]

    def play(self, state: Any) -> tuple[float, ...] | None:
        """Return each place's result of a random game, or ``None`` where time ran out."""
        for ply in range(LONGEST):
            ended = self.game.outcome(state)
            if ended is not None:
                return shares(ended)
            if ply % _GLANCES == 0 and ply and self._stop():
                return None
            if self.game.actor(state) is CHANCE:
                move = self.throw(state)
            else:
                move = self._dice.choice(self.game.legal_moves(state))
            state = self.after(state, move)
        return (1 / self.players,) * self.players


def choose(  # noqa: PLR0917 - the same six things as everywhere
    game: AnyGame,
    players: int,
    state: Any,
    level: Level,
    dice: random.Random,
    stop: Callable[[], bool],
) -> Choice:
    """Choose a move for the seat to act.

    Args:
        game: whose rules are asked.
        players: how many play.
        state: a position in which a seat acts.
        level: what is done wrong, and how many moves may be made in random games.
        dice: all luck comes from here.
        stop: whether time is up; then what is known so far decides.

    """
    moves = tuple(game.legal_moves(state))
    place = game.seats(players).index(game.actor(state))
    budget = Playouts(game, players, dice, level.nodes, stop)
    looked = seen(range(len(moves)), level, dice)
    arms = [_Arm(n, budget.after(state, moves[n]), [0.0] * players) for n in looked]
    certain = _certain(budget, arms, place, deep=level.depth > 1)
    open_arms = [arm for arm in arms if arm.number not in certain]
    while len(open_arms) > 1 - bool(certain) and not budget.spent:
        total = sum(arm.games for arm in open_arms)
        arm = max(open_arms, key=lambda arm: arm.hope(place, total))
        results = budget.play(arm.after)
        if results is None:
            break
        arm.add(results)
    values = [_value(arm, certain, place) for arm in arms]
    number = chosen(values, level, dice)
    told = [0.0] * len(moves)
    for arm, value in zip(arms, values, strict=True):
        told[arm.number] = value
    arm = arms[number]
    equity = _equity(arm, values[number], place, players)
    return Choice(moves, tuple(told), arm.number, equity, level.nodes - budget.left)


def _certain(budget: Playouts, arms: list[_Arm], place: int, *, deep: bool) -> dict[int, float]:
    """Return the moves whose result is plain to see: the game ends, or is lost by one answer."""
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
    """Return each place's expected result, where the mover's is known."""
    if arm.mean(place) == value:
        return arm.shares()
    rest = (1 - value) / (players - 1)
    return tuple(value if other == place else rest for other in range(players))
