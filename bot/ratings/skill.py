"""The rating system: what a result says about the skill of the players.

A skill is a normal distribution: ``mu`` is the estimate, ``sigma`` its standard deviation. The
model is Plackett-Luce as OpenSkill computes it, for two to four players and ties alike. If the
sides of a game are unequal, each side is rated like a partner of the player who has it, so that
what the side wins is not credited to the player.
"""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING, Final, NamedTuple

from openskill.models import PlackettLuce

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from data.rating import Rating

FORMULA_VERSION: Final = "1"
"""Raised whenever the same results would give other ratings: all are recomputed then."""

MU: Final = 25.0
SIGMA: Final = 25.0 / 3
SIDE_SIGMA: Final = 25.0 / 12
"""The standard deviation of a side of which nothing is known."""
MONTHLY_SIGMA: Final = 0.65
"""The uncertainty that a month without a game adds; two years at most undo all certainty."""
_MONTH: Final = 30 * 86_400.0
_MODEL: Final = PlackettLuce(mu=MU, sigma=SIGMA)


class Skill(NamedTuple):
    """The skill of a player, or of a side."""

    mu: float
    sigma: float

    @property
    def points(self) -> int:
        """The number that players see: 1500 for a beginner."""
        return round(1500 + 40 * (self.mu - MU))

    @property
    def margin(self) -> int:
        """The standard deviation of the points: two times out of three the truth lies within."""
        return round(40 * self.sigma)


START: Final = Skill(MU, SIGMA)
EQUAL: Final = Skill(0.0, SIDE_SIGMA)
"""A side of which nothing is known: it neither helps nor harms."""


def after_pause(rating: Rating, now: datetime) -> Skill:
    """Return the skill of a player some time after their last game, less certain than before."""
    if now <= rating.last_at:
        return Skill(rating.mu, rating.sigma)
    months = (now - rating.last_at).total_seconds() / _MONTH
    grown = sqrt(rating.sigma**2 + MONTHLY_SIGMA**2 * months)
    return Skill(rating.mu, max(rating.sigma, min(SIGMA, grown)))


def rate(
    skills: Sequence[Skill], ranks: Sequence[int], sides: Sequence[Skill] = ()
) -> tuple[tuple[Skill, ...], tuple[Skill, ...]]:
    """Return the skills of players, and those of the sides they had, after a game.

    Args:
        skills: before the game, in seat order.
        ranks: likewise; 1 is the best, equal ranks are a tie.
        sides: the skills of the sides, likewise; empty if they are equal.

    """
    teams = [[_MODEL.rating(mu=skill.mu, sigma=skill.sigma)] for skill in skills]
    for team, side in zip(teams, sides, strict=False):
        team.append(_MODEL.rating(mu=side.mu, sigma=side.sigma))
    after = _MODEL.rate(teams, ranks=[float(rank) for rank in ranks])
    found = [[Skill(one.mu, one.sigma) for one in team] for team in after]
    return tuple(team[0] for team in found), tuple(team[1] for team in found if len(team) > 1)


def expected_score(one: Skill, other: Skill) -> float:
    """Return the share of points that a player is expected to score against another, 0 to 1."""
    teams = [[_MODEL.rating(mu=skill.mu, sigma=skill.sigma)] for skill in (one, other)]
    won, _ = _MODEL.predict_win(teams)
    return float(won)
