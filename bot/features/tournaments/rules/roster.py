"""The roster as places: a place persists when another player takes it over.

Everything in a tournament is computed for places: opponents, sides, points, the bracket. So in
every format a replacement inherits the place's record, as a substitute does in a team league.
A place is named by its first holder's user id.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from hmac import digest
from itertools import combinations, groupby

from data.tournaments.values import Entrant, Pairing


class Roster:
    """A tournament's places, in seed order."""

    def __init__(self, entrants: Iterable[Entrant], seed: bytes = b"") -> None:
        """Order places by strength, then by lot; without a seed, in the order of joining.

        Args:
            entrants: in the order of joining.
            seed: the tournament's.

        Raises:
            ValueError: a replaced player isn't an entrant, or is replaced twice.
        """
        by_id = {entrant.user_id: entrant for entrant in entrants}
        heirs: dict[int, Entrant] = {}
        for entrant in by_id.values():
            if entrant.replaces is not None:
                if entrant.replaces not in by_id or entrant.replaces in heirs:
                    raise ValueError(
                        "each entrant can be replaced only once, and only an entrant can be replaced"
                    )
                heirs[entrant.replaces] = entrant
        self._chains: dict[int, list[Entrant]] = {}
        """By place, its holders in succession."""
        self._places: dict[int, int] = {}
        for entrant in by_id.values():
            if entrant.replaces is None:
                chain = [entrant]
                while (heir := heirs.get(chain[-1].user_id)) is not None:
                    chain.append(heir)
                self._chains[entrant.user_id] = chain
                self._places |= {one.user_id: entrant.user_id for one in chain}
        if len(self._places) < len(by_id):
            raise ValueError("circular replacement of entrants")
        # Draw by number, never by id: ids change when a user deletes their data.
        joined = sorted(self._chains, key=self.joined)
        self.number: dict[int, int] = {place: number for number, place in enumerate(joined)}
        """By place, its number in the order of joining. Later entrants change no number."""
        self.places: tuple[int, ...] = tuple(
            sorted(
                joined,
                key=lambda place: (
                    -by_id[place].strength,
                    draw_key(seed, self.number[place]) if seed else b"",
                ),
            )
        )
        self.rank: dict[int, int] = {place: rank for rank, place in enumerate(self.places)}
        """By place, 0 for the strongest."""

    def place(self, user_id: int) -> int:
        """Return the place a user has or had."""
        return self._places[user_id]

    def holder(self, place: int, round_number: int) -> int | None:
        """Return a place's holder in a round; ``None`` if it is vacant."""
        for entrant in reversed(self._chains[place]):
            if entrant.joined_round <= round_number:
                return None if entrant.has_left(round_number) else entrant.user_id
        return None

    def latest(self, place: int) -> Entrant:
        """Return the last holder of a place."""
        return self._chains[place][-1]

    def last_holder(self, place: int, round_number: int) -> int:
        """Return a place's holder in a round, or the last one before it fell vacant."""
        chain = self._chains[place]
        known = [one.user_id for one in chain if one.joined_round <= round_number]
        return known[-1] if known else chain[0].user_id

    def began(self, place: int) -> bool:
        """Return whether a place had a holder in the first round."""
        return self.holder(place, 1) is not None

    def joined(self, place: int) -> int:
        """Return the first round a place could be paired in."""
        return self._chains[place][0].joined_round

    def present(self, round_number: int) -> tuple[int, ...]:
        """Return the places with a holder in a round, in seed order."""
        return tuple(p for p in self.places if self.holder(p, round_number) is not None)

    def left(self, place: int, by: int | None = None) -> int | None:
        """Return the round after which a place was left for good; ``None`` while it has a holder.

        Holders who joined after the round ``by`` are ignored.
        """
        known = [one for one in self._chains[place] if by is None or one.joined_round <= by]
        return known[-1].left_after if known else None

    def as_places(self, pairings: Sequence[Pairing]) -> tuple[Pairing, ...]:
        """Return pairings with places instead of users."""
        return tuple(pairing.renamed(self._places) for pairing in pairings)

    def as_persons(self, pairings: Iterable[Pairing]) -> tuple[Pairing, ...]:
        """Return pairings of places with their holders in that round."""
        return tuple(
            pairing.renamed({p: self.last_holder(p, pairing.round) for p in pairing.players})
            for pairing in pairings
        )


def draw_key(seed: bytes, *parts: int) -> bytes:
    """Return a sort key for a draw of lots: as good as random, the same for the same seed."""
    return digest(seed, repr(parts).encode(), "sha256")


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
