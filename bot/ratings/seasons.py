"""Seasons: each calendar quarter, UTC, ranks the players of a server anew.

Knows no store. A player's season begins from the rating that they had there, drawn halfway towards
where beginners are, as that of somebody whose skill has been drawn anew in part:

    mean      MU + KEPT · (mean - MU)
    variance  KEPT² · variance + (1 - KEPT²) · SIGMA²

So whoever has not been rated begins as ever, and players as a whole are spread as before.
"""

from __future__ import annotations

from datetime import UTC, datetime
from math import sqrt
from typing import TYPE_CHECKING, Final, NamedTuple

from bot.ratings.skill import MU, SIGMA, Skill, after_pause, rate
from data.rating import SeasonRating

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from data.rating import Rating, Result, SeasonKey

KEPT: Final = 0.5
"""How much of the distance to a beginner's rating a season begins with."""
MIN_GAMES: Final = 5
"""The number of rated games in a season that a place takes."""
MIN_OPPONENTS: Final = 3
"""The number of different opponents that it also takes."""
MIN_RANKED: Final = 3
"""With fewer players who have a place, a season has no champion."""
FORM_LENGTH: Final = 10
FIRST_NUMBER: Final = 4
"""The number of the first quarter that a date can have."""


class Season(NamedTuple):
    """A calendar quarter, UTC."""

    number: int
    """Four a year; each is one more than the one before."""

    @classmethod
    def at(cls, moment: datetime) -> Season:
        """Return the season of a moment."""
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
    """Return the skill with which a season begins, from the one before it."""
    variance = KEPT**2 * skill.sigma**2 + (1 - KEPT**2) * SIGMA**2
    return Skill(MU + KEPT * (skill.mu - MU), sqrt(variance))


def ranked(games: int, opponents: int) -> bool:
    """Return whether a player has a place in the table of a season."""
    return games >= MIN_GAMES and opponents >= MIN_OPPONENTS


class SeasonCalculator:
    """The season ratings of one game after some results, as far as they are known here."""

    def __init__(self) -> None:
        """Begin before the first result."""
        self.ratings: dict[SeasonKey, SeasonRating] = {}
        """A player without a rated game in a season has none."""
        self._met: dict[SeasonKey, frozenset[int] | None] = {}
        """The opponents of players; ``None`` once there are as many as a place takes."""

    def add_enough(self, key: SeasonKey) -> None:
        """Add that a player has met as many opponents in a season as a place takes."""
        self._met[key] = None

    def add_met(self, key: SeasonKey, others: Iterable[int]) -> None:
        """Add opponents whom a player has met in matches of a season that were to be rated."""
        known = self._met.get(key, frozenset())
        if known is not None:
            known = known.union(others)
            self._met[key] = known if len(known) < MIN_OPPONENTS else None

    def rate(
        self,
        result: Result,
        before: Sequence[Rating],
        sides: Sequence[Skill],
        shares: Mapping[tuple[int, int], float],
        outcomes: Sequence[str],
    ) -> None:
        """Rate the next result in the season it belongs to.

        Args:
            result: of a match in a server.
            before: the ratings there before it, in seat order.
            sides: the skills of the sides, likewise; empty if they are equal.
            shares: how much each game between two of them counts; see `bot.ratings.skill.rate`.
            outcomes: w, d or l, in seat order.

        """
        season = Season.at(result.at)
        people = [one.user_id for one in before]
        keys = [(season.number, one.scope, one.user_id) for one in before]
        skills = []
        for key, one in zip(keys, before, strict=True):
            self.add_met(key, (other for other in people if other != one.user_id))
            known = self.ratings.get(key)
            # At the first result of a season the rating is still the one from before it.
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
        met = self._met[key]
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
