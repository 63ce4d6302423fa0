"""Lists in pages: the entries of one page, and buttons to its neighbours."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, Self, TypeVar

from bot.core.interactions.components import Component
from engine.phrase import say

T = TypeVar("T")


class PageButton(Protocol):
    """A button that turns to a page; see `bot.core.interactions.controls.Button`."""

    def component(self, label: str, /) -> Component:
        """Return the button as part of a message."""


@dataclass(frozen=True, slots=True)
class Page:
    """The part of a list that is shown."""

    number: int
    """Counted from 0."""
    size: int
    """Entries per page."""
    more: bool
    """Whether another page follows."""

    @classmethod
    def of(cls, wanted: int, *, total: int, size: int) -> Self:
        """Return a page of a list of known length, or the last one if there are fewer."""
        last = max(0, (total - 1) // size)
        number = max(0, min(wanted, last))
        return cls(number, size, number < last)

    @property
    def start(self) -> int:
        """The index of its first entry."""
        return self.number * self.size

    def entries(self, whole: Sequence[T]) -> Sequence[T]:
        """Return the entries of a list that are on this page."""
        return whole[self.start : self.start + self.size]

    def numbered(self, whole: Sequence[T]) -> list[tuple[int, T]]:
        """Return the entries on this page with their numbers in the list, counted from 1."""
        return list(enumerate(self.entries(whole), start=self.start + 1))

    def buttons(self, make: Callable[[int], PageButton]) -> list[Component]:
        """Return buttons to the previous and next page; ``make`` takes the number of a page."""
        beside = (self.number - 1, self.number + 1) if self.more else (self.number - 1,)
        return [
            make(other).component(say("Page {number}", number=other + 1))
            for other in beside
            if other >= 0
        ]
