"""The parts of a tournament as plain values: its plan, entrants, pairings and games.

`bot.features.tournaments.rules` computes pairings, standings and records from these and a seed
alone. So the same values give the same pairings everywhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from enum import Enum
from typing import Any, Final, Literal, TypeAlias

FINAL: Final = "final"
"""The stage that follows the groups of a round robin."""
GROUP: Final = "group "
"""Prefix of group stages: ``group 1``, ``group 2``."""

How: TypeAlias = Literal["played", "adjudicated", "forfeit", "void"]
"""How a game came to its points.

* ``played``: on the board, including a resignation or timeout along the way.
* ``adjudicated``: stopped and judged by its position. Counts like a played game.
* ``forfeit``: a player never came. Points count, but the players have not met, as FIDE has it.
* ``void``: counts for nothing, as if never paired.
"""


class Format(Enum):
    """Tournament formats."""

    ROUND_ROBIN = "round-robin"
    SWISS = "swiss"
    KNOCKOUT = "knockout"


@dataclass(frozen=True, slots=True)
class Plan:
    """The settings of a tournament, fixed before its first round.

    Raises:
        ValueError: the settings don't go together.

    """

    format: Format
    seats: int = 2
    """Players per table: two, or more in games that seat more."""
    smallest: int = 2
    """The smallest table the game allows, used when the players don't fill all tables."""
    rounds: int | None = None
    """For a Swiss or larger tables; ``None`` to suit the number of entrants."""
    cycles: int = 1
    """How often all players meet in a round robin, in groups and final alike."""
    groups: int = 1
    """Round robin: number of groups; several are followed by a final of their winners."""
    best_of: int = 1
    """Knockout: games per encounter, or pairs of games with `both_sides`. Odd."""
    both_sides: bool = False
    """Opponents play two games with sides swapped: one encounter, won or drawn."""
    lives: int = 1
    """Knockout: 2 eliminates a player only at the second loss (double elimination)."""

    def __post_init__(self) -> None:
        """Check that the settings go together."""
        if not 2 <= self.smallest <= self.seats:
            raise ValueError("smallest must be between two and the number of seats")
        if self.rounds is not None and self.rounds < 1:
            raise ValueError("rounds must be at least one")
        if min(self.cycles, self.groups, self.best_of) < 1 or self.lives not in {1, 2}:
            raise ValueError(
                "cycles, groups and best_of must be at least one, and lives one or two"
            )
        if self.best_of % 2 == 0:
            raise ValueError("best_of must be odd")
        if self.seats > 2 and (
            self.both_sides or self.format is Format.KNOCKOUT or self.groups > 1
        ):
            raise ValueError("groups, knockouts and both_sides require two seats")
        if self.format is not Format.KNOCKOUT and (self.best_of > 1 or self.lives > 1):
            raise ValueError("best_of and lives above one require a knockout")
        if self.format is not Format.ROUND_ROBIN and (self.cycles > 1 or self.groups > 1):
            raise ValueError("cycles and groups above one require a round robin")

    @property
    def single_elimination(self) -> bool:
        """Whether one lost encounter eliminates."""
        return self.format is Format.KNOCKOUT and self.lives == 1

    @classmethod
    def read(cls, document: Mapping[str, Any]) -> Plan:
        """Return the plan in a `document`."""
        return cls(**{**document, "format": Format(document["format"])})

    def document(self) -> dict[str, Any]:
        """Return it as plain data."""
        return asdict(self) | {"format": self.format.value}


@dataclass(frozen=True, slots=True)
class Entrant:
    """A participant and the rounds they take part in."""

    user_id: int
    strength: float = 0.0
    """The rating on joining, which seeds the tournament. Never changes afterwards."""
    joined_round: int = 1
    """The first round they can be paired in."""
    left_after: int | None = None
    """The last round they take part in; 0 if they left before the first."""
    replaces: int | None = None
    """The entrant whose place they took, with its number, points and opponents. See `roster`."""

    def present(self, round_number: int) -> bool:
        """Return whether they can be paired in a round."""
        return self.joined_round <= round_number and not self.has_left(round_number)

    def has_left(self, round_number: int) -> bool:
        """Return whether they have left before a round."""
        return self.left_after is not None and self.left_after < round_number


@dataclass(frozen=True, slots=True)
class Game:
    """One game of a pairing: its seats and result."""

    seats: tuple[int, ...]
    """User ids in the order of the game's seats."""
    points: tuple[float, ...] | None = None
    """One per seat, from 0 to 1; ``None`` while the game is open."""
    how: How = "played"
    number: int = field(default=0, compare=False)
    """From 1, within the pairing; 0 until it is stored."""
    match_id: int | None = None
    ended: bool = False
    """Whether its match has ended."""

    def of(self, user_id: int) -> float:
        """Return a player's points; 0 if the game is open or void."""
        if self.points is None or self.how == "void":
            return 0.0
        return self.points[self.seats.index(user_id)]


@dataclass(frozen=True, slots=True)
class Pairing:
    """Opponents in a round. A single player has a bye."""

    round: int
    """From 1."""
    table: int
    """From 1, within the round."""
    players: tuple[int, ...]
    """In a knockout, the higher seed comes first, which may decide who advances."""
    games: tuple[Game, ...] = ()
    """A game with points from the start isn't played: the opponent had left."""
    stage: str = ""
    """``group 1``, ``final`` and the like; empty in a tournament with a single stage."""

    @property
    def bye(self) -> bool:
        """Whether the player has no opponent in this round."""
        return len(self.players) == 1

    @property
    def open(self) -> bool:
        """Whether any of its games has yet to end."""
        return any(game.points is None for game in self.games)

    @property
    def met(self) -> bool:
        """Whether its players meet on the board; forfeits and void games don't count."""
        return any(game.how in {"played", "adjudicated"} for game in self.games)

    def score(self, user_id: int) -> float:
        """Return a player's total points in this pairing's games."""
        return sum(game.of(user_id) for game in self.games)

    def points(self, user_id: int) -> float:
        """Return the pairing's worth to a player, from 0 to 1, once all its games have ended.

        A single game counts as is. Several make an encounter, like a team match in chess: 1 for
        more points than the opponent, ½ for a tie. A bye is 0, as each format values it itself.
        """
        if self.open or user_id not in self.players:
            return 0.0
        if len(self.games) < 2:
            return self.score(user_id)
        others = [self.score(other) for other in self.players if other != user_id]
        mine = self.score(user_id)
        return sum((mine > theirs) + (mine == theirs) / 2 for theirs in others) / len(others)

    def renamed(self, names: Mapping[int, int]) -> Pairing:
        """Return it with other numbers for its players."""
        games = (replace(one, seats=tuple(names[user] for user in one.seats)) for one in self.games)
        players = tuple(names[user] for user in self.players)
        return replace(self, players=players, games=tuple(games))
