"""Checks that the server, Discord and the players allow a challenge."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import discord

from bot.core.errors import BadOpponent, NotAllowed, Refusal
from bot.core.i18n.mentions import mention, slash
from bot.core.interactions.reply import USER_INSTALL, Reply
from bot.core.permissions import opponents
from bot.core.permissions.channels import require_boards
from bot.core.permissions.visibility import (
    channel_now,
    known_channel,
    may_read,
    may_see_now,
    sees,
)
from bot.core.settings.service import SettingsStore
from data.challenges.challenges import Challenge
from data.matches.match import Match
from engine.phrase import Phrase, listed, say

OUT_OF_SIGHT: Final = say("You can't see this game's channel any more, so you can't post there.")

ONLY_ANSWERS: Final = say("In this chat I can only answer you. Do that in Discord.")


async def require_challenges(reply: Reply, channel_id: int | None = None) -> None:
    """Check that challenges may be made, here or in another channel of this server.

    Raises Refusal if no one else reads this, the server plays its games in other channels, or the
    bot lacks permissions.
    """
    if reply.guild_id is None and not reply.by_user_install:
        raise Refusal(
            say(
                "There's nobody else here. Challenge a friend on a server you share. "
                "To play the computer here, use {play}.",
                play=slash("play"),
            )
        )
    await require_games(reply, channel_id)


def _elsewhere(channels: Phrase) -> Phrase:
    return say("On this server, games are played in {channels}.", channels=channels)


async def require_games(
    reply: Reply,
    channel_id: int | None = None,
    *,
    elsewhere: Callable[[Phrase], Phrase] = _elsewhere,
) -> None:
    """Check that the server wants games in a channel, by default this one; messages are fine.

    Raises Refusal: ``elsewhere`` with the channels it wants them in, or the bot lacks permissions.
    """
    if reply.by_user_install or reply.guild_id is None:
        return
    here = channel_id or reply.channel_id
    channel = known_channel(reply, here)
    parent_id = channel.parent_id if isinstance(channel, discord.Thread) else None
    allowed = (await reply.get(SettingsStore).server(reply.guild_id)).channels
    if allowed and not {here, parent_id} & set(allowed):
        raise Refusal(elsewhere(listed((f"<#{one}>" for one in allowed), either=True)))
    require_posts(reply, here)


def require_posts(reply: Reply, channel_id: int, channel: Any = None) -> None:
    """Check that the bot can show the boards of a match; ``channel`` is given if it isn't cached.

    Raises Refusal: names each missing permission, and where.
    """
    interaction = reply.interaction
    if reply.by_user_install or reply.guild_id is None:
        return
    channel = channel or known_channel(reply, channel_id)
    if channel_id == reply.channel_id:
        allowed = interaction.app_permissions
    elif channel is not None:
        allowed = channel.permissions_for(channel.guild.me)
    else:
        raise _unknown_channel()
    require_boards(allowed, channel_id, thread=isinstance(channel, discord.Thread))


def require_opponent(reply: Reply, opponent: discord.User | discord.Member) -> None:
    """Check that a person can be challenged here.

    Raises BadOpponent: the challenger, a bot, or a person who cannot read this channel.
    """
    interaction, person = reply.interaction, opponent.mention
    if opponent.id == reply.user_id:
        raise opponents.yourself()
    if opponent.bot:
        raise _a_bot(opponent.id)
    if reply.by_user_install:
        _require_here(reply, opponent.id)
        return
    if reply.guild_id is None:
        raise BadOpponent(
            say(
                "{person} can't see this chat. Challenge them on a server you share.",
                person=person,
            )
        )
    if not isinstance(opponent, discord.Member):
        raise opponents.not_here(opponent.id)
    allowed = opponent.resolved_permissions
    if allowed is None and isinstance(interaction.channel, discord.TextChannel | discord.Thread):
        allowed = interaction.channel.permissions_for(opponent)
    if allowed is not None and not allowed.view_channel:
        raise BadOpponent(
            say(
                "{person} can't see this channel. Challenge them somewhere you both can.",
                person=person,
            )
        )


async def require_sight(reply: Reply, match: Match) -> None:
    """Check that this person sees where a match is played, so that they can begin another one there.

    Raises NotAllowed otherwise: they may have left its server. Raises discord.HTTPException,
    aiohttp.ClientError, OSError if Discord must be asked and does not answer.
    """
    if match.channel_kind == USER_INSTALL and not reply.in_discord:
        raise NotAllowed(ONLY_ANSWERS)
    if reply.home == match.guild_id:
        seen = match.guild_id is None or sees(reply, match.parent_id or match.channel_id)
    else:
        seen = await may_see_now(reply.interaction.client, match, reply.user_id)
    if not seen:
        raise NotAllowed(OUT_OF_SIGHT)


async def require_person(reply: Reply, user_id: int) -> None:
    """Check that a person, given by id, can be challenged here.

    Raises BadOpponent if they have left the server, or see `require_opponent`.
    """
    if reply.by_user_install:
        # The bot cannot look people up where only its users have installed it.
        if user_id == reply.user_id:
            raise opponents.yourself()
        data: Any = reply.interaction.data
        if data.get("resolved", {}).get("users", {}).get(str(user_id), {}).get("bot"):
            raise _a_bot(user_id)
        _require_here(reply, user_id)
        return
    guild = reply.interaction.guild
    if guild is None:
        raise BadOpponent(say("Challenge someone on a server you share."))
    try:
        member = await guild.fetch_member(user_id)
    except discord.NotFound as error:
        raise opponents.not_here(user_id) from error
    require_opponent(reply, member)


async def require_place(reply: Reply, challenge: Challenge) -> None:
    """Check that this person and the bot can play in the channel of a challenge to accept.

    Raises Refusal: the person cannot read it, the bot lacks permissions, or it is deleted or
    locked.
    """
    if challenge.channel_id == reply.channel_id:
        require_posts(reply, challenge.channel_id)
        return
    hidden = Refusal(say("You can't see this challenge's channel, so you couldn't play there."))
    if reply.guild_id != challenge.guild_id:
        raise hidden
    channel = await channel_now(reply, challenge.channel_id)
    if channel is None:
        raise _unknown_channel()
    member = reply.interaction.user
    if not isinstance(member, discord.Member) or not may_read(channel, member):
        raise hidden
    require_posts(reply, challenge.channel_id, channel)
    locked = isinstance(channel, discord.Thread) and channel.locked
    if locked and not channel.permissions_for(channel.guild.me).manage_threads:
        raise _unknown_channel()


def _unknown_channel() -> Refusal:
    return Refusal(
        say("I can't see this challenge's channel any more, so it can't be played there.")
    )


def _a_bot(user_id: int) -> BadOpponent:
    return BadOpponent(
        say(
            "{person} is a bot. To play the computer, use {play}.",
            person=mention(user_id),
            play=slash("play"),
        )
    )


def _require_here(reply: Reply, user_id: int) -> None:
    """Check that a person is in a group chat, as far as Discord says who is."""
    here = getattr(reply.interaction.channel, "recipients", None) or []
    if here and user_id not in {user.id for user in here}:
        raise BadOpponent(
            say("{person} isn't here. Challenge someone who is.", person=mention(user_id))
        )
