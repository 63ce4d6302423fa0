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
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import groupby
from typing import Final

from data.tournaments.values import Format, Pairing, Plan
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


def by_place(pairings: Iterable[Pairing]) -> defaultdict[int, list[Pairing]]:
    """Return the pairings of each place, keeping their order."""
    found: defaultdict[int, list[Pairing]] = defaultdict(list)
    for pairing in pairings:
        for place in pairing.players:
            found[place].append(pairing)
    return found


_EXACT: Final = 9
"""Decimals to which points compare; rounding errors in sums of thirds are far smaller."""


def figure(value: float) -> str:
    """Format points: ``3½``, or ``2.33`` for other fractions."""
    whole, rest = divmod(round(value, _EXACT), 1)
    if rest == 0.5:
        return f"{int(whole) or ''}½"
    return f"{value:.2f}".rstrip("0").rstrip(".")


class Ranking:
    """Orders places by points and tie-breaks, and keeps the reasons."""

    def __init__(
        self,
        plan: Plan,
        rounds: Mapping[int, Sequence[Round]],
        pairings: Sequence[Pairing],
        missed: Mapping[int, int],
    ) -> None:
        """Take each place's rounds, the decided pairings, and the rounds missed since it was left."""
        self.order: list[list[int]] = []
        """Groups of places; each group shares a place."""
        self.values: defaultdict[int, dict[TieBreak, float]] = defaultdict(dict)
        self.reasons: dict[int, Phrase] = {}
        """By index in the order, why a group is above the next."""
        self._tie_breaks = tie_breaks(plan)
        self._rounds = rounds
        self._pairings = by_place(pairings)
        self._points = {place: sum(one.points for one in own) for place, own in rounds.items()}
        self._adjusted = {
            place: points + missed.get(place, 0) / 2 for place, points in self._points.items()
        }

    def rank(self, places: Sequence[int]) -> None:
        """Rank places, given in the order to list those that share a place."""
        for place in places:
            for tie_break in self._tie_breaks:
                if tie_break is not TieBreak.DIRECT:
                    self.values[place][tie_break] = self._value(tie_break, place)
        for tied in split(places, self._points.__getitem__):
            if self.order:
                self.reasons[len(self.order) - 1] = say("more points")
            self._resolve(tied, self._tie_breaks)

    def _resolve(self, tied: list[int], left: Sequence[TieBreak]) -> None:
        if len(tied) == 1 or not left:
            self.order.append(tied)
            return
        tie_break, *rest = left
        values = {place: self.values[place].get(tie_break, 0.0) for place in tied}
        if tie_break is TieBreak.DIRECT:
            direct = self._direct(tied)
            if direct is None:
                self._resolve(tied, rest)
                return
            values = direct
        parts = split(tied, values.__getitem__)
        if len(parts) > 1:
            for place in tied:
                self.values[place][tie_break] = values[place]
        for number, part in enumerate(parts):
            if number:
                self.reasons[len(self.order) - 1] = say(
                    "{tie_break}: {better} to {worse}",
                    tie_break=NAMES[tie_break],
                    better=figure(values[parts[number - 1][0]]),
                    worse=figure(values[part[0]]),
                )
            # Where head to head split them, apply it again within each part.
            again = tie_break is TieBreak.DIRECT and len(parts) > 1
            self._resolve(part, left if again else rest)

    def _value(self, tie_break: TieBreak, place: int) -> float:
        """Return a tie-break that doesn't depend on the other tied places."""
        rounds = self._rounds[place]
        if tie_break is TieBreak.WINS:
            return sum(bool(one.opponents) and one.points >= 1 for one in rounds)
        if tie_break is TieBreak.GAME_POINTS:
            return sum(one.score(place) for one in self._pairings[place])
        weighted = tie_break is TieBreak.SONNEBORN_BERGER
        return sum(self._worth(place, one, weighted=weighted) for one in rounds)

    def _direct(self, tied: Sequence[int]) -> dict[int, float] | None:
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
            return self._points[place] * (one.points if weighted else 1)
        return sum(
            self._adjusted.get(opponent, 0.0) * (result if weighted else 1)
            for opponent, result in one.opponents
        ) / len(one.opponents)


def split(places: Iterable[int], value: Callable[[int], float]) -> list[list[int]]:
    """Group equal values, highest first, keeping the order within groups."""
    ordered = sorted(places, key=lambda place: -round(value(place), _EXACT))
    return [list(group) for _, group in groupby(ordered, lambda p: round(value(p), _EXACT))]
