"""``/block``, ``/unblock`` and ``/blocked``: a player's block list."""

from __future__ import annotations

from typing import Annotated

import discord

from bot.core.errors import BadOpponent
from bot.core.i18n.mentions import mention
from bot.core.interactions.commands import Option, command
from bot.core.interactions.layout import text_layout
from bot.core.interactions.reply import Reply
from bot.features.challenges import block_buttons
from bot.features.challenges.blocks import Blocks
from engine.phrase import say


@command("block", say("Block someone from challenging you"))
async def block(
    reply: Reply,
    user: Annotated[
        discord.User | None,
        Option(say("Player to block (leave empty to see your list)")),
    ] = None,
) -> None:
    """Block a person, or show the block list."""
    if user is None:
        await blocked(reply)
        return
    if user.bot:
        raise BadOpponent(
            say("{person} is a bot. Bots don't challenge anyone.", person=mention(user.id))
        )
    together = await reply.get(Blocks).shared_matches(reply.user_id, user.id)
    if together:
        await reply.send(block_buttons.question(user.id, together))
        return
    await reply.get(Blocks).add(reply.user_id, user.id)
    await reply.send(block_buttons.done(user.id))


@command("unblock", say("Unblock someone"))
async def unblock(
    reply: Reply,
    user: Annotated[discord.User, Option(say("Player to unblock"))],
) -> None:
    """Unblock a person."""
    await reply.get(Blocks).remove(reply.user_id, user.id)
    await reply.send(text_layout(say("{person} can challenge you again.", person=mention(user.id))))


@command("blocked", say("Players you've blocked"))
async def blocked(reply: Reply) -> None:
    """Show the block list."""
    await reply.send(block_buttons.layout(await reply.get(Blocks).of(reply.user_id)))
