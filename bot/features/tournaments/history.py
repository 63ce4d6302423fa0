"""The record of each place in earlier rounds: points, opponents, sides, floats and byes."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import combinations, groupby

from bot.features.tournaments.model import Pairing


class History:
    """Earlier rounds, by place. A bye is worth a win, as in FIDE's Swiss rules."""

    def __init__(self, pairings: Sequence[Pairing]) -> None:
        """Add up pairings of places, given in any order."""
        self.points: Counter[int] = Counter()
        """In half points, so that score groups compare exactly."""
        self.shares: defaultdict[int, float] = defaultdict(float)
        """The exact points, for tables of three and four."""
        self.met: Counter[tuple[int, int]] = Counter()
        """How often two places have met, the lower first; forfeits and void games don't count."""
        self.byes: Counter[int] = Counter()
        """How often a place had a bye, or a forfeit win, which counts as one."""
        self.seats: defaultdict[int, list[int]] = defaultdict(list)
        """A place's seats in the games played, in order."""
        self.floats: defaultdict[int, dict[int, int]] = defaultdict(dict)
        """By place and round: 1 for an opponent with fewer points or none, -1 for one with more."""
        self.rounds = max((pairing.round for pairing in pairings), default=0)
        """Rounds paired so far."""
        in_order = sorted(pairings, key=lambda pairing: pairing.round)
        for _, paired in groupby(in_order, lambda pairing: pairing.round):
            together = tuple(paired)
            for pairing in together:
                self._float(pairing)
            for pairing in together:
                self._add(pairing)

    def times_met(self, one: int, other: int) -> int:
        """Return how often two places have met."""
        return self.met[min(one, other), max(one, other)]

    def balance(self, place: int) -> int:
        """Return how much more often a place had the first seat than the second."""
        return sum(1 - 2 * seat for seat in self.seats[place] if seat < 2)

    def _float(self, pairing: Pairing) -> None:
        if pairing.bye or not pairing.met:
            for place in pairing.players:
                self.floats[place][pairing.round] = 1
            return
        for one, other in combinations(pairing.players, 2):
            difference = self.points[one] - self.points[other]
            if difference:
                self.floats[one][pairing.round] = 1 if difference > 0 else -1
                self.floats[other][pairing.round] = -self.floats[one][pairing.round]

    def _add(self, pairing: Pairing) -> None:
        for place in pairing.players:
            worth = 1.0 if pairing.bye else pairing.points(place)
            self.points[place] += round(2 * worth)
            self.shares[place] += worth
            if pairing.bye or (not pairing.met and worth > 0):
                self.byes[place] += 1
        if pairing.met and not pairing.bye:
            for one, other in combinations(sorted(pairing.players), 2):
                self.met[one, other] += 1
            for game in pairing.games:
                if game.how in {"played", "adjudicated"}:
                    for seat, place in enumerate(game.seats):
                        self.seats[place].append(seat)
