"""Profiles of players, and of two who have met, as values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from bot.leaderboards.seasons import Title
    from bot.leaderboards.service import Ranking
    from bot.milestones.service import Milestone
    from data.ladders import Ladder, Rung
    from data.matches import Match
    from data.rating import RatingChange
    from data.tournaments import Tournament

Outcome: TypeAlias = Literal["won", "drawn", "lost"]


class Score(NamedTuple):
    """The number of games won, drawn and lost."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def games(self) -> int:
        """The number of games."""
        return sum(self)

    @classmethod
    def total(cls, scores: Iterable[Score]) -> Score:
        """Return several scores as one."""
        return cls(*map(sum, zip(cls(), *scores, strict=True)))


@dataclass(frozen=True, slots=True)
class EndedMatch:
    """A match that has ended, from the view of one of its players."""

    match: Match
    outcome: Outcome
    opponents: tuple[int, ...]
    at: datetime
    link: str | None
    """The address of its last board."""


@dataclass(frozen=True, slots=True)
class GameProfile:
    """What a player has done in one game."""

    slug: str
    sides: tuple[tuple[int, Score], ...]
    """By seat, those that the player had."""
    seconds_per_move: float | None
    ranking: Ranking | None
    """``None`` without a rated game."""

    @property
    def score(self) -> Score:
        """The score on all sides together."""
        return Score.total(score for _, score in self.sides)


@dataclass(frozen=True, slots=True)
class ReachedMilestone:
    """A milestone of a player, as their profile tells it."""

    milestone: Milestone
    at: datetime
    link: str | None
    """The address of the last board of its match."""

    @property
    def match(self) -> Match:
        """The match in which it was reached."""
        return self.milestone.match


@dataclass(frozen=True, slots=True)
class Profile:
    """What is shown of a player in one server, or over all of them."""

    user_id: int
    everywhere: bool
    whole: bool
    """Whether opponents are shown; over all servers only the players themselves see theirs."""
    games: tuple[GameProfile, ...]
    """The one played most comes first."""
    chosen: GameProfile | None
    """The one shown in detail."""
    history: tuple[RatingChange, ...]
    """Of the chosen game, oldest first."""
    rivals: tuple[tuple[int, Score], ...]
    """The opponents met most."""
    latest: tuple[EndedMatch, ...]
    """Newest first."""
    now: datetime
    prizes: tuple[tuple[Tournament, int], ...] = ()
    """The tournaments in which they were among the first three, with the place, newest first."""
    titles: tuple[Title, ...] = ()
    """The seasons in which they came first, the last ones first."""
    milestones: tuple[ReachedMilestone, ...] = ()
    """Newest first."""
    ladders: tuple[tuple[Ladder, Rung], ...] = ()
    """The ladders that they are on, with where they stand."""

    @property
    def people(self) -> frozenset[int]:
        """Everybody who is named."""
        opponents = (user_id for ended in self.latest for user_id in ended.opponents)
        return frozenset((self.user_id, *(user_id for user_id, _ in self.rivals), *opponents))


@dataclass(frozen=True, slots=True)
class Rivalry:
    """The matches of two players, from the view of the first."""

    one: int
    other: int
    everywhere: bool
    game: str | None
    """``None`` for all games together."""
    games: tuple[tuple[str, Score], ...]
    """The one played most comes first."""
    sides: tuple[tuple[str, int, Score], ...]
    """By game and seat of the first player, in the latest of their matches."""
    only_last: int | None
    """In how many of them; ``None`` for all of them."""
    streak: int
    """The number of latest matches that the first player has won in a row; negative if lost."""
    latest: tuple[EndedMatch, ...]
    """Newest first."""
    expected: tuple[tuple[str, int], ...]
    """By game, the expected score of the first player in percent."""

    @property
    def people(self) -> frozenset[int]:
        """Everybody who is named."""
        opponents = (user_id for ended in self.latest for user_id in ended.opponents)
        return frozenset((self.one, self.other, *opponents))

    @property
    def score(self) -> Score:
        """The score of the first player."""
        return Score.total(score for _, score in self.games)
