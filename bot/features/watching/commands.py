"""``/watch``."""

from __future__ import annotations

from typing import Annotated

import discord

from bot.core.interactions.commands import Option, command
from bot.core.interactions.layout import text_layout
from bot.core.interactions.reply import Reply
from bot.features.watching import buttons
from bot.features.watching import text as words
from bot.features.watching.service import Watching
from engine.phrase import lines, say


@command(
    "watch", say("See what's being played here, and follow a game or a player"), server_only=True
)
async def watch(
    reply: Reply,
    match: Annotated[int | None, Option(say("Match number to follow"), minimum=1)] = None,
    player: Annotated[discord.User | None, Option(say("Player to follow on this server"))] = None,
) -> None:
    """Follow what was named, or show what is being played."""
    guild_id = buttons.here(reply)
    sentence, stops = [], []
    if match is not None:
        await buttons.follow_match(reply, match)
        sentence.append(words.following_match(match))
        stops.append(buttons.stop_button("match", guild_id, match))
    if player is not None:
        await reply.get(Watching).follow_player(player.id, reply.user_id, guild_id)
        sentence.append(words.following_player(player.id))
        stops.append(buttons.stop_button("player", guild_id, player.id))
    if sentence:
        await reply.send(text_layout(lines(sentence), *stops), public=False)
        return
    await reply.send(await buttons.watch_page(reply), public=False)
