"""Evaluates any game by random playouts, for games without a fast board.

Means of a few playouts are rough, so only the significant part of a difference counts; the rest
is booked as unforeseen.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from typing import Any, Final

from ai.evaluators import BestMove, Evaluation, Evaluator, Results
from ai.levels import Level
from ai.monte_carlo import Choice, Playouts, choose
from ai.position import shares
from engine.game import CHANCE
from engine.registry import AnyGame

_SIGNIFICANT: Final = 2.0
"""Standard errors that a difference must exceed."""
_DEEP_FACTOR: Final = 4
_MIN_PLAYOUTS: Final = 4


@dataclass(frozen=True, slots=True)
class _Estimate:
    """The mean of playouts and its standard error."""

    mean: Results
    error: float


class RolloutEvaluator(Evaluator):
    """Evaluates by random playouts."""

    def __init__(self, game: AnyGame, players: int, nodes: int, seed: int) -> None:
        """Spend about ``nodes`` moves of playouts on each entry."""
        self._seed = seed
        self._game = game
        self._players = players
        self._nodes = nodes

    def decision(self, state: Any, move: Any, *, deep: bool = False) -> Evaluation:
        """Evaluate a decision."""
        dice, nodes = self._dice(state), self._nodes * (_DEEP_FACTOR if deep else 1)
        level = Level(1, max(nodes // 2, 1))
        found = choose(self._game, self._players, state, level, dice, lambda: False)
        best, many = found.moves[found.best], len(found.moves)
        after = self._estimate(self._game.after(state, move), nodes // 4, dice)
        told = self._game.write(best)
        if best == move:
            margin = self._margin(state, after, found, nodes // 4, dice)
            return Evaluation(after.mean, after.mean, told, margin, many)
        top = self._estimate(self._game.after(state, best), nodes // 4, dice)
        place = self._place(state)
        gain = _significant(top, after, place)
        before = _moved(after.mean, top.mean, gain)
        margin = before[place] - after.mean[place]
        return Evaluation(
            before, after.mean, told if gain > 0 else self._game.write(move), margin, many
        )

    def throw(self, state: Any, throw: Any) -> Evaluation:
        """Evaluate a throw."""
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
        told = max(0.0, 1 - _SIGNIFICANT * math.sqrt(error) / widest) if widest else 0.0
        return Evaluation(tuple(before), _moved(tuple(before), actual.mean, told))

    def value(self, state: Any) -> Results:
        """Return the expected results of a position in which a seat or chance acts."""
        if self._game.actor(state) is CHANCE:
            return self.throw(state, next(iter(self._game.odds(state)))).before
        return self._estimate(state, self._nodes, self._dice(state)).mean

    def best_move(self, state: Any, *, deep: bool = False) -> BestMove:
        """Return the best move of a position."""
        dice, nodes = self._dice(state), self._nodes * (_DEEP_FACTOR if deep else 1)
        level, place = Level(1, max(nodes // 2, 1)), self._place(state)
        found = choose(self._game, self._players, state, level, dice, lambda: False)
        best = self._estimate(self._game.after(state, found.moves[found.best]), nodes // 4, dice)
        margin = self._margin(state, best, found, nodes // 4, dice)
        told = self._game.write(found.moves[found.best])
        return BestMove(told, best.mean[place], margin, len(found.moves))

    def _margin(
        self, state: Any, best: _Estimate, found: Choice, nodes: int, dice: random.Random
    ) -> float:
        """Return the significant margin of the best move over the second best."""
        ranked = sorted(range(len(found.moves)), key=lambda n: -found.values[n])
        others = [n for n in ranked if n != found.best]
        if not others:
            return 0.0
        second = self._estimate(self._game.after(state, found.moves[others[0]]), nodes, dice)
        place = self._place(state)
        return _significant(best, second, place) * (best.mean[place] - second.mean[place])

    def _estimate(self, state: Any, nodes: int, dice: random.Random) -> _Estimate:
        """Evaluate a position by playouts of about ``nodes`` moves."""
        ended = self._game.outcome(state)
        if ended is not None:
            return _Estimate(shares(ended), 0.0)
        budget = Playouts(self._game, self._players, dice, nodes, lambda: False)
        total, games = [0.0] * self._players, 0
        while games < _MIN_PLAYOUTS or not budget.spent:
            for place, result in enumerate(budget.play(state) or ()):
                total[place] += result
            games += 1
        # Laplace's rule: a few playouts that all end alike prove little
        spread = max((one + 1) * (games - one + 1) for one in total) / (games + 2) ** 2
        mean = tuple(one / games for one in total)
        return _Estimate(mean, math.sqrt(spread / games))

    def _place(self, state: Any) -> int:
        return self._game.seats(self._players).index(self._game.actor(state))

    def _dice(self, state: Any) -> random.Random:
        return random.Random(f"{self._seed} {self._game.write_position(state)}")  # noqa: S311 - a game, no secret


def _significant(one: _Estimate, other: _Estimate, place: int) -> float:
    """Return the significant part of the difference of two estimates."""
    difference = one.mean[place] - other.mean[place]
    if difference <= 0:
        return 0.0
    return max(0.0, 1 - _SIGNIFICANT * math.hypot(one.error, other.error) / difference)


def _moved(from_: Results, to: Results, part: float) -> Results:
    """Return results part of the way from one to another."""
    return tuple(a + part * (b - a) for a, b in zip(from_, to, strict=True))
