"""A message as a layout of components, rendered in the language of its readers.

`View` is what discord.py is handed: it sends components as they are and never dispatches a press,
since `bot.interactions.dispatch` does that for all controls.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from discord import ui
from discord.components import Container

from bot.i18n.rendering import say_components
from bot.interactions.components import attached_file, container, copied, rows, text_display

if TYPE_CHECKING:
    import discord

    from bot.interactions.components import Component
    from engine.phrase import Tongue

ACCENT_COLOUR: Final = 0x9A6B3F
_FIRST_MARK: Final = 1_000_000_000
_LAST_OF_DISCORD: Final = 1000
"""Discord numbers the components of a message by itself, from 1."""


@dataclass(frozen=True, init=False)
class Layout:
    """One container of texts, pictures and rows of controls."""

    parts: tuple[Component, ...]
    mark: int | None = None
    """A number nobody sees, by which a posted message is found again."""

    def __init__(self, *parts: Component, mark: int | None = None) -> None:
        """Put parts below each other."""
        object.__setattr__(self, "parts", parts)
        object.__setattr__(self, "mark", mark)

    def marked(self, mark: int) -> Layout:
        """Return the same message with a mark."""
        return Layout(*self.parts, mark=mark)

    def rendered(self, locale: Tongue) -> list[dict[str, Any]]:
        """Return the components in a language, cut to Discord's limits."""
        number = None if self.mark is None else _FIRST_MARK + self.mark
        box = container(map(copied, self.parts), colour=ACCENT_COLOUR, number=number)
        return say_components([box], locale)

    def view(self, locale: Tongue) -> View:
        """Return what discord.py sends."""
        return View(self.rendered(locale))


@dataclass(frozen=True, slots=True)
class Upload:
    """A file to be sent with a message."""

    filename: str
    data: bytes


class View(ui.LayoutView):
    """Rendered components in the shape of a view of discord.py."""

    def __init__(self, components: list[dict[str, Any]]) -> None:
        """Hold the components of a message."""
        super().__init__(timeout=None)
        self._components = components
        self.stop()  # nothing of it is to be remembered: presses are dispatched by their prefix

    def has_components_v2(self) -> bool:
        """Return whether layout components are used: always."""
        return True

    def to_components(self) -> list[dict[str, Any]]:
        """Return the components."""
        return self._components


def text_layout(words: str, *buttons: Component, attached: str | None = None) -> Layout:
    """Return a message of words, with an attached file and rows of buttons below them.

    Args:
        words: Markdown, usually a phrase.
        buttons: laid out in rows of five.
        attached: the name of a file sent with it.

    """
    files = () if attached is None else (attached_file(attached),)
    return Layout(text_display(words), *files, *rows(buttons))


def has_mark(message: discord.Message, mark: int) -> bool:
    """Return whether a message in Discord was sent with this mark."""
    return mark_of(message) == mark


def mark_of(message: discord.Message) -> int | None:
    """Return the mark that a message in Discord was sent with, ``None`` if it has none."""
    for part in message.components:
        if isinstance(part, Container) and part.id is not None and part.id > _LAST_OF_DISCORD:
            return part.id - _FIRST_MARK
    return None
