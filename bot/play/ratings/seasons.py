"""Seasons: each calendar quarter, UTC, ranks a server's players anew.

Independent of the store. A player's season starts from their rating in that server, pulled halfway
towards a beginner's, as if their skill had been partly redrawn:

    mean      MU + KEPT · (mean - MU)
    variance  KEPT² · variance + (1 - KEPT²) · SIGMA²

So unrated players start as usual, and the overall spread of ratings stays the same.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from math import sqrt
from typing import Final, NamedTuple, TypeVar

from bot.play.ratings.skill import MU, SIGMA, Skill, after_pause, rate
from data.ratings.rating import Rating, Result, SeasonKey, SeasonRating

KEPT: Final = 0.5
"""The share of the distance to a beginner's rating kept at the start of a season."""
MIN_GAMES: Final = 5
"""Rated games in a season needed for a place."""
MIN_OPPONENTS: Final = 3
"""Different opponents needed as well."""
MIN_RANKED: Final = 3
"""Players with a place needed for a champion."""
FORM_LENGTH: Final = 10
FIRST_NUMBER: Final = 4
"""The number of the first quarter that a date can have."""


class Season(NamedTuple):
    """A calendar quarter, UTC."""

    number: int
    """Four a year, consecutive."""

    @classmethod
    def at(cls, moment: datetime) -> Season:
        """Return the season at a moment."""
        day = moment.astimezone(UTC)
        return cls(4 * day.year + (day.month - 1) // 3)

    @property
    def year(self) -> int:
        """The year."""
        return self.number // 4

    @property
    def quarter(self) -> int:
        """1 to 4."""
        return self.number % 4 + 1

    @property
    def start(self) -> datetime:
        """Its first moment."""
        return datetime(self.year, 3 * self.quarter - 2, 1, tzinfo=UTC)

    @property
    def end(self) -> datetime:
        """The first moment after it."""
        return Season(self.number + 1).start


def compressed(skill: Skill) -> Skill:
    """Return a skill at the start of a season, from the one before it."""
    variance = KEPT**2 * skill.sigma**2 + (1 - KEPT**2) * SIGMA**2
    return Skill(MU + KEPT * (skill.mu - MU), sqrt(variance))


def ranked(games: int, opponents: int) -> bool:
    """Return whether a player has a place in a season's table."""
    return games >= MIN_GAMES and opponents >= MIN_OPPONENTS


K = TypeVar("K")


class Opponents(dict[K, frozenset[int] | None]):
    """The opponents of players; ``None`` once there are enough."""

    def __init__(self, enough: int) -> None:
        """Count up to this number."""
        super().__init__()
        self._enough = enough

    def add(self, key: K, others: Collection[int]) -> None:
        """Add opponents of a player."""
        known = self.get(key, frozenset())
        if known is not None and not known.issuperset(others):
            known = known.union(others)
            self[key] = known if len(known) < self._enough else None


@dataclass(eq=False, repr=False)
class SeasonCalculator:
    """The season ratings of one game after some results, as far as loaded."""

    ratings: dict[SeasonKey, SeasonRating] = field(default_factory=dict, init=False)
    """Players without a rated game in a season are missing."""
    opponents: Opponents[SeasonKey] = field(
        default_factory=lambda: Opponents(MIN_OPPONENTS), init=False
    )
    """Met in matches of a season that were to be rated, until there are enough for a place."""

    def rate(
        self,
        result: Result,
        before: Sequence[Rating],
        sides: Sequence[Skill],
        shares: Mapping[tuple[int, int], float],
        outcomes: Sequence[str],
    ) -> None:
        """Rate the next result of a server in its season; see `bot.play.ratings.skill.rate`.

        ``before`` are the ratings there before it, and ``outcomes`` w, d or l, in seat order.
        """
        season = Season.at(result.at)
        people = [one.user_id for one in before]
        keys = [(season.number, one.scope, one.user_id) for one in before]
        skills = []
        for key, one in zip(keys, before, strict=True):
            self.opponents.add(key, [other for other in people if other != one.user_id])
            known = self.ratings.get(key)
            # At a season's first result, the rating is still the one from before it.
            begin = compressed(after_pause(one, season.start))
            skills.append(begin if known is None else Skill(known.mu, known.sigma))
        after, _ = rate(skills, [placing.rank for placing in result.players], sides, shares)
        for place in {place for place, _ in shares}:
            self.ratings[keys[place]] = self._after(
                keys[place], result, after[place], outcomes[place]
            )

    def _after(self, key: SeasonKey, result: Result, skill: Skill, outcome: str) -> SeasonRating:
        season, scope, user_id = key
        known = self.ratings.get(key)
        games, won, drawn, lost = known[7:11] if known is not None else (0, 0, 0, 0)
        met = self.opponents.get(key, frozenset())
        opponents = MIN_OPPONENTS if met is None else len(met)
        return SeasonRating(
            user_id=user_id,
            scope=scope,
            game=result.game,
            season=season,
            mu=skill.mu,
            sigma=skill.sigma,
            points=skill.points,
            games=games + 1,
            won=won + (outcome == "w"),
            drawn=drawn + (outcome == "d"),
            lost=lost + (outcome == "l"),
            form=((known.form if known is not None else "") + outcome)[-FORM_LENGTH:],
            opponents=opponents,
            ranked=ranked(games + 1, opponents),
        )
