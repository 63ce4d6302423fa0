"""A snapshot of a ladder."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from bot.play.matches.luck import Sealed
from data.ladders import ladder_challenges, ladders
from data.ladders.ladder_challenges import LadderChallenge
from data.ladders.ladders import Ladder, Rung
from data.store.store import Transaction
from engine import registry


@dataclass(frozen=True)
class LadderView:
    """A ladder, its players, and their open challenges."""

    ladder: Ladder
    rungs: tuple[Rung, ...]
    """From place 1 on."""
    challenges: tuple[LadderChallenge, ...]
    """The open ones, oldest first."""

    @property
    def id(self) -> int:
        """The number of the ladder."""
        return self.ladder.id

    @property
    def title(self) -> str:
        """The title of its game."""
        return registry.game(self.ladder.game).title

    @cached_property
    def order(self) -> tuple[int, ...]:
        """The players' ids, from place 1 on."""
        return tuple(one.user_id for one in self.rungs)

    def of(self, user_id: int) -> Rung | None:
        """Return a player's rung; ``None`` if they aren't on it."""
        return next((one for one in self.rungs if one.user_id == user_id), None)

    def made_by(self, user_id: int) -> LadderChallenge | None:
        """Return the open challenge a player has made."""
        return next((one for one in self.challenges if one.challenger_id == user_id), None)

    def made_to(self, user_id: int) -> LadderChallenge | None:
        """Return the open challenge to a player that has come up."""
        return next((one for one in self._made_to(user_id) if not one.queued), None)

    def queue(self, user_id: int) -> tuple[LadderChallenge, ...]:
        """Return the challenges queued for a player's place, in order."""
        return tuple(one for one in self._made_to(user_id) if one.queued)

    def ahead(self, challenge: LadderChallenge) -> int:
        """Return how many challenges come before a queued one, the current one included."""
        return sum(one.id < challenge.id for one in self._made_to(challenge.challenged_id))

    def _made_to(self, user_id: int) -> Iterator[LadderChallenge]:
        return (one for one in self.challenges if one.challenged_id == user_id)


def sealed(challenge: LadderChallenge) -> Sealed:
    """Return what the draws of a challenge's match are made of: fixed once it is accepted."""
    words = (challenge.challenger_word, challenge.challenged_word)
    added = dict(zip(challenge.both, words, strict=True))
    return Sealed(challenge.seed, challenge.drawn_for, added)


async def read_view(tx: Transaction, ladder_id: int) -> LadderView | None:
    """Read a ladder in a transaction; ``None`` if it doesn't exist."""
    ladder = await ladders.get(tx, ladder_id)
    if ladder is None:
        return None
    return LadderView(
        ladder,
        await ladders.rungs(tx, ladder_id),
        await ladder_challenges.open_in(tx, ladder_id),
    )


async def fresh_view(tx: Transaction, ladder_id: int) -> LadderView:
    """Read a ladder known to exist."""
    view = await read_view(tx, ladder_id)
    assert view is not None, "a ladder is never removed"
    return view
