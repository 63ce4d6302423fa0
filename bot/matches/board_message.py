"""The message that shows a match: who plays, the picture, what happened, and the choices."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import discord
from discord import ui

from bot.interactions.layouts import Message, rows
from bot.matches.board_actions import buttons_below
from bot.matches.move_buttons import MoveButton, MoveMenu
from engine.phrase import lines, say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bot.interactions.components import Component
    from bot.matches.board_text import BoardPost
    from bot.replays.animation import Animation

_MOST_BUTTONS = 5
"""So many moves are offered as buttons; more as a menu."""
_MOST_OPTIONS = 25


def message(
    post: BoardPost, *, above: str = "", filename: str | None = None, film: Animation | None = None
) -> Message:
    """Return the message of a board.

    Args:
        post: what it says.
        above: words before it, such as an answer to the person who sees it.
        filename: the picture that the message has already, where it keeps it; else the picture
            is to be attached as ``post.filename``.
        film: what the player who is called has missed, where it goes along.

    """
    shown = discord.MediaGalleryItem(
        f"attachment://{filename or post.filename}", description=post.scene.alt
    )
    said = lines(part for part in (lines(post.story), post.prompt, post.footer) if part)
    parts: list[ui.Item[Any]] = [ui.TextDisplay(above)] if above else []
    parts += [ui.TextDisplay(post.heading), ui.MediaGallery(shown)]
    if said:
        parts.append(ui.TextDisplay(said))
    parts += _controls(post)
    if film is not None:
        item = discord.MediaGalleryItem(f"attachment://{film.filename}", description=film.alt)
        parts += [ui.TextDisplay(say("-# Since your last turn:")), ui.MediaGallery(item)]
    elif post.missed and post.menu:
        parts += rows(_items(buttons_below("missed", post)))
    return Message(*parts)


def picture(post: BoardPost, png: bytes) -> discord.File:
    """Return the picture of a board as a file to attach."""
    return discord.File(io.BytesIO(png), filename=post.filename)


def _controls(post: BoardPost) -> Sequence[ui.Item[Any]]:
    parts: list[ui.Item[Any]] = []
    if post.over:
        return rows(_items(buttons_below("ended", post)))
    if not post.menu:
        return parts
    if len(post.menu) <= _MOST_BUTTONS:
        buttons = [MoveButton.of(post, option) for option in post.menu]
        if post.chosen:
            buttons.append(MoveButton.back(post))
        return rows(buttons)
    for number, start in enumerate(range(0, len(post.menu), _MOST_OPTIONS)):
        entries = post.menu[start : start + _MOST_OPTIONS]
        parts.append(ui.ActionRow(MoveMenu.of(post, entries, number)))
    if post.chosen:
        parts.append(ui.ActionRow(MoveButton.back(post)))
    return parts


def _items(buttons: Sequence[Component]) -> list[ui.Item[Any]]:
    return [
        ui.Button(
            label=button["label"],
            custom_id=button["custom_id"],
            style=discord.ButtonStyle(button["style"]),
        )
        for button in buttons
    ]
