"""What the bot must be allowed to do in a channel, and how to say what is missing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord

from bot.refusals import CannotPost, NotAllowed
from engine.phrase import glued, listed, plural, say

if TYPE_CHECKING:
    from collections.abc import Sequence

# Translators: permissions are called as Discord calls them in the settings of a channel.
_NEEDED = {
    "view_channel": say("View Channel"),
    "send_messages": say("Send Messages"),
    "attach_files": say("Attach Files"),
    "read_message_history": say("Read Message History"),
}

INVITE = discord.Permissions(
    view_channel=True,
    send_messages=True,
    send_messages_in_threads=True,
    attach_files=True,
    embed_links=True,
    read_message_history=True,
)
"""What the invite link asks for: nothing that a game does not need."""


def missing(allowed: discord.Permissions, *, thread: bool = False) -> list[str]:
    """Return the names of the permissions that the bot lacks to show boards."""
    needed = dict(_NEEDED)
    if thread:
        del needed["send_messages"]
        needed["send_messages_in_threads"] = say("Send Messages in Threads")
    return [name for flag, name in needed.items() if not getattr(allowed, flag)]


def require_boards(interaction: discord.Interaction[Any]) -> None:
    """Refuse where boards cannot be shown.

    Raises:
        CannotPost: names each permission that is missing, and where.

    """
    if interaction.guild_id is None:
        return
    thread = isinstance(interaction.channel, discord.Thread)
    require_in(interaction.app_permissions, interaction.channel_id, thread=thread)


def require_in(
    allowed: discord.Permissions, channel_id: int | None, *, thread: bool = False
) -> None:
    """Refuse where a channel does not allow the bot to show boards.

    Raises:
        CannotPost: names each permission that is missing, and where.

    """
    lacking = missing(allowed, thread=thread)
    if lacking:
        raise CannotPost(_sentence(lacking, channel_id))


def require_manager(interaction: discord.Interaction[Any]) -> int:
    """Return the server in which a person may decide for it.

    Raises:
        NotAllowed: outside of servers, or they may not manage this one, or not any more.

    """
    guild_id = interaction.guild_id
    if guild_id is None:
        raise NotAllowed(say("This belongs to a server: use it in the server that you mean."))
    if not interaction.permissions.manage_guild:
        raise NotAllowed(
            say(
                "This is for those who may manage the server: you need the permission "
                "**Manage Server**."
            )
        )
    return guild_id


def why_no_board(
    interaction: discord.Interaction[Any], channel_id: int, error: discord.HTTPException
) -> str:
    """Return why Discord took no board in a channel, and what would help.

    Args:
        interaction: what a person did; it tells the permissions in the channel it was done in.
        channel_id: where the board should be.
        error: what Discord answered.

    """
    if isinstance(error, discord.NotFound):
        return say(
            "The channel of this match does not exist any more, so no board can be shown there."
        )
    if interaction.channel_id == channel_id:
        thread = isinstance(interaction.channel, discord.Thread)
        lacking = missing(interaction.app_permissions, thread=thread)
        if lacking:
            return _sentence(lacking, channel_id)
    return say(
        "Discord does not let me show the board in {channel}. "
        "Ask a moderator to check my permissions there.",
        channel=f"<#{channel_id}>",
    )


def _sentence(lacking: Sequence[str], channel_id: int | None) -> str:
    names = listed(glued("**", name, "**") for name in lacking)
    return plural(
        "I cannot show boards in {channel}: I lack the permission {names} there. "
        "Ask a moderator to grant it in the channel's settings, or play in another channel.",
        "I cannot show boards in {channel}: I lack the permissions {names} there. "
        "Ask a moderator to grant it in the channel's settings, or play in another channel.",
        len(lacking),
        channel=f"<#{channel_id}>",
        names=names,
    )
