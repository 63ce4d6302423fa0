"""The frame of all our messages: one container of text, pictures and rows of buttons."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord
from discord import ui

if TYPE_CHECKING:
    from collections.abc import Sequence

ACCENT = discord.Colour(0x9A6B3F)

_BUTTONS_A_ROW = 5
_MOST_CHARACTERS = 4000


class Message(ui.LayoutView):
    """One container, whose buttons never time out."""

    def __init__(self, *parts: ui.Item[Any]) -> None:
        """Put the parts below each other."""
        super().__init__(timeout=None)
        self.add_item(ui.Container(*parts, accent_colour=ACCENT))


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
