"""The roster as places: a place persists when another player takes it over.

Everything in a tournament is computed for places: opponents, sides, points, the bracket. So in
every format a replacement inherits the place's record, as a substitute does in a team league.
A place is named by its first holder's user id.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hmac import digest

from bot.features.tournaments.model import Entrant, Game, Pairing


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

        Args:
            place: the place.
            by: ignore holders who joined after this round; ``None`` for all.

        """
        known = [one for one in self._chains[place] if by is None or one.joined_round <= by]
        return known[-1].left_after if known else None

    def as_places(self, pairings: Sequence[Pairing]) -> tuple[Pairing, ...]:
        """Return pairings with places instead of users."""
        return tuple(_renamed(pairing, self._places) for pairing in pairings)

    def as_persons(self, pairings: Iterable[Pairing]) -> tuple[Pairing, ...]:
        """Return pairings of places with their holders in that round."""
        return tuple(
            _renamed(pairing, {p: self.last_holder(p, pairing.round) for p in pairing.players})
            for pairing in pairings
        )


def draw_key(seed: bytes, *parts: int) -> bytes:
    """Return a sort key for a draw of lots: as good as random, the same for the same seed."""
    return digest(seed, repr(parts).encode(), "sha256")


def _renamed(pairing: Pairing, names: dict[int, int]) -> Pairing:
    return Pairing(
        pairing.round,
        pairing.table,
        tuple(names[one] for one in pairing.players),
        tuple(
            Game(tuple(names[one] for one in game.seats), game.points, game.how)
            for game in pairing.games
        ),
        pairing.stage,
    )
