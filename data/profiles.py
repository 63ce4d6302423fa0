"""What is known of one player, and of two who have met. The scope is a server, or 0 for all.

Each of these reads an index where it lies and as little of it as it returns; only `history` looks
at all rated games of one player in one game.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

    from data.transaction import Transaction


@dataclass(frozen=True, slots=True)
class Record:
    """What came of all matches of a player in one game on one side, casual ones too."""

    game: str
    seat: int
    won: int
    drawn: int
    lost: int
    moves: int
    """How often the player was to move and did."""
    seconds: int
    """How long that took, all together."""


@dataclass(frozen=True, slots=True)
class Rival:
    """What came of all matches in one game against one opponent, from the player's view."""

    user_id: int
    """The opponent; negative for somebody whose data was deleted."""
    game: str
    games: int
    rated: int
    """How many of them were to be rated."""
    won: int
    """How often the player had the better rank of the two."""
    drawn: int

    @property
    def lost(self) -> int:
        """How often the opponent had the better rank."""
        return self.games - self.won - self.drawn


@dataclass(frozen=True, slots=True)
class Point:
    """Where a player stood after a rated result."""

    at: datetime
    mu: float
    sigma: float
    games: int
    """The number of rated games with this one."""


@dataclass(frozen=True, slots=True)
class Place:
    """One of those who played, and how they ended."""

    seat: int
    user_id: int
    rank: int


@dataclass(frozen=True, slots=True)
class Played:
    """A match that has a result."""

    result_id: int
    match_id: int
    game: str
    guild_id: int | None
    at: datetime
    rated: bool
    """Whether it was to be rated; one between two who meet too often is not all the same."""
    players: tuple[Place, ...]
    """In the order of their seats."""


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a player's strength."""

    mu: float
    sigma: float
    games: int
    """How many rated games that comes from."""


@dataclass(frozen=True, slots=True)
class Change:
    """What the result of a match has changed for a player in one scope."""

    scope: int
    user_id: int
    rated: bool
    """Whether it was rated; if not, two of the players had met too often in a week."""
    before: Known | None
    """``None`` for who had no rated game."""
    after: Known
    settled: bool
    """Whether the player has had enough games and opponents by now."""


async def records(tx: Transaction, scope: int, user_id: int) -> tuple[Record, ...]:
    """Return what came of the matches of a player, by game and side."""
    raise NotImplementedError


async def rivals(tx: Transaction, scope: int, user_id: int, most: int) -> tuple[Rival, ...]:
    """Return whom a player has met most often in any one game, with a line for each game.

    All lines of an opponent follow each other; who was met most often over all games comes first.
    """
    raise NotImplementedError


async def head_to_head(tx: Transaction, scope: int, one: int, other: int) -> tuple[Rival, ...]:
    """Return what came of the matches of two players, by game, from the first one's view."""
    raise NotImplementedError


async def history(
    tx: Transaction, scope: int, game: str, user_id: int, most: int
) -> tuple[Point, ...]:
    """Return where a player stood after rated results, in order, at most so many of them.

    The first, the last, the highest and the lowest are always among them.

    Args:
        tx: the transaction.
        scope: a server, or 0.
        game: which game.
        user_id: who.
        most: how many; at least 5.

    """
    raise NotImplementedError


async def latest(tx: Transaction, scope: int, user_id: int, most: int) -> tuple[Played, ...]:
    """Return the last matches of a player that have a result, casual ones too, newest first."""
    raise NotImplementedError


async def meetings(
    tx: Transaction, scope: int, one: int, other: int, most: int
) -> tuple[Played, ...]:
    """Return the last matches of two players with a result, casual ones too, newest first."""
    raise NotImplementedError


async def of_match(tx: Transaction, match_id: int) -> tuple[Change, ...]:
    """Return what a match has changed, in all servers together first, in the order of seats.

    It is empty for a match that is not to be rated.
    """
    raise NotImplementedError
