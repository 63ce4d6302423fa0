"""The rating system: how a result changes the estimated skill of players.

A skill is a normal distribution: ``mu`` is the estimate, ``sigma`` its standard deviation. The
model is Bradley-Terry as computed by OpenSkill: every two players of a match are compared as if
they had met alone, and the evidence of all pairs is summed. So a pair can be left out or count less
without affecting the others. If the sides of a game are unequal, each side is rated like a partner
of its player, so that the side's advantage is not credited to the player.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import permutations
from math import exp, sqrt
from typing import Final, NamedTuple

from openskill.models import BradleyTerryFull

from data.ratings.rating import Rating, RatingChange

FORMULA_VERSION: Final = "3"
"""Raised whenever the same results would give other ratings; all are then recomputed."""

MU: Final = 25.0
SIGMA: Final = 25.0 / 3
SIDE_SIGMA: Final = 25.0 / 12
"""The standard deviation of a new side."""
MONTHLY_SIGMA: Final = 0.65
"""The uncertainty added by a month without a game; two years at most undo all certainty."""
MIN_GAMES: Final = 10
"""Rated games needed to end the provisional period."""
MIN_OPPONENTS: Final = 3
"""Different opponents needed as well."""
MAX_PAUSE: Final = timedelta(days=60)
"""Maximum age of the last game, in calendar days."""
_MONTH: Final = 30 * 86_400.0
_MODEL: Final = BradleyTerryFull(mu=MU, sigma=SIGMA)
_BETA_SQUARED: Final = _MODEL.beta**2
_TAU_SQUARED: Final = _MODEL.tau**2


class Skill(NamedTuple):
    """The skill of a player, or of a side."""

    mu: float
    sigma: float

    @property
    def points(self) -> int:
        """The number shown to players: 1500 for a beginner."""
        return round(1500 + 40 * (self.mu - MU))

    @property
    def margin(self) -> int:
        """The standard deviation of the points: the truth lies within two times out of three."""
        return round(40 * self.sigma)


START: Final = Skill(MU, SIGMA)
EQUAL: Final = Skill(0.0, SIDE_SIGMA)
"""A new side: it neither helps nor harms."""


def after_pause(rating: Rating, now: datetime) -> Skill:
    """Return a player's skill some time after their last game, less certain than before."""
    if now <= rating.last_at:
        return Skill(rating.mu, rating.sigma)
    months = (now - rating.last_at).total_seconds() / _MONTH
    grown = sqrt(rating.sigma**2 + MONTHLY_SIGMA**2 * months)
    return Skill(rating.mu, max(rating.sigma, min(SIGMA, grown)))


def rate(
    skills: Sequence[Skill],
    ranks: Sequence[int],
    sides: Sequence[Skill] = (),
    shares: Mapping[tuple[int, int], float] | None = None,
) -> tuple[tuple[Skill, ...], tuple[Skill, ...]]:
    """Return the skills of players, and of the sides they had, after a game.

    Args:
        skills: before the game, in seat order.
        ranks: in seat order; 1 is the best, equal ranks are a tie.
        sides: the skills of the sides, in seat order; empty if they are equal.
        shares: how much the game against another says about a player, 0 to 1, by the places of
            the player and the other; missing pairs say nothing. All of it by default.

    """
    teams = [[_shaken(one) for one in (skill, *sides[i : i + 1])] for i, skill in enumerate(skills)]
    evidence = [_Evidence() for _ in teams]
    for one, other in permutations(range(len(teams)), 2):
        share = 1.0 if shares is None else shares.get((one, other))
        if share:
            score = (ranks[one] < ranks[other]) + (ranks[one] == ranks[other]) / 2
            evidence[one].add(teams[one], teams[other], score, share)

    def after(before: Skill, i: int, part: int) -> Skill:
        found = evidence[i]
        push = found.side_push if part else found.push
        return _after(teams[i][part], push, found.information) if found.information else before

    rated = tuple(after(skill, i, 0) for i, skill in enumerate(skills))
    return rated, tuple(after(side, i, 1) for i, side in enumerate(sides))


@dataclass(eq=False, repr=False)
class _Evidence:
    """The evidence of a game's pairs about one team: a player and, with them, their side."""

    push: float = field(default=0.0, init=False)
    side_push: float = field(default=0.0, init=False)
    information: float = field(default=0.0, init=False)

    def add(
        self, team: Sequence[Skill], others: Sequence[Skill], score: float, share: float
    ) -> None:
        """Add a game against another team: 1 for a win, 0.5 for a tie, 0 for a loss."""
        variance, theirs = (sum(one.sigma**2 for one in side) for side in (team, others))
        scale = sqrt(variance + theirs + 2 * _BETA_SQUARED)
        ahead = sum(one.mu for one in team) - sum(one.mu for one in others)
        expected = 1 / (1 + exp(-ahead / scale))
        push = share * (score - expected) / scale
        if share < 1:
            rest = (1 - share) * _pull_to_beginner(team[0])
            best = share * ((team[0].mu > MU) - expected) / scale + rest
            if best * (team[0].mu - MU) < 0:
                return
            self.push += rest
        self.push += push
        self.side_push += push
        # sqrt(share): a game says more about how the two compare than about where both stand.
        self.information += sqrt(share) * sqrt(variance) / scale**3 * expected * (1 - expected)


def _pull_to_beginner(skill: Skill) -> float:
    """Return the push of a draw against someone certain to be at the level of a beginner."""
    scale = sqrt(skill.sigma**2 + 2 * _BETA_SQUARED)
    return (0.5 - 1 / (1 + exp((MU - skill.mu) / scale))) / scale


def _shaken(skill: Skill) -> Skill:
    """Return a skill a little less certain, as before each game."""
    return Skill(skill.mu, sqrt(skill.sigma**2 + _TAU_SQUARED))


def _after(skill: Skill, push: float, information: float) -> Skill:
    variance = skill.sigma**2
    kept = max(1 - variance * information, _MODEL.kappa)
    return Skill(skill.mu + variance * push, skill.sigma * sqrt(kept))


def expected_score(one: Skill, other: Skill) -> float:
    """Return a player's expected share of the points against another, 0 to 1."""
    teams = [[_MODEL.rating(mu=skill.mu, sigma=skill.sigma)] for skill in (one, other)]
    won, _ = _MODEL.predict_win(teams)
    return float(won)


def active_since(now: datetime) -> datetime:
    """Return the earliest last game of a ranked player: the start of a day, UTC."""
    midnight = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    return midnight - MAX_PAUSE


def established(games: int, opponents: int) -> bool:
    """Return whether a rating is no longer provisional."""
    return games >= MIN_GAMES and opponents >= MIN_OPPONENTS


def was_provisional(after: RatingChange, *, established_now: bool) -> bool:
    """Return whether a rating was provisional after a change."""
    return not established_now or after.games < MIN_GAMES


def inactive(rating: Rating, now: datetime) -> bool:
    """Return whether a player's last game is too long ago."""
    return rating.last_at < active_since(now)
