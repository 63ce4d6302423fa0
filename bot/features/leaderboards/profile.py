"""Profiles and rivalries as values."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, NamedTuple, TypeAlias

from bot.features.leaderboards.seasons import Title
from bot.features.leaderboards.service import Ranking
from data.matches.matches import Match
from data.ratings.rating import RatingChange
from engine.phrase import Phrase

Outcome: TypeAlias = Literal["won", "drawn", "lost"]


class Score(NamedTuple):
    """Games won, drawn and lost."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def games(self) -> int:
        """The number of games."""
        return sum(self)

    @classmethod
    def total(cls, scores: Iterable[Score]) -> Score:
        """Return the sum of several scores."""
        return cls(*map(sum, zip(cls(), *scores, strict=True)))


@dataclass(frozen=True, slots=True)
class EndedMatch:
    """A finished match, from the view of one of its players."""

    match: Match
    outcome: Outcome
    """Against ``rival``, or else against all others."""
    opponents: tuple[int, ...]
    at: datetime
    link: str | None
    """The address of its final board."""
    winners: tuple[int, ...]
    """Those who came first."""
    rival: int | None = None
    """The opponent of a head to head."""


@dataclass(frozen=True, slots=True)
class GameProfile:
    """A player's record in one game."""

    slug: str
    sides: tuple[tuple[int, Score], ...]
    """By seat; only seats they have played."""
    seconds_per_move: float | None
    ranking: Ranking | None
    """``None`` without a rated game."""

    @property
    def score(self) -> Score:
        """The score on all sides together."""
        return Score.total(score for _, score in self.sides)


@dataclass(frozen=True, slots=True)
class Profile:
    """A player's profile in one server, or over all of them."""

    user_id: int
    everywhere: bool
    whole: bool
    """Whether opponents are shown; across all servers, only players themselves see theirs."""
    games: tuple[GameProfile, ...]
    """Most played first."""
    chosen: GameProfile | None
    """The one shown in detail."""
    history: tuple[RatingChange, ...]
    """Of the chosen game, oldest first."""
    rivals: tuple[tuple[int, Score], ...]
    """The opponents met most."""
    latest: tuple[EndedMatch, ...]
    """Newest first."""
    now: datetime
    titles: tuple[Title, ...] = ()
    """Seasons they won, newest first."""
    places: tuple[Phrase, ...] = ()
    """Lines about their places in tournaments and on ladders that its readers may see."""
    milestones: tuple[tuple[Match, Phrase], ...] = ()
    """Lines about single matches, newest first."""

    @property
    def people(self) -> frozenset[int]:
        """Everyone named in it."""
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
    """Most played first."""
    sides: tuple[tuple[str, int, Score], ...]
    """By game and seat of the first player, counted over the latest of their matches."""
    only_last: int | None
    """How many matches ``sides`` covers; ``None`` for all of them."""
    streak: int
    """Matches in a row the first player came out ahead, up to now; negative for the other."""
    latest: tuple[EndedMatch, ...]
    """Newest first."""
    crowded: bool
    """Whether others played along in any of their latest matches."""
    expected: tuple[tuple[str, int], ...]
    """By game, the expected score of the first player in percent."""

    @property
    def people(self) -> frozenset[int]:
        """Everyone named in it."""
        opponents = (user_id for ended in self.latest for user_id in ended.opponents)
        return frozenset((self.one, self.other, *opponents))

    @property
    def score(self) -> Score:
        """The score of the first player."""
        return Score.total(score for _, score in self.games)
