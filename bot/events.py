"""What has happened, told to the parts that react. Published once, after the commit that did it.

Subscribers must be quick and must not raise: they wake something, they do no work themselves.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

E = TypeVar("E")


@dataclass(frozen=True, slots=True)
class ComputerToMove:
    """A turn began that a computer has to play."""

    match_id: int


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """A match has ended, in whatever way."""

    match_id: int


class Events:
    """Passes events to their subscribers, in the order in which they subscribed."""

    def __init__(self) -> None:
        """Have no subscribers."""
        self._subscribers: defaultdict[type, list[Callable[[Any], None]]] = defaultdict(list)

    def subscribe(self, kind: type[E], react: Callable[[E], None]) -> None:
        """Call ``react`` with every event of a kind."""
        self._subscribers[kind].append(react)

    def publish(self, event: object) -> None:
        """Tell the subscribers of an event."""
        for react in self._subscribers[type(event)]:
            react(event)
