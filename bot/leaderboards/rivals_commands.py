"""``/rivals``: how one stands against somebody."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands

from bot.delivery.interaction_transport import home_of
from bot.interactions.commands import run
from bot.leaderboards import rivals_buttons as view
from bot.matches.lookup import known_game
from engine import registry
from engine.phrase import say

if TYPE_CHECKING:
    from bot.client import Bot
    from bot.interactions.reply import Reply


def rivals() -> app_commands.Command[Any, Any, None]:
    """Return the command."""

    @app_commands.describe(
        user=say("Whom you have played against"),
        game=say("One game; without it all games together"),
    )
    @app_commands.choices(
        game=[app_commands.Choice(name=g.title, value=g.slug) for g in registry.games().values()]
    )
    async def show(
        interaction: discord.Interaction[Bot], user: discord.User, game: str | None = None
    ) -> None:
        everywhere = home_of(interaction) is None

        async def work(answer: Reply) -> None:
            view.require_rival(interaction, user)
            slug = known_game(game or "")
            client, me = interaction.client, interaction.user.id
            shown = await view.page(answer, client, me, user.id, slug, everywhere=everywhere)
            alone = not await view.open_to_all(client, me, user.id)
            await answer.tell(shown, public=False if alone else None)

        await run(interaction, work, public=not everywhere)

    return app_commands.Command(
        name="rivals",
        description=say("How you stand against somebody: score, sides and last matches"),
        callback=show,
    )
