"""Rates results one after another. Independent of the store.

The same code rates a single new result and recomputes all of them, so the two agree.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import combinations, permutations
from typing import Final, TypeAlias

from bot.play.ratings.seasons import Opponents, SeasonCalculator
from bot.play.ratings.skill import EQUAL, START, Skill, after_pause, rate
from data.ratings.rating import EVERYWHERE, Key, Placing, Rating, RatingChange, Result, SideRating
from engine import registry
from engine.pair import MATCH

FULL: Final = 14
"""The number of people met, the player included, from which an opponent counts in full."""
MIN_WEIGHT: Final = 1 / 16
"""The minimum a game counts, so two friends who play only each other see who is ahead."""


def share(others: int) -> float:
    """Return how much a game counts, 0 to 1, if the opponent has met ``others`` other people."""
    return max(MIN_WEIGHT, min(1.0, (others + 1) / FULL) ** 2)


MAX_PER_WEEK: Final = 10
"""Maximum rated games between the same two players within seven days."""
WEEK: Final = timedelta(days=7)
FORM_LENGTH: Final = 10
"""Games shown as a player's form."""

Pair: TypeAlias = tuple[int, int]
"""Two players who met, lower id first."""
Shares: TypeAlias = dict[tuple[int, int], float]
"""How much a game against an opponent counts for a player, by their places in the result."""


@dataclass(eq=False, repr=False)
class Calculator:
    """The ratings of one game after some results, as far as loaded."""

    share: Callable[[int], float] = share
    """How much a game counts, by how many others the opponent has met."""
    ratings: dict[Key, Rating] = field(default_factory=dict, init=False)
    """By scope and player; players without a rated game are missing."""
    sides: dict[tuple[int, int], SideRating] = field(default_factory=dict, init=False)
    """By scope and seat."""
    seasons: SeasonCalculator = field(default_factory=SeasonCalculator, init=False)
    _meetings: OrderedDict[Pair, list[datetime]] = field(default_factory=OrderedDict, init=False)
    """The times of each pair's rated games; the pair that met last comes last."""
    opponents: Opponents[int] = field(default_factory=lambda: Opponents(FULL), init=False)
    """Met over all servers in matches that were to be rated, until they count in full."""

    def add_meetings(self, pair: Pair, *times: datetime) -> None:
        """Add the times of rated games between two players, in order."""
        if times:
            self._meetings.setdefault(pair, []).extend(times)
            self._meetings.move_to_end(pair)

    def rate(self, result: Result) -> list[RatingChange]:
        """Rate the next result; return a change for each of its scopes and players."""
        self._forget_meetings(result.at - 2 * WEEK)
        pairs_met = pairs(result)
        counted = [pair for pair in pairs_met if not self._too_often(pair, result.at)]
        for pair in counted:
            self.add_meetings(pair, result.at)
        shares = self._shares(result, set(counted))
        for one, other in pairs_met:
            self.opponents.add(one, [other])
            self.opponents.add(other, [one])
        return [
            _change(rating, result, place, shares)
            for scope in result.scopes
            for place, rating in enumerate(self._rate(scope, result, shares))
        ]

    def _shares(self, result: Result, counted: set[Pair]) -> Shares:
        """Return how much each game between two players counts for the first, by their places."""
        found = {}
        for (place, one), (at, other) in permutations(enumerate(result.players), 2):
            ids = one.user_id, other.user_id
            if (min(ids), max(ids)) in counted:
                met = self.opponents.get(other.user_id, frozenset())
                found[place, at] = 1.0 if met is None else self.share(len(met - {one.user_id}))
        return found

    def _too_often(self, pair: Pair, at: datetime) -> bool:
        times = self._meetings.get(pair, ())
        return len(times) >= MAX_PER_WEEK and sum(t > at - WEEK for t in times) >= MAX_PER_WEEK

    def _forget_meetings(self, until: datetime) -> None:
        while self._meetings:
            pair = next(iter(self._meetings))
            if self._meetings[pair][-1] > until:
                return
            del self._meetings[pair]

    def _rate(self, scope: int, result: Result, shares: Shares) -> list[Rating]:
        players, ranks = result.players, [player.rank for player in result.players]
        before = [
            self.ratings.get((scope, player.user_id)) or _beginner(scope, result, player)
            for player in players
        ]
        sides: list[SideRating] = []
        if unequal(result):
            for player in players:
                side = self.sides.get((scope, player.seat))
                sides.append(side or SideRating(scope, result.game, player.seat, *EQUAL))
        known_sides = [Skill(side.mu, side.sigma) for side in sides]
        skills, side_skills = rate(
            [after_pause(one, result.at) for one in before], ranks, known_sides, shares
        )
        rated = {place for place, _ in shares}
        shared = ranks.count(1) > 1
        outcomes = ["l" if rank != 1 else "d" if shared else "w" for rank in ranks]
        if scope != EVERYWHERE:
            self.seasons.rate(result, before, known_sides, shares, outcomes)
        after = before.copy()
        for place in sorted(rated):
            after[place] = _after(before[place], skills[place], outcomes[place], result.at)
            self.ratings[scope, after[place].user_id] = after[place]
        for place, (side, skill) in enumerate(zip(sides, side_skills, strict=True)):
            if place in rated:
                self.sides[scope, side.seat] = side._replace(
                    mu=skill.mu,
                    sigma=skill.sigma,
                    games=side.games + 1,
                    won=side.won + (outcomes[place] == "w"),
                    drawn=side.drawn + (outcomes[place] == "d"),
                )
        return after


def pairs(result: Result) -> list[Pair]:
    """Return all pairs of players in a match."""
    return list(combinations(sorted(player.user_id for player in result.players), 2))


def unequal(result: Result) -> bool:
    """Return whether sides matter: not when both games of a match swap them."""
    game = registry.games().get(result.game)
    return game is not None and game.unequal_sides and result.options.get(MATCH.name) != "true"


def _beginner(scope: int, result: Result, player: Placing) -> Rating:
    return Rating(player.user_id, scope, result.game, *START, 0, 0, 0, 0, 0, 0, "", result.at)


def _after(before: Rating, skill: Skill, outcome: str, at: datetime) -> Rating:
    """Return a rating after one more game, won (w), drawn (d) or lost (l)."""
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


def _change(after: Rating, result: Result, place: int, shares: Shares) -> RatingChange:
    others = [at for at in range(len(result.players)) if at != place]
    counted = [at for at in others if (place, at) in shares]
    return RatingChange(
        after.user_id,
        after.scope,
        after.game,
        result.id,
        result.at,
        bool(counted),
        after.mu,
        after.sigma,
        after.games,
        sum(1 << result.players[at].seat for at in others if at not in counted),
        min((shares[place, at] for at in counted), default=0.0),
    )
