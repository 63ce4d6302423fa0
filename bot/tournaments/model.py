"""What a tournament is made of, as plain values.

Pairings, standings and records are computed from these and a seed, and from nothing else: no
clock, no store, no Discord. So the same values give the same pairings wherever they are computed.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final, Literal, TypeAlias

FINAL: Final = "final"
"""The stage after the groups of a round robin."""
GROUP: Final = "group "
"""How the stages of groups begin: ``group 1``, ``group 2``."""

How: TypeAlias = Literal["played", "adjudicated", "forfeit", "void"]
"""How a game came to its points.

* ``played``: on the board, and also when somebody resigned or ran out of time in the middle.
* ``adjudicated``: it was stopped and judged by its position. Counts like a game that was played.
* ``forfeit``: somebody never came. Points count, but the two have not met, as FIDE has it.
* ``void``: it counts for nothing and nobody, as if it had never been paired.
"""


class Format(Enum):
    """How it is decided who meets whom."""

    ROUND_ROBIN = "round-robin"
    SWISS = "swiss"
    KNOCKOUT = "knockout"


@dataclass(frozen=True, slots=True)
class Plan:
    """What is settled about a tournament before its first round.

    Raises:
        ValueError: where the parts do not go together.

    """

    format: Format
    seats: int = 2
    """The players at a table: two, or more where the game has the seats."""
    smallest: int = 2
    """The smallest table that the game allows. Tables are smaller where the numbers do not fit."""
    rounds: int | None = None
    """Of a Swiss or of tables; ``None`` for as many as suit the entrants."""
    cycles: int = 1
    """How often everyone meets everyone in a round robin, in groups and final alike."""
    groups: int = 1
    """Round robin in groups; more than one is followed by a final of their winners."""
    best_of: int = 1
    """Knockout: the games of an encounter, or pairs of games where both sides are played. Odd."""
    both_sides: bool = False
    """Whoever meets plays two games with the sides swapped: one encounter, won or drawn."""
    lives: int = 1
    """Knockout: 2 lets everyone lose once before they are out (double elimination)."""

    def __post_init__(self) -> None:
        """Check what no tournament can do without."""
        if not 2 <= self.smallest <= self.seats:
            raise ValueError("a table has at least two players, and at most its seats")
        if self.rounds is not None and self.rounds < 1:
            raise ValueError("a tournament has at least one round")
        if min(self.cycles, self.groups, self.best_of) < 1 or self.lives not in {1, 2}:
            raise ValueError("cycles, groups, games and lives are at least one")
        if self.best_of % 2 == 0:
            raise ValueError("an encounter has an odd number of games")
        if self.seats > 2 and (
            self.both_sides or self.format is Format.KNOCKOUT or self.groups > 1
        ):
            raise ValueError("groups, knockouts and swapped sides are for two at a table")
        if self.format is not Format.KNOCKOUT and (self.best_of > 1 or self.lives > 1):
            raise ValueError("only encounters of a knockout are a best of so many games")
        if self.format is not Format.ROUND_ROBIN and (self.cycles > 1 or self.groups > 1):
            raise ValueError("only a round robin has cycles and groups")


@dataclass(frozen=True, slots=True)
class Entrant:
    """Somebody who takes part, from a round to a round."""

    user_id: int
    strength: float = 0.0
    """Seeds the tournament: the rating on the day of joining. Never changed afterwards."""
    joined_round: int = 1
    """The first round they can be paired in."""
    left_after: int | None = None
    """The last round they take part in; 0 if they left before the first."""
    replaces: int | None = None
    """Whose place they have taken, with its number, points and opponents. See `roster`."""

    def present(self, round_number: int) -> bool:
        """Return whether they can be paired in a round."""
        return self.joined_round <= round_number and not self.gone(round_number)

    def gone(self, round_number: int) -> bool:
        """Return whether they have left before a round."""
        return self.left_after is not None and self.left_after < round_number


@dataclass(frozen=True, slots=True)
class Game:
    """One game of a pairing: who sits where, and what came of it."""

    seats: tuple[int, ...]
    """User ids in the order of the game's seats."""
    points: tuple[float, ...] | None = None
    """For each seat, from 0 to 1; ``None`` while it is open. See `points_of_places`."""
    how: How = "played"

    def of(self, user_id: int) -> float:
        """Return the points of a player; 0 while the game is open or if it does not count."""
        if self.points is None or self.how == "void":
            return 0.0
        return self.points[self.seats.index(user_id)]


@dataclass(frozen=True, slots=True)
class Pairing:
    """Who meets in a round. A single player has a bye."""

    round: int
    """From 1."""
    table: int
    """From 1, within the round."""
    players: tuple[int, ...]
    """In a knockout, the higher seed first: who passes on may depend on it."""
    games: tuple[Game, ...] = ()
    """A game that has points from the start is not to be played: the opponent had left."""
    stage: str = ""
    """``group 1``, ``final`` and the like; empty where a tournament has only one stage."""

    @property
    def bye(self) -> bool:
        """Whether the player has no opponent in this round."""
        return len(self.players) == 1

    @property
    def open(self) -> bool:
        """Whether a game of it is still to be played to the end."""
        return any(game.points is None for game in self.games)

    @property
    def met(self) -> bool:
        """Whether its players have met, or are to meet: a forfeit and a void game do not count."""
        return any(game.how in {"played", "adjudicated"} for game in self.games)

    def score(self, user_id: int) -> float:
        """Return the sum of the points of a player in the games of this pairing."""
        return sum(game.of(user_id) for game in self.games)

    def points(self, user_id: int) -> float:
        """Return what the pairing is worth to a player, from 0 to 1, once all its games ended.

        A single game counts as it is. Several are an encounter, as between teams in chess: 1 for
        more points than the other, ½ for as many. 0 for a bye, which each format values itself.
        """
        if self.open or user_id not in self.players:
            return 0.0
        if len(self.games) < 2:
            return self.score(user_id)
        others = [self.score(other) for other in self.players if other != user_id]
        mine = self.score(user_id)
        return sum((mine > theirs) + (mine == theirs) / 2 for theirs in others) / len(others)


def points_of_places(places: tuple[int, ...]) -> tuple[float, ...]:
    """Return the points of a table from its places: the share of the others that were beaten.

    A tie counts half. At a table of two that is 1, ½ and 0; at one of three 1, ½ and 0 too.

    Args:
        places: for each seat, 1 for the winner; equal where they are tied.

    """
    others = len(places) - 1
    return tuple(
        (sum(other > mine for other in places) + (places.count(mine) - 1) / 2) / others
        for mine in places
    )
