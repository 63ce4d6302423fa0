"""Who takes part, as places: a place goes on when somebody takes it over from somebody else.

Everything about a tournament is computed for places: opponents, sides, points, the bracket. So a
replacement inherits what the place has done, in every format alike, and a league table knows the
same for teams. A place is named by the user id of who had it first.
"""

from __future__ import annotations

from hmac import digest
from typing import TYPE_CHECKING

from bot.tournaments.model import Game, Pairing

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bot.tournaments.model import Entrant


class Roster:
    """The places of a tournament, in the order of their seeds."""

    def __init__(self, entrants: Iterable[Entrant], seed: bytes = b"") -> None:
        """Order the places: by strength, then by lot from the seed; without one, as they joined.

        Args:
            entrants: in the order of joining.
            seed: the tournament's.

        Raises:
            ValueError: where somebody replaces a person who does not take part, or two replace one.

        """
        by_id = {entrant.user_id: entrant for entrant in entrants}
        heirs: dict[int, Entrant] = {}
        for entrant in by_id.values():
            if entrant.replaces is not None:
                if entrant.replaces not in by_id or entrant.replaces in heirs:
                    raise ValueError("somebody replaces one entrant, and nobody else does")
                heirs[entrant.replaces] = entrant
        self._chains: dict[int, list[Entrant]] = {}
        """By place, who had it, one after another."""
        self._places: dict[int, int] = {}
        for entrant in by_id.values():
            if entrant.replaces is None:
                chain = [entrant]
                while (heir := heirs.get(chain[-1].user_id)) is not None:
                    chain.append(heir)
                self._chains[entrant.user_id] = chain
                self._places |= {one.user_id: entrant.user_id for one in chain}
        if len(self._places) < len(by_id):
            raise ValueError("entrants replace each other in a circle")
        # Ids are never drawn for: they change when somebody deletes their data.
        joined = sorted(self._chains, key=self.joined)
        self.number: dict[int, int] = {place: number for number, place in enumerate(joined)}
        """By place, its number in the order of joining. Who joins later changes no number."""
        self.places: tuple[int, ...] = tuple(
            sorted(
                joined,
                key=lambda place: (
                    -by_id[place].strength,
                    lot(seed, self.number[place]) if seed else b"",
                ),
            )
        )
        self.rank: dict[int, int] = {place: rank for rank, place in enumerate(self.places)}
        """By place, 0 for the strongest."""

    def place(self, user_id: int) -> int:
        """Return the place somebody has or had."""
        return self._places[user_id]

    def holder(self, place: int, round_number: int) -> int | None:
        """Return who plays for a place in a round; ``None`` if nobody does."""
        for entrant in reversed(self._chains[place]):
            if entrant.joined_round <= round_number:
                return None if entrant.gone(round_number) else entrant.user_id
        return None

    def latest(self, place: int) -> Entrant:
        """Return who had a place last."""
        return self._chains[place][-1]

    def last_holder(self, place: int, round_number: int) -> int:
        """Return who has a place in a round, or had it last before they left."""
        chain = self._chains[place]
        known = [one.user_id for one in chain if one.joined_round <= round_number]
        return known[-1] if known else chain[0].user_id

    def began(self, place: int) -> bool:
        """Return whether somebody played for a place in the first round."""
        return self.holder(place, 1) is not None

    def joined(self, place: int) -> int:
        """Return the first round a place could be paired in."""
        return self._chains[place][0].joined_round

    def present(self, round_number: int) -> tuple[int, ...]:
        """Return the places that somebody plays for in a round, in the order of their seeds."""
        return tuple(p for p in self.places if self.holder(p, round_number) is not None)

    def left(self, place: int, by: int | None = None) -> int | None:
        """Return after which round a place was left for good; ``None`` while somebody has it.

        Args:
            place: the place.
            by: the last round in which somebody else may have taken it over; ``None`` for any.

        """
        known = [one for one in self._chains[place] if by is None or one.joined_round <= by]
        return known[-1].left_after if known else None

    def as_places(self, pairings: Sequence[Pairing]) -> tuple[Pairing, ...]:
        """Return pairings with places instead of persons."""
        return tuple(_renamed(pairing, self._places) for pairing in pairings)

    def as_persons(self, pairings: Iterable[Pairing]) -> tuple[Pairing, ...]:
        """Return pairings of places with the persons who play for them in that round."""
        return tuple(
            _renamed(pairing, {p: self.last_holder(p, pairing.round) for p in pairing.players})
            for pairing in pairings
        )


def lot(seed: bytes, *what: int) -> bytes:
    """Return what is drawn for something: as good as random, the same for the same seed."""
    return digest(seed, repr(what).encode(), "sha256")


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
