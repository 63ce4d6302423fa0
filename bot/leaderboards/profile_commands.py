"""``/profile``, and the entry of the same name in a person's context menu."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import discord
from discord import app_commands

from bot.delivery.interaction_transport import home_of
from bot.interactions.commands import run
from bot.leaderboards import profile_buttons as view
from bot.matches.lookup import known_game
from engine import registry
from engine.phrase import say, word

if TYPE_CHECKING:
    from bot.client import Bot
    from bot.interactions.reply import Reply

NAME: Final = word("command", "Profile")
HERE, EVERYWHERE = "here", "everywhere"


def profile() -> app_commands.Command[Any, Any, None]:
    """Return the command."""

    @app_commands.describe(
        user=say("Whose profile; without it your own"),
        game=say("The game to tell more of; without it the one played most"),
        scope=say("What was played in this server, or in all servers"),
    )
    @app_commands.choices(
        game=[app_commands.Choice(name=g.title, value=g.slug) for g in registry.games().values()],
        scope=[
            app_commands.Choice(name=say("This server"), value=HERE),
            app_commands.Choice(name=say("All servers"), value=EVERYWHERE),
        ],
    )
    async def show(
        interaction: discord.Interaction[Bot],
        user: discord.User | None = None,
        game: str | None = None,
        scope: str | None = None,
    ) -> None:
        person = user or interaction.user
        everywhere = scope == EVERYWHERE or home_of(interaction) is None

        async def work(answer: Reply) -> None:
            view.require_player(person)
            slug = known_game(game or "")
            await _tell(answer, person.id, slug, everywhere=everywhere, public=not everywhere)

        await run(interaction, work, public=not everywhere)

    return app_commands.Command(
        name="profile",
        description=say("How somebody plays: ratings, results, opponents and last matches"),
        callback=show,
    )


def profile_of_person() -> app_commands.ContextMenu:
    """Return the entry in a person's context menu; only who asks sees the answer."""

    # discord.py reads from these two what kind of menu it is.
    async def callback(
        interaction: discord.Interaction[Bot], person: discord.Member | discord.User
    ) -> None:
        async def work(answer: Reply) -> None:
            view.require_player(person)
            await _tell(answer, person.id, "", everywhere=False, public=False)

        await run(interaction, work)

    return app_commands.ContextMenu(name=NAME, callback=callback)


async def _tell(answer: Reply, user_id: int, slug: str, *, everywhere: bool, public: bool) -> None:
    client: Bot = answer.interaction.client
    public = public and not await view.hidden(client, user_id)
    message, files = await view.page(
        answer, client, user_id, slug, everywhere=everywhere, public=public
    )
    await answer.tell(message, files=files, public=public)
