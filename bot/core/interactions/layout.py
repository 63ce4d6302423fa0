"""A message as a layout of components, rendered in its readers' language."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, NewType, Protocol, Self, TypeVar

from bot.core.interactions.components import (
    CONTAINER,
    MEDIA_GALLERY,
    Component,
    attached_file,
    rows,
    text_display,
)
from bot.core.interactions.rendering import say_components
from engine.phrase import Tongue, say

ACCENT_COLOUR: Final = 0x9A6B3F
FIRST_MARK: Final = 1_000_000_000
"""Added to a mark, to keep clear of the numbers that Discord gives components itself."""

Pinged = NewType("Pinged", tuple[int, ...])
"""The mentioned users that a message notifies; only `bot.core.posts.pings` makes it."""
NOBODY_PINGED: Final = Pinged(())
MAX_PINGED: Final = 100
"""Maximum users Discord lets a message ping."""


@dataclass(frozen=True, init=False)
class Layout:
    """One container of texts, pictures and rows of controls."""

    parts: tuple[Component, ...]
    mark: int | None = None
    """An invisible number that identifies a posted message."""

    def __init__(self, *parts: Component, mark: int | None = None) -> None:
        """Stack parts below each other."""
        object.__setattr__(self, "parts", parts)
        object.__setattr__(self, "mark", mark)

    def marked(self, mark: int) -> Layout:
        """Return the same message with a mark."""
        return Layout(*self.parts, mark=mark)

    def in_words(self) -> Layout:
        """Return the same message without its pictures, whose descriptions are written out."""
        parts: list[Component] = []
        for part in self.parts:
            if part["type"] == MEDIA_GALLERY:
                words = [item["description"] for item in part["items"] if item["description"]]
                parts += [text_display(sentence) for sentence in words]
            else:
                parts.append(part)
        return Layout(*parts, mark=self.mark)

    def rendered(self, locale: Tongue) -> list[Component]:
        """Return the components in a language, cut to Discord's limits."""
        box: Component = {
            "type": CONTAINER,
            "accent_color": ACCENT_COLOUR,
            "components": self.parts,
        }
        if self.mark is not None:
            box["id"] = FIRST_MARK + self.mark
        return say_components([box], locale)


@dataclass(frozen=True, slots=True)
class Upload:
    """A file to send with a message."""

    filename: str
    data: bytes


def text_layout(words: str, *buttons: Component, attached: str | None = None) -> Layout:
    """Return a text message, with an attached file and rows of buttons below.

    Args:
        words: Markdown, usually a phrase.
        buttons: laid out in rows of five.
        attached: the name of a file sent with it.

    """
    files = () if attached is None else (attached_file(attached),)
    return Layout(text_display(words), *files, *rows(buttons))


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
