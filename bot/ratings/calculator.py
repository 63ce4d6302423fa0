"""Rates results one after another. Knows no store.

The same code rates a single new result and recomputes all of them, so the two agree.
"""

from __future__ import annotations

from collections import OrderedDict
from datetime import datetime, timedelta
from itertools import combinations
from typing import Final, TypeAlias

from bot.ratings.skill import EQUAL, START, Skill, after_pause, rate
from data.rating import Key, Placing, Rating, RatingChange, Result, SideRating
from engine import registry
from engine.pair import MATCH

MAX_PER_WEEK: Final = 10
"""How many games between the same two players are rated within seven days."""
WEEK: Final = timedelta(days=7)
FORM_LENGTH: Final = 10
"""The number of games that the form shows."""

Pair: TypeAlias = tuple[int, int]
"""Two players who met, the lower id first."""


class Calculator:
    """The ratings of one game after some results, as far as they are known here."""

    def __init__(self) -> None:
        """Begin before the first result."""
        self.ratings: dict[Key, Rating] = {}
        """By scope and player; a player without a rated game has none."""
        self.sides: dict[tuple[int, int], SideRating] = {}
        """By scope and seat."""
        self._meetings: OrderedDict[Pair, list[datetime]] = OrderedDict()
        """The times of rated games of each pair; the pair that met last comes last."""

    def add_meetings(self, pair: Pair, *times: datetime) -> None:
        """Add the times of rated games between two players, in order."""
        if times:
            self._meetings.setdefault(pair, []).extend(times)
            self._meetings.move_to_end(pair)

    def rate(self, result: Result) -> list[RatingChange]:
        """Rate the next result; return a change for each of its scopes and players."""
        self._forget_meetings(result.at - 2 * WEEK)
        met = pairs(result)
        rated = not any(self._too_often(pair, result.at) for pair in met)
        if rated:
            for pair in met:
                self.add_meetings(pair, result.at)
        return [
            _change(rating, result, rated=rated)
            for scope in result.scopes
            for rating in (self._rate if rated else self._present)(scope, result)
        ]

    def _too_often(self, pair: Pair, at: datetime) -> bool:
        times = self._meetings.get(pair, ())
        return len(times) >= MAX_PER_WEEK and sum(t > at - WEEK for t in times) >= MAX_PER_WEEK

    def _forget_meetings(self, until: datetime) -> None:
        while self._meetings:
            pair = next(iter(self._meetings))
            if self._meetings[pair][-1] > until:
                return
            del self._meetings[pair]

    def _present(self, scope: int, result: Result) -> list[Rating]:
        return [
            self.ratings.get((scope, player.user_id)) or _beginner(scope, result, player)
            for player in result.players
        ]

    def _rate(self, scope: int, result: Result) -> list[Rating]:
        players, ranks = result.players, [player.rank for player in result.players]
        before = self._present(scope, result)
        sides: list[SideRating] = []
        if unequal(result):
            for player in players:
                side = self.sides.get((scope, player.seat))
                sides.append(side or SideRating(scope, result.game, player.seat, *EQUAL))
        skills, side_skills = rate(
            [after_pause(one, result.at) for one in before],
            ranks,
            [Skill(side.mu, side.sigma) for side in sides],
        )
        shared = ranks.count(1) > 1
        outcomes = ["l" if rank != 1 else "d" if shared else "w" for rank in ranks]
        after = []
        for rating, skill, outcome in zip(before, skills, outcomes, strict=True):
            after.append(_after(rating, skill, outcome, result.at))
            self.ratings[scope, rating.user_id] = after[-1]
        for side, skill, outcome in zip(sides, side_skills, outcomes, strict=False):
            self.sides[scope, side.seat] = side._replace(
                mu=skill.mu,
                sigma=skill.sigma,
                games=side.games + 1,
                won=side.won + (outcome == "w"),
                drawn=side.drawn + (outcome == "d"),
            )
        return after


def pairs(result: Result) -> list[Pair]:
    """Return every two players of a match."""
    return list(combinations(sorted(player.user_id for player in result.players), 2))


def unequal(result: Result) -> bool:
    """Return whether the side that a player had matters: not in two games with sides swapped."""
    game = registry.games().get(result.game)
    return game is not None and game.unequal_sides and result.options.get(MATCH.name) != "true"


def _beginner(scope: int, result: Result, player: Placing) -> Rating:
    return Rating(player.user_id, scope, result.game, *START, 0, 0, 0, 0, 0, 0, "", result.at)


def _after(before: Rating, skill: Skill, outcome: str, at: datetime) -> Rating:
    """Return a rating after one more game, which was won (w), drawn (d) or lost (l)."""
    streak = 0
    if outcome == "w":
        streak = max(before.streak, 0) + 1
    elif outcome == "l":
        streak = min(before.streak, 0) - 1
    return before._replace(
        mu=skill.mu,
        sigma=skill.sigma,
        games=before.games + 1,
        won=before.won + (outcome == "w"),
        drawn=before.drawn + (outcome == "d"),
        lost=before.lost + (outcome == "l"),
        streak=streak,
        best=max(before.best, streak),
        form=(before.form + outcome)[-FORM_LENGTH:],
        last_at=at,
    )


def _change(after: Rating, result: Result, *, rated: bool) -> RatingChange:
    return RatingChange(
        after.user_id,
        after.scope,
        after.game,
        result.id,
        result.at,
        rated,
        after.mu,
        after.sigma,
        after.games,
    )
