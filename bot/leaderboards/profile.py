"""What is told of one player, and of two who have met. Pure values; `bot.leaderboards.profiles` reads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from bot.ratings.mathematics import Skill
    from data.leaderboards import Standing

Outcome: TypeAlias = Literal["won", "drawn", "lost"]


@dataclass(frozen=True, slots=True)
class Record:
    """How often somebody has won, drawn and lost."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def games(self) -> int:
        """How many matches these are."""
        return self.won + self.drawn + self.lost

    @classmethod
    def total(cls, records: Iterable[Record]) -> Record:
        """Return several records as one."""
        whole = tuple(records)
        return cls(
            sum(one.won for one in whole),
            sum(one.drawn for one in whole),
            sum(one.lost for one in whole),
        )


@dataclass(frozen=True, slots=True)
class Rated:
    """How a player is rated in one game."""

    standing: Standing
    place: int | None
    """``None`` for who is not listed."""
    listed: int
    """How many are."""

    @property
    def ahead(self) -> int | None:
        """How many of a hundred others who are listed stand below; ``None`` for who is not."""
        if self.place is None or self.listed < 2:
            return None
        return 100 * (self.listed - self.place) // (self.listed - 1)


@dataclass(frozen=True, slots=True)
class Ended:
    """A match that has ended, as one of its players tells it."""

    match_id: int
    game: str
    outcome: Outcome
    against: tuple[int, ...]
    at: datetime
    link: str | None
    """The address of its last board."""


@dataclass(frozen=True, slots=True)
class Moment:
    """How a player was rated after a result."""

    at: datetime
    skill: Skill
    provisional: bool


@dataclass(frozen=True, slots=True)
class Game:
    """What a player has done in one game."""

    slug: str
    record: Record
    sides: tuple[tuple[int, Record], ...]
    """By seat, those that they had."""
    pace: float | None
    """How many seconds a move takes them on average."""
    rated: Rated | None
    """``None`` without a rated game."""


@dataclass(frozen=True, slots=True)
class Profile:
    """All that is shown of a player in one server, or in all of them."""

    user_id: int
    everywhere: bool
    whole: bool
    """Whether it tells whom they met where, which over all servers concerns only themself."""
    games: tuple[Game, ...]
    """The one that they play most comes first."""
    chosen: Game | None
    """The one of which more is told."""
    history: tuple[Moment, ...]
    """Of the chosen game, oldest first."""
    rivals: tuple[tuple[int, Record], ...]
    """Whom they met most."""
    latest: tuple[Ended, ...]
    """Newest first."""
    now: datetime

    @property
    def people(self) -> frozenset[int]:
        """Everybody who is named."""
        return _people((self.user_id, *(user_id for user_id, _ in self.rivals)), self.latest)


@dataclass(frozen=True, slots=True)
class Rivalry:
    """What has come of the matches of two players, as the first one tells it."""

    one: int
    other: int
    everywhere: bool
    game: str | None
    """Of which game; ``None`` for all together."""
    games: tuple[tuple[str, Record], ...]
    """The one that they played most comes first."""
    sides: tuple[tuple[str, int, Record], ...]
    """By game and seat of the first player, in the last of their matches."""
    only_last: int | None
    """In how many of them; ``None`` for all of them."""
    streak: int
    """How many of the last matches the first player has won in a row; below 0: lost."""
    latest: tuple[Ended, ...]
    """Newest first."""
    expected: tuple[tuple[str, int], ...]
    """By game, how many points of a hundred the first one is expected to score."""

    @property
    def people(self) -> frozenset[int]:
        """Everybody who is named."""
        return _people((self.one, self.other), self.latest)

    @property
    def record(self) -> Record:
        """The score of the first player."""
        return Record.total(record for _, record in self.games)


def _people(named: Iterable[int], matches: Iterable[Ended]) -> frozenset[int]:
    return frozenset((*named, *(user_id for ended in matches for user_id in ended.against)))
