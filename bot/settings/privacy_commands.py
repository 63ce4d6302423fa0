"""``/privacy``: a person's own data, handed out or deleted; in direct messages as well."""

from __future__ import annotations

import asyncio
import io
from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands

from bot.interactions import layouts
from bot.interactions.commands import run
from bot.settings import privacy_buttons
from bot.settings.archive import parcel
from engine.phrase import say

if TYPE_CHECKING:
    from bot.client import Bot
    from bot.interactions.reply import Reply

_FILE = "my-data.json"


def privacy_group() -> app_commands.Group:
    """Return the group."""
    made = app_commands.Group(name="privacy", description=say("Your data: a copy, or deletion"))
    made.add_command(_export())
    made.add_command(_delete())
    return made


def _export() -> app_commands.Command[Any, Any, None]:
    async def export(interaction: discord.Interaction[Bot]) -> None:
        async def work(answer: Reply) -> None:
            written = await interaction.client.privacy.export(interaction.user.id)
            name, content = await asyncio.to_thread(
                parcel, _FILE, written.encode(), interaction.filesize_limit
            )
            file = discord.File(io.BytesIO(content), filename=name)
            words = say("This is everything that I have stored of you. Only you see it.")
            await answer.tell(layouts.text(words, attached=name), files=[file], public=False)

        await run(interaction, work)

    return app_commands.Command(
        name="export", description=say("Get a copy of everything stored of you"), callback=export
    )


def _delete() -> app_commands.Command[Any, Any, None]:
    async def delete(interaction: discord.Interaction[Bot]) -> None:
        async def work(answer: Reply) -> None:
            await answer.tell(privacy_buttons.question(), public=False)

        await run(interaction, work)

    return app_commands.Command(
        name="delete", description=say("Delete everything stored of you"), callback=delete
    )
