"""Results of matches and the resulting ratings, as values.

The scope of a rating is a server, or `EVERYWHERE` for all servers together.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final, NamedTuple, TypeAlias

from sqlalchemy import Index, UniqueConstraint

from data.sql.columns import reference, table

EVERYWHERE: Final = 0
Key: TypeAlias = tuple[int, int]
"""A scope and a player."""


class Placing(NamedTuple):
    """How a player finished a match."""

    seat: int
    user_id: int
    rank: int
    """1 is best; equal ranks are a tie."""
    moves: int = 0
    """The number of turns the player took."""
    seconds: int = 0
    """The total time of these turns."""


class Result(NamedTuple):
    """The outcome of a match."""

    id: int
    """Results are rated in order of their ids."""
    match_id: int
    game: str
    guild_id: int | None
    at: datetime
    rated: bool
    """Whether to rate the match. Games between two players who meet too often never count."""
    options: dict[str, str]
    players: tuple[Placing, ...]
    """In seat order."""

    @property
    def scopes(self) -> tuple[int, ...]:
        """The scopes in which the result counts."""
        return (EVERYWHERE,) if self.guild_id is None else (EVERYWHERE, self.guild_id)


results = table(
    "results",
    reference("match_id", "matches.id"),
    UniqueConstraint("match_id"),
    Index("ix_results_game", "game", "id"),
    rows=Result,
    without=("options", "players"),
)
"""The matches that ended with ranks, in that order."""


class Rating(NamedTuple):
    """A player's rating in one game and scope, after at least one rated match."""

    user_id: int
    scope: int
    game: str
    mu: float
    sigma: float
    games: int
    won: int
    drawn: int
    lost: int
    streak: int
    """Length of the current winning streak; negative for a losing streak."""
    best: int
    """The longest winning streak."""
    form: str
    """One letter for each recent game, newest last: w, d or l."""
    last_at: datetime
    opponents: int = 0
    """Number of different opponents in matches to be rated."""
    established: bool = False
    """Whether there were enough games and opponents; otherwise the rating is provisional."""


ratings = table(
    "ratings",
    Index("ix_ratings_mu", "scope", "game", "established", "mu", "games", "user_id", "last_at"),
    Index("ix_ratings_games", "scope", "game", "established", "games", "mu", "user_id"),
    Index("ix_ratings_last_at", "scope", "game", "established", "last_at", "user_id"),
    rows=Rating,
    key=("user_id", "scope", "game"),
)


class SeasonRating(NamedTuple):
    """A player's rating in one game and server, from the results of one season."""

    user_id: int
    scope: int
    game: str
    season: int
    """The season's number, see `bot.play.ratings.seasons`."""
    mu: float
    sigma: float
    points: int
    """The rating as shown to players; equal points share a place."""
    games: int
    won: int
    drawn: int
    lost: int
    form: str
    """One letter for each recent game, newest last: w, d or l."""
    opponents: int
    """Number of different opponents, counted only as far as ranking requires."""
    ranked: bool
    """Whether there were enough games and opponents for a place."""


SeasonKey: TypeAlias = tuple[int, int, int]
"""A season, a scope and a player."""


class SideRating(NamedTuple):
    """The rating of one side in a game with unequal sides."""

    scope: int
    game: str
    seat: int
    mu: float
    sigma: float
    games: int = 0
    won: int = 0
    drawn: int = 0


side_ratings = table("side_ratings", rows=SideRating, key=("scope", "game", "seat"))


class RatingChange(NamedTuple):
    """A player's rating after one result."""

    user_id: int
    scope: int
    game: str
    result_id: int
    at: datetime
    rated: bool
    """Whether the result counted; false if the player met all the others too often."""
    mu: float
    sigma: float
    games: int
    """The number of rated games so far."""
    skipped: int = 0
    """Bit mask of the seats met too often, against which nothing counted."""
    share: float = 1.0
    """The smallest weight, 0 to 1, that the result had against any opponent."""


rating_changes = table(
    "rating_changes",
    reference("result_id", "results.id"),
    Index("ix_rating_changes_result_id", "result_id"),
    rows=RatingChange,
    key=("user_id", "scope", "game", "result_id"),
)
