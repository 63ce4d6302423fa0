"""Looks back at any game by playing on at random, where there is no fast board.

Means of a few random games are rough. So a difference is told only as far as it is larger than
what chance alone would make of it; what is left out counts as not foreseen.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from ai.generic import Playouts, choose
from ai.levels import Level
from ai.looks import Choice, Looks, Results, Seen
from ai.position import shares
from engine.game import CHANCE

if TYPE_CHECKING:
    from ai.generic import Choice as Chosen
    from engine.registry import AnyGame

_DOUBT: Final = 2.0
"""A difference tells as far as it is more than so many standard errors."""
_CLOSELY: Final = 4
_LEAST: Final = 4
"""So many random games are played at least, whatever the budget."""


@dataclass(frozen=True, slots=True)
class _Estimate:
    """What random games came to on average, and the standard error of that."""

    mean: Results
    error: float


class PlayingLooks(Looks):
    """Looks by random games."""

    def __init__(self, game: AnyGame, players: int, nodes: int, seed: int) -> None:
        """Make about so many moves in random games for each entry of a log."""
        self._seed = seed
        self._game = game
        self._players = players
        self._nodes = nodes

    def decided(self, state: Any, move: Any, *, closely: bool = False) -> Seen:
        """Look at a decision."""
        dice, nodes = self._dice(state), self._nodes * (_CLOSELY if closely else 1)
        level = Level(1, max(nodes // 2, 1))
        found = choose(self._game, self._players, state, level, dice, lambda: False)
        best, many = found.moves[found.best], len(found.moves)
        after = self._estimate(self._game.after(state, move), nodes // 4, dice)
        told = self._game.write(best)
        if best == move:
            margin = self._margin(state, after, found, nodes // 4, dice)
            return Seen(after.mean, after.mean, told, margin, many)
        top = self._estimate(self._game.after(state, best), nodes // 4, dice)
        place = self._place(state)
        gain = _certain(top, after, place)
        before = _moved(after.mean, top.mean, gain)
        margin = before[place] - after.mean[place]
        return Seen(before, after.mean, told if gain > 0 else self._game.write(move), margin, many)

    def thrown(self, state: Any, throw: Any) -> Seen:
        """Look at a throw."""
        odds, dice = self._game.odds(state), self._dice(state)
        found = {
            one: self._estimate(self._game.after(state, one), self._nodes // len(odds), dice)
            for one in odds
        }
        before = [0.0] * self._players
        error = 0.0
        for one, chance in odds.items():
            weight = float(chance) - (one == throw)
            error += (weight * found[one].error) ** 2
            for place, result in enumerate(found[one].mean):
                before[place] += float(chance) * result
        actual = found[throw]
        widest = max(abs(a - b) for a, b in zip(actual.mean, before, strict=True))
        told = max(0.0, 1 - _DOUBT * math.sqrt(error) / widest) if widest else 0.0
        return Seen(tuple(before), _moved(tuple(before), actual.mean, told))

    def worth(self, state: Any) -> Results:
        """Return what is expected in a position in which somebody acts."""
        if self._game.actor(state) is CHANCE:
            return self.thrown(state, next(iter(self._game.odds(state)))).before
        return self._estimate(state, self._nodes, self._dice(state)).mean

    def choice(self, state: Any, *, closely: bool = False) -> Choice:
        """Look at the best move and the second best."""
        dice, nodes = self._dice(state), self._nodes * (_CLOSELY if closely else 1)
        level, place = Level(1, max(nodes // 2, 1)), self._place(state)
        found = choose(self._game, self._players, state, level, dice, lambda: False)
        best = self._estimate(self._game.after(state, found.moves[found.best]), nodes // 4, dice)
        margin = self._margin(state, best, found, nodes // 4, dice)
        told = self._game.write(found.moves[found.best])
        return Choice(told, best.mean[place], margin, len(found.moves))

    def _margin(
        self, state: Any, best: _Estimate, found: Chosen, nodes: int, dice: random.Random
    ) -> float:
        """Return how much better the best move is than the second best, for certain."""
        ranked = sorted(range(len(found.moves)), key=lambda n: -found.values[n])
        others = [n for n in ranked if n != found.best]
        if not others:
            return 0.0
        second = self._estimate(self._game.after(state, found.moves[others[0]]), nodes, dice)
        place = self._place(state)
        return _certain(best, second, place) * (best.mean[place] - second.mean[place])

    def _estimate(self, state: Any, nodes: int, dice: random.Random) -> _Estimate:
        """Return what a position is worth, by random games of about so many moves."""
        ended = self._game.outcome(state)
        if ended is not None:
            return _Estimate(shares(ended), 0.0)
        budget = Playouts(self._game, self._players, dice, nodes, lambda: False)
        total, games = [0.0] * self._players, 0
        while games < _LEAST or not budget.spent:
            for place, result in enumerate(budget.play(state) or ()):
                total[place] += result
            games += 1
        # Laplace's rule: that all of a few games ended alike does not make it certain
        spread = max((one + 1) * (games - one + 1) for one in total) / (games + 2) ** 2
        mean = tuple(one / games for one in total)
        return _Estimate(mean, math.sqrt(spread / games))

    def _place(self, state: Any) -> int:
        return self._game.seats(self._players).index(self._game.actor(state))

    def _dice(self, state: Any) -> random.Random:
        return random.Random(f"{self._seed} {self._game.write_position(state)}")  # noqa: S311 - a game, no secret


def _certain(one: _Estimate, other: _Estimate, place: int) -> float:
    """Return which part of the difference of two estimates is more than chance makes."""
    difference = one.mean[place] - other.mean[place]
    if difference <= 0:
        return 0.0
    return max(0.0, 1 - _DOUBT * math.hypot(one.error, other.error) / difference)


def _moved(from_: Results, to: Results, part: float) -> Results:
    """Return results that are a part of the way from some to others."""
    return tuple(a + part * (b - a) for a, b in zip(from_, to, strict=True))
