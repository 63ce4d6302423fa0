"""Forms: what a button asks to be typed. What was typed is understood after a restart, too.

discord.py forgets a form when the bot stops; so a form is told by its address, as buttons are,
and whoever sends it in is answered by the bot that runs then.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import discord
from discord import ui

from bot.interactions import layouts

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Mapping

    from bot.client import Bot
    from bot.interactions.reply import Reply

Taken: TypeAlias = "Callable[[Reply, Bot, re.Match[str], Mapping[str, str]], Awaitable[None]]"
"""Does what a form is for, with its address and what was typed, by the names of the fields."""

_FORMS: Final[dict[str, tuple[re.Pattern[str], Taken]]] = {}


def takes(template: str) -> Callable[[Taken], Taken]:
    """Register what takes the forms whose address is of this kind."""

    def register(taken: Taken) -> Taken:
        _FORMS[template] = (re.compile(template), taken)
        return taken

    return register


async def ask(answer: Reply, address: str, title: str, *fields: ui.Label[Any]) -> None:
    """Ask the person who pressed a button to fill in a form."""
    form = layouts.Form(title=title, custom_id=address)
    for field in fields:
        form.add_item(field)
    form.tongue = await answer.tongue(public=False)
    await answer.interaction.response.send_modal(form)


def field(
    name: str,
    label: str,
    *,
    about: str = "",
    example: str = "",
    value: str = "",
    most: int,
    long: bool = False,
) -> ui.Label[Any]:
    """Return a field of a form.

    Args:
        name: by which what is typed is found again.
        label: what stands above it.
        about: what stands below the label.
        example: what stands in it while it is empty.
        value: what is in it to begin with.
        most: how many characters it takes.
        long: whether it has several lines.

    """
    return ui.Label(
        text=label,
        description=about or None,
        component=ui.TextInput(
            custom_id=name,
            placeholder=example or None,
            default=value or None,
            max_length=most,
            style=discord.TextStyle.long if long else discord.TextStyle.short,
        ),
    )


async def taken(interaction: discord.Interaction[Bot]) -> None:
    """Answer somebody who has filled in one of our forms."""
    data: Any = interaction.data or {}
    for pattern, take in _FORMS.values():
        address = pattern.fullmatch(str(data.get("custom_id", "")))
        if address is not None:
            await _taken(interaction, take, address, dict(_typed(data.get("components", ()))))


async def _taken(
    interaction: discord.Interaction[Bot],
    take: Taken,
    address: re.Match[str],
    typed: Mapping[str, str],
) -> None:
    client = interaction.client
    await client.dispatcher.run(interaction, lambda answer: take(answer, client, address, typed))


def _typed(components: Any) -> Iterator[tuple[str, str]]:
    for component in components:
        if "custom_id" in component and "value" in component:
            yield component["custom_id"], str(component["value"])
        if "component" in component:
            yield from _typed([component["component"]])
        yield from _typed(component.get("components", ()))
