"""Messages as views of discord.py.

discord.py sends their components unchanged and dispatches none of their presses:
`bot.core.interactions.dispatch` does that for all controls.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from typing import Any, Final

import discord
from discord import ui
from discord.components import Container

from bot.core.interactions.components import Component
from bot.core.interactions.layout import (
    FIRST_MARK,
    MAX_PINGED,
    Layout,
    Pinged,
    Upload,
    say_components,
    say_in,
)
from engine.phrase import Tongue

NOBODY: Final = discord.AllowedMentions.none()
"""Notifies no one."""

_MAX_TITLE: Final = 45
_LAST_OF_DISCORD: Final = 1000
"""Discord itself numbers the components of a message, from 1."""


class View(ui.LayoutView):
    """A layout, rendered in a language."""

    def __init__(self, layout: Layout, locale: Tongue) -> None:
        """Render the layout."""
        super().__init__(timeout=None)
        self._components = layout.rendered(locale)
        self.stop()  # nothing to remember: presses are dispatched by their prefix

    def has_components_v2(self) -> bool:
        """Return whether layout components are used: always."""
        return True

    def to_components(self) -> list[dict[str, Any]]:
        """Return the components."""
        return self._components


class Modal(ui.Modal):
    """A form of plain components as a modal of discord.py."""

    def __init__(self, form: Component, locale: Tongue) -> None:
        super().__init__(title="-", custom_id=form["custom_id"])
        self._form = {
            **form,
            "title": say_in(locale, form["title"], _MAX_TITLE),
            "components": say_components(form["components"], locale),
        }

    def to_dict(self) -> dict[str, Any]:
        """Return the form in Discord's format."""
        return self._form


def mark_of(message: discord.Message) -> int | None:
    """Return the mark of a message in Discord; ``None`` if it has none."""
    for part in message.components:
        if isinstance(part, Container) and part.id is not None and part.id > _LAST_OF_DISCORD:
            return part.id - FIRST_MARK
    return None


def addresses(components: Iterable[Any]) -> Iterator[str]:
    """Yield the addresses of all controls among a message's components, as Discord sends them."""
    for component in components:
        if address := getattr(component, "custom_id", None):
            yield address
        yield from addresses(getattr(component, "children", ()))


class _File(discord.File):
    """Bytes in memory, freed as soon as they are sent."""

    def close(self) -> None:
        """Undo what discord.py has done to the buffer.

        It would make the buffer refer to itself, and so leave each picture to the garbage collector.
        """
        vars(self.fp).pop("close", None)


def attached(files: Iterable[Upload]) -> list[discord.File]:
    """Return files ready to send; each can be sent once."""
    return [_File(io.BytesIO(file.data), filename=file.filename) for file in files]


def kept(files: Iterable[Upload] | None) -> Any:
    """Return the attachments of an edited message; without ``files`` it keeps those it has."""
    return discord.utils.MISSING if files is None else attached(files)


def only(users: Pinged) -> discord.AllowedMentions:
    """Return the setting that lets a message notify only these users."""
    pinged = [discord.Object(user) for user in users[:MAX_PINGED]]
    return discord.AllowedMentions(everyone=False, roles=False, replied_user=False, users=pinged)
