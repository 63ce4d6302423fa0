"""The frame of all our messages: one container of text, pictures and rows of buttons."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord
from discord import ui
from discord.components import Container

if TYPE_CHECKING:
    from collections.abc import Sequence

ACCENT = discord.Colour(0x9A6B3F)

_BUTTONS_A_ROW = 5
_MOST_CHARACTERS = 4000
_FIRST_MARK = 1_000_000_000
"""Discord gives the parts of a message numbers of its own, from 1."""


class Message(ui.LayoutView):
    """One container, whose buttons never time out."""

    def __init__(self, *parts: ui.Item[Any]) -> None:
        """Put the parts below each other."""
        super().__init__(timeout=None)
        self._container = ui.Container[Any](*parts, accent_colour=ACCENT)
        self.add_item(self._container)

    def mark(self, number: int) -> None:
        """Number the message, for nobody to see: `marked` tells it of the message in Discord."""
        self._container.id = _FIRST_MARK + number


def marked(message: discord.Message, number: int) -> bool:
    """Return whether a message in Discord has this number."""
    return any(
        isinstance(part, Container) and part.id == _FIRST_MARK + number
        for part in message.components
    )


def text(words: str, *buttons: ui.Item[Any], attached: str | None = None) -> Message:
    """Return a message of words, with buttons and an attached file below them.

    Args:
        words: what it says.
        buttons: in rows of five.
        attached: the name of a file that goes with it.

    """
    files = [] if attached is None else [ui.File[Any](f"attachment://{attached}")]
    return Message(ui.TextDisplay(words[:_MOST_CHARACTERS]), *files, *rows(buttons))


def rows(buttons: Sequence[ui.Item[Any]]) -> list[ui.Item[Any]]:
    """Return buttons in as few rows as hold them."""
    return [
        ui.ActionRow(*buttons[start : start + _BUTTONS_A_ROW])
        for start in range(0, len(buttons), _BUTTONS_A_ROW)
    ]
