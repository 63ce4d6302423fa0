"""The base of all our buttons and menus: every press is guarded and answered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from discord import ui

if TYPE_CHECKING:
    import discord

    from bot.client import Bot
    from bot.interactions.reply import Reply


class Pressed:
    """Mixed into each ``DynamicItem``: its ``press`` does the work, this does the rest."""

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Do the work of a press; whatever it raises becomes an answer."""
        client: Bot = interaction.client
        await client.dispatcher.run(interaction, lambda answer: self.press(answer, client))

    async def press(self, answer: Reply, client: Bot) -> None:
        """Do what this button is for."""
        raise NotImplementedError


def chosen_value(item: ui.Item[Any]) -> str:
    """Return the one value chosen in a menu."""
    assert isinstance(item, ui.Select)
    return str(item.values[0])
