"""``/leaderboard``, ``/profile`` and ``/rivals``, and the context menu's profile entry."""

from __future__ import annotations

from typing import Annotated, Final

import discord

from bot.core.errors import BadOpponent
from bot.core.i18n.slash import slash
from bot.core.interactions.commands import Option, command, context_menu
from bot.core.interactions.game_options import game_option
from bot.core.interactions.reply import Reply
from bot.features.leaderboards import buttons
from bot.features.leaderboards.profile_buttons import send_profile
from bot.features.leaderboards.rivals_buttons import rivals_layout
from bot.play.controls.lookup import known_game
from engine.phrase import say, word

PROFILE_OF_PERSON: Final = word("command", "Profile")

_EVERYWHERE: Final = "everywhere"
_SCOPES: Final = {"here": say("This server"), _EVERYWHERE: say("All servers")}


@command("leaderboard", say("Show the best players, here or on all servers"), public=True)
async def leaderboard(
    reply: Reply,
    game: Annotated[str | None, game_option(say("Game (top players of each if empty)"))] = None,
    scope: Annotated[
        str | None,
        Option(say("This server or all servers"), choices=_SCOPES),
    ] = None,
) -> None:
    """Show the leaderboard of a game, or the overview of all games."""
    everywhere = scope == _EVERYWHERE
    slug = known_game(game or "")
    if slug:
        layout, files = await buttons.page_layout(reply, slug, everywhere=everywhere)
        await reply.send(layout, files=files)
    else:
        await reply.send(await buttons.overview_layout(reply, everywhere=everywhere))


@command("profile", say("Show a player's ratings, results and recent games"))
async def profile(
    reply: Reply,
    user: Annotated[discord.User | None, Option(say("Player (you if empty)"))] = None,
    game: Annotated[
        str | None,
        game_option(say("Game (the most played if empty)")),
    ] = None,
    scope: Annotated[
        str | None,
        Option(say("This server or all servers"), choices=_SCOPES),
    ] = None,
) -> None:
    """Show a profile, publicly if it covers only this server."""
    person = user or reply.interaction.user
    everywhere = scope == _EVERYWHERE or reply.home is None
    reply.public = not everywhere
    _check_player(person)
    slug = known_game(game or "") or None
    await send_profile(reply, person.id, slug, everywhere=everywhere, public=not everywhere)


@context_menu(PROFILE_OF_PERSON)
async def profile_of_person(reply: Reply, person: discord.Member | discord.User) -> None:
    """Show a person's profile privately."""
    _check_player(person)
    await send_profile(reply, person.id, everywhere=False, public=False)


@command("rivals", say("Show your head-to-head record with a player"))
async def rivals(
    reply: Reply,
    user: Annotated[discord.User, Option(say("Opponent"))],
    game: Annotated[str | None, game_option(say("Game (all together if empty)"))] = None,
) -> None:
    """Show the reader's head to head with a player, publicly if it covers only this server."""
    everywhere = reply.home is None
    reply.public = not everywhere
    if user.id == reply.user_id:
        raise BadOpponent(
            say(
                "You can't be your own rival. Pick someone else, or see your own results with "
                "`{command}`.",
                command=slash("profile"),
            )
        )
    if user.bot:
        raise BadOpponent(say("{person} is a bot. Pick a person.", person=user.mention))
    slug = known_game(game or "") or None
    layout, private = await rivals_layout(
        reply, reply.user_id, user.id, slug, everywhere=everywhere
    )
    await reply.send(layout, public=not private)


def _check_player(person: discord.User | discord.Member) -> None:
    """Check that a person is no bot.

    Raises:
        BadOpponent: a bot has no profile.

    """
    if person.bot:
        raise BadOpponent(
            say("{person} is a bot and has no profile. Pick a person.", person=person.mention)
        )
