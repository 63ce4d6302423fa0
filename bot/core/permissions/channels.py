"""Permissions the bot needs in a channel, and messages about missing ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import discord

from bot.core.errors import NotAllowed, Refusal
from engine.phrase import Phrase, concat, listed, plural, say

# Translators: use the names of permissions that Discord shows in a channel's settings.
_NEEDED = {
    "view_channel": say("View Channel"),
    "send_messages": say("Send Messages"),
    "attach_files": say("Attach Files"),
    "read_message_history": say("Read Message History"),
}

THREAD_IS_LOCKED = 160005

INVITE = discord.Permissions(
    view_channel=True,
    send_messages=True,
    create_public_threads=True,
    send_messages_in_threads=True,
    attach_files=True,
    embed_links=True,
    read_message_history=True,
)
"""The permissions requested by the invite link: only what games need."""


def missing(allowed: discord.Permissions, *, thread: bool = False) -> list[str]:
    """Return the names of the permissions the bot lacks to show boards."""
    needed = dict(_NEEDED)
    if thread:
        del needed["send_messages"]
        needed["send_messages_in_threads"] = say("Send Messages in Threads")
    return [name for flag, name in needed.items() if not getattr(allowed, flag)]


def require_boards(allowed: discord.Permissions, channel_id: int, *, thread: bool = False) -> None:
    """Check that a channel allows the bot to show boards.

    Raises Refusal: names each missing permission, and where.
    """
    names = missing(allowed, thread=thread)
    if names:
        raise Refusal(_sentence(names, channel_id))


def server_of(interaction: discord.Interaction[Any]) -> int:
    """Return the server of an interaction; raise NotAllowed outside servers."""
    if interaction.guild_id is None:
        raise NotAllowed(say("This only works on a server. Use it there."))
    return interaction.guild_id


def require_manager(interaction: discord.Interaction[Any]) -> int:
    """Return the server, after checking that the person may manage it.

    Raises NotAllowed: outside servers, or they may not manage this one (any more).
    """
    guild_id = server_of(interaction)
    if not interaction.permissions.manage_guild:
        raise NotAllowed(say("You need the permission **Manage Server** for this."))
    return guild_id


def lacking(client: discord.Client, channel_id: int, parent_id: int | None) -> list[str]:
    """Return the names of the permissions the bot lacks to show boards in a channel.

    For a channel hidden from the bot, it is the permission to view it.
    """
    # An archived thread is unknown, but has the permissions of its channel.
    channel = client.get_channel(channel_id) or client.get_channel(parent_id or 0)
    if isinstance(channel, discord.abc.PrivateChannel):
        return []
    if channel is None:
        return [_NEEDED["view_channel"]]
    allowed = channel.permissions_for(channel.guild.me)
    if isinstance(channel, discord.Thread) and channel.locked and not allowed.manage_threads:
        return [say("Manage Threads")]
    return missing(allowed, thread=parent_id is not None or isinstance(channel, discord.Thread))


def permission_names(names: Sequence[str]) -> Phrase:
    """Return permissions in words."""
    return plural(
        "the permission {names}", "the permissions {names}", len(names), names=_bold(names)
    )


def why_no_board(
    interaction: discord.Interaction[Any],
    channel_id: int,
    parent_id: int | None,
    error: discord.HTTPException,
) -> Phrase:
    """Return why Discord refused a board in a channel, and a remedy.

    The interaction knows the permissions in its own channel.
    """
    if isinstance(error, discord.NotFound):
        return say(
            "This match's channel is gone. To go on elsewhere, type `/match relocate` there."
        )
    if error.code == THREAD_IS_LOCKED:
        return say(
            "The thread {thread} is locked. Ask a moderator to unlock it, or type "
            "`/match relocate` where you want to go on.",
            thread=f"<#{channel_id}>",
        )
    if interaction.channel_id == channel_id:
        thread = isinstance(interaction.channel, discord.Thread)
        names = missing(interaction.app_permissions, thread=thread)
    else:
        names = lacking(interaction.client, channel_id, parent_id)
    if names:
        return _sentence(names, channel_id)
    return say(
        "Discord won't let me post the board in {channel}. Ask a moderator to check "
        "my permissions there.",
        channel=f"<#{channel_id}>",
    )


def _sentence(lacking: Sequence[str], channel_id: int) -> Phrase:
    return plural(
        "I can't show boards in {channel} without the permission {names}. Ask a moderator to "
        "grant it in the channel's settings, or play in another channel.",
        "I can't show boards in {channel} without the permissions {names}. Ask a moderator to "
        "grant them in the channel's settings, or play in another channel.",
        len(lacking),
        channel=f"<#{channel_id}>",
        names=_bold(lacking),
    )


def _bold(names: Sequence[str]) -> Phrase:
    return listed(concat("**", name, "**") for name in names)
