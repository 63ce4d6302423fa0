"""Results of matches and the ratings that follow from them, as values.

The scope of a rating is a server, or `EVERYWHERE` for all servers together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from datetime import datetime

EVERYWHERE: Final = 0
Key: TypeAlias = tuple[int, int]
"""A scope and a player."""


class Placing(NamedTuple):
    """How a player finished a match."""

    seat: int
    user_id: int
    rank: int
    """1 is the best; equal ranks are a tie."""
    moves: int = 0
    """The number of turns the player took."""
    seconds: int = 0
    """The time all of them took."""


class Result(NamedTuple):
    """The outcome of a match."""

    id: int
    """Results are rated in the order of their ids."""
    match_id: int
    game: str
    guild_id: int | None
    at: datetime
    rated: bool
    """Whether the match is to be rated. Between two who meet too often nothing counts anyway."""
    options: dict[str, str]
    players: tuple[Placing, ...]
    """In seat order."""

    @property
    def scopes(self) -> tuple[int, ...]:
        """The scopes in which the result counts."""
        return (EVERYWHERE,) if self.guild_id is None else (EVERYWHERE, self.guild_id)


class Rating(NamedTuple):
    """The rating of a player in one game and scope, after at least one rated match."""

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
    """The number of games won in a row up to now; negative if they were lost."""
    best: int
    """The longest winning streak."""
    form: str
    """A letter for each of the last games, the newest last: w, d or l."""
    last_at: datetime
    opponents: int = 0
    """The number of different opponents in matches that were to be rated."""
    established: bool = False
    """Whether there were enough games and opponents; otherwise the rating is provisional."""


class SeasonRating(NamedTuple):
    """The rating of a player in one game and server by the results of one season."""

    user_id: int
    scope: int
    game: str
    season: int
    """The number of the season, see `bot.ratings.seasons`."""
    mu: float
    sigma: float
    points: int
    """The rating as players see it: equal points share a place."""
    games: int
    won: int
    drawn: int
    lost: int
    form: str
    """A letter for each of the last games, the newest last: w, d or l."""
    opponents: int
    """The number of different opponents, counted no further than a rank takes."""
    ranked: bool
    """Whether there were enough games and opponents for a place."""


SeasonKey: TypeAlias = tuple[int, int, int]
"""A season, a scope and a player."""


class SideRating(NamedTuple):
    """The rating of a side in a game whose sides are unequal."""

    scope: int
    game: str
    seat: int
    mu: float
    sigma: float
    games: int = 0
    won: int = 0
    drawn: int = 0


class RatingChange(NamedTuple):
    """The rating of a player after one result."""

    user_id: int
    scope: int
    game: str
    result_id: int
    at: datetime
    rated: bool
    """Whether the result counted; false if the player met all of the others too often."""
    mu: float
    sigma: float
    games: int
    """The number of rated games up to here."""
    skipped: int = 0
    """The seats of the players met too often, against whom nothing counted: a bit for each."""
    share: float = 1.0
    """How much it counted against the opponent against whom it counted least, 0 to 1."""
