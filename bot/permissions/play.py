"""Where a challenge may be made and accepted: what the server, Discord and the players allow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord

from bot.delivery.interaction_transport import lent
from bot.errors import BadOpponent, CannotPost, NotHere
from bot.permissions.channels import require_boards, require_in
from engine.phrase import listed, say, word

if TYPE_CHECKING:
    from bot.client import Bot
    from data.challenges import Challenge
    from engine.phrase import Phrase


async def require_challenges(
    interaction: discord.Interaction[Bot], channel_id: int | None = None
) -> None:
    """Refuse where no challenge may be made.

    Args:
        interaction: who wants to make it, and where.
        channel_id: where it would stand; without it, where the interaction is.

    Raises:
        NotHere: the server wants challenges in other channels, which are named.
        CannotPost: names each permission that the bot lacks there.

    """
    if lent(interaction):
        return
    if interaction.guild_id is None:
        raise NotHere(
            say(
                "Nobody else reads this. Challenge somebody in a server where you both are, or, if "
                "you have installed me for yourself, where you write with your friends. "
                "Against a computer you can play here, too: each game has a command `{command}`.",
                command=word("command", "practice"),
            )
        )
    here = channel_id or interaction.channel_id or 0
    elsewhere = await _elsewhere(interaction, here)
    if elsewhere:
        raise NotHere(
            say(
                "This server has its games elsewhere: challenge somebody in {channels}.",
                channels=elsewhere,
            )
        )
    require_posts(interaction, here)


async def require_practice(
    interaction: discord.Interaction[Bot], channel_id: int | None = None
) -> None:
    """Refuse where nobody may play against a computer: unlike challenges it is fine alone.

    Args:
        interaction: who wants to play, and where.
        channel_id: where the match would stand; without it, where the interaction is.

    Raises:
        NotHere: the server wants games in other channels, which are named.
        CannotPost: names each permission that the bot lacks there.

    """
    if lent(interaction) or interaction.guild_id is None:
        return
    here = channel_id or interaction.channel_id or 0
    elsewhere = await _elsewhere(interaction, here)
    if elsewhere:
        raise NotHere(
            say("This server has its games elsewhere: practise in {channels}.", channels=elsewhere)
        )
    require_posts(interaction, here)


async def _elsewhere(interaction: discord.Interaction[Bot], channel_id: int) -> Phrase | None:
    """Return where a server has its games, if that is not here."""
    settings = await interaction.client.choices.server(interaction.guild_id)
    if not settings.channels:
        return None
    if {channel_id, _parent(interaction, channel_id)} & set(settings.channels):
        return None
    return listed((f"<#{one}>" for one in settings.channels), either=True)


def require_posts(interaction: discord.Interaction[Any], channel_id: int) -> None:
    """Refuse where the bot could not show the boards of a match.

    Raises:
        CannotPost: names each permission that is missing, and where.

    """
    if lent(interaction):
        return
    if channel_id == interaction.channel_id or interaction.guild is None:
        require_boards(interaction)
        return
    channel = interaction.guild.get_channel_or_thread(channel_id)
    if channel is None:
        raise CannotPost(
            say(
                "I cannot see the channel of this challenge any more, so it cannot be played there."
            )
        )
    allowed = channel.permissions_for(interaction.guild.me)
    require_in(allowed, channel_id, thread=isinstance(channel, discord.Thread))


async def require_opponent(
    interaction: discord.Interaction[Any], opponent: discord.User | discord.Member
) -> None:
    """Refuse who cannot be challenged here.

    Raises:
        BadOpponent: oneself, a bot, or somebody who cannot read this channel.

    """
    person = opponent.mention
    if opponent.id == interaction.user.id:
        raise BadOpponent(
            say("You cannot challenge yourself. Choose somebody else as your opponent.")
        )
    if opponent.bot:
        raise BadOpponent(
            say("{person} is a bot and does not play. Choose a person.", person=person)
        )
    if lent(interaction):
        _require_among(interaction, opponent)
        return
    if interaction.guild_id is None:
        raise BadOpponent(
            say(
                "{person} cannot see what we write here. Challenge them in a server where you "
                "both are.",
                person=person,
            )
        )
    if not isinstance(opponent, discord.Member):
        raise BadOpponent(say("{person} is not in this server.", person=person))
    allowed = opponent.resolved_permissions
    if allowed is None and isinstance(interaction.channel, discord.TextChannel | discord.Thread):
        allowed = interaction.channel.permissions_for(opponent)
    if allowed is not None and not allowed.view_channel:
        raise BadOpponent(
            say(
                "{person} cannot see this channel. Challenge them where you both can.",
                person=person,
            )
        )


def _require_among(
    interaction: discord.Interaction[Any], opponent: discord.User | discord.Member
) -> None:
    """Refuse who is not among the people of a group, as far as Discord tells who they are."""
    here = getattr(interaction.channel, "recipients", None) or []
    if here and opponent.id not in {user.id for user in here}:
        raise BadOpponent(
            say("{person} is not here. Challenge somebody who is.", person=opponent.mention)
        )


def sees(interaction: discord.Interaction[Any], channel_id: int) -> bool:
    """Return whether a person can read a channel of the server that they are in now."""
    if channel_id == interaction.channel_id:
        return True
    if interaction.guild is None or not isinstance(interaction.user, discord.Member):
        return False
    channel = interaction.guild.get_channel_or_thread(channel_id)
    return channel is not None and channel.permissions_for(interaction.user).view_channel


def require_seen(interaction: discord.Interaction[Any], challenge: Challenge) -> None:
    """Refuse to accept a challenge in a channel that one cannot read.

    Raises:
        CannotPost: tells so.

    """
    if interaction.guild_id == challenge.guild_id and not sees(interaction, challenge.channel_id):
        raise CannotPost(
            say("You cannot see the channel of this challenge, so you could not play there.")
        )


def _parent(interaction: discord.Interaction[Any], channel_id: int) -> int | None:
    """Return the channel that a thread belongs to."""
    channel: Any = interaction.channel
    if channel_id != interaction.channel_id:
        guild = interaction.guild
        channel = None if guild is None else guild.get_channel_or_thread(channel_id)
    return channel.parent_id if isinstance(channel, discord.Thread) else None
