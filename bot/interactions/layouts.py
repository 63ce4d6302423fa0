"""The frame of all our messages: one container of text, pictures and rows of buttons."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord
from discord import ui
from discord.components import Container

from bot.i18n.catalogues import ENGLISH
from bot.i18n.rendering import say_components, say_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bot.interactions.layout import Layout
    from engine.phrase import Tongue

ACCENT = discord.Colour(0x9A6B3F)

_BUTTONS_A_ROW = 5
_MOST_TITLE = 45
_FIRST_MARK = 1_000_000_000
"""Discord gives the parts of a message numbers of its own, from 1."""


class Message(ui.LayoutView):
    """One container, whose buttons never time out.

    Whatever is a phrase in it, texts and labels and descriptions, is said in ``tongue`` at the
    last moment and kept within Discord's limits then.
    """

    tongue: Tongue = ENGLISH

    def __init__(self, *parts: ui.Item[Any]) -> None:
        """Put the parts below each other."""
        super().__init__(timeout=None)
        self._container = ui.Container[Any](*parts, accent_colour=ACCENT)
        self.add_item(self._container)

    def mark(self, number: int) -> None:
        """Number the message, for nobody to see: `marked` tells it of the message in Discord."""
        self._container.id = _FIRST_MARK + number

    def to_components(self) -> list[dict[str, Any]]:
        """Return the message as Discord takes it."""
        components: list[dict[str, Any]] = super().to_components()  # type: ignore[no-untyped-call]
        return say_components(components, self.tongue)


class Wrapped(Message):
    """A layout of plain components in the place of a message of items."""

    def __init__(self, layout: Layout) -> None:
        """Show a layout."""
        super().__init__()
        self._layout = layout
        self.stop()

    def mark(self, number: int) -> None:
        """Number the message."""
        self._layout = self._layout.marked(number)

    def to_components(self) -> list[dict[str, Any]]:
        """Return the layout, rendered."""
        return self._layout.rendered(self.tongue)


def marked(message: discord.Message, number: int) -> bool:
    """Return whether a message in Discord has this number."""
    return any(
        isinstance(part, Container) and part.id == _FIRST_MARK + number
        for part in message.components
    )


class Form(ui.Modal):
    """Something to be filled in; its words are phrases as well."""

    tongue: Tongue = ENGLISH

    def to_dict(self) -> dict[str, Any]:
        """Return the form as Discord takes it."""
        payload = super().to_dict()
        title = say_in(self.tongue, self.title, _MOST_TITLE)
        return {
            **payload,
            "title": title,
            "components": say_components(payload["components"], self.tongue),
        }


def text(words: str, *buttons: ui.Item[Any], attached: str | None = None) -> Message:
    """Return a message of words, with buttons and an attached file below them.

    Args:
        words: what it says.
        buttons: in rows of five.
        attached: the name of a file that goes with it.

    """
    files = [] if attached is None else [ui.File[Any](f"attachment://{attached}")]
    return Message(ui.TextDisplay(words), *files, *rows(buttons))


def rows(buttons: Sequence[ui.Item[Any]]) -> list[ui.Item[Any]]:
    """Return buttons in as few rows as hold them."""
    return [
        ui.ActionRow(*buttons[start : start + _BUTTONS_A_ROW])
        for start in range(0, len(buttons), _BUTTONS_A_ROW)
    ]
