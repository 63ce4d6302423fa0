"""What a result says about the skill of those who played. Pure, and the same for every game.

A skill is a normal distribution: ``mu`` is the best guess, ``sigma`` how far off it may be. The
model is that of Plackett and Luce, as OpenSkill computes it, which takes two to four players and
ties alike. Where the sides of a game are unequal, each side is rated like a partner who plays
along with whoever has it: what the side wins is then not put down to the player.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING, Final

from openskill.models import PlackettLuce

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

FORMULA: Final = "1"
"""Raised whenever the same results would give other ratings: all are computed again then."""

MU: Final = 25.0
SIGMA: Final = 25.0 / 3
SIDE_SIGMA: Final = 25.0 / 12
"""How unequal sides may be, before anything is known of them."""
IDLE: Final = 0.65
"""How much ``sigma`` grows in a month without a game: two years at most undo all certainty."""
_MONTH: Final = 30 * 86_400.0
_MODEL: Final = PlackettLuce(mu=MU, sigma=SIGMA)


@dataclass(frozen=True, slots=True)
class Skill:
    """What is known of the strength of a player, or of a side."""

    mu: float
    sigma: float

    @property
    def points(self) -> int:
        """The number that people see: 1500 for who begins."""
        return round(1500 + 40 * (self.mu - MU))

    @property
    def margin(self) -> int:
        """How far off the number may be: the truth lies within it two times out of three."""
        return round(40 * self.sigma)


START: Final = Skill(MU, SIGMA)
EQUAL: Final = Skill(0.0, SIDE_SIGMA)
"""A side of which nothing is known: it neither helps nor harms."""


def rested(skill: Skill, since: datetime | None, at: datetime) -> Skill:
    """Return a skill as it is known some time after the last game, less surely than before."""
    if since is None or at <= since:
        return skill
    months = (at - since).total_seconds() / _MONTH
    grown = sqrt(skill.sigma**2 + IDLE**2 * months)
    return Skill(skill.mu, max(skill.sigma, min(SIGMA, grown)))


def rated(
    skills: Sequence[Skill], ranks: Sequence[int], sides: Sequence[Skill] | None = None
) -> tuple[tuple[Skill, ...], tuple[Skill, ...]]:
    """Return the skills of players, and those of the sides they had, after a game.

    Args:
        skills: before, in the order of the seats.
        ranks: likewise; 1 is the best, equal ranks are a tie.
        sides: what is known of the sides, in the same order; ``None`` where they are equal.

    """
    teams = [[_MODEL.rating(mu=skill.mu, sigma=skill.sigma)] for skill in skills]
    for team, side in zip(teams, sides or (), strict=False):
        team.append(_MODEL.rating(mu=side.mu, sigma=side.sigma))
    after = _MODEL.rate(teams, ranks=[float(rank) for rank in ranks])
    found = [[Skill(one.mu, one.sigma) for one in team] for team in after]
    return tuple(team[0] for team in found), tuple(team[1] for team in found if len(team) > 1)


def expected(one: Skill, other: Skill) -> float:
    """Return the share of points that a player is expected to score against another, 0 to 1."""
    teams = [[_MODEL.rating(mu=skill.mu, sigma=skill.sigma)] for skill in (one, other)]
    won, _ = _MODEL.predict_win(teams)
    return float(won)
