"""``/block``, ``/unblock`` and ``/blocked``: whose challenges a player does not want."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands

from bot.challenges import block_buttons as blocked_view
from bot.errors import BadOpponent
from bot.i18n.mentions import who
from bot.interactions import layouts
from bot.interactions.commands import run
from engine.phrase import say

if TYPE_CHECKING:
    from bot.client import Bot
    from bot.interactions.reply import Reply


def block() -> app_commands.Command[Any, Any, None]:
    """Return the command that blocks somebody, or lists who is blocked."""

    @app_commands.describe(
        user=say("Whose challenges you do not want; nobody lists those you blocked")
    )
    async def callback(
        interaction: discord.Interaction[Bot], user: discord.User | None = None
    ) -> None:
        async def work(answer: Reply) -> None:
            if user is None:
                await _list(answer, interaction.client)
                return
            if user.bot:
                raise BadOpponent(
                    say("{person} is a bot and challenges nobody.", person=who(user.id))
                )
            changed = await interaction.client.blocks.add(interaction.user.id, user.id)
            told = say(
                "{person} cannot challenge you any more, accept your open challenges or ask you "
                "for a rematch. They are not told of it; matches under way go on. `/unblock` "
                "takes it back.",
                person=who(user.id),
            )
            try:
                await answer.tell(layouts.text(told))
            finally:
                for challenge in changed:
                    await interaction.client.expiry.show(challenge)

        await run(interaction, work)

    return app_commands.Command(
        name="block", description=say("Take no challenges from somebody"), callback=callback
    )


def unblock() -> app_commands.Command[Any, Any, None]:
    """Return the command that takes a block back."""

    @app_commands.describe(user=say("Whose challenges you want to get again"))
    async def callback(interaction: discord.Interaction[Bot], user: discord.User) -> None:
        async def work(answer: Reply) -> None:
            await interaction.client.blocks.remove(interaction.user.id, user.id)
            told = say("{person} can challenge you again.", person=who(user.id))
            await answer.tell(layouts.text(told))

        await run(interaction, work)

    return app_commands.Command(
        name="unblock", description=say("Take challenges from somebody again"), callback=callback
    )


def blocked() -> app_commands.Command[Any, Any, None]:
    """Return the command that lists who is blocked."""

    async def callback(interaction: discord.Interaction[Bot]) -> None:
        async def work(answer: Reply) -> None:
            await _list(answer, interaction.client)

        await run(interaction, work)

    return app_commands.Command(
        name="blocked", description=say("From whom you take no challenges"), callback=callback
    )


async def _list(answer: Reply, client: Bot) -> None:
    people = await client.blocks.of(answer.interaction.user.id)
    await answer.tell(blocked_view.message(people))
