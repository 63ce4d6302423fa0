"""The tie-breaks between equal points, and how to compute them.

Rounds not played follow FIDE's tie-break regulations of 2023 (C.07):

* A player's own unplayed round (a bye, a forfeit, an absence) counts as played against an opponent
  who ends with the same points as the player.
* An opponent who left gets half a point for each round after that.

At tables of three and four each opponent counts a half or a third, so that a round weighs the
same at every table.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from bot.features.tournaments.model import Format, Pairing, Plan
from engine.phrase import Phrase, say


class TieBreak(Enum):
    """What decides between equal points."""

    DIRECT = "direct encounter"
    GAME_POINTS = "game points"
    BUCHHOLZ = "Buchholz"
    SONNEBORN_BERGER = "Sonneborn-Berger"
    WINS = "wins"


NAMES: Final = {
    # Translators: a tournament tie-break.
    TieBreak.DIRECT: say("head to head"),
    # Translators: a tournament tie-break.
    TieBreak.GAME_POINTS: say("game points"),
    # Translators: a tournament tie-break, named after its inventor.
    TieBreak.BUCHHOLZ: say("Buchholz"),
    # Translators: a tournament tie-break, named after its inventors.
    TieBreak.SONNEBORN_BERGER: say("Sonneborn-Berger"),
    # Translators: a tournament tie-break.
    TieBreak.WINS: say("wins"),
}
EXPLAINED: Final = {
    TieBreak.DIRECT: say("Head to head: points from the games among those tied, if all have met."),
    TieBreak.GAME_POINTS: say("Game points: points from all single games."),
    TieBreak.BUCHHOLZ: say("Buchholz: the sum of your opponents' points."),
    TieBreak.SONNEBORN_BERGER: say(
        "Sonneborn-Berger: the points of everyone you beat, and half the points of everyone you "
        "drew with."
    ),
    TieBreak.WINS: say("Wins: games won on the board."),
}


def tie_breaks(plan: Plan) -> tuple[TieBreak, ...]:
    """Return the tie-breaks in order. If all are equal, a place is shared.

    A knockout has none: it is ordered by the round reached.
    """
    if plan.format is Format.KNOCKOUT:
        return ()
    game_points = (TieBreak.GAME_POINTS,) if plan.both_sides else ()
    # If all have met, everyone's opponents total the same points, less one's own.
    all_meet = plan.format is Format.ROUND_ROBIN and plan.seats == 2
    buchholz = () if all_meet else (TieBreak.BUCHHOLZ,)
    return (TieBreak.DIRECT, *game_points, *buchholz, TieBreak.SONNEBORN_BERGER, TieBreak.WINS)


@dataclass(frozen=True, slots=True)
class Round:
    """A round as one player saw it: points and opponents, none if unplayed."""

    points: float
    opponents: tuple[tuple[int, float], ...] = ()
    """Each opponent at the table, with the result against them: 1, ½ or 0."""


class Computed:
    """The tie-breaks of some places, computed from their rounds."""

    def __init__(
        self,
        rounds: Mapping[int, Sequence[Round]],
        pairings: Sequence[Pairing],
        missed: Mapping[int, int],
    ) -> None:
        """Take the decided rounds of each place.

        Args:
            rounds: by place, all rounds so far.
            pairings: those with games, decided.
            missed: by place, the number of rounds since it was left.

        """
        self.points = {place: sum(one.points for one in own) for place, own in rounds.items()}
        self._rounds = rounds
        self._pairings = by_place(pairings)
        self._adjusted = {
            place: points + missed.get(place, 0) / 2 for place, points in self.points.items()
        }

    def value(self, tie_break: TieBreak, place: int) -> float:
        """Return a tie-break that doesn't depend on the other tied places."""
        rounds = self._rounds[place]
        if tie_break is TieBreak.WINS:
            return sum(bool(one.opponents) and one.points >= 1 for one in rounds)
        if tie_break is TieBreak.GAME_POINTS:
            return sum(one.score(place) for one in self._pairings[place])
        weighted = tie_break is TieBreak.SONNEBORN_BERGER
        return sum(self._worth(place, one, weighted=weighted) for one in rounds)

    def direct(self, tied: Sequence[int]) -> dict[int, float] | None:
        """Return each tied place's points against the others; ``None`` if not all have met."""
        among, found = set(tied), {}
        for place in tied:
            met = [
                (opponent, result)
                for one in self._rounds[place]
                for opponent, result in one.opponents
                if opponent in among
            ]
            if len({opponent for opponent, _ in met}) < len(among) - 1:
                return None
            found[place] = sum(result for _, result in met)
        return found

    def _worth(self, place: int, one: Round, *, weighted: bool) -> float:
        if not one.opponents:
            return self.points[place] * (one.points if weighted else 1)
        return sum(
            self._adjusted.get(opponent, 0.0) * (result if weighted else 1)
            for opponent, result in one.opponents
        ) / len(one.opponents)


def by_place(pairings: Iterable[Pairing]) -> defaultdict[int, list[Pairing]]:
    """Return the pairings of each place, keeping their order."""
    found: defaultdict[int, list[Pairing]] = defaultdict(list)
    for pairing in pairings:
        for place in pairing.players:
            found[place].append(pairing)
    return found


def explained(plan: Plan) -> tuple[Phrase, ...]:
    """Return explanations of a tournament's tie-breaks, in order."""
    return tuple(EXPLAINED[one] for one in tie_breaks(plan))
