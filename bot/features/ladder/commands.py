"""``/ladder``: opening, joining and climbing ladders."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import discord

from bot.core.errors import Refusal
from bot.core.i18n.mentions import mention, slash
from bot.core.interactions.commands import Option, command, game_option, group
from bot.core.interactions.layout import text_layout
from bot.core.interactions.reply import Reply
from bot.core.move_times import MAX_DAYS
from bot.core.permissions import play
from bot.core.permissions.channels import require_manager, server_of
from bot.core.permissions.visibility import sees_or_deleted
from bot.core.settings.service import SettingsStore
from bot.features.ladder import buttons, text
from bot.features.ladder.service import Ladders
from data.ladders.ladders import Terms
from engine.phrase import say

group("ladder", say("The ladders of this server"))

_Game: TypeAlias = Annotated[str | None, game_option(say("Game (the only ladder if empty)"))]


@command("ladder show", say("Show a ladder"), server_only=True)
async def show(reply: Reply, game: _Game = None) -> None:
    """Show a ladder, with its buttons."""
    await reply.send(await buttons.page_layout(reply, await _which(reply, game), 0))


@command("ladder join", say("Join a ladder at the bottom"), server_only=True)
async def join(reply: Reply, game: _Game = None) -> None:
    """Add the user to a ladder."""
    await reply.send(await buttons.join(reply, await _which(reply, game)))


@command("ladder leave", say("Leave a ladder"), server_only=True)
async def leave(reply: Reply, game: _Game = None) -> None:
    """Ask the user to confirm leaving."""
    await reply.send(await buttons.ask_to_leave(reply, await _which(reply, game)))


@command("ladder challenge", say("Challenge someone above you"), server_only=True)
async def challenge(
    reply: Reply,
    player: Annotated[
        discord.User | None, Option(say("Player above you (a menu if empty)"))
    ] = None,
    game: _Game = None,
) -> None:
    """Challenge a player, or show who can be challenged."""
    number = await _which(reply, game)
    if player is None:
        await reply.send(await buttons.choices(reply, number))
        return
    await reply.send(await buttons.challenge(reply, number, player.id))


@command("ladder history", say("Show what happened on a ladder"), server_only=True)
async def history(
    reply: Reply,
    player: Annotated[discord.User | None, Option(say("Player (everyone if empty)"))] = None,
    game: _Game = None,
) -> None:
    """Show a ladder's history, or that of one player with their places."""
    number = await _which(reply, game)
    await reply.send(await buttons.history(reply, number, None if player is None else player.id))


@command("ladder open", say("Open a ladder here, or change its rules"), server_only=True)
async def open_(  # noqa: PLR0917 -- these are the command's options
    reply: Reply,
    game: Annotated[str, game_option(say("Game"))],
    reach: Annotated[
        int, Option(say("How many places up players can challenge (3)"), minimum=1, maximum=10)
    ] = 3,
    answer_days: Annotated[
        int, Option(say("Days to answer a challenge (3)"), minimum=1, maximum=14)
    ] = 3,
    idle_days: Annotated[
        int, Option(say("Days without games until a player slides (30)"), minimum=7, maximum=120)
    ] = 30,
    pause_days: Annotated[
        int, Option(say("Days until the same two meet again (7)"), minimum=0, maximum=60)
    ] = 7,
    days: Annotated[
        int | None,
        Option(say("Days per move (server default if empty)"), minimum=1, maximum=MAX_DAYS),
    ] = None,
    game_days: Annotated[
        int, Option(say("Days each player has for a whole game (30)"), minimum=10, maximum=90)
    ] = 30,
    casual: Annotated[  # noqa: FBT002 -- an option of the command
        bool, Option(say("Unrated games (rated if empty)"))
    ] = False,
) -> None:
    """Open a game's ladder in this channel, or move it here with new rules."""
    guild_id = require_manager(reply.interaction)
    await play.require_challenges(reply)
    if isinstance(reply.interaction.channel, discord.Thread):
        raise Refusal(say("Open ladders in a channel, not in a thread."))
    ladder, new = await reply.get(Ladders).open(
        Terms(
            guild_id=guild_id,
            channel_id=reply.channel_id,
            game=game,
            created_by=reply.user_id,
            reach=reach,
            answer_days=answer_days,
            idle_days=idle_days,
            pause_days=pause_days,
            days=days or (await reply.get(SettingsStore).server(guild_id)).days,
            game_days=game_days,
            unrated=casual,
        )
    )
    await reply.send(text_layout(text.opened(ladder, new=new)))


@command("ladder close", say("Close a ladder for good"), server_only=True)
async def close(reply: Reply, game: _Game = None) -> None:
    """Ask for confirmation before closing a ladder."""
    require_manager(reply.interaction)
    await reply.send(await buttons.ask_to_close(reply, await _which(reply, game)))


@command("ladder remove", say("Take a player off a ladder"), server_only=True)
async def remove(
    reply: Reply,
    player: Annotated[discord.User, Option(say("Player to remove"))],
    game: _Game = None,
) -> None:
    """Take a player off a ladder."""
    require_manager(reply.interaction)
    number = await _which(reply, game)
    view = await reply.get(Ladders).leave(
        number, reply.guild_id, player.id, removed_by=reply.user_id
    )
    sentence = say("{player} is off the {game} ladder.", player=mention(player.id), game=view.title)
    await reply.send(text_layout(sentence))


async def _which(reply: Reply, game: str | None) -> int:
    """Return the ladder asked for, by default the only one."""
    all_here = await reply.get(Ladders).of_server(server_of(reply.interaction))
    found = [
        one
        for one in all_here
        if game in {None, one.game} and sees_or_deleted(reply, one.channel_id)
    ]
    if not found:
        raise Refusal(
            say(
                "There's no such ladder here yet. A server manager can open one with `{open}`.",
                open=slash("ladder", "open"),
            )
        )
    if len(found) > 1:
        raise Refusal(say("Several ladders are open here. Say which game you mean."))
    return found[0].id
