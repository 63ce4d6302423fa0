"""What features register: what they do in the transactions of others, in their ``service`` modules.

The order is declared with each hook, and counts: milestones come from the result that ratings store.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from typing import Final, Generic, TypeAlias, TypeVar

import bot
from data.matches.match import Match
from data.sql.transaction import Transaction
from engine.phrase import Phrase

F = TypeVar("F", bound=Callable[..., object])


INTERFACE: Final = ("commands", "buttons", "views", "posts")
"""Endings of the names of modules that declare commands, controls and kinds of posts."""


@cache
def load(*endings: str) -> None:
    """Import every module of the bot whose name ends with one of these."""
    for module in pkgutil.walk_packages(bot.__path__, "bot."):
        if module.name.endswith(endings):
            importlib.import_module(module.name)


@dataclass(eq=False, repr=False)
class Hooks(Generic[F]):
    """Functions registered for one event or place, by rising ``order``."""

    _by_order: dict[int, F] = field(default_factory=dict, init=False)

    def __call__(self, *, order: int) -> Callable[[F], F]:
        """Register the decorated function. Raises ValueError if another one has this order."""

        def register(hook: F) -> F:
            if self._by_order.setdefault(order, hook) is not hook:
                raise ValueError(f"{hook} and {self._by_order[order]} have the same order")
            return hook

        return register

    def __iter__(self) -> Iterator[F]:
        """Yield all, those of modules that nothing has imported yet included."""
        load(".service")
        return iter([self._by_order[order] for order in sorted(self._by_order)])


OfMatch: TypeAlias = Callable[[Transaction, Match, datetime], Awaitable[object]]

on_match_ended: Final[Hooks[OfMatch]] = Hooks()
"""Called with a match as it ended and when, in the transaction that ends it; without ranks, it is
void. Features that react after the commit listen to `data.matches.matches.ENDED`."""
on_match_voided: Final[Hooks[OfMatch]] = Hooks()
"""Called with a finished match that is about to lose its result, in the transaction that voids it."""

on_match_shown: Final[Hooks[OfMatch]] = Hooks()
"""Called with a match and when, in the transaction that records its first board: it has a place by then.
It may be called again if its boards were deleted."""

OfAnalysis: TypeAlias = "Callable[[Transaction, Match, Mapping[int, int], Sequence[Sequence[float]]], Awaitable[object]]"

on_match_analysed: Final[Hooks[OfAnalysis]] = Hooks()
"""Called in the transaction that stores an analysis, with the longest chain of captures of each seat,
and the expected results of all places at the start and after each entry."""

OfUser: TypeAlias = Callable[[Transaction, int, datetime], Awaitable[object]]

on_withdrawal: Final[Hooks[OfUser]] = Hooks()
"""Called first in the transaction that deletes a user's data, to take them out of what goes on. The
order is that of locks: tournaments and ladders before challenges and matches."""
before_anonymised: Final[Hooks[OfUser]] = Hooks()
"""Called in the same transaction once their matches are over, before their id is replaced."""

on_server_left: Final[Hooks[OfUser]] = Hooks()
"""Called with a server that the bot's owner has it leave, and when: ends what goes on there, but for its
matches. The order is that of locks."""

Interest: TypeAlias = "Callable[[Transaction, int, int], Awaitable[Phrase | None]]"

interest_in_match: Final[Hooks[Interest]] = Hooks()
"""Return why a user who moderates may not decide a match that they do not play in, if they gain by
it; ``None`` if they don't."""

MilestonesOf: TypeAlias = (
    "Callable[[Transaction, int, int | None], Awaitable[Sequence[tuple[Match, Phrase]]]]"
)
PlacesOf: TypeAlias = (
    "Callable[[Transaction, int, int | None, Callable[[int], bool]], Awaitable[Sequence[Phrase]]]"
)

milestones_of: Final[Hooks[MilestonesOf]] = Hooks()
"""Return the lines of a user's profile about single matches, newest first, in a server or all."""
places_of: Final[Hooks[PlacesOf]] = Hooks()
"""Return lines at the head of a user's profile, in a server or all; the last argument says whether
its readers can see a channel."""
