"""How a log divides into turns, and where someone stepping through it would stop."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from engine.game import CHANCE, Actor
from engine.registry import AnyGame
from engine.replay import Played


def stops(game: AnyGame, played: Sequence[Played[Any, Any]]) -> tuple[int, ...]:
    """Return the numbers of entries after which there is something to see, from 0 to the last.

    Of several throws in a row only the last counts: those before it could not be used.
    """
    thrown = [game.actor(entry.before) is CHANCE for entry in played]
    following = [*thrown, False][1:]
    idle = [one and two for one, two in zip(thrown, following, strict=True)]
    return (0, *(entry.ply for entry, passed in zip(played, idle, strict=True) if not passed))


def turns(game: AnyGame, played: Sequence[Played[Any, Any]]) -> tuple[int, ...]:
    """Return the entries, counted from 1, that begin a turn.

    A turn is a seat's uninterrupted decisions, with the throws before them: a throw after a
    decision begins a new one.
    """
    return tuple(_turns(game, played))


def _turns(game: AnyGame, played: Sequence[Played[Any, Any]]) -> Iterator[int]:
    count = Count(0 if played and played[0].ply == 1 else 1)
    for entry in played:
        following = count.then(game.actor(entry.before))
        if following.turns > count.turns:
            yield entry.ply
        count = following


class Count(NamedTuple):
    """How many turns of a log have begun, and who has decided in the last of them."""

    turns: int = 0
    decided: Actor | None = None

    def then(self, actor: Actor) -> Count:
        """Return the count after one more entry."""
        return self._through((actor,))

    def after(self, game: AnyGame, played: Iterable[Played[Any, Any]]) -> Count:
        """Return the count after more entries."""
        return self._through(game.actor(entry.before) for entry in played)

    def _through(self, actors: Iterable[Actor]) -> Count:
        turns, decided = self
        for actor in actors:
            if not turns or (decided is not None and actor != decided):
                turns, decided = turns + 1, None
            if actor is not CHANCE:
                decided = actor
        return Count(turns, decided)


START: Final = Count()
"""The count before the first entry."""


def turn_of(starts: Sequence[int], ply: int) -> int:
    """Return the number of an entry's turn, given the entries that begin turns.

    The first turn is 1; 0 is before the first entry.
    """
    return bisect_right(starts, ply)


def last_of_turns(starts: Sequence[int], plies: int) -> tuple[int, ...]:
    """Return the last entry of each turn, given the entries that begin them."""
    return (*(start - 1 for start in starts[1:]), plies) if starts else ()
